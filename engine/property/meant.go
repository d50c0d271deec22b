package property

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Plain is the form in which names are compared: without case, width, spaces and marks of no width.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || noWidth(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(text))
}

// Visible is a text without the marks of no width that other programs leave in texts: a person reads none, and means none.
func Visible(text string) string {
	if !strings.ContainsFunc(text, noWidth) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if noWidth(r) {
			return -1
		}
		return r
	}, text)
}

// noWidth: spaces and joiners of no width, marks of direction, and the mark of byte order.
func noWidth(r rune) bool {
	return r >= '\u200b' && r <= '\u200f' || r >= '\u202a' && r <= '\u202e' || r == '\u2060' || r == '\ufeff'
}

// Meant are those of some things that a name in a file or on a clipboard means: those that have it among their texts as it is spelled, else those
// that have it in its plain form. Never one that is called longer, and none for an empty name. Of more than one, the name does not say which.
func Meant[T any](name string, all []T, texts func(T) []string) []T {
	plain := Plain(name)
	if plain == "" {
		return nil
	}
	spelled := strings.TrimSpace(Visible(name))
	so, alike := []T(nil), []T(nil)
	for _, one := range all {
		called := texts(one)
		if slices.Contains(called, spelled) {
			so = append(so, one)
		} else if slices.ContainsFunc(called, func(text string) bool { return Plain(text) == plain }) {
			alike = append(alike, one)
		}
	}
	if len(so) > 0 {
		return so
	}
	return alike
}
