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
		t, err := time.ParseInLocation(f.layout, s, zone)
		if err != nil {
			continue
		}
		if f.unit != point { // clocks may have no midnight on that day, and the one before would be taken
			t, _ = time.Parse(f.layout, s)
			t = firstOf(t.Year(), t.Month(), t.Day(), zone)
		}
		return within(t, f.unit)
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

// firstOf is the first moment of a day by the clocks of a zone. Where they are changed at midnight, there is none that day, or two. Days and
// months beyond the calendar's are those that follow.
func firstOf(y int, m time.Month, d int, zone *time.Location) time.Time {
	const quarter = 15 * time.Minute // clocks are changed at none but these
	y, m, d = time.Date(y, m, d, 12, 0, 0, 0, zone).Date()
	within := func(t time.Time) bool {
		ty, tm, td := t.Date()
		return ty == y && tm == m && td == d
	}
	t := time.Date(y, m, d, 0, 0, 0, 0, zone)
	for !within(t) {
		t = t.Add(quarter)
	}
	for within(t.Add(-quarter)) {
		t = t.Add(-quarter)
	}
	return t
}

// next is the first moment behind the day, month or year that begins at t.
func (u unit) next(t time.Time) time.Time {
	y, m, d := t.Date()
	switch u {
	case day:
		d++
	case month:
		m++
	default:
		y++
	}
	return firstOf(y, m, d, t.Location())
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
	return firstOf(y, m, d, t.Location())
}

// stored is a point in time as columns hold it: UTC, whole milliseconds.
func stored(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
