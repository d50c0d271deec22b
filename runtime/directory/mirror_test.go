package directory_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestMirrorAlone: however many ask, one reads, and all get what it read. It has two seconds, and twice as long after that was too short.
func TestMirrorAlone(t *testing.T) {
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		o.Readers = 1
		db := storetest.Open(t, o)
		const table = "sl_note"
		written := func() {
			require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { tx.Touch(table); return nil }))
		}
		var reads atomic.Int32
		limits, on := make(chan time.Duration, 1), make(chan bool)
		m := store.NewMirror(db, func() store.Moment { return store.Moment{Version: db.Versions(table)} }, func(ctx context.Context, _ *store.Tx, at store.Moment, _ uint64) (uint64, error) {
			if reads.Add(1) > 1 {
				end, _ := ctx.Deadline()
				limits <- time.Until(end)
				select {
				case <-on:
				case <-ctx.Done():
					return 0, ctx.Err()
				}
			}
			return at.Version, nil
		})
		_, err := m.Now(t.Context())
		require.NoError(t, err)
		written()
		got := make(chan uint64, 50)
		for range cap(got) {
			go func() {
				n, err := m.Now(context.Background())
				if err != nil {
					n = 0
				}
				got <- n
			}()
		}
		first := <-limits
		require.Greater(t, first, time.Second)
		require.LessOrEqual(t, first, 2*time.Second)
		close(on)
		for range cap(got) {
			require.Equal(t, db.Versions(table), <-got)
		}
		require.EqualValues(t, 2, reads.Load())

		on = make(chan bool) // nobody lets it go on: it ends by itself
		written()
		_, err = m.Now(t.Context())
		require.ErrorIs(t, err, store.ErrStale)
		<-limits
		require.Eventually(t, func() bool {
			_, err = m.Now(t.Context())
			require.ErrorIs(t, err, store.ErrStale)
			return len(limits) > 0
		}, 10*time.Second, time.Millisecond)
		second := <-limits
		require.Greater(t, second, 3*time.Second)
		require.LessOrEqual(t, second, 4*time.Second)
		close(on)
		require.Eventually(t, func() bool { n, err := m.Now(t.Context()); return err == nil && n == db.Versions(table) }, 10*time.Second, time.Millisecond)
	})
}
