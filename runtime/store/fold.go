package store

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold is the form in which texts are searched: NFC, each rune in lower case.
func Fold(s string) string { return strings.Map(unicode.ToLower, norm.NFC.String(s)) }

// Grams are the two-rune pieces of a folded text, without repeats: what a gram index holds of it. A text of one rune has
// itself as its only gram; words of a search longer than that ask for all of theirs.
func Grams(s string) []string {
	s = Fold(s)
	n := utf8.RuneCountInString(s)
	if n < 2 {
		if n == 0 {
			return nil
		}
		return []string{s}
	}
	out := make([]string, 0, n-1)
	var seen map[string]bool
	if n > fewRunes {
		seen = make(map[string]bool, n)
	}
	_, first := utf8.DecodeRuneInString(s)
	for from, mid := 0, first; mid < len(s); {
		_, size := utf8.DecodeRuneInString(s[mid:])
		g := s[from : mid+size]
		from, mid = mid, mid+size
		if seen == nil && slices.Contains(out, g) || seen[g] {
			continue
		}
		if seen != nil {
			seen[g] = true
		}
		out = append(out, g)
	}
	return out
}
