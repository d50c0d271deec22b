package diag

import (
	"fmt"
	"strings"
)

// Text is an argument of New that differs by language. Any other argument reads the same in both.
type Text struct{ Zh, En string }

// fill replaces {0}, {1} ... by the arguments in one language. What an argument holds is never replaced again.
func fill(template string, args []any, text func(Text) string) string {
	pairs := make([]string, 0, 2*len(args))
	for i, a := range args {
		word, ok := a.(Text)
		value := text(word)
		if !ok {
			value = fmt.Sprint(a)
		}
		pairs = append(pairs, fmt.Sprintf("{%d}", i), value)
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

func zh(t Text) string { return t.Zh }
func en(t Text) string { return t.En }
