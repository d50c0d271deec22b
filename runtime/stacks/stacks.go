// Package stacks tells what the goroutines of the process are doing, for logs.
package stacks

import (
	"runtime/pprof"
	"strings"
)

// most is how many bytes of a text are kept: goroutines that stand at the same place are one entry, most of them first.
const most = 128 << 10

// All returns where all goroutines stand. It has no values, only places in the program.
func All() string {
	var b strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return err.Error()
	}
	text := b.String()
	if len(text) > most {
		text = text[:most] + "\n... cut"
	}
	return text
}
