package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestWordsWithoutAnIndex looks for words of one character, rare ones and frequent ones, page by page and from a cursor: rows,
// totals and sums are those of the records that hold the word, also right after a change.
func TestWordsWithoutAnIndex(t *testing.T) {
	m := newModel("named", newField("name", plan.Text, withSearch), newField("amount", plan.Number), newField("day", plan.Date))
	m.Volume = 50_000
	c := &catalog.Catalog{Models: []*catalog.Model{m}}
	table := plan.Table{Name: m.Table, Model: m.Code, Indexes: []plan.Index{{Columns: []string{"day", "id"}}}}
	for _, f := range m.Fields {
		table.Columns = append(table.Columns, f.Property.Columns()...)
	}
	c.Storage.Tables = []plan.Table{table}
	c.Freeze()
	// Of 1,500 records all have 板, every second 底, every 100th 闸, and none 门.
	name := func(i int) string {
		return "板" + strings.Repeat("底", (i+1)%2) + map[bool]string{true: "闸"}[i%100 == 0] + fmt.Sprintf("%04d", i)
	}
	row := func(i int) map[string]any {
		return map[string]any{"id": fakeID(i + 1), "name": name(i), "amount": number("0.1"), "day": fmt.Sprintf("2026-01-%02d", i%28+1)}
	}
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		db := storetest.Open(t, o)
		p, err := db.Plan(t.Context(), c.Storage, store.PlanOptions{})
		require.NoError(t, err)
		require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{}))
		insert := func(from, to int) {
			t.Helper()
			require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				for i := from; i < to; i++ {
					if err := tx.Insert(t.Context(), m, row(i)); err != nil {
						return err
					}
				}
				return nil
			}))
		}
		insert(0, 1500)
		fixed := map[string]*store.Fixed{}
		query := func(word string) *plan.Query {
			return &plan.Query{Model: "named", Select: []plan.Expr{col("id", plan.ID), col("day", plan.Date)}, Limit: 7,
				Where:     &plan.Match{X: col("name", plan.Text), Pattern: val(plan.Text, word)},
				Order:     []plan.Order{{By: col("day", plan.Date), Descending: true}, {By: col("id", plan.ID), Descending: true}},
				Aggregate: []plan.AggregateOutput{{Fn: plan.SumSum, X: col("amount", plan.Number)}}}
		}
		check := func(word string, n int) {
			t.Helper()
			q := query(word)
			if fixed[word] == nil {
				fixed[word] = store.Fix(c, q)
			}
			want, err := idsOf(t, db, func(tx *store.Tx, each func([]any) error) error {
				all := *q
				all.Limit = 0
				return tx.Query(t.Context(), c, &all, each)
			})
			require.NoError(t, err)
			require.Len(t, want, n, word)
			page := func(change func(*plan.Query)) (ids []string) {
				t.Helper()
				one := *q
				change(&one)
				ids, err := idsOf(t, db, func(tx *store.Tx, each func([]any) error) error { return tx.Page(t.Context(), fixed[word], &one, each) })
				require.NoError(t, err)
				return ids
			}
			require.Equal(t, want[:min(7, n)], page(func(*plan.Query) {}), word)
			require.Equal(t, want[min(7, n):min(14, n)], page(func(q *plan.Query) { q.Offset = 7 }), word)
			if n > 7 {
				last := row(0)
				require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
					one := *q
					return tx.Page(t.Context(), fixed[word], &one, func(r []any) error { last["day"], last["id"] = r[1], r[0]; return nil })
				}))
				require.Equal(t, want[7:min(14, n)], page(func(q *plan.Query) { q.After = []any{last["day"], last["id"]} }), word)
			}
			require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
				total, footer, err := tx.Figures(t.Context(), fixed[word])
				require.EqualValues(t, n, total, word)
				if n > 0 {
					require.Equal(t, number(fmt.Sprintf("%d.%d", n/10, n%10)).String(), fmt.Sprint(footer[0]), word)
				} else {
					require.Equal(t, []any{nil}, footer)
				}
				return err
			}))
		}
		for range 2 { // what was found is remembered
			check("板", 1500)
			check("底", 750)
			check("闸", 15)
			check("门", 0)
		}
		insert(1600, 1601)
		for word, n := range map[string]int{"闸": 16, "底": 751, "门": 0} {
			ids, err := idsOf(t, db, func(tx *store.Tx, each func([]any) error) error {
				all := query(word)
				all.Limit = 0
				return tx.Page(t.Context(), fixed[word], all, each)
			})
			require.NoError(t, err)
			require.Len(t, ids, n, word)
		}
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := tx.Update(t.Context(), m, fakeID(1), -1, plan.True, map[string]any{"name": "门"})
			return err
		}))
		ids, err := idsOf(t, db, func(tx *store.Tx, each func([]any) error) error {
			return tx.Page(t.Context(), fixed["门"], query("门"), each)
		})
		require.NoError(t, err)
		require.Equal(t, []string{fakeID(1)}, ids)
	})
}

func idsOf(t *testing.T, db *store.DB, read func(tx *store.Tx, each func([]any) error) error) ([]string, error) {
	ids := []string{}
	err := db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return read(tx, func(row []any) error { ids = append(ids, row[0].(string)); return nil })
	})
	return ids, err
}
