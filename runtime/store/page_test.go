package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// rows reads a page whole.
func rows(t testing.TB, db *store.DB, w *world, q *plan.Query) [][]any {
	t.Helper()
	return read(t, db, w, q, func(tx *store.Tx, each func([]any) error) error { return tx.Query(t.Context(), w.c, q, each) })
}

// fixedRows reads a page of a query that is asked again and again.
func fixedRows(t testing.TB, db *store.DB, w *world, f *store.Fixed, q *plan.Query) [][]any {
	t.Helper()
	return read(t, db, w, q, func(tx *store.Tx, each func([]any) error) error { return tx.Page(t.Context(), f, q, each) })
}

func read(t testing.TB, db *store.DB, w *world, q *plan.Query, ask func(*store.Tx, func([]any) error) error) (out [][]any) {
	t.Helper()
	err := db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return ask(tx, func(row []any) error {
			out = append(out, slices.Clone(row))
			return nil
		})
	})
	if err != nil {
		text, args, _ := store.SQL(db.Dialect(), w.c, q)
		t.Fatalf("%v\n%s\n%v", err, text, args)
	}
	return out
}

// TestCursorPagesAreOffsetPages walks random orders in both directions, over empty and repeated values, within bounds; pages of
// one fixed query, which share their statements, are those of queries of their own.
func TestCursorPagesAreOffsetPages(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(3, 4)), 70)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w.save(t, db)
		g := &generator{Rand: rand.New(rand.NewPCG(5, 6)), w: w}
		for n := range 25 {
			q := &plan.Query{Model: "lot", Where: plan.True}
			for range g.IntN(4) {
				k := oneOf(g, plan.Text, plan.Number, plan.Date, plan.Instant, plan.Clock, plan.Bool, plan.ID, plan.Int)
				q.Order = append(q.Order, plan.Order{By: g.operand(k, false), Descending: g.IntN(2) == 0})
			}
			if g.IntN(3) == 0 {
				q.Order = append(q.Order, plan.Order{By: col("id", plan.ID), Descending: g.IntN(2) == 0})
			}
			keys := store.Keys(q)
			for _, k := range keys {
				q.Select = append(q.Select, k.By)
			}
			all := rows(t, db, w, q)
			require.Len(t, all, 70)
			whole := all
			if bound := all[g.IntN(70)][0]; bound != nil && n%2 == 0 { // a bound of the first key, which the cursor may imply
				op := []plan.CompareOp{plan.LT, plan.LE, plan.GE, plan.GT}[n/2%4]
				q.Where = plan.AllOf(&plan.Compare{Op: op, A: keys[0].By, B: &plan.Const{K: keys[0].By.Kind(), Value: bound}})
				all = rows(t, db, w, q)
			}
			limit := 1 + g.IntN(9)
			pages(t, db, w, q, all, limit, n)
			outside(t, db, w, q, whole, limit)
		}
	}, &file{})
}

func pages(t *testing.T, db *store.DB, w *world, q *plan.Query, all [][]any, limit, n int) {
	t.Helper()
	f := store.Fix(w.c, q)
	for at := range all {
		page := *q
		page.Limit = limit
		want := all[at+1 : min(at+1+limit, len(all))]
		page.After = all[at]
		if got := rows(t, db, w, &page); !same(want, got) {
			text, args, _ := store.SQL(db.Dialect(), w.c, &page)
			t.Fatalf("order %d after row %d: %s\n%s\n%v", n, at, cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)), text, args)
		}
		if got := fixedRows(t, db, w, f, &page); !same(want, got) {
			t.Fatalf("fixed order %d after row %d: %s", n, at, cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)))
		}
		page.After, page.Before = nil, all[at]
		want = all[max(0, at-limit):at]
		if got := rows(t, db, w, &page); !same(want, got) {
			t.Fatalf("order %d before row %d: %s", n, at, cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)))
		}
		if got := fixedRows(t, db, w, f, &page); !same(want, got) {
			t.Fatalf("fixed order %d before row %d: %s", n, at, cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)))
		}
		page.Before, page.Offset = nil, at
		want = all[at:min(at+limit, len(all))]
		if got := rows(t, db, w, &page); !same(want, got) {
			t.Fatalf("order %d offset %d: %s", n, at, cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)))
		}
		if got := fixedRows(t, db, w, f, &page); !same(want, got) {
			t.Fatalf("fixed order %d offset %d: %s", n, at, cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)))
		}
	}
	last := *q
	last.Limit, last.Before = limit, []any{}
	require.True(t, same(all[max(0, len(all)-limit):], rows(t, db, w, &last)), "the last page")
	require.True(t, same(all[max(0, len(all)-limit):], fixedRows(t, db, w, f, &last)), "the last page, fixed")
}

// outside goes on from rows that the query's condition may leave out: those that a bound's cursor does not keep.
func outside(t *testing.T, db *store.DB, w *world, q *plan.Query, whole [][]any, limit int) {
	t.Helper()
	f := store.Fix(w.c, q)
	for _, row := range whole {
		page := *q
		page.Limit, page.Before = limit, row
		require.True(t, same(rows(t, db, w, &page), fixedRows(t, db, w, f, &page)))
	}
}

func same(a, b [][]any) bool {
	return slices.EqualFunc(a, b, func(x, y []any) bool { return x[len(x)-1] == y[len(y)-1] && fmt.Sprint(x) == fmt.Sprint(y) })
}

func TestDeepOffset(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(3, 4)), 1300)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w.save(t, db)
		q := &plan.Query{Model: "lot", Where: &plan.Not{X: &plan.IsNull{X: col("title", plan.Text, "contract")}},
			Order:  []plan.Order{{By: col("title", plan.Text, "contract"), Descending: true}, {By: col("day", plan.Date)}},
			Select: []plan.Expr{col("name", plan.Text, "inspector"), col("day", plan.Date), col("id", plan.ID)}}
		w.joins = map[string]plan.Expr{"contract": &plan.Not{X: &plan.IsNull{X: col("project", plan.ID)}}}
		q.Joins = w.joins
		q.Where = plan.True
		all := rows(t, db, w, q)
		require.Len(t, all, 1300)
		f := store.Fix(w.c, q)
		for _, from := range []int{1100, 1001, 1279} {
			q.Offset, q.Limit = from, 20
			require.True(t, same(all[from:from+20], rows(t, db, w, q)))
			require.True(t, same(all[from:from+20], fixedRows(t, db, w, f, q)))
		}
	}, &file{})
}

// TestValuesRoundTrip: what was written comes back in the Go forms of plan.Kind, on both databases the same.
func TestValuesRoundTrip(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(9, 9)), 60)
	lot := w.c.Model("lot")
	q := &plan.Query{Model: "lot", Where: plan.True}
	var names []string
	for _, f := range lot.Fields {
		if f.Property != nil {
			c := f.Property.Columns()[0]
			q.Select, names = append(q.Select, col(c.Name, c.Kind)), append(names, c.Name)
		}
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w.save(t, db)
		got := rows(t, db, w, q)
		require.Len(t, got, 60)
		for i, row := range got {
			for k, v := range row {
				want := w.rows["lot"][i][names[k]]
				if d := cmp.Diff(want, v); d != "" {
					t.Fatalf("%s of row %d: %s", names[k], i, d)
				}
			}
		}
	}, &file{})
}

func TestTruthValuesCanBeSelected(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(9, 9)), 20)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w.save(t, db)
		e := &plan.Compare{Op: plan.GT, A: col("amount", plan.Number), B: val(plan.Number, number("0"))}
		for i, row := range rows(t, db, w, &plan.Query{Model: "lot", Where: plan.True, Select: []plan.Expr{e, &plan.Not{X: e}}}) {
			want := false
			if d := w.rows["lot"][i]["amount"]; d != nil {
				want = number("0").LessThan(number(fmt.Sprint(d)))
			}
			require.Equal(t, []any{want, !want}, row)
		}
	}, &file{})
}

func TestNames(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(1, 1)), 3)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w.save(t, db)
		users := w.rows["user"]
		ids := []string{users[0]["id"].(string), users[2]["id"].(string), fakeID(77777)}
		read := func(ctx context.Context, where plan.Expr) (out map[string][]any) {
			require.NoError(t, db.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
				out, err = tx.Names(ctx, w.c, "user", ids, where, "name", "departments")
				return err
			}))
			return out
		}
		got := read(t.Context(), nil)
		require.Len(t, got, 2)
		require.Equal(t, users[2]["name"], got[ids[1]][0])
		require.Empty(t, read(t.Context(), plan.False))
	}, &file{})
}
