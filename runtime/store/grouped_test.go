package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestGroupedIsRemembered: rows of grouped statements are at most a second old, also where only a table behind a group changes.
func TestGroupedIsRemembered(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		c := &clock{}
		c.advance(time.Hour)
		o.Clock, o.System = c.time, []any{&file{}}
		db := storetest.Open(t, o)
		w := small()
		w.save(t, db)
		quiet(db)
		q := &plan.Query{Model: "lot", Where: plan.True, Group: []plan.Expr{col("title", plan.Text, "contract")}, Aggregate: []plan.AggregateOutput{{Fn: plan.SumCount}}}
		sumAs := func(ctx context.Context, most int) (n int64, all bool) {
			t.Helper()
			require.NoError(t, db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
				rows, whole, err := tx.Grouped(ctx, w.c, q, most)
				for _, row := range rows {
					n += row[1].(decimal.Decimal).IntPart()
				}
				all = whole
				return err
			}))
			return n, all
		}
		sum := func(most int) (int64, bool) { return sumAs(t.Context(), most) }
		before, all := sum(100)
		require.True(t, all)
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.Insert(t.Context(), w.c.Model("lot"), map[string]any{"id": fakeID(7000)})
		}))
		now, _ := sum(100)
		require.Equal(t, before, now, "within the second the old rows stand")
		c.advance(time.Second)
		now, _ = sum(100)
		require.Equal(t, before+1, now)

		// What takes two seconds or more to read is ten seconds old at most, but for those who wrote themselves.
		add := func(ctx context.Context, n int) {
			require.NoError(t, db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				return tx.Insert(ctx, w.c.Model("lot"), map[string]any{"id": fakeID(n)})
			}))
		}
		add(t.Context(), 7001)
		c.advance(time.Second)
		c.step.Store(int64(2 * time.Second)) // each look at the clock
		now, _ = sum(100)
		c.step.Store(0)
		require.Equal(t, before+2, now)
		add(t.Context(), 7002)
		own := store.WithCaller(t.Context(), &store.Caller{ID: "writer"})
		c.advance(7 * time.Second)
		now, _ = sum(100)
		require.Equal(t, before+2, now)
		c.advance(4 * time.Second)
		now, _ = sum(100)
		require.Equal(t, before+3, now)
		c.advance(time.Second)
		c.step.Store(int64(2 * time.Second))
		add(own, 7003)
		now, _ = sumAs(own, 100)
		c.step.Store(0)
		require.Equal(t, before+4, now)
		add(own, 7004)
		now, _ = sum(100)
		require.Equal(t, before+4, now)
		now, _ = sumAs(own, 100)
		require.Equal(t, before+5, now)
		require.ElementsMatch(t, []string{"d_lot", "d_contract"}, store.Tables(w.c, q), "tables behind a group are among those that count")
	})
}
