package seed

import (
	"math"
	"regexp/syntax"
	"strings"
)

// longest is how often a pattern without an upper limit repeats at most.
const longest = 8

// pattern writes texts that a pattern accepts, each number another one as long as there are.
type pattern struct{ of *syntax.Regexp }

func newPattern(text string) (*pattern, error) {
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	return &pattern{re}, nil
}

func (p *pattern) nth(n uint64) string {
	var b strings.Builder
	write(&b, p.of, n%count(p.of))
	return b.String()
}

// count is how many texts there are, as far as numbers go.
func count(re *syntax.Regexp) uint64 {
	switch re.Op {
	case syntax.OpCharClass:
		n := uint64(0)
		for _, r := range ranges(re) {
			n += uint64(r[1]-r[0]) + 1
		}
		return max(n, 1)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 10
	case syntax.OpCapture:
		return count(re.Sub[0])
	case syntax.OpConcat:
		n := uint64(1)
		for _, s := range re.Sub {
			n = times(n, count(s))
		}
		return n
	case syntax.OpAlternate:
		n := uint64(0)
		for _, s := range re.Sub {
			n = plus(n, count(s))
		}
		return n
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		least, most := repeats(re)
		n, one := uint64(0), count(re.Sub[0])
		for k := least; k <= most; k++ {
			n = plus(n, power(one, k))
		}
		return n
	}
	return 1
}

// write writes text n: the last places change first, the shorter texts come first.
func write(b *strings.Builder, re *syntax.Regexp, n uint64) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		for _, r := range ranges(re) {
			if size := uint64(r[1]-r[0]) + 1; n < size {
				b.WriteRune(r[0] + rune(n))
				return
			} else {
				n -= size
			}
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune('0' + rune(n%10))
	case syntax.OpCapture:
		write(b, re.Sub[0], n)
	case syntax.OpConcat:
		writeAll(b, re.Sub, n)
	case syntax.OpAlternate:
		for _, s := range re.Sub {
			size := count(s)
			if n < size {
				write(b, s, n)
				return
			}
			n -= size
		}
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		least, most := repeats(re)
		one := count(re.Sub[0])
		for k := least; k <= most; k++ {
			size := power(one, k)
			if n < size || k == most {
				all := make([]*syntax.Regexp, k)
				for i := range all {
					all[i] = re.Sub[0]
				}
				writeAll(b, all, n)
				return
			}
			n -= size
		}
	}
}

func writeAll(b *strings.Builder, of []*syntax.Regexp, n uint64) {
	digits := make([]uint64, len(of))
	for i := len(of) - 1; i >= 0; i-- {
		size := count(of[i])
		digits[i] = n % size
		n /= size
	}
	for i, s := range of {
		write(b, s, digits[i])
	}
}

// ranges are the characters of a class: the printable ones of ASCII where it has any.
func ranges(re *syntax.Regexp) (out [][2]rune) {
	for i := 0; i+1 < len(re.Rune); i += 2 {
		if low, high := max(re.Rune[i], '!'), min(re.Rune[i+1], '~'); low <= high {
			out = append(out, [2]rune{low, high})
		}
	}
	if len(out) == 0 && len(re.Rune) > 0 {
		out = append(out, [2]rune{re.Rune[0], re.Rune[0]})
	}
	return out
}

func repeats(re *syntax.Regexp) (least, most int) {
	switch re.Op {
	case syntax.OpStar:
		return 0, longest
	case syntax.OpPlus:
		return 1, longest
	case syntax.OpQuest:
		return 0, 1
	}
	if re.Max < 0 {
		return re.Min, re.Min + longest
	}
	return re.Min, re.Max
}

func power(n uint64, k int) uint64 {
	out := uint64(1)
	for range k {
		out = times(out, n)
	}
	return out
}

func times(a, b uint64) uint64 {
	if a != 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}

func plus(a, b uint64) uint64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
