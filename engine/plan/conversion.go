package plan

import (
	"regexp"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/names"
)

// conversions are the forms that a column of a kind takes over. What is not here is lost with a change of the type: a number or a time of day says no
// day. An id becomes the name of its record, which the store looks up (Names). Between choices and texts the kind stays, and
// the values are looked up (Words).
var conversions = map[Kind][]Conversion{
	Text:    {{From: Number}, {From: Date}, {From: Clock}, {From: Instant}, {From: Bool}, {From: ID, Trial: true}},
	Number:  {{From: Text, Trial: true}},
	Date:    {{From: Text, Trial: true}, {From: Instant, Trial: true}},
	Instant: {{From: Date}, {From: Text, Trial: true}},
	Clock:   {{From: Text, Trial: true}},
	Bool:    {{From: Text, Trial: true}},
	ID:      {{From: Set, Trial: true}},
	Set:     {{From: ID}},
}

// Takes are the forms that a column of a kind takes over, with the zone (as time.LoadLocation knows it) in which days begin.
func Takes(to Kind, zone string) []Conversion {
	out := slices.Clone(conversions[to])
	for i := range out {
		if out[i].From == Date && to == Instant || out[i].From == Instant && to == Date {
			out[i].Zone = zone
		}
	}
	return out
}

// TakesOptions are the forms that a column with codes of options takes over: one option becomes a set of it, a set of one its option, and a text
// the options that it names.
func TakesOptions(to Kind) []Conversion {
	if to == Set {
		return []Conversion{{From: Text, Options: true}, {From: Text, Split: true}}
	}
	return []Conversion{{From: Set, Options: true, Trial: true}}
}

// Conversion is a form of values that a property takes over when its column held that form before. What the value becomes
// follows from the two kinds: one option or id becomes a set of it, a number its canonical decimal text, a day or a time of day its text,
// a moment its text in UTC, yes and no 是 and 否, and a day the moment at which it begins. A text becomes what it writes, a set of one its member, and a
// moment at which a day begins that day.
type Conversion struct {
	From    Kind
	Options bool   // From Text or Set: only codes of options, not what people wrote
	Split   bool   // From Text, to Set: what people wrote, which may name several (names.Parts)
	Zone    string // From or to Date: where the day begins, as time.LoadLocation knows it
	Trial   bool   // not every value fits; what does not becomes empty
	// Words are what values become, between options and the texts by which people know them; others stay.
	Words map[string]string
	Names string // From ID, to Text: the table of the records whose names are taken
}

// Value is what a stored value becomes in a column of kind to; nil when the conversion does not say, or the value does not fit.
func (c Conversion) Value(v any, to Kind) any {
	switch x := v.(type) {
	case string:
		return c.text(x, to)
	case []string:
		if len(x) == 1 && c.From == Set && (to == Text || to == ID) {
			return x[0]
		}
	case bool:
		if to == Text && c.From == Bool {
			return yesNo[x]
		}
	case time.Time:
		return c.moment(x, to)
	case decimal.Decimal:
		if to == Text && c.From == Number {
			return x.String()
		}
	}
	return nil
}

func (c Conversion) text(x string, to Kind) any {
	switch {
	case to == Set && c.Split:
		if parts := names.Parts(x, c.Words); len(parts) > 0 {
			return parts
		}
	case to == Set && (c.From == Text || c.From == ID):
		return []string{x}
	case to == Text && (c.From == Date || c.From == Clock):
		return x
	case to == Number && c.From == Text && NumberText.MatchString(x):
		if d, err := decimal.NewFromString(x); err == nil {
			return d
		}
	case to == Date && c.From == Text:
		if _, err := time.Parse(time.DateOnly, x); err == nil && x >= "0001" {
			return x
		}
	case to == Clock && c.From == Text && ClockText.MatchString(x):
		if len(x) == len("15:04") {
			x += ":00"
		}
		return x
	case to == Bool && c.From == Text && slices.Contains(BoolTexts[true], x):
		return true
	case to == Bool && c.From == Text && slices.Contains(BoolTexts[false], x):
		return false
	case to == Instant && c.From == Text && InstantText.MatchString(x):
		if t, err := time.Parse(time.RFC3339, x); err == nil && x >= "0001" {
			return t
		}
	case to == Instant && c.From == Date:
		zone, err := time.LoadLocation(c.Zone)
		if err != nil {
			return nil
		}
		if t, err := StartOfDay(x, zone); err == nil {
			return t
		}
	}
	return nil
}

func (c Conversion) moment(x time.Time, to Kind) any {
	switch {
	case c.From != Instant:
	case to == Text:
		return x.UTC().Format(instantText)
	case to == Date:
		zone, err := time.LoadLocation(c.Zone)
		if err != nil {
			return nil
		}
		day := x.In(zone).Format(time.DateOnly)
		if begins, err := StartOfDay(day, zone); err == nil && begins.Equal(x) {
			return day
		}
	}
	return nil
}

// instantText is how a text writes a moment that a column can hold.
const instantText = "2006-01-02T15:04:05.000Z"

var yesNo = map[bool]string{true: "是", false: "否"}

// BoolTexts are the texts that mean yes and no, as Logic reads them.
var BoolTexts = map[bool][]string{true: {"是", "true", "yes", "1"}, false: {"否", "false", "no", "0"}}

// ClockText and InstantText are how texts write a time of day, and a moment in UTC. Both databases read the patterns alike; a day may be one that its
// month has not.
var (
	ClockText   = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$`)
	InstantText = regexp.MustCompile(`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$`)
)

// NumberText is how a text writes a number that a column can hold. Zeros before it, signs and spaces mean something that a number
// does not keep: such texts are codes. Both databases read the pattern alike.
var NumberText = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,15}|-?(0|[1-9][0-9]{0,15})[.][0-9]{1,8})$`)

// StartOfDay is the moment at which a day ("2006-01-02") begins in a zone. Where clocks are changed at
// midnight that is the first midnight of two, or when there is none the first moment behind it.
func StartOfDay(day string, zone *time.Location) (time.Time, error) {
	t, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil {
		return time.Time{}, err
	}
	if t.Format(time.DateOnly) != day {
		if _, change := t.ZoneBounds(); change.Format(time.DateOnly) == day {
			t = change
		}
	}
	if change, _ := t.ZoneBounds(); !change.IsZero() {
		_, now := t.Zone()
		_, before := change.Add(-time.Second).Zone()
		if first := t.Add(time.Duration(now-before) * time.Second); first.Before(change) && first.Format(time.DateTime) == t.Format(time.DateTime) {
			t = first
		}
	}
	return t.UTC(), nil
}
