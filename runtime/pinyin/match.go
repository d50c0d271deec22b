package pinyin

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Heard says how much of a text a typed sound names; the smallest names it best.
type Heard int

const (
	Whole  Heard = iota // all of it
	Begin               // its beginning
	Inside              // something in it
	Unheard
)

// Match reports how a typed text, in lower case and without spaces, sounds like another: by pinyin whose last syllable may be typed in part,
// or by initials, in any common reading of each character. Characters that are typed themselves count as their sounds. usual reports of all of
// it whether the most usual readings are enough; of a person's name the surname's is the usual one.
func Match(text, typed string, person bool) (heard Heard, usual bool) {
	if typed == "" {
		return Unheard, true
	}
	chars, said := spoken(text, person)
	if heard = match(chars, said, typed); heard != Whole {
		return heard, true
	}
	plain := make([][]string, len(said))
	for i, one := range said {
		plain[i] = one[:1]
	}
	return heard, match(chars, plain, typed) == heard
}

// spoken are the letters, digits and Chinese characters of a text in lower case and how each may be read.
func spoken(text string, person bool) (chars []rune, said [][]string) {
	chars, said = make([]rune, 0, len(text)/3+1), make([][]string, 0, len(text)/3+1)
	for _, r := range text {
		r = unicode.ToLower(r)
		if one := readingsOf(r); one != nil {
			chars, said = append(chars, r), append(said, one)
		} else if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if sound := latin(r); sound != "" {
				chars, said = append(chars, r), append(said, []string{sound})
			}
		}
	}
	if person {
		for i, sound := range surnameOf(chars) {
			first := []string{sound}
			for _, one := range said[i] {
				if one != sound {
					first = append(first, one)
				}
			}
			said[i] = first
		}
	}
	return chars, said
}

func match(chars []rune, said [][]string, typed string) Heard {
	best := Unheard
	for begin := range said {
		for _, initials := range []bool{false, true} {
			ends, ok := reaches(chars[begin:], said[begin:], typed, initials)
			switch {
			case !ok:
			case begin > 0:
				best = min(best, Inside)
			case ends:
				return Whole
			default:
				best = Begin
			}
		}
		if best <= Begin {
			break
		}
	}
	return best
}

// reaches reports whether characters from the first one on sound like a typed text, and whether the text ends with the last of them. at is
// what may have been heard of it, as offsets.
func reaches(chars []rune, said [][]string, typed string, initials bool) (ends, ok bool) {
	at := []int{0}
	for i, sounds := range said {
		var next []int
		for _, from := range at {
			rest := typed[from:]
			step := func(sound string) {
				switch {
				case strings.HasPrefix(rest, sound):
					if to := from + len(sound); !has(next, to) {
						next = append(next, to)
					}
				case strings.HasPrefix(sound, rest):
					ok = true
				}
			}
			step(string(chars[i]))
			for _, sound := range sounds {
				if initials {
					_, size := utf8.DecodeRuneInString(sound)
					sound = sound[:size]
				}
				step(sound)
			}
		}
		if has(next, len(typed)) {
			return i == len(said)-1, true
		}
		if at = next; len(at) == 0 {
			break
		}
	}
	return false, ok
}

func has(in []int, one int) bool {
	for _, x := range in {
		if x == one {
			return true
		}
	}
	return false
}
