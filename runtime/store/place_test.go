package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestClosedAfterAnInterrupt: of a database whose last statement was interrupted, the file is whole when it is closed.
func TestClosedAfterAnInterrupt(t *testing.T) {
	dir := t.TempDir()
	db := filled(t, store.Options{Dir: dir})
	require.Positive(t, size(t, filepath.Join(dir, "sluice.db-wal")))
	store.Interrupt(t, db)
	require.NoError(t, db.Close())
	require.Zero(t, size(t, filepath.Join(dir, "sluice.db-wal")))
}

// TestSwapWithALog: what a new database still has in its log comes with it, and nobody's database is taken from under them.
func TestSwapWithALog(t *testing.T) {
	dir, lives := t.TempDir(), t.TempDir()
	db := filled(t, store.Options{Dir: lives})
	defer db.Close()
	place, err := store.NewPlace(t.Context(), store.Options{Dir: dir}, nil)
	require.NoError(t, err)
	defer place.Close()
	for _, name := range []string{"sluice.db", "sluice.db-wal"} {
		text, err := os.ReadFile(filepath.Join(lives, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(place.Options().Dir, name), text, 0o600))
	}
	open, err := store.Open(t.Context(), place.Options())
	require.NoError(t, err)
	_, err = place.Swap(t.Context())
	require.ErrorIs(t, err, store.ErrInUse)
	store.Abandon(t, open)
	require.Positive(t, size(t, filepath.Join(place.Options().Dir, "sluice.db-wal")))
	_, err = place.Swap(t.Context())
	require.NoError(t, err)
	found, err := store.Exists(t.Context(), store.Options{Dir: dir})
	require.NoError(t, err)
	require.True(t, found)
}

// filled is a database whose log holds something.
func filled(t *testing.T, o store.Options) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), o)
	require.NoError(t, err)
	p, err := db.Plan(t.Context(), plan.Storage{}, store.PlanOptions{})
	require.NoError(t, err)
	require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{}))
	return db
}

// size is 0 where there is no file.
func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if os.IsNotExist(err) {
		return 0
	}
	require.NoError(t, err)
	return info.Size()
}
