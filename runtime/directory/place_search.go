package directory

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/place"
	"github.com/sluice-platform/sluice/runtime/finder"
)

// spot is a division as people search for one.
type spot struct {
	Division
	names   []string // folded: its name, with and without the kind of division that it is
	english string   // folded, without spaces
	sounds  []string // what the names sound like in every common reading: in full and their initials
	ways    []string // its names behind those of the divisions above, from each of these on
	said    []string // what these sound like
}

// plainWord is a text as it is compared: folded, without spaces.
func plainWord(s string) string { return strings.ReplaceAll(fold(s), " ", "") }

// soundsOf are the sounds of a name in every common reading, those of its initials among them.
func soundsOf(name string) []string { return strings.Fields(Sounds(name)) }

// mostWays bounds the ways to read the name of a division behind those above it.
const mostWays = 8

// index makes the divisions ready for searching.
func (s *places) index() []spot {
	s.once.Do(func() {
		for d := range s.All {
			if place.Unsaid(d.Name) {
				continue
			}
			whole, brief, english := fold(d.Name), fold(place.Short(d.Name)), plainWord(d.NameEn)
			wholeSaid, briefSaid := soundsOf(d.Name), soundsOf(place.Short(d.Name))
			full, first := sorted(d.Name, wholeSaid)
			fullShort, firstShort := sorted(place.Short(d.Name), briefSaid)
			full, first = slices.Concat(full, fullShort), slices.Concat(first, firstShort)
			one := spot{Division: Division{Division: d}, names: []string{whole, brief}, english: english, sounds: slices.Concat(wholeSaid, briefSaid)}
			for at := place.Above(d.Code); at != ""; at = place.Above(at) {
				up, ok := s.Get(at)
				if !ok || place.Unsaid(up.Name) {
					continue
				}
				upFull, upFirst := sorted(place.Short(up.Name), soundsOf(place.Short(up.Name)))
				full, first = behind(upFull, full), behind(upFirst, first)
				whole, brief, english = fold(up.Name)+whole, fold(place.Short(up.Name))+brief, plainWord(up.NameEn)+english
				one.ways = append(one.ways, whole, brief, english)
				one.said = append(append(one.said, full...), first...)
			}
			s.spots = append(s.spots, one)
		}
		slices.SortFunc(s.spots, func(a, b spot) int {
			return cmp.Or(cmp.Compare(len(a.Code), len(b.Code)), cmp.Compare(a.Code, b.Code))
		})
	})
	return s.spots
}

// sorted parts the sounds of a name into full ones and initials.
func sorted(name string, sounds []string) (full, initials []string) {
	for _, one := range sounds {
		if len(one) == utf8.RuneCountInString(name) {
			initials = append(initials, one)
		} else {
			full = append(full, one)
		}
	}
	return full, initials
}

// behind joins the sounds of a name to those of what follows it.
func behind(names, rest []string) (out []string) {
	for _, name := range names {
		for _, one := range rest {
			if len(out) < mostWays {
				out = append(out, name+one)
			}
		}
	}
	return out
}

// How well a division fits a text; the smallest is best.
const (
	called = iota
	begins
	contains
	sounds
	soundsSo
	lies
	mentions
	misfit
)

func (p spot) fits(word string) int {
	begin := func(s string) bool { return strings.HasPrefix(s, word) }
	has := func(s string) bool { return strings.Contains(s, word) }
	switch {
	case slices.Contains(p.names, word), p.english == word, p.Code == word, slices.Contains(p.ways, word):
		return called
	case slices.ContainsFunc(p.names, begin), begin(p.english), begin(p.Code):
		return begins
	case slices.ContainsFunc(p.names, has):
		return contains
	case slices.Contains(p.sounds, word), slices.Contains(p.said, word):
		return sounds
	case slices.ContainsFunc(p.sounds, begin):
		return soundsSo
	case slices.ContainsFunc(p.ways, begin), slices.ContainsFunc(p.said, begin):
		return lies
	case has(p.english):
		return mentions
	}
	return misfit
}

// Search finds divisions down to a level (1 = provinces, 3 = districts) by name, English name, pinyin, initials or code, alone or
// behind the names of divisions above them; the best first. Of several words each has to fit.
func (p *Places) Search(text string, levels, limit int) []Division {
	return p.places().find(text, levels, limit)
}

func (s *places) find(text string, levels, limit int) []Division {
	words := strings.FieldsFunc(fold(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",，、/", r) })
	if len(words) == 0 {
		return nil
	}
	type hit struct {
		Division
		fit int
	}
	var hits []hit
	for _, one := range s.index() {
		if len(one.Code) > 2*levels {
			break
		}
		best := misfit
		for _, word := range words {
			fit := one.fits(word)
			best = min(best, fit)
			if fit == misfit {
				best = misfit
				break
			}
		}
		if best != misfit {
			hits = append(hits, hit{one.Division, best})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.fit, b.fit) })
	var out []Division
	for _, h := range hits[:min(len(hits), limit)] {
		if h.fit == called {
			h.Named = finder.ByText
		} else if h.fit == sounds {
			h.Named = finder.BySound
		}
		out = append(out, h.Division)
	}
	return out
}
