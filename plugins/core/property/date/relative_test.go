package date_test

import (
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/date"
	"github.com/stretchr/testify/require"
)

// bounds are the two ends of a compiled range, as texts.
func bounds(t *testing.T, options string, op plan.Op, operand string, at property.FilterContext) [2]string {
	t.Helper()
	p, problems := date.Type{}.Compile(propertytest.Define(date.Type{}, options), propertytest.Scope{At: at.Zone})
	require.Empty(t, problems)
	e, err := p.(property.Filterer).Filter(op, operand, propertytest.Fields(p), at)
	require.NoError(t, err)
	var out [2]string
	for i, part := range e.(*plan.And).Of {
		switch v := part.(*plan.Compare).B.(*plan.Const).Value.(type) {
		case string:
			out[i] = v
		case time.Time:
			out[i] = v.Format("2006-01-02T15:04Z")
		}
	}
	return out
}

// TestRelative: what the words mean in Asia/Shanghai around midnight and around the end of a year.
func TestRelative(t *testing.T) {
	zone, err := time.LoadLocation("Asia/Shanghai")
	require.NoError(t, err)
	for _, x := range []struct{ now, word, from, to string }{
		{"2026-11-21T15:59:59Z", "today", "2026-11-21", "2026-11-21"},
		{"2026-11-21T16:00:00Z", "today", "2026-11-22", "2026-11-22"},
		{"2026-11-22T15:59:59Z", "thisWeek", "2026-11-16", "2026-11-22"}, // a Sunday
		{"2026-11-22T16:00:00Z", "thisWeek", "2026-11-23", "2026-11-29"}, // a Monday
		{"2026-12-31T15:59:59Z", "thisWeek", "2026-12-28", "2027-01-03"},
		{"2026-11-30T15:59:59Z", "thisMonth", "2026-11-01", "2026-11-30"},
		{"2026-11-30T16:00:00Z", "thisMonth", "2026-12-01", "2026-12-31"},
		{"2028-02-29T10:00:00Z", "thisMonth", "2028-02-01", "2028-02-29"},
		{"2026-12-31T15:59:59Z", "thisYear", "2026-01-01", "2026-12-31"},
		{"2026-12-31T16:00:00Z", "thisYear", "2027-01-01", "2027-12-31"},
		{"2026-12-31T16:00:00Z", "today", "2027-01-01", "2027-01-01"},
		{"2026-12-31T16:00:00Z", "lastDays:2", "2026-12-31", "2027-01-01"},
		{"2026-12-31T15:59:59Z", "lastDays:1", "2026-12-31", "2026-12-31"},
		{"2026-03-01T01:00:00Z", "lastDays:7", "2026-02-23", "2026-03-01"},
	} {
		now, err := time.Parse(time.RFC3339, x.now)
		require.NoError(t, err)
		at := property.FilterContext{Zone: zone, Now: now}
		for _, op := range []plan.Op{plan.Between, plan.Equal} {
			require.Equal(t, [2]string{x.from, x.to}, bounds(t, `{}`, op, x.word, at), "%s %s at %s", op, x.word, x.now)
		}
		first, _ := time.ParseInLocation("2006-01-02", x.from, zone)
		last, _ := time.ParseInLocation("2006-01-02", x.to, zone)
		moments := [2]string{first.UTC().Format("2006-01-02T15:04Z"), last.AddDate(0, 0, 1).UTC().Format("2006-01-02T15:04Z")}
		require.Equal(t, moments, bounds(t, `{"displayFormat": "yyyy-MM-dd HH:mm"}`, plan.Between, x.word, at), "moments of %s at %s", x.word, x.now)
	}
}

// TestYearsAndMonths: on a field that shows years, a day represents its year; on one that shows months, for its month.
func TestYearsAndMonths(t *testing.T) {
	at := property.FilterContext{Zone: time.UTC}
	require.Equal(t, [2]string{"2026-01-01", "2026-12-31"}, bounds(t, `{"displayFormat": "yyyy"}`, plan.Equal, "2026-05-06", at))
	require.Equal(t, [2]string{"2025-01-01", "2026-12-31"}, bounds(t, `{"displayFormat": "yyyy"}`, plan.Between, "2025-12-31;2026-01-01", at))
	require.Equal(t, [2]string{"2026-02-01", "2026-02-28"}, bounds(t, `{"displayFormat": "yyyy-MM"}`, plan.Equal, "2026-02-10", at))
}
