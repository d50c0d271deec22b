package plan

import (
	"regexp"
	"time"

	"github.com/shopspring/decimal"
)

// Conversion is a form of values that a property takes over when its column held that form before. What the value becomes
// follows from the two kinds: one option or id becomes a set of it, a number its canonical decimal text, a day or a time of day its text,
// and a day the moment at which it begins. A text becomes the number or day that it writes.
type Conversion struct {
	From    Kind
	Options bool   // From Text: only codes of options, not what people wrote
	Zone    string // From Date: where the day begins, as time.LoadLocation knows it
	Trial   bool   // not every value fits; what does not becomes empty
}

// Value is what a stored value becomes in a column of kind to; nil when the conversion does not say, or the value does not fit.
func (c Conversion) Value(v any, to Kind) any {
	switch x := v.(type) {
	case string:
		return c.text(x, to)
	case decimal.Decimal:
		if to == Text && c.From == Number {
			return x.String()
		}
	}
	return nil
}

func (c Conversion) text(x string, to Kind) any {
	switch {
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
