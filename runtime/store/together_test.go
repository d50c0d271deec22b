package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// What is inserted together is there for the transaction's own reads at once, counts as written, and is given up as a whole: with the
// transaction, when one row is refused, and when the caller goes away.
func TestTogether(t *testing.T) {
	t.Parallel()
	c := namedCatalog()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		db := openWith(t, o, c)
		insert := func(tx *store.Tx, n int, name string) error {
			return tx.Insert(t.Context(), c.Models[0], map[string]any{"id": fakeID(n), "name": name, "number": "N-1", "day": "2026-11-22"})
		}
		found := func(ctx context.Context, tx *store.Tx) []string {
			ids, err := tx.Ids(t.Context(), c, keywordIn("闸墙"))
			require.NoError(t, err)
			return ids
		}
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			before := tx.Writes()
			return tx.Together(t.Context(), func() error {
				require.NoError(t, insert(tx, 1, "闸墙护面"))
				require.Greater(t, tx.Writes(), before)
				require.Equal(t, []string{fakeID(1)}, found(t.Context(), tx))
				require.NoError(t, insert(tx, 2, "闸墙盖板"))
				n, err := tx.Number(t.Context(), "SELECT count(*) FROM "+store.Ident(c.Models[0].Table))
				require.EqualValues(t, 2, n)
				return err
			})
		}))
		err := db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			err := tx.Together(t.Context(), func() error {
				return errors.Join(insert(tx, 3, "闸墙止水"), insert(tx, 1, "闸墙护面"), insert(tx, 4, "闸墙排水"))
			})
			require.Error(t, err)
			require.Error(t, tx.Failed())
			return nil // what failed cannot be stored, whatever the caller makes of it
		})
		var double *store.Duplicate
		require.ErrorAs(t, err, &double)
		ctx, leave := context.WithCancel(t.Context())
		require.ErrorIs(t, db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.Together(ctx, func() error {
				require.NoError(t, insert(tx, 5, "闸墙栏杆"))
				leave()
				_, err := tx.Ids(ctx, c, keywordIn("闸墙"))
				return err
			})
		}), context.Canceled)
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			require.Equal(t, []string{fakeID(1), fakeID(2)}, found(t.Context(), tx))
			return nil
		}))
	})
}
