package workday

import (
	"errors"
	"slices"
	"time"
)

// Calendar tells working time from other time. It is never changed.
type Calendar struct {
	zone *time.Location
	week [7]Hours
	days map[string]Hours
}

// ErrNever is why a calendar is refused whose week has no working time: a time limit would never be over.
var ErrNever = errors.New("the week has no working hours")

// horizon is how far Add looks ahead: beyond it lies what is never reached.
const horizon = 100 * 366 * 24 * time.Hour

// New makes a calendar of the hours of the week, by time.Weekday, and of the dates that differ, as 2006-01-02; no hours are a day off.
func New(zone *time.Location, week [7]Hours, days map[string]Hours) (*Calendar, error) {
	if !slices.ContainsFunc(week[:], func(h Hours) bool { return len(h) > 0 }) {
		return nil, ErrNever
	}
	return &Calendar{zone, week, days}, nil
}

// Hours are the working times of a date.
func (c *Calendar) Hours(year int, month time.Month, day int) Hours {
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if h, differs := c.days[date.Format(time.DateOnly)]; differs {
		return h
	}
	return c.week[date.Weekday()]
}

// Works reports whether a moment is working time.
func (c *Calendar) Works(at time.Time) bool {
	at = at.In(c.zone)
	second := at.Hour()*3600 + at.Minute()*60 + at.Second()
	return slices.ContainsFunc(c.Hours(at.Date()), func(s Span) bool { return s.From*60 <= second && second < s.To*60 })
}

// Add is the first moment behind which so much working time has passed since start.
func (c *Calendar) Add(start time.Time, working time.Duration) time.Time {
	if working <= 0 {
		return start
	}
	end := start.Add(horizon)
	c.walk(start, end, func(from, to time.Time) bool {
		if length := to.Sub(from); length < working {
			working -= length
			return true
		}
		end = from.Add(working)
		return false
	})
	return end.UTC()
}

// Between is the working time from one moment to another; negative when the second is the earlier one.
func (c *Calendar) Between(a, b time.Time) time.Duration {
	if b.Before(a) {
		return -c.Between(b, a)
	}
	var out time.Duration
	c.walk(a, b, func(from, to time.Time) bool {
		out += to.Sub(from)
		return true
	})
	return out
}

// walk gives the stretches of working time between two moments to f, in their order, until it returns false. A stretch ends where the day
// or the offset of the zone does.
func (c *Calendar) walk(from, until time.Time, f func(from, to time.Time) bool) {
	for at := from.In(c.zone); at.Before(until); {
		_, ahead := at.ZoneBounds() // within them the wall clock runs evenly
		_, offset := at.Zone()
		year, month, day := at.Date()
		midnight := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Add(-time.Duration(offset) * time.Second) // that of this offset
		next := midnight.Add(dayMinutes * time.Minute)
		if !ahead.IsZero() && ahead.Before(next) {
			next = ahead
		}
		for _, s := range c.Hours(year, month, day) {
			begin, end := later(midnight.Add(time.Duration(s.From)*time.Minute), at), earlier(midnight.Add(time.Duration(s.To)*time.Minute), next)
			if end = earlier(end, until); begin.Before(end) && !f(begin, end) {
				return
			}
		}
		at = next.In(c.zone)
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
