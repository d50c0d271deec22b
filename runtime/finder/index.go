package finder

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/runtime/pinyin"
)

// The marks around a name in its index: what begins with a text, and what is it, is found by them. Nobody types them.
const (
	begin = "\x02"
	end   = "\x03"
)

// longestIndexed bounds the characters of a name of which an index holds the plain form, as people type no more.
const longestIndexed = 100

// Index is what an index of names holds beside the name: its plain form between two marks, and of a name with Chinese characters its
// sounds. "" for no name.
func Index(name string) string {
	plain := Plain(name)
	if plain == "" {
		return ""
	}
	out := marked(plain)
	if pinyin.Chinese(name) {
		out += " " + pinyin.Index(name, func(r rune) bool { return !unicode.IsSpace(r) })
	}
	return out
}

// marked is a plain text between the marks; of a long one the beginning, without the second.
func marked(plain string) string {
	if utf8.RuneCountInString(plain) > longestIndexed {
		return begin + cut(plain)
	}
	return begin + plain + end
}

func cut(plain string) string {
	if utf8.RuneCountInString(plain) > longestIndexed {
		return string([]rune(plain)[:longestIndexed])
	}
	return plain
}

// Whole is what the index of a name has that is the text.
func (t Text) Whole() string { return marked(t.whole) }

// Start is what the index of a name has that begins with the text.
func (t Text) Start() string { return begin + cut(t.whole) }

// Part is what the index of a name has that contains the text, spelled or by its sound.
func (t Text) Part() string { return cut(strings.Trim(t.whole, begin+end)) }
