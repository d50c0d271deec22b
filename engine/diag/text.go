package diag

import (
	"fmt"
	"regexp"
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

var place = regexp.MustCompile(`\{(\d)(?:\|([^|{}]*)\|([^|{}]*))?\}`)

// Fill replaces {0}, {1} ... by the arguments in one language, and {0|field|fields} by the first word when that argument is 1 and
// by the second otherwise. What an argument holds is never replaced again.
func Fill(template string, args []any, locale string) string {
	if !strings.Contains(template, "{") {
		return template
	}
	return place.ReplaceAllStringFunc(template, func(found string) string {
		m := place.FindStringSubmatch(found)
		i := int(m[1][0] - '0')
		if i >= len(args) {
			return found
		}
		a := args[i]
		if l, ok := a.(Localized); ok {
			a = l.In(locale)
		}
		text := fmt.Sprint(a)
		switch {
		case m[2] == "" && m[3] == "":
			return text
		case text == "1":
			return m[2]
		}
		return m[3]
	})
}
