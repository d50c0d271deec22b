package pinyin

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// mostWays bounds the ways to read a text that an index holds besides the usual one.
	mostWays = 16
	// beside is how many characters on each side of an unusual reading an index holds with it.
	beside = 8
)

// Index is what an index of searches holds of how a text sounds: its usual pinyin and initials as Of returns them, and then, separated by
// spaces, the characters around those that have other common readings, read so. A text of many such characters has the first mostWays.
func Index(text string, keep func(rune) bool) string {
	said := lattice(text, keep)
	full, initials := Of(text, keep)
	out := []string{full, initials}
	add := func(word string) {
		if !slices.ContainsFunc(out, func(other string) bool { return strings.Contains(other, word) }) {
			out = append(out, word)
		}
	}
	for _, way := range unusual(said) {
		first, last := slices.IndexFunc(way, other), len(way)-1
		for way[last] == 0 {
			last--
		}
		var whole, brief strings.Builder
		for i := max(0, first-beside); i < min(len(way), last+beside+1); i++ {
			sound := said[i][way[i]]
			initial, _ := utf8.DecodeRuneInString(sound)
			whole.WriteString(sound)
			brief.WriteRune(initial)
		}
		add(whole.String())
		add(brief.String())
	}
	return strings.Join(out, " ")
}

func other(reading int) bool { return reading > 0 }

// unusual are ways to read a text other than the usual one, as the number of each character's reading: those with one unusual reading
// first, then those with two that stand together, up to mostWays.
func unusual(said [][]string) (out [][]int) {
	var at []int
	for i, one := range said {
		if len(one) > 1 {
			at = append(at, i)
		}
	}
	way := func(changes map[int]int) {
		one := make([]int, len(said))
		for i, reading := range changes {
			one[i] = reading
		}
		out = append(out, one)
	}
	for _, i := range at {
		for r := 1; r < len(said[i]) && len(out) < mostWays; r++ {
			way(map[int]int{i: r})
		}
	}
	for n, i := range at {
		for _, j := range at[n+1:] {
			for r := 1; j-i <= beside && r < len(said[i]); r++ {
				for q := 1; q < len(said[j]) && len(out) < mostWays; q++ {
					way(map[int]int{i: r, j: q})
				}
			}
		}
	}
	return out
}
