package workbook

import (
	"bytes"
	"math"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// textEncoding is a way to write a text as bytes.
type textEncoding struct {
	name  string
	coded encoding.Encoding // nil is UTF-8
	// usual counts the characters outside ASCII of a sample, and how many of them texts of this encoding commonly have. nil: it is told by its
	// zero bytes or its mark.
	usual func(sample []byte) (usual, all int)
}

// utf8Name and gbName are the encodings that most files have.
const (
	utf8Name = "utf-8"
	gbName   = "gb18030"
)

// textEncodings are those that text files are read in. Of two that fit as well the first is taken.
var textEncodings = []textEncoding{
	{name: utf8Name},
	{name: "utf-16le", coded: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
	{name: "utf-16be", coded: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{gbName, simplifiedchinese.GB18030, pairs(gbPair)},
	{"big5", traditionalchinese.Big5, pairs(big5Pair)},
	{"shift_jis", japanese.ShiftJIS, pairs(jisPair)},
	{"euc-kr", korean.EUCKR, pairs(koreanPair)},
	{"windows-1252", charmap.Windows1252, latin},
	{"windows-1250", charmap.Windows1250, latin},
	{"windows-1251", charmap.Windows1251, cyrillic},
}

// Encodings are the names of the encodings that text files can be read in.
func Encodings() []string {
	names := make([]string, len(textEncodings))
	for i, e := range textEncodings {
		names[i] = e.name
	}
	return names
}

func encodingNamed(name string) (textEncoding, bool) {
	for _, e := range textEncodings {
		if e.name == name {
			return e, true
		}
	}
	return textEncoding{}, false
}

// enough is the share of usual characters from which on a text can be of an encoding; alike is how much less than the best one still may be
// meant; few are characters that decide nothing.
const (
	enough = 0.5
	alike  = 0.2
	few    = 4
)

// guess names the encodings that a sample without UTF-8 may have, the likeliest first. Several: the text does not tell. None: it is damaged.
func guess(sample []byte) []string {
	if damagedUTF8(sample) {
		return nil
	}
	type scored struct {
		name  string
		share float64
	}
	var found []scored
	best, most := 0.0, 0
	for _, e := range textEncodings {
		if e.usual == nil {
			continue
		}
		text, err := e.coded.NewDecoder().Bytes(sample)
		usual, all := e.usual(sample)
		if err != nil || bytes.Contains(text, []byte("\uFFFD")) || all == 0 {
			continue
		}
		s := scored{e.name, float64(usual) / float64(all)}
		if s.share < enough && e.name != gbName {
			continue
		}
		if s.name == "euc-kr" && s.share > 0.97 && all >= 16 { // of Chinese characters two in five are outside of Hangul's rows
			s.share += 0.3
		}
		found = append(found, s)
		best, most = math.Max(best, s.share), max(most, all)
	}
	var names []string
	for _, s := range found {
		if s.share >= best-alike || most < few && s.share > 0 {
			names = append(names, s.name)
		}
	}
	for i, s := range found { // the best one first; GB18030 where another one is hardly better
		if s.share == best && (found[0].name != gbName || best-found[0].share > alike/2) {
			return before(names, found[i].name)
		}
	}
	return names
}

// before puts a name first.
func before(names []string, first string) []string {
	out := []string{first}
	for _, n := range names {
		if n != first {
			out = append(out, n)
		}
	}
	return out
}

// damagedUTF8: nearly all characters outside ASCII are right UTF-8, which no other encoding looks like.
func damagedUTF8(sample []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(sample); {
		r, n := utf8.DecodeRune(sample[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case n > 1:
			good += n
		}
		i += n
	}
	return good > 9*bad
}

// pairs counts the characters of an encoding that writes most of them as two bytes. of tells if a lead byte begins a pair, if the pair is usual,
// and if it counts: punctuation decides nothing.
func pairs(of func(lead, trail byte) (pair, usual, counts bool)) func([]byte) (int, int) {
	return func(sample []byte) (usual, all int) {
		for i := 0; i < len(sample); i++ {
			lead := sample[i]
			if lead < 0x80 {
				continue
			}
			trail := byte(0)
			if i+1 < len(sample) {
				trail = sample[i+1]
			}
			pair, common, counts := of(lead, trail)
			if pair {
				i++
			}
			if counts {
				all++
				if common {
					usual++
				}
			}
		}
		return usual, all
	}
}

func within(b, from, to byte) bool { return b >= from && b <= to }

// gbPair: the 3,755 usual characters are in the rows from B0 to D7. A trail of digits is a character of four bytes.
func gbPair(lead, trail byte) (pair, usual, counts bool) {
	return true, within(lead, 0xB0, 0xD7) && trail >= 0xA1, !within(lead, 0xA1, 0xA9) || trail < 0xA1
}

// big5Pair: the 5,401 usual characters are in the rows from A4 to C6.
func big5Pair(lead, trail byte) (pair, usual, counts bool) {
	return true, within(lead, 0xA4, 0xC6) && (within(trail, 0x40, 0x7E) || trail >= 0xA1), !within(lead, 0xA1, 0xA3)
}

// jisPair: kana are in the rows 82 and 83, usual characters in those from 88 to 97. One byte is kana of half width, which is rare.
func jisPair(lead, trail byte) (pair, usual, counts bool) {
	if within(lead, 0xA1, 0xDF) {
		return false, false, true
	}
	return true, within(lead, 0x82, 0x83) || within(lead, 0x88, 0x97), lead != 0x81
}

// koreanPair: Hangul is in the rows from B0 to C8.
func koreanPair(lead, trail byte) (pair, usual, counts bool) {
	return true, within(lead, 0xB0, 0xC8) && trail >= 0xA1, !within(lead, 0xA1, 0xAC)
}

// latin: letters with marks stand among letters of ASCII, one or two at a time.
func latin(sample []byte) (usual, all int) {
	for i := 0; i < len(sample); {
		end := i
		for end < len(sample) && sample[end] >= 0x80 {
			end++
		}
		if n := end - i; n > 0 {
			all += n
			beside := i > 0 && letter(sample[i-1]) || end < len(sample) && letter(sample[end])
			if n <= 2 && (beside || n == 1 && sample[i] < 0xC0) {
				usual += n
			}
		}
		i = end + 1
	}
	return usual, all
}

func letter(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' }

// cyrillic: words of small letters, or of capital ones, with one capital at the start. A single letter is not a word of it.
func cyrillic(sample []byte) (usual, all int) {
	for i := 0; i < len(sample); {
		if sample[i] < 0x80 {
			i++
			continue
		}
		end, small, wrong := i, 0, 0
		for ; end < len(sample) && sample[end] >= 0x80; end++ {
			c := sample[end]
			switch {
			case c >= 0xE0 || c == 0xB8:
				small++
			case c < 0xC0 && c != 0xA8:
				wrong++
			case end > i && sample[end-1] >= 0xE0:
				wrong++
			}
		}
		touches := i > 0 && letter(sample[i-1]) || end < len(sample) && letter(sample[end])
		if n := end - i; wrong == 0 && !touches && n > 1 && (small >= n-1 || small == 0) {
			usual += n
		}
		all += end - i
		i = end
	}
	return usual, all
}
