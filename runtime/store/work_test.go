package store_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
)

// The log tells of a piece of background work from its start to its end, and those who ask hear how far it is.
func TestWorkTells(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	db, err := store.Open(t.Context(), store.Options{Dir: t.TempDir(), System: []any{&file{}}, Log: slog.New(slog.NewTextHandler(&said, nil))})
	require.NoError(t, err)
	defer db.Close()
	require.Empty(t, db.Working())
	err = db.Work(t.Context(), "index", "d_lot (part)", 40, func(ctx context.Context, w *store.Work) error {
		require.Contains(t, said.String(), `msg="background work begins" kind=index name="d_lot (part)" done=0 total=40`)
		err := w.Chunk(ctx, func(ctx context.Context, tx *store.Tx, rows int) error {
			w.Done(int64(rows))
			return tx.System().Create(&file{ID: "1"}).Error
		})
		require.NoError(t, err)
		at := db.Working()
		require.Len(t, at, 1)
		require.Equal(t, []any{"index", "d_lot (part)", int64(32), int64(40)}, []any{at[0].Kind, at[0].Name, at[0].Done, at[0].Total})
		w.Done(32)
		return nil
	})
	require.NoError(t, err)
	require.Empty(t, db.Working())
	require.Contains(t, said.String(), `msg="background work is done" kind=index name="d_lot (part)" done=40 total=40 took=`)
	require.ErrorIs(t, db.Work(t.Context(), "index", "x", 0, func(context.Context, *store.Work) error { return context.Canceled }), context.Canceled)
	require.Contains(t, said.String(), `msg="background work stopped" kind=index name=x`)
}
