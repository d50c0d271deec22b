package store_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestExtent: the size of the database and of its tables, the largest first.
func TestExtent(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		got, err := db.Extent(t.Context())
		require.NoError(t, err)
		require.Positive(t, got.Bytes)
		require.NotEmpty(t, got.Tables)
		require.True(t, slices.IsSortedFunc(got.Tables, func(a, b store.TableSize) int { return int(b.Bytes - a.Bytes) }))
		for _, of := range got.Tables {
			require.LessOrEqual(t, of.Bytes, got.Bytes, of.Table)
		}
	})
}
