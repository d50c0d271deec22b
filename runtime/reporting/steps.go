package reporting

import (
	"fmt"
	"time"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// Days are texts as models store them: 2026-03-01. Texts that are none stay as they are.

// stepOf is the first day of the step that a day is in; expression.Step does the same in the database.
func stepOf(day, step string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	switch step {
	case "year":
		return fmt.Sprintf("%04d-01-01", at.Year())
	case "quarter":
		return fmt.Sprintf("%04d-%02d-01", at.Year(), (int(at.Month())-1)/3*3+1)
	case "month":
		return fmt.Sprintf("%04d-%02d-01", at.Year(), at.Month())
	case "week":
		return at.AddDate(0, 0, -(int(at.Weekday())+6)%7).Format(time.DateOnly)
	}
	return day
}

// shift is the first day of a step n steps later.
func shift(first, step string, n int) string {
	at, err := time.Parse(time.DateOnly, first)
	if err != nil {
		return first
	}
	switch step {
	case "year":
		at = at.AddDate(n, 0, 0)
	case "quarter":
		at = at.AddDate(0, 3*n, 0)
	case "month":
		at = at.AddDate(0, n, 0)
	case "week":
		at = at.AddDate(0, 0, 7*n)
	default:
		at = at.AddDate(0, 0, n)
	}
	return at.Format(time.DateOnly)
}

// lastDay is that of a step.
func lastDay(first, step string) string {
	at, err := time.Parse(time.DateOnly, shift(first, step, 1))
	if err != nil {
		return first
	}
	return at.AddDate(0, 0, -1).Format(time.DateOnly)
}

// tellsDays reports whether a property of dates tells the days of a month apart. Others store the first day for the whole, and a week that
// begins in the month before has that of the month that it ends in.
func tellsDays(p property.Property) bool {
	if p.Columns()[0].Kind != plan.Date {
		return true
	}
	text := func(day string) string { return p.Text(p.Load([]any{day}), property.TextContext{}) }
	return text("2024-01-01") != text("2024-01-02")
}

// hourLayout is an hour as a group has it.
const hourLayout = "2006-01-02 15:00"

// momentLayout is a moment as models store it.
const momentLayout = "2006-01-02T15:04:05.000Z"

// hourSpan are the first and the last moment that clocks of a zone call an hour. It is longer where they are set back within it, and shorter where
// they are put forward.
func hourSpan(hour string, zone *time.Location) (first, last string) {
	at, err := time.ParseInLocation(hourLayout, hour, zone)
	if err != nil {
		return hour, hour
	}
	const quarter = 15 * time.Minute // clocks are changed at none but these
	called := func(at time.Time) bool { return at.In(zone).Format(hourLayout) == hour }
	for called(at.Add(-quarter)) {
		at = at.Add(-quarter)
	}
	end := at.Add(quarter)
	for called(end) {
		end = end.Add(quarter)
	}
	return at.UTC().Format(momentLayout), end.Add(-time.Millisecond).UTC().Format(momentLayout)
}

// shiftDays moves a day one step back: the last of a month becomes the last of the month before.
func shiftDays(day, step string) string {
	first := stepOf(day, step)
	before := shift(first, step, -1)
	if day == lastDay(first, step) {
		return lastDay(before, step)
	}
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	from, _ := time.Parse(time.DateOnly, first)
	to, _ := time.Parse(time.DateOnly, before)
	return min(to.Add(at.Sub(from)).Format(time.DateOnly), lastDay(before, step))
}

// yearBefore is the same day a year earlier; that of February 29 is the 28th.
func yearBefore(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	out := at.AddDate(-1, 0, 0)
	if out.Day() != at.Day() {
		out = out.AddDate(0, 0, -out.Day())
	}
	return out.Format(time.DateOnly)
}
