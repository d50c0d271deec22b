package store_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestDeadlineIsAFault: whatever the database calls a statement that came too late, the caller meets one fault.
func TestDeadlineIsAFault(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(1, 2)), 40)
	search := &plan.Match{X: col("remark", plan.Text), Pattern: col("part", plan.Text)}
	q := &plan.Query{Model: "lot", Select: []plan.Expr{col("id", plan.ID)}, Where: search}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w.save(t, db)
		require.NoError(t, db.Read(t.Context(), func(tx *store.Tx) error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
			defer cancel()
			<-ctx.Done()
			err := tx.Query(ctx, w.c, q, func([]any) error { return nil })
			require.Equal(t, fault.DeadlineExceeded, fault.Of(err))
			return nil
		}))
	}, &file{})
}
