package date

import (
	"regexp"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
)

const (
	dayLayout  = "2006-01-02"
	wireLayout = "2006-01-02T15:04:05.000Z"
)

// unit is how much time a text names: "2026" a year, "2026-11-21" a day, "2026-11-21 08:30" a point.
type unit uint8

const (
	point unit = iota
	day
	month
	year
)

// longYear begins a date whose year has more than four digits.
var longYear = regexp.MustCompile(`^\d{5,9}-\d{1,2}-\d{1,2}(?:$|[ T])`)

// forms are the texts that stand for a date or a time in the installation's zone.
var forms = []struct {
	layout string
	unit   unit
}{
	{dayLayout, day},
	{"2006-01-02 15:04", point},
	{"2006-01-02 15:04:05", point},
	{"2006-01-02T15:04", point},
	{"2006-01-02T15:04:05", point},
	{"2006-01", month},
	{"2006", year},
}

// read takes RFC 3339 and the local forms. The time is in the zone; of a day, month or year it is the first moment.
func read(s string, zone *time.Location) (time.Time, unit, error) {
	s = strings.TrimSpace(s)
	if longYear.MatchString(s) {
		return time.Time{}, point, property.Refuse(fault.FieldRange, "0001-01-01", "9999-12-31")
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return within(t.In(zone), point)
	}
	for _, f := range forms {
		if t, err := time.ParseInLocation(f.layout, s, zone); err == nil {
			return within(t, f.unit)
		}
	}
	return time.Time{}, point, property.Refuse(fault.FieldType)
}

// The first and the last year that the databases hold and that four digits write.
const (
	firstYear = 1
	lastYear  = 9999
)

// within refuses the days of other years.
func within(t time.Time, u unit) (time.Time, unit, error) {
	if y := t.Year(); y < firstYear || y > lastYear {
		return t, u, property.Refuse(fault.FieldRange, "0001-01-01", "9999-12-31")
	}
	return t, u, nil
}

// momentWithin refuses moments that lie in another year in UTC, in which they are stored; it tells the first and the last minute in the zone.
func momentWithin(t time.Time) error {
	if y := t.UTC().Year(); y >= firstYear && y <= lastYear {
		return nil
	}
	const minutes = "2006-01-02 15:04"
	first, last := time.Date(firstYear, 1, 1, 0, 0, 0, 0, t.Location()), time.Date(lastYear, 12, 31, 23, 59, 0, 0, t.Location())
	if first.UTC().Year() < firstYear {
		first = time.Date(firstYear, 1, 1, 0, 0, 59, 0, time.UTC).In(t.Location()) // the offsets of that time had seconds
	}
	if last.UTC().Year() > lastYear {
		last = time.Date(lastYear, 12, 31, 23, 59, 0, 0, time.UTC).In(t.Location())
	}
	return property.Refuse(fault.FieldRange, first.Format(minutes), last.Format(minutes))
}

// next is the first moment behind the day, month or year that begins at t.
func (u unit) next(t time.Time) time.Time {
	switch u {
	case day:
		return t.AddDate(0, 0, 1)
	case month:
		return t.AddDate(0, 1, 0)
	}
	return t.AddDate(1, 0, 0)
}

// first is the first moment of the day, month or year that t lies in.
func (u unit) first(t time.Time) time.Time {
	y, m, d := t.Date()
	if u >= month {
		d = 1
	}
	if u == year {
		m = 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// stored is a point in time as columns hold it: UTC, whole milliseconds.
func stored(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
