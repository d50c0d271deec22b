package store_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// clock is a time that tests move.
type clock struct {
	now  atomic.Int64
	step atomic.Int64 // by which each look at it moves it
}

func (c *clock) time() time.Time         { return time.Unix(0, c.now.Add(c.step.Load())) }
func (c *clock) advance(d time.Duration) { c.now.Add(int64(d)) }

func total(t *testing.T, db *store.DB, w *world, q *plan.Query) (n int64) {
	t.Helper()
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
		n, err = tx.Total(t.Context(), store.Fix(w.c, q))
		return err
	}))
	return n
}

// quiet waits until no change is on its way to this process any more.
func quiet(db *store.DB) {
	for last := uint64(0); last != db.Versions("d_lot"); time.Sleep(600 * time.Millisecond) {
		last = db.Versions("d_lot")
	}
}

func TestTotalsAreAtMostASecondOld(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		c := &clock{}
		c.advance(time.Hour)
		o.Clock, o.System = c.time, []any{&file{}}
		db := storetest.Open(t, o)
		w := small()
		w.save(t, db)
		add := func(model string, n int) {
			require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				return tx.Insert(t.Context(), w.c.Model(model), map[string]any{"id": fakeID(n)})
			}))
		}
		quiet(db)
		all := &plan.Query{Model: "lot", Where: plan.True}
		behind := &plan.Query{Model: "lot", Where: &plan.IsNull{X: col("title", plan.Text, "contract")}}
		require.EqualValues(t, 1, total(t, db, w, all))
		require.EqualValues(t, 1, total(t, db, w, behind))
		add("lot", 7000)
		require.EqualValues(t, 1, total(t, db, w, all), "within the second the old figure stands")
		c.advance(time.Second)
		require.EqualValues(t, 2, total(t, db, w, all))

		// A figure of an older snapshot is not taken for the newest.
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := tx.Count(t.Context(), w.c, all)
			require.NoError(t, err)
			add("lot", 7005)
			c.advance(time.Second)
			n, err := tx.Total(t.Context(), store.Fix(w.c, all))
			require.EqualValues(t, 2, n)
			return err
		}))
		require.EqualValues(t, 3, total(t, db, w, all))

		// Only tables that the query reads count; those behind a relation are among them.
		require.ElementsMatch(t, []string{"d_lot", "d_contract"}, store.Tables(w.c, behind))
		c.advance(time.Hour)
		require.EqualValues(t, 3, total(t, db, w, behind))
		add("project", 7001)
		require.EqualValues(t, 3, total(t, db, w, behind))
	})
}

// TestTotalsUnderWrites: readers meet only figures that were true at some moment, in order, and the last one at the end.
func TestTotalsUnderWrites(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		c := &clock{}
		c.advance(time.Hour)
		o.Clock, o.System = c.time, []any{&file{}}
		db := storetest.Open(t, o)
		w := newWorld()
		w.save(t, db)
		q := &plan.Query{Model: "contract", Where: plan.True,
			Aggregate: []plan.AggregateOutput{{Fn: plan.SumSum, X: col("amount", plan.Number)}, {Fn: plan.SumCount}}}
		const writes = 60
		var wg sync.WaitGroup
		stop := make(chan struct{})
		for range 4 {
			wg.Go(func() {
				last := int64(0)
				for {
					select {
					case <-stop:
						return
					default:
					}
					n := total(t, db, w, q)
					if n < last || n > writes {
						t.Errorf("total %d after %d", n, last)
						return
					}
					last = n
				}
			})
		}
		for i := range writes {
			require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				return tx.Insert(t.Context(), w.c.Model("contract"), map[string]any{"id": fakeID(i + 1), "amount": number("0.1")})
			}))
			c.advance(500 * time.Millisecond)
		}
		close(stop)
		wg.Wait()
		c.advance(time.Second)
		require.EqualValues(t, writes, total(t, db, w, q))
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			got, err := tx.Footer(t.Context(), store.Fix(w.c, q))
			require.Equal(t, []any{number("6"), number("60")}, got)
			return err
		}))
	})
}
