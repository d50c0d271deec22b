package date

import (
	"strconv"
	"strings"
	"time"
)

// maxLastDays bounds lastDays:n, a hundred years.
const maxLastDays = 36525

// relative reads the words that stand for days counted from now: today, thisWeek (from Monday), thisMonth, thisYear and
// lastDays:n, which is today and the n-1 days before it. It gives the first moment and the one behind the last, in now's zone.
func relative(word string, now time.Time) (from, to time.Time, ok bool) {
	y, m, d := now.Date()
	day := func(y int, m time.Month, d int) time.Time { return firstOf(y, m, d, now.Location()) }
	switch word {
	case "today":
		return day(y, m, d), day(y, m, d+1), true
	case "thisWeek":
		monday := d - (int(now.Weekday())+6)%7
		return day(y, m, monday), day(y, m, monday+7), true
	case "thisMonth":
		return day(y, m, 1), day(y, m+1, 1), true
	case "thisYear":
		return day(y, 1, 1), day(y+1, 1, 1), true
	}
	count, found := strings.CutPrefix(word, "lastDays:")
	n, err := strconv.Atoi(count)
	if !found || err != nil || n < 1 || n > maxLastDays {
		return from, to, false
	}
	return day(y, m, d-n+1), day(y, m, d+1), true
}
