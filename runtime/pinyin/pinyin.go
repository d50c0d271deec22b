// Package pinyin tells what Chinese texts sound like, so that people can search for them with a Latin keyboard.
package pinyin

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mozillazg/go-pinyin"
)

// Of returns the full pinyin of a text and its initials, each character in its most usual reading. Of the characters that are not Chinese
// those that keep takes stay in both, in lower case and without the marks of tones. "张伟 É" -> "zhangweie", "zwe".
func Of(text string, keep func(rune) bool) (full, initials string) {
	var whole, first strings.Builder
	for _, said := range lattice(text, keep) {
		initial, _ := utf8.DecodeRuneInString(said[0])
		whole.WriteString(said[0])
		first.WriteRune(initial)
	}
	return whole.String(), first.String()
}

// lattice are the sounds of a text, character by character: of each those that it may have, the most usual first.
func lattice(text string, keep func(rune) bool) [][]string {
	out := make([][]string, 0, utf8.RuneCountInString(text))
	for _, r := range text {
		if said := readingsOf(r); said != nil {
			out = append(out, said)
		} else if keep(r) {
			if sound := latin(unicode.ToLower(r)); sound != "" {
				out = append(out, []string{sound})
			}
		}
	}
	return out
}

// sounds are those of characters that were met: the library takes the marks of tones off each time, with regular expressions.
var sounds sync.Map // rune -> []string

// libraryReadings are the readings of a character by the table of those with several, and by the library.
func libraryReadings(r rune) []string {
	if _, ok := pinyin.PinyinDict[int(r)]; !ok {
		return nil
	}
	if several, ok := readings()[string(r)]; ok {
		return several.all
	}
	return []string{pinyin.SinglePinyin(r, pinyin.NewArgs())[0]}
}

// latin is a character that is not Chinese, without a mark of tones.
func latin(r rune) string {
	if r < utf8.RuneSelf {
		return string(r)
	}
	args := pinyin.NewArgs()
	args.Fallback = func(r rune, _ pinyin.Args) []string { return []string{string(r)} }
	return pinyin.SinglePinyin(r, args)[0]
}

// Chinese reports whether a text has Chinese characters.
func Chinese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
