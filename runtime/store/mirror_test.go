package store_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestMirror: a mirror shows what was written before it is asked; in a transaction it shows what it has, or what that transaction sees.
func TestMirror(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		var reads atomic.Int32
		var slow, fails atomic.Bool
		notes := func(ctx context.Context, tx *store.Tx, _ store.Moment, _ int64) (int64, error) {
			reads.Add(1)
			if slow.Load() {
				<-ctx.Done()
			}
			if fails.Load() {
				return 0, errors.New("it fails")
			}
			return tx.Number(ctx, "SELECT count(*) FROM sl_note")
		}
		m := store.NewMirror(db, func() store.Moment { return store.Moment{Version: db.Versions("sl_note")} }, notes)
		add := func(name string) {
			require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				tx.Touch("sl_note")
				return addNote(tx, name)
			}))
		}
		now := func(ctx context.Context) int64 {
			n, err := m.Now(ctx)
			require.NoError(t, err)
			return n
		}
		require.EqualValues(t, 0, now(t.Context()))
		add("one")
		require.EqualValues(t, 1, now(t.Context()))
		before := reads.Load()
		require.EqualValues(t, 1, now(t.Context()))
		require.Equal(t, before, reads.Load(), "it is read once")

		require.NoError(t, db.Read(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			add("two") // by somebody else
			require.EqualValues(t, 1, now(ctx), "who is in a transaction waits for nothing")
			return nil
		}))
		require.EqualValues(t, 2, now(t.Context()))
		require.NoError(t, db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			require.NoError(t, addNote(tx, "three"))
			n, err := m.In(ctx, tx)
			require.NoError(t, err)
			require.EqualValues(t, 2, n, "nothing has been written that others know of")
			tx.Touch("sl_note")
			return nil
		}))
		require.NoError(t, db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			n, err := m.In(ctx, tx)
			require.NoError(t, err)
			require.EqualValues(t, 3, n)
			return nil
		}))
		require.EqualValues(t, 3, now(t.Context()))

		fails.Store(true)
		add("four")
		n, err := m.Now(t.Context())
		require.ErrorIs(t, err, store.ErrStale)
		require.EqualValues(t, 3, n, "the last one that could be read")
		fails.Store(false)
		require.EqualValues(t, 4, now(t.Context()))

		slow.Store(true)
		add("five")
		begun := time.Now()
		n, err = m.Now(t.Context())
		require.ErrorIs(t, err, store.ErrStale)
		require.EqualValues(t, 4, n)
		require.Greater(t, time.Since(begun), 900*time.Millisecond)
		require.Less(t, time.Since(begun), 1900*time.Millisecond)
		slow.Store(false)
		require.Eventually(t, func() bool { n, err = m.Now(t.Context()); return err == nil && n == 5 }, 10*time.Second, 10*time.Millisecond)
	}, &note{})
}

// TestMirrorAtItsEdges: the first look may be in a transaction, closing waits for a reading, and who holds a connection asks for no second one.
func TestMirrorAtItsEdges(t *testing.T) {
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		o.System = []any{&note{}}
		db := storetest.Open(t, o)
		begun, on := make(chan bool, 1), make(chan bool)
		var waits, ended atomic.Bool
		m := store.NewMirror(db, func() store.Moment { return store.Moment{Version: db.Versions("sl_note")} }, func(ctx context.Context, tx *store.Tx, _ store.Moment, _ int64) (int64, error) {
			if waits.Load() {
				begun <- true
				<-on
				ended.Store(true)
			}
			return tx.Number(ctx, "SELECT count(*) FROM sl_note")
		})
		p, err := db.Plan(t.Context(), base(), store.PlanOptions{})
		require.NoError(t, err)
		require.NoError(t, db.Read(t.Context(), func(ctx context.Context, _ *store.Tx) error {
			n, err := m.Now(ctx)
			require.NoError(t, err)
			require.Zero(t, n)
			require.Panics(t, func() { _ = db.Apply(ctx, p, store.ApplyOptions{}) }, "apply")
			for name, again := range map[string]func(context.Context, store.Do) error{"read": db.Read, "committed": db.ReadCommitted, "write": db.Write} {
				require.Panics(t, func() { _ = again(ctx, func(context.Context, *store.Tx) error { return nil }) }, name)
			}
			return nil
		}))

		waits.Store(true)
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			tx.Touch("sl_note")
			return addNote(tx, "one")
		}))
		go func() { _, _ = m.Now(context.Background()) }()
		<-begun
		closed := make(chan error, 1)
		go func() { closed <- db.Close() }()
		select {
		case <-closed:
			require.Fail(t, "the database was closed under a reading")
		case <-time.After(100 * time.Millisecond):
		}
		close(on)
		require.NoError(t, <-closed)
		require.True(t, ended.Load())
		_, err = m.Now(t.Context())
		require.ErrorIs(t, err, store.ErrStale)
	})
}
