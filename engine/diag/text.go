package diag

import (
	"fmt"
	"strings"
)

// Localized is an argument of New that has a text of its own in each language: Text, or a label of the documents.
type Localized interface{ In(locale string) string }

// Text is an argument of New that differs by language. Any other argument reads the same in both.
type Text struct{ Zh, En string }

// In returns the text in a locale.
func (t Text) In(locale string) string {
	if locale == "en" {
		return t.En
	}
	return t.Zh
}

// fill replaces {0}, {1} ... by the arguments in one language. What an argument holds is never replaced again.
func fill(template string, args []any, locale string) string {
	pairs := make([]string, 0, 2*len(args))
	for i, a := range args {
		if l, ok := a.(Localized); ok {
			a = l.In(locale)
		}
		pairs = append(pairs, fmt.Sprintf("{%d}", i), fmt.Sprint(a))
	}
	return strings.NewReplacer(pairs...).Replace(template)
}
