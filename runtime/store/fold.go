package store

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold is the form in which texts are searched: NFC, each rune in lower case.
func Fold(s string) string { return strings.Map(unicode.ToLower, norm.NFC.String(s)) }

// Grams are the two-rune pieces of a folded text, without repeats: what a gram index holds of it. A text of one rune has
// itself as its only gram; words of a search longer than that ask for all of theirs.
func Grams(s string) []string {
	runes := []rune(Fold(s))
	if len(runes) == 1 {
		return []string{string(runes)}
	}
	seen := make(map[string]bool, len(runes))
	var out []string
	for i := 0; i+1 < len(runes); i++ {
		g := string(runes[i : i+2])
		if !seen[g] {
			seen[g] = true
			out = append(out, g)
		}
	}
	return out
}
