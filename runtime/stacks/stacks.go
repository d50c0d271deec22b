// Package stacks tells what the goroutines of the process do, for logs.
package stacks

import (
	"runtime/pprof"
	"strings"
)

// most is how many bytes of a text are kept: goroutines with the same stack are one entry, the most frequent first.
const most = 128 << 10

// All returns the stacks of all goroutines. It has no values, only places in the program.
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
