package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestChanged: the ids of changed rows are told for as long as nothing else can have changed others.
func TestChanged(t *testing.T) {
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld()
		one, two := storetest.Open(t, o), storetest.Open(t, o)
		apply(t, one, w.c.Storage)
		apply(t, two, w.c.Storage)
		quiet(one)
		lot, project := w.c.Model("lot"), w.c.Model("project")
		table := lot.Table
		start := one.Versions(table)
		_, ok := one.Changed(table, start)
		require.False(t, ok, "nobody asked for the rows of the table")
		one.NoteRows(table)
		write := func(db *store.DB, f func(ctx context.Context, tx *store.Tx) error) {
			t.Helper()
			require.NoError(t, db.Write(t.Context(), f))
		}
		insert := func(tx *store.Tx, n int) error {
			return tx.Insert(t.Context(), lot, map[string]any{"id": fakeID(n), "part": "a", "version": int64(1)})
		}
		changed := func(since uint64, ids ...string) {
			t.Helper()
			got, ok := one.Changed(table, since)
			require.True(t, ok)
			require.ElementsMatch(t, ids, got)
		}
		start = one.Versions(table)
		changed(start)
		write(one, func(ctx context.Context, tx *store.Tx) error { return errors.Join(insert(tx, 1), insert(tx, 2)) })
		changed(start, fakeID(1), fakeID(2))
		middle := one.Versions(table)
		write(one, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.Update(t.Context(), lot, fakeID(1), 1, plan.True, map[string]any{"part": "b"})
			return err
		})
		write(one, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.Delete(t.Context(), lot, fakeID(2), 1, plan.True)
			return err
		})
		write(one, func(ctx context.Context, tx *store.Tx) error {
			return tx.Insert(t.Context(), project, map[string]any{"id": fakeID(3), "name": "another table"})
		})
		changed(middle, fakeID(1), fakeID(2))
		changed(start, fakeID(1), fakeID(2), fakeID(1), fakeID(2))
		failed := errors.New("it failed")
		require.ErrorIs(t, one.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return errors.Join(insert(tx, 4), failed) }), failed)
		changed(middle, fakeID(1), fakeID(2))

		unknown := func(why string) {
			t.Helper()
			_, ok := one.Changed(table, middle)
			require.False(t, ok, why)
			middle = one.Versions(table)
			changed(middle)
		}
		write(one, func(ctx context.Context, tx *store.Tx) error { tx.Touch(table); return insert(tx, 5) })
		unknown("a statement did not tell its rows")
		write(one, func(ctx context.Context, tx *store.Tx) error {
			for n := range 501 {
				if err := insert(tx, 1000+n); err != nil {
					return err
				}
			}
			return nil
		})
		unknown("too many rows")
		for n := range 65 {
			write(one, func(ctx context.Context, tx *store.Tx) error { return insert(tx, 2000+n) })
		}
		unknown("too many transactions")
		write(two, func(ctx context.Context, tx *store.Tx) error { return insert(tx, 6) })
		require.Eventually(t, func() bool { return one.Versions(table) > middle }, 5*time.Second, 5*time.Millisecond)
		unknown("another process changed a row")
	})
}
