package store_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestDecimalsAreExact: round trip, order, equality and every footer figure against shopspring's decimals.
func TestDecimalsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var values []decimal.Decimal
	for _, s := range numbers {
		values = append(values, number(s))
	}
	for range 400 {
		d := decimal.New(r.Int64()-r.Int64(), -int32(r.IntN(9))).Truncate(8)
		values = append(values, d.Mod(decimal.New(1, 16)))
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld()
		w.many("contract", len(values), func(i int) map[string]any { return map[string]any{"amount": values[i]} })
		w.many("contract", 3, func(int) map[string]any { return map[string]any{} })
		w.save(t, db)
		amount := col("amount", plan.Number)
		all := &plan.Query{Model: "contract", Where: plan.True, Select: []plan.Expr{amount}, Order: []plan.Order{{By: amount}}}
		sorted := slices.SortedFunc(slices.Values(values), decimal.Decimal.Cmp)
		for i, row := range rows(t, db, w, all)[3:] {
			require.True(t, sorted[i].Equal(row[0].(decimal.Decimal)), "%s and %s", sorted[i], row[0])
		}
		for range 60 {
			v := values[r.IntN(len(values))]
			n := 0
			for _, x := range values {
				if x.Equal(v) {
					n++
				}
			}
			require.Len(t, found(t, db, w, "contract", &plan.Compare{Op: plan.EQ, A: amount, B: val(plan.Number, v)}), n)
		}
		sum := decimal.Sum(values[0], values[1:]...)
		footer := aggregates(t, db, w, all, plan.SumSum, plan.SumAverage, plan.SumMinimum, plan.SumMaximum, plan.SumCount)
		want := []decimal.Decimal{sum, sum.DivRound(decimal.NewFromInt(int64(len(values))), 8), sorted[0], sorted[len(sorted)-1],
			decimal.NewFromInt(int64(len(values)))}
		for i, v := range footer {
			require.True(t, want[i].Equal(v.(decimal.Decimal)), "figure %d is %s, not %s", i, v, want[i])
		}
	}, &file{})
}

func aggregates(t *testing.T, db *store.DB, w *world, q *plan.Query, fns ...plan.Sum) (out []any) {
	t.Helper()
	f := *q
	for _, fn := range fns {
		f.Aggregate = append(f.Aggregate, plan.AggregateOutput{Fn: fn, X: col("amount", plan.Number)})
	}
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
		out, err = tx.Aggregates(t.Context(), w.c, &f)
		return err
	}))
	return out
}

func TestAggregates(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld()
		w.many("contract", 3, func(i int) map[string]any {
			return map[string]any{"title": []any{"b", "a", nil}[i], "amount": []any{number("0.1"), number("0.2"), nil}[i]}
		})
		w.save(t, db)
		q := &plan.Query{Model: "contract", Where: plan.True}
		got := aggregates(t, db, w, q, plan.SumSum, plan.SumAverage)
		require.Equal(t, []any{number("0.3"), number("0.15")}, got)

		secret := &plan.Guarded{Cond: &plan.Compare{Op: plan.EQ, A: col("title", plan.Text), B: val(plan.Text, "a")}, X: col("amount", plan.Number)}
		q.Aggregate = []plan.AggregateOutput{{Fn: plan.SumSum, X: secret}, {Fn: plan.SumCount, X: secret}, {Fn: plan.SumCount},
			{Fn: plan.SumMinimum, X: col("title", plan.Text)}}
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			got, err := tx.Aggregates(t.Context(), w.c, q)
			require.Equal(t, []any{number("0.2"), number("1"), number("3"), "a"}, got)
			q.Where = plan.False
			none, err2 := tx.Aggregates(t.Context(), w.c, q)
			require.NoError(t, err2)
			require.Equal(t, []any{nil, number("0"), number("0"), nil}, none)
			return err
		}))
	}, &file{})
}

// TestNumbersThatDoNotFit: a column keeps what it is given or refuses it.
func TestNumbersThatDoNotFit(t *testing.T) {
	w := newWorld()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w.save(t, db)
		for _, s := range []string{"10000000000000000", "-10000000000000000", "0.000000001"} {
			err := db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				return tx.Insert(t.Context(), w.c.Model("contract"), map[string]any{"id": fakeID(1), "amount": number(s)})
			})
			require.ErrorContains(t, err, "out of range", s)
		}
	}, &file{})
}
