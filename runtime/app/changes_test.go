package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/record"
)

// TestNewsOfChanges: what is written after a look is told once, also to people who have joined since, also in the millisecond of that look. Times of
// writes are whole milliseconds.
func TestNewsOfChanges(t *testing.T) {
	look := time.Date(2026, 11, 29, 10, 0, 0, 700_000, time.UTC)
	write := func(id, model string, at time.Time) record.Written {
		return record.Written{ID: id, Model: model, At: at.Truncate(time.Millisecond)}
	}
	f := &changeFollower{before: look.Add(-time.Minute)}
	f.idle(look)
	old, same := write("1", "sheet", look.Add(-time.Second)), write("2", "sheet", look.Add(100*time.Microsecond))
	require.Equal(t, map[string][]record.Written{"sheet": {same}}, f.news(look.Add(time.Second), []string{"sheet"}, []record.Written{old, same}))
	late := write("3", "sheet", look.Add(-2*time.Second)) // of a transaction that took its time
	other := write("4", "order", look)
	require.Equal(t, map[string][]record.Written{"sheet": {late}}, f.news(look.Add(2*time.Second), []string{"sheet", "order"}, []record.Written{old, same, late, other}))
	require.Empty(t, f.news(look.Add(3*time.Second), []string{"sheet", "order"}, []record.Written{old, same, late, other}))
}
