package reporting

import (
	"fmt"
	"time"
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
	if len(first) > len(time.DateOnly) { // an hour
		return first[:len(time.DateOnly)]
	}
	at, err := time.Parse(time.DateOnly, shift(first, step, 1))
	if err != nil {
		return first
	}
	return at.AddDate(0, 0, -1).Format(time.DateOnly)
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
