package plan

import (
	"time"

	"github.com/shopspring/decimal"
)

// Conversion is a form of values that a property takes over without loss when its column held that form before. What the value
// becomes follows from the two kinds: one option or id becomes a set of it, a number its canonical decimal text, and a day the
// moment at which it begins.
type Conversion struct {
	From    Kind
	Options bool   // From Text: only codes of options, not what people wrote
	Zone    string // From Date: where the day begins, as time.LoadLocation knows it
}

// Value is what a stored value becomes in a column of kind to; nil when the conversion does not say.
func (c Conversion) Value(v any, to Kind) any {
	switch x := v.(type) {
	case string:
		switch {
		case to == Set && (c.From == Text || c.From == ID):
			return []string{x}
		case to == Instant && c.From == Date:
			zone, err := time.LoadLocation(c.Zone)
			if err != nil {
				return nil
			}
			if t, err := StartOfDay(x, zone); err == nil {
				return t
			}
		}
	case decimal.Decimal:
		if to == Text && c.From == Number {
			return x.String()
		}
	}
	return nil
}

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
