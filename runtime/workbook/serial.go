package workbook

import (
	"math"
	"time"
)

// Spreadsheets count days: 1 is 1900-01-01. They believe that 1900 was a leap year, so from 1900-03-01 on (day 61) the days count from a
// day earlier. In the 1904 system 0 is 1904-01-01.
var (
	day0     = time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC)
	day0Leap = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	day1904  = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
)

// maxSerial is the day after 9999-12-31, and firstLeap the first day that counts from day0Leap.
const (
	maxSerial     = 2_958_466
	firstLeap     = 61
	maxSerial1904 = maxSerial - 1462
	dayMillis     = 86_400_000
)

// serial is the number of a wall clock in the 1900 system. Spreadsheets can't show days before 1900: ok is false.
func serial(t time.Time) (days float64, ok bool) {
	t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	base := day0Leap
	if t.Before(time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC)) {
		base = day0
	}
	if t.Before(day0) || t.Year() > 9999 {
		return 0, false
	}
	since := t.Unix() - base.Unix()
	return float64(since/86400) + (float64(since%86400)+float64(t.Nanosecond())/1e9)/86400, true
}

// fromSerial is the wall clock of a number, to the millisecond. dateless are formats that show a time of day only: it is on 1899-12-31.
func fromSerial(n float64, is1904, dateless bool) (t time.Time, ok bool) {
	limit := float64(maxSerial)
	if is1904 {
		limit = maxSerial1904
	}
	if !(n >= 0 && n < limit) {
		return time.Time{}, false
	}
	days := math.Floor(n)
	millis := int64(math.Round((n - days) * dayMillis))
	base := day0Leap
	switch {
	case dateless && days == 0:
		base = day0
	case is1904:
		base = day1904
	case days < firstLeap:
		base = day0 // day 60, 1900-02-29, never was: it is read as 1900-03-01
	}
	// A time.Duration ends after 292 years.
	return time.Unix(base.Unix()+int64(days)*86_400+millis/1000, millis%1000*1e6).UTC(), true
}
