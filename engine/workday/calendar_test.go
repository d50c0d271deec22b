package workday_test

import (
	"math/rand/v2"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/workday"
)

func hours(t testing.TB, text string) workday.Hours {
	h, _, err := workday.ParseHours(text)
	require.NoError(t, err, text)
	return h
}

func TestParseHours(t *testing.T) {
	for _, c := range []struct {
		text, want, wrong string
		err               error
	}{
		{text: "", want: ""},
		{text: " ", want: ""},
		{text: "08:30-12:00 13:30-17:30", want: "08:30-12:00 13:30-17:30"},
		{text: "13:30-17:30，8:30-12:00", want: "08:30-12:00 13:30-17:30"},
		{text: "8：30 – 12：00、13:30～17:30", want: "08:30-12:00 13:30-17:30"},
		{text: "00:00-24:00", want: "00:00-24:00"},
		{text: "08:00-12:00 12:00-17:00", want: "08:00-12:00 12:00-17:00"},
		{text: "17:30-08:30", wrong: "17:30-08:30", err: workday.ErrReverse},
		{text: "08:30-08:30", wrong: "08:30-08:30", err: workday.ErrReverse},
		{text: "08:30-12:00 11:59-13:00", wrong: "11:59-13:00", err: workday.ErrOverlap},
		{text: "08:30-24:01", wrong: "08:30-24:01", err: workday.ErrFormat},
		{text: "08:60-12:00", wrong: "08:60-12:00", err: workday.ErrFormat},
		{text: "08:30", wrong: "08:30", err: workday.ErrFormat},
		{text: "morning", wrong: "morning", err: workday.ErrFormat},
		{text: "08:30-12:00 x", wrong: "x", err: workday.ErrFormat},
	} {
		h, wrong, err := workday.ParseHours(c.text)
		require.ErrorIs(t, err, c.err, c.text)
		require.Equal(t, c.wrong, wrong, c.text)
		if err == nil {
			require.Equal(t, c.want, h.String(), c.text)
		}
	}
}

func office(t testing.TB, zone string, days map[string]workday.Hours) *workday.Calendar {
	z, err := time.LoadLocation(zone)
	require.NoError(t, err)
	var week [7]workday.Hours
	for day := time.Monday; day <= time.Friday; day++ {
		week[day] = hours(t, "08:30-12:00 13:30-17:30")
	}
	c, err := workday.New(z, week, days)
	require.NoError(t, err)
	return c
}

func TestAdd(t *testing.T) {
	c := office(t, "Asia/Shanghai", map[string]workday.Hours{"2026-10-01": nil, "2026-10-02": nil, "2026-10-10": hours(t, "09:00-12:00")})
	for _, one := range []struct {
		start   string
		minutes int
		due     string
	}{
		{"2026-09-28 09:00", 60, "2026-09-28 10:00"},
		{"2026-09-28 11:30", 60, "2026-09-28 14:00"}, // over noon
		{"2026-09-28 11:30", 30, "2026-09-28 12:00"}, // not the afternoon: the time is over
		{"2026-09-28 20:00", 1, "2026-09-29 08:31"},
		{"2026-09-30 17:00", 60, "2026-10-05 09:00"}, // over a holiday and a week-end
		{"2026-10-09 17:00", 60, "2026-10-10 09:30"}, // a Saturday that is worked
		{"2026-10-10 11:00", 120, "2026-10-12 09:30"},
		{"2026-10-03 11:00", 450, "2026-10-05 17:30"},
		{"2026-10-03 11:00", 0, "2026-10-03 11:00"},
	} {
		at := func(text string) time.Time {
			z, _ := time.LoadLocation("Asia/Shanghai")
			v, err := time.ParseInLocation("2006-01-02 15:04", text, z)
			require.NoError(t, err)
			return v
		}
		require.Equal(t, at(one.due).UTC(), c.Add(at(one.start), time.Duration(one.minutes)*time.Minute).UTC(), "%s + %d", one.start, one.minutes)
	}
}

func TestNever(t *testing.T) {
	_, err := workday.New(time.UTC, [7]workday.Hours{}, map[string]workday.Hours{"2026-10-10": hours(t, "09:00-12:00")})
	require.ErrorIs(t, err, workday.ErrNever)
	var week [7]workday.Hours
	week[0] = hours(t, "00:00-00:01")
	c, err := workday.New(time.UTC, week, nil)
	require.NoError(t, err)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	require.Greater(t, c.Add(start, 1_000_000*time.Minute).Year(), 2100, "what is never reached has an end")
}

// TestClockChanges: a day on which clocks are set has the hours that the wall shows.
func TestClockChanges(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	var week [7]workday.Hours
	for day := range week {
		week[day] = hours(t, "01:00-04:00")
	}
	c, err := workday.New(berlin, week, nil)
	require.NoError(t, err)
	day := func(month time.Month, d int) time.Duration {
		return c.Between(time.Date(2026, month, d, 0, 0, 0, 0, berlin), time.Date(2026, month, d+1, 0, 0, 0, 0, berlin))
	}
	require.Equal(t, 3*time.Hour, day(3, 28))
	require.Equal(t, 2*time.Hour, day(3, 29), "the hour from 2 to 3 is missing")
	require.Equal(t, 4*time.Hour, day(10, 25), "the hour from 2 to 3 comes twice")
}

// oracle counts working time minute by minute.
func oracle(c *workday.Calendar, a, b time.Time) (out time.Duration) {
	for at := a; at.Before(b); at = at.Add(time.Minute) {
		if c.Works(at) {
			out += time.Minute
		}
	}
	return out
}

var zones = []string{"UTC", "Asia/Shanghai", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Cairo", "Pacific/Apia"}

func random(t testing.TB, r *rand.Rand) (*workday.Calendar, time.Time) {
	day := func() workday.Hours {
		var out workday.Hours
		for at := r.IntN(1200); at < 1440 && len(out) < 3; {
			end := min(at+1+r.IntN(400), 1440)
			out = append(out, workday.Span{From: at, To: end})
			at = end + r.IntN(300)
		}
		return out
	}
	var week [7]workday.Hours
	for i := range week {
		if r.IntN(3) > 0 {
			week[i] = day()
		}
	}
	week[r.IntN(7)] = day()
	// Around the days when clocks are set, and any other.
	start := time.Date(2026, []time.Month{3, 10, 11, 4, 1, 6}[r.IntN(6)], 1+r.IntN(31), r.IntN(24), r.IntN(60), 0, 0, time.UTC)
	days := map[string]workday.Hours{}
	for range r.IntN(6) {
		date := start.AddDate(0, 0, r.IntN(8)).Format(time.DateOnly)
		if days[date] = nil; r.IntN(2) == 0 {
			days[date] = day()
		}
	}
	zone, err := time.LoadLocation(zones[r.IntN(len(zones))])
	require.NoError(t, err)
	c, err := workday.New(zone, week, days)
	require.NoError(t, err)
	return c, start
}

func TestRandom(t *testing.T) {
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		c, start := random(t, r)
		end := start.Add(time.Duration(r.IntN(8*1440)) * time.Minute)
		want := oracle(c, start, end)
		require.Equal(t, want, c.Between(start, end), "seed %d", seed)
		require.Equal(t, -want, c.Between(end, start), "seed %d", seed)
		working := time.Duration(1+r.IntN(3000)) * time.Minute
		due := c.Add(start, working)
		require.Equal(t, working, c.Between(start, due), "seed %d", seed)
		require.True(t, c.Works(due.Add(-time.Minute)), "seed %d: the last minute is worked", seed)
		half := working / 2 // a pause in between changes nothing
		require.Equal(t, due, c.Add(c.Add(start, half), working-half), "seed %d", seed)
	}
}

func FuzzParseHours(f *testing.F) {
	for _, text := range []string{"", "08:30-12:00 13:30-17:30", "17:00-08:00", "8：30至12：00", "24:00-24:00", "-", "99:99-99:99"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, wrong, err := workday.ParseHours(text)
		if err != nil {
			require.Nil(t, h)
			require.NotEmpty(t, wrong)
			return
		}
		again, _, err := workday.ParseHours(h.String())
		require.NoError(t, err)
		require.Equal(t, h, again)
		for i, s := range h {
			require.True(t, 0 <= s.From && s.From < s.To && s.To <= 1440)
			require.True(t, i == 0 || h[i-1].To <= s.From)
		}
	})
}

func FuzzCalendar(f *testing.F) {
	f.Add(uint64(1), int64(0), uint32(600))
	f.Fuzz(func(t *testing.T, seed uint64, shift int64, minutes uint32) {
		c, start := random(t, rand.New(rand.NewPCG(seed, 2)))
		start = start.Add(time.Duration(shift%(1000*3600)) * time.Second)
		working := time.Duration(minutes%20000) * time.Minute
		due := c.Add(start, working)
		require.False(t, due.Before(start))
		require.Equal(t, working, c.Between(start, due))
	})
}

func BenchmarkAdd(b *testing.B) {
	c := office(b, "Asia/Shanghai", nil)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for b.Loop() {
		c.Add(start, 3*24*time.Hour)
	}
}
