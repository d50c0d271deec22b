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
		require.NoError(t, db.Read(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
			defer cancel()
			<-ctx.Done()
			err := tx.Query(ctx, w.c, q, func([]any) error { return nil })
			require.Equal(t, fault.DeadlineExceeded, fault.Of(err))
			return nil
		}))
	}, &file{})
}

// TestCancelledIsTold: a transaction whose caller goes away at any moment ends with the context's error, whatever the driver
// calls it; what a stopping server says and whom it blames hang on it.
func TestCancelledIsTold(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(1, 2)), 40)
	q := &plan.Query{Model: "lot", Select: []plan.Expr{col("id", plan.ID)}, Where: &plan.Match{X: col("remark", plan.Text), Pattern: col("part", plan.Text)}}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w.save(t, db)
		told := 0
		for i := range 2000 {
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				time.Sleep(time.Duration(i) * 500 * time.Nanosecond)
				cancel()
			}()
			look := func(ctx context.Context, tx *store.Tx) error {
				return tx.Query(ctx, w.c, q, func([]any) error { return nil })
			}
			err := db.Read(ctx, look)
			if i%2 == 1 && err == nil {
				err = db.Write(ctx, look)
			}
			if err != nil {
				told++
				require.ErrorIs(t, err, context.Canceled)
			}
			cancel()
		}
		require.NotZero(t, told)
	}, &file{})
}

// TestConnectionStays: a statement whose context is over before it is sent leaves the connection with the transaction that asked. It would be given back
// in the middle of it, to anyone who comes next, and closed there by two at once, which ends the process.
func TestConnectionStays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		over, cancel := context.WithCancel(t.Context())
		cancel()
		var n int
		late := func(tx *store.Tx) error { return tx.System().WithContext(over).Raw("SELECT 1").Scan(&n).Error }
		for range 50 {
			require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
				require.ErrorIs(t, late(tx), context.Canceled)
				return tx.System().Raw("SELECT 2").Scan(&n).Error
			}))
			require.Equal(t, 2, n)
			require.ErrorIs(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return late(tx) }), context.Canceled)
		}
	}, &file{})
}
