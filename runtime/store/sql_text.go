package store

import (
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/plan"
)

// maxPattern bounds a search text, in characters.
const maxPattern = 200

// folding is a search text, folded, and what of the searched text must be folded to find it. Only characters that fold
// into one of the pattern matter: so a database folds a text exactly as Fold does, whatever its locale and version, and a
// Chinese word costs no folding at all.
type folding struct {
	pattern string
	ascii   bool   // the pattern has letters a to z
	from    []rune // other characters that fold into one of the pattern
	to      []rune
}

// upper lists, for each character, the ones besides A to Z that unicode.ToLower makes it of.
var upper = sync.OnceValue(func() map[rune][]rune {
	out := map[rune][]rune{}
	for _, r := range unicode.CaseRanges {
		for c := rune(r.Lo); c <= rune(r.Hi); c++ {
			if l := unicode.ToLower(c); l != c && c > unicode.MaxASCII {
				out[l] = append(out[l], c)
			}
		}
	}
	return out
})

func foldingOf(pattern string) folding {
	f := folding{pattern: Fold(pattern)}
	seen := map[rune]bool{}
	for _, r := range f.pattern {
		if seen[r] {
			continue
		}
		seen[r] = true
		if r >= 'a' && r <= 'z' {
			f.ascii = true
		}
		for _, c := range upper()[r] {
			f.from, f.to = append(f.from, c), append(f.to, r)
		}
	}
	return f
}

// foldingOfAll folds every character that can be folded, for patterns that are columns.
func foldingOfAll() folding {
	f := folding{ascii: true}
	for to, from := range upper() {
		for _, c := range from {
			f.from, f.to = append(f.from, c), append(f.to, to)
		}
	}
	sort.Sort(&f)
	return f
}

func (f *folding) Len() int           { return len(f.from) }
func (f *folding) Less(i, j int) bool { return f.from[i] < f.from[j] }
func (f *folding) Swap(i, j int) {
	f.from[i], f.from[j] = f.from[j], f.from[i]
	f.to[i], f.to[j] = f.to[j], f.to[i]
}

func (s *scope) match(dst []byte, x *plan.Match, yes bool) []byte {
	if empty(x.X) || empty(x.Pattern) {
		return constant(dst, !yes)
	}
	cx, a := unguard(x.X)
	cp, p := unguard(x.Pattern)
	if len(cx)+len(cp) > 0 {
		inner := &plan.Match{X: a, Pattern: p, Prefix: x.Prefix}
		if s.grams[x] {
			s.grams[inner] = true
		}
		if rows, known := s.hitRows[x]; known {
			s.hitRows[inner] = rows
		}
		return s.cond(dst, &plan.And{Of: append(append(cx, cp...), inner)}, yes)
	}
	if k := a.Kind(); k != plan.Text && k != plan.ID && k != plan.Clock {
		s.fail("cannot search in %s", k)
		return dst
	}
	text, ok := "", false
	if c, isConst := p.(*plan.Const); isConst {
		if text, ok = c.Value.(string); !ok || utf8.RuneCountInString(text) > maxPattern {
			s.fail("search text of %T with more than %d characters", c.Value, maxPattern)
			return dst
		}
	}
	return predicate(dst, yes, func(dst []byte) []byte {
		column := s.as(nil, a, plan.Text)
		switch {
		case x.Prefix && ok:
			return s.startsWith(dst, column, text)
		case x.Prefix:
			prefix := s.as(nil, p, plan.Text)
			dst = append(append(append(dst, "substr("...), column...), ", 1, length("...)
			return append(append(append(dst, prefix...), ")) = "...), prefix...)
		case ok && s.grams[x] && yes:
			if rows, known := s.hitRows[x]; known {
				dst = s.numbered(append(dst, '('), a.(*plan.Field), rows)
			} else {
				dst = s.gram(append(dst, '('), a.(*plan.Field), text)
			}
			return append(s.contains(append(dst, " AND "...), column, text), ')')
		case ok:
			return s.contains(dst, column, text)
		}
		return s.w.containsValue(s.builder, dst, column, s.as(nil, p, plan.Text))
	})
}

// contains writes that a text contains a constant, folded.
func (s *scope) contains(dst, x []byte, text string) []byte {
	if strings.IndexByte(text, 0) >= 0 {
		s.fail("text with U+0000: %w", ErrValue)
		return dst
	}
	return s.w.contains(s.builder, dst, x, foldingOf(text))
}

// startsWith is a range of bytes, which any index on the column serves.
func (s *scope) startsWith(dst, x []byte, prefix string) []byte {
	dst = append(append(append(dst, '('), x...), " >= "...)
	dst = s.arg(dst, plan.Text, prefix)
	if end := successor(prefix); end != "" {
		dst = append(append(append(dst, " AND "...), x...), " < "...)
		dst = s.arg(dst, plan.Text, end)
	}
	return append(dst, ')')
}

// successor is the first text, by bytes, behind all that begin with prefix; "" when there is none.
func successor(prefix string) string {
	r := []rune(prefix)
	for i := len(r) - 1; i >= 0; i-- {
		next := r[i] + 1
		if next == 0xD800 {
			next = 0xE000
		}
		if next <= unicode.MaxRune {
			return string(append(r[:i:i], next))
		}
	}
	return ""
}

// gram writes that the search index knows all two-character pieces of a text.
func (s *scope) gram(dst []byte, f *plan.Field, text string) []byte {
	_, m, name := s.at(f)
	return s.w.grams(s.builder, dst, name, m.Table, f.Column, text)
}

// numbered writes that a row's number is in a JSON array.
func (s *scope) numbered(dst []byte, f *plan.Field, rows string) []byte {
	_, _, name := s.at(f)
	dst = append(append(dst, name...), `."rid" IN (SELECT value FROM json_each(`...)
	return append(s.arg(dst, plan.Text, rows), "))"...)
}

// searchable reports whether a search of a column can go through its gram index.
func (s *scope) searchable(x *plan.Match) bool {
	_, a := unguard(x.X)
	f, ok := a.(*plan.Field)
	c, isConst := x.Pattern.(*plan.Const)
	if !ok || !isConst || x.Prefix || len(f.Path) > 0 || f.Outer || f.Old {
		return false
	}
	text, _ := c.Value.(string)
	if utf8.RuneCountInString(text) < 2 {
		return false
	}
	column, ok := columnOf(s.model, f.Column)
	return ok && column.Search
}
