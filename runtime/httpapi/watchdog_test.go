package httpapi

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWatchdog: where calls exceed their time and none is answered, the log has the goroutines, once; not while somebody is answered, while
// nobody calls, or while a publication holds the tables.
func TestWatchdog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, busy := &lockedText{}, false
		w := newWatchdog(slog.New(slog.NewTextHandler(log, nil)), func() bool { return busy })
		ctx, stop := context.WithCancel(t.Context())
		go w.watch(ctx)
		told := func() int { return strings.Count(log.String(), "the server answers nothing") }
		call := func(took, limit time.Duration) {
			leave := w.enter(limit)
			time.AfterFunc(took, leave)
		}

		time.Sleep(time.Hour)
		call(time.Minute, 2*time.Minute)
		time.Sleep(5 * time.Minute)
		require.Zero(t, told(), "a call that may take its time, after an hour without any")

		for range 20 {
			call(11*time.Second, 10*time.Second)
			call(time.Second, 10*time.Second)
			time.Sleep(3 * time.Second)
		}
		require.Zero(t, told(), "others are answered")

		time.Sleep(time.Hour)
		busy = true
		hang := w.enter(10 * time.Second)
		time.Sleep(time.Minute)
		require.Zero(t, told(), "a publication is under way")
		busy = false
		time.Sleep(watchEvery + time.Second)
		require.Equal(t, 1, told())
		require.Contains(t, log.String(), "TestWatchdog")
		time.Sleep(watchQuiet / 2)
		require.Equal(t, 1, told())
		time.Sleep(watchQuiet)
		require.Equal(t, 2, told())
		hang()

		call(time.Second, 10*time.Second)
		time.Sleep(time.Hour)
		require.Equal(t, 2, told())
		for range 40 { // each ended by its deadline
			call(10*time.Second, 10*time.Second)
			time.Sleep(time.Second)
		}
		require.Equal(t, 3, told())
		stop()
	})
}
