package workday

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// dayMinutes is the length of a day on the wall clock.
const dayMinutes = 24 * 60

// Span is a part of a day in minutes after midnight: From is in it, To is not.
type Span struct{ From, To int }

// Hours are the working times of a day, the earliest first; none overlaps another.
type Hours []Span

// Reasons why hours are refused.
var (
	ErrFormat  = errors.New("hours are not written as 08:30-12:00 13:30-17:30")
	ErrReverse = errors.New("hours end before they start")
	ErrOverlap = errors.New("hours overlap")
)

var span = regexp.MustCompile(`^([0-9]{1,2})[:：]([0-9]{2})\s*[-–—~～至]\s*([0-9]{1,2})[:：]([0-9]{2})$`)

// separators stand between the spans of a day.
const separators = ",，;；、\n"

// loose is a dash with blanks around it.
var loose = regexp.MustCompile(`\s*([-–—~～至])\s*`)

// ParseHours reads the working times of a day: "08:30-12:00 13:30-17:30", with 24:00 for the end of the day. An empty text is a day off. The
// second value is the part that is wrong.
func ParseHours(text string) (Hours, string, error) {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(separators, r) {
			return ' '
		}
		return r
	}, text)
	var out Hours
	for _, part := range strings.Fields(loose.ReplaceAllString(text, "$1")) {
		m := span.FindStringSubmatch(part)
		if m == nil {
			return nil, part, ErrFormat
		}
		from, ok := minutes(m[1], m[2])
		to, also := minutes(m[3], m[4])
		switch {
		case !ok || !also:
			return nil, part, ErrFormat
		case from >= to:
			return nil, part, ErrReverse
		}
		out = append(out, Span{from, to})
	}
	slices.SortFunc(out, func(a, b Span) int { return a.From - b.From })
	for i := 1; i < len(out); i++ {
		if out[i].From < out[i-1].To {
			return nil, out[i].String(), ErrOverlap
		}
	}
	return out, "", nil
}

// minutes reads hours and minutes of at most two digits each.
func minutes(hours, rest string) (int, bool) {
	h, _ := strconv.Atoi(hours)
	m, _ := strconv.Atoi(rest)
	return h*60 + m, m < 60 && h*60+m <= dayMinutes
}

// String writes a span as ParseHours reads it.
func (s Span) String() string {
	return fmt.Sprintf("%02d:%02d-%02d:%02d", s.From/60, s.From%60, s.To/60, s.To%60)
}

// String writes hours as ParseHours reads them.
func (h Hours) String() string {
	parts := make([]string, len(h))
	for i, s := range h {
		parts[i] = s.String()
	}
	return strings.Join(parts, " ")
}
