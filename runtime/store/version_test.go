package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// published raises the version of the documents, with the tables as they are.
func published(t *testing.T, db *store.DB, version int64) {
	t.Helper()
	p, err := db.Plan(t.Context(), base(), store.PlanOptions{Version: version})
	require.NoError(t, err)
	require.Empty(t, p.Steps)
	require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{Publish: func(_ context.Context, _ *store.Tx, now int64) error {
		if now != version+1 {
			return errors.New("not the next version")
		}
		return nil
	}}))
}

// Calls that depend on a version end when the database has another: writes before they begin, reads at their end.
func TestVersions(t *testing.T) {
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		one, two := storetest.Open(t, o), storetest.Open(t, o)
		apply(t, one, base())
		apply(t, two, base())
		look := func(ctx context.Context, between func()) error {
			return two.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
				if _, err := tx.Number(ctx, `SELECT count(*) FROM d_contract`); err != nil {
					return err
				}
				between()
				_, err := tx.Number(ctx, `SELECT count(*) FROM d_lot`)
				return err
			})
		}
		at := func(version int64) context.Context { return store.AtVersion(t.Context(), version) }
		nothing := func() {}
		require.NoError(t, look(at(0), nothing))
		err := look(at(0), func() { published(t, one, 0) })
		if two.Dialect() == "postgres" { // tables do not belong to a snapshot there
			require.ErrorIs(t, err, store.ErrSchemaMoved)
		} else {
			require.NoError(t, err)
		}
		require.ErrorIs(t, look(at(0), nothing), store.ErrSchemaMoved)
		require.NoError(t, look(at(1), nothing))
		require.NoError(t, look(t.Context(), nothing), "who does not care is not asked")
		failed := errors.New("it failed")
		err = two.ReadCommitted(at(0), func(context.Context, *store.Tx) error { return failed })
		require.ErrorIs(t, err, failed)
		require.ErrorIs(t, err, store.ErrSchemaMoved, "a failure may come from it")

		write := func(ctx context.Context, f func(ctx context.Context, tx *store.Tx) error) error {
			return two.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				tx.Touch("d_contract")
				return f(ctx, tx)
			})
		}
		require.ErrorIs(t, write(at(0), func(context.Context, *store.Tx) error { t.Error("it began"); return nil }), store.ErrSchemaMoved)
		require.ErrorIs(t, write(t.Context(), func(ctx context.Context, tx *store.Tx) error { _ = tx.At(0); return nil }), store.ErrSchemaMoved)
		ctx := at(1)
		require.NoError(t, write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.At(1) }))
		require.True(t, store.Stored(ctx))
		published(t, one, 1)
		require.NoError(t, look(ctx, nothing), "who has stored something cannot begin again")
		require.ErrorIs(t, write(ctx, func(context.Context, *store.Tx) error { return nil }), store.ErrSchemaMoved)

		// Of two publications of the same version one is told to look again.
		p, err := two.Plan(t.Context(), base(), store.PlanOptions{Version: 2})
		require.NoError(t, err)
		published(t, one, 2)
		nobody := func(context.Context, *store.Tx, int64) error { return nil }
		require.ErrorIs(t, two.Apply(t.Context(), p, store.ApplyOptions{Publish: nobody}), store.ErrMoved)
		_, err = two.Plan(t.Context(), base(), store.PlanOptions{Version: 2})
		require.ErrorIs(t, err, store.ErrMoved)
		version, moved, err := two.Moved(t.Context())
		require.NoError(t, err)
		require.True(t, moved)
		require.EqualValues(t, 3, version)
	})
}
