package store_test

import (
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
		sum := func(most int) (n int64, all bool) {
			t.Helper()
			require.NoError(t, db.Read(t.Context(), func(tx *store.Tx) error {
				rows, whole, err := tx.Grouped(t.Context(), w.c, q, most)
				for _, row := range rows {
					n += row[1].(decimal.Decimal).IntPart()
				}
				all = whole
				return err
			}))
			return n, all
		}
		before, all := sum(100)
		require.True(t, all)
		require.NoError(t, db.Write(t.Context(), func(tx *store.Tx) error {
			return tx.Insert(t.Context(), w.c.Model("lot"), map[string]any{"id": fakeID(7000)})
		}))
		now, _ := sum(100)
		require.Equal(t, before, now, "within the second the old rows stand")
		c.advance(time.Second)
		now, _ = sum(100)
		require.Equal(t, before+1, now)
		require.ElementsMatch(t, []string{"d_lot", "d_contract"}, store.Tables(w.c, q), "tables behind a group are among those that count")
	})
}
