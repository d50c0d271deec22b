package store_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestStatementInItself: a kept statement whose rows are being read is not the one that the same query runs again.
func TestStatementInItself(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(3, 4)), 5)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Dialect() == "postgres" {
			t.Skip("its connection runs one query at a time")
		}
		w.save(t, db)
		q := &plan.Query{Model: "lot", Where: plan.True, Select: []plan.Expr{col("id", plan.ID)}}
		for range 3 {
			pairs := 0
			require.NoError(t, db.Read(t.Context(), func(tx *store.Tx) error {
				return tx.Query(t.Context(), w.c, q, func([]any) error {
					return tx.Query(t.Context(), w.c, q, func([]any) error { pairs++; return nil })
				})
			}))
			require.Equal(t, 25, pairs)
		}
	}, &file{})
}
