// Package pinyin tells what Chinese texts sound like, so that people can search for them with a Latin keyboard.
package pinyin

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mozillazg/go-pinyin"
)

// Of returns the full pinyin of a text and its initials. Of the characters that are not Chinese those that keep takes stay
// in both, in lower case and without the marks of tones. "张伟 É" -> "zhangweie", "zwe".
func Of(text string, keep func(rune) bool) (full, initials string) {
	var whole, first strings.Builder
	for _, r := range text {
		sound := ""
		if known, ok := soundOf(r); ok {
			sound = known
		} else if keep(r) {
			sound = latin(unicode.ToLower(r))
		}
		if sound == "" {
			continue
		}
		initial, _ := utf8.DecodeRuneInString(sound)
		whole.WriteString(sound)
		first.WriteRune(initial)
	}
	return whole.String(), first.String()
}

// sounds are those of characters that were met: the library takes the marks of tones off each time, with regular expressions.
var sounds sync.Map // rune -> string

// soundOf is the most usual sound of a Chinese character, without its tone.
func soundOf(r rune) (string, bool) {
	if known, ok := sounds.Load(r); ok {
		return known.(string), true
	}
	if _, ok := pinyin.PinyinDict[int(r)]; !ok {
		return "", false
	}
	sound := pinyin.SinglePinyin(r, pinyin.NewArgs())[0]
	sounds.Store(r, sound)
	return sound, true
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
