// Package pinyin tells what Chinese texts sound like, so that people can search for them with a Latin keyboard.
package pinyin

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mozillazg/go-pinyin"
)

// Of returns the full pinyin of a text and its initials. Of the characters that are not Chinese those that keep takes stay
// in both, in lower case and without the marks of tones. "张伟 É" -> "zhangweie", "zwe".
func Of(text string, keep func(rune) bool) (full, initials string) {
	var whole, first strings.Builder
	args := pinyin.NewArgs()
	args.Fallback = func(r rune, _ pinyin.Args) []string {
		if !keep(r) {
			return nil
		}
		return []string{string(unicode.ToLower(r))}
	}
	for _, sound := range pinyin.LazyPinyin(text, args) {
		initial, _ := utf8.DecodeRuneInString(sound)
		whole.WriteString(sound)
		first.WriteRune(initial)
	}
	return whole.String(), first.String()
}

// Chinese reports whether a text has Chinese characters.
func Chinese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
