// Package finder decides what a typed text means: how well a choice, person, department or record fits it, and which one it names. Pickers,
// filters, the search of lists, the palette and imports ask it; the browser does the same for choices that it holds (ui/src/lib/find-choice.ts,
// one table of cases for both in testdata). It holds no data and asks no database.
package finder

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/pinyin"
)

// Fit says how well something fits a typed text; the smallest is best. Spelling comes before sound.
type Fit int

const (
	Exact         Fit = iota // a name, code or number is the text
	Begins                   // one begins with it
	Contains                 // one has it, or has each of its words
	Sounds                   // a name sounds so, whole, or its initials are so
	SoundsSo                 // of a person: the same with the surname read as it is elsewhere
	SoundsBegin              // a name begins with the sound
	SoundsContain            // a name has the sound
	Beside                   // what is beside the name has the text
	None
)

// Subject is what a text may mean.
type Subject struct {
	Names  []string // in every language; those are heard too
	Codes  []string // codes, numbers, accounts
	Beside []string // names of what is above it, and other words that find it after everything that has the text itself
	Person bool     // its name begins with a surname
}

// Plain is the form in which texts are compared: without case, width and spaces.
func Plain(text string) string { return property.Plain(text) }

// Text is what was typed.
type Text struct {
	whole string
	words []string
	heard bool // it can be a sound
}

// Typed reads a typed text.
func Typed(text string) Text {
	t := Text{whole: Plain(text)}
	for _, word := range strings.Fields(norm.NFKC.String(text)) {
		t.words = append(t.words, Plain(word))
	}
	t.heard = strings.ContainsFunc(t.whole, func(r rune) bool { return r >= 'a' && r <= 'z' })
	return t
}

// Longest is how many characters the longest word of the text has.
func (t Text) Longest() (n int) {
	for _, word := range t.words {
		n = max(n, utf8.RuneCountInString(word))
	}
	return n
}

// Empty reports whether nothing was typed: everything fits.
func (t Text) Empty() bool { return t.whole == "" }

// Within reports whether each word of the text is somewhere in some plain texts and sounds: what no subject of them fits, it is not.
func (t Text) Within(plain ...string) bool {
	in := func(word string) bool {
		return slices.ContainsFunc(plain, func(text string) bool { return strings.Contains(text, word) })
	}
	return in(t.whole) || !slices.ContainsFunc(t.words, func(word string) bool { return !in(word) })
}

// Fit tells how well a subject fits the text.
func (t Text) Fit(s Subject) Fit {
	if t.Empty() {
		return Exact
	}
	best := t.part(t.whole, s)
	if best > Contains && len(t.words) > 1 {
		each := Contains
		for _, word := range t.words {
			each = max(each, t.part(word, s))
		}
		best = min(best, each)
	}
	return best
}

func (t Text) part(word string, s Subject) Fit {
	best := None
	for _, of := range [][]string{s.Names, s.Codes} {
		for _, text := range of {
			best = min(best, spelled(Plain(text), word))
		}
	}
	if best < None {
		return best
	}
	for _, name := range s.Names {
		if t.heard {
			best = min(best, said(name, word, s.Person))
		}
	}
	if best < None {
		return best
	}
	for _, text := range s.Beside {
		if spelled(Plain(text), word) < None || t.heard && said(text, word, false) < None {
			return Beside
		}
	}
	return None
}

func spelled(text, word string) Fit {
	switch {
	case text == word:
		return Exact
	case strings.HasPrefix(text, word):
		return Begins
	case strings.Contains(text, word):
		return Contains
	}
	return None
}

func said(name, word string, person bool) Fit {
	if !pinyin.Chinese(name) {
		return None
	}
	switch heard, usual := pinyin.Match(name, word, person); {
	case heard == pinyin.Whole && (usual || !person):
		return Sounds
	case heard == pinyin.Whole:
		return SoundsSo
	case heard == pinyin.Begin:
		return SoundsBegin
	case heard == pinyin.Inside:
		return SoundsContain
	}
	return None
}

// Named says how a text names what it found: the words of the wire. "" = it does not name it, but something longer.
type Named string

const (
	ByText  Named = "text"  // by its name, code or number
	BySound Named = "sound" // by its whole sound
)

// Named reports how a text names what fits it so; "" = it does not.
func (t Text) Named(fit Fit) Named {
	switch {
	case t.Empty():
		return ""
	case fit == Exact:
		return ByText
	case fit == Sounds, fit == SoundsSo:
		return BySound
	}
	return ""
}

// Ranked is something with its fit.
type Ranked[T any] struct {
	Of  T
	Fit Fit
}

// Rank returns those of some things that fit a text, the best first, and as they were where they fit alike.
func Rank[T any](t Text, all []T, subject func(T) Subject) []Ranked[T] {
	out := make([]Ranked[T], 0, len(all))
	for _, one := range all {
		if fit := t.Fit(subject(one)); fit != None {
			out = append(out, Ranked[T]{one, fit})
		}
	}
	slices.SortStableFunc(out, func(a, b Ranked[T]) int { return cmp.Compare(a.Fit, b.Fit) })
	return out
}
