package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
	"github.com/stretchr/testify/require"
)

// rowsOf reads all columns of a model, by id.
func rowsOf(t *testing.T, db *store.DB, w *world, m *catalog.Model) (out [][]any) {
	t.Helper()
	q := &plan.Query{Model: m.Code, Where: plan.True, Order: []plan.Order{{By: col("id", plan.ID)}}}
	for _, name := range columnsOf(m) {
		c, _ := columnNamed(m, name)
		q.Select = append(q.Select, col(name, c.Kind))
	}
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.Query(t.Context(), w.c, q, func(row []any) error { out = append(out, slices.Clone(row)); return nil })
	}))
	return out
}

func columnNamed(m *catalog.Model, name string) (plan.Column, bool) {
	for _, f := range m.Fields {
		if f.Property == nil {
			continue
		}
		for _, c := range f.Property.Columns() {
			if c.Name == name {
				return c, true
			}
		}
	}
	switch name {
	case catalog.SheetOrder:
		return plan.Column{Name: name, Kind: plan.Int}, true
	case catalog.ID, catalog.SheetParent:
		return plan.Column{Name: name, Kind: plan.ID}, true
	}
	return plan.Column{}, false
}

func columnsOf(m *catalog.Model) []string {
	out := []string{catalog.ID}
	if m.Parent != nil {
		out = append(out, catalog.SheetParent, catalog.SheetOrder)
	}
	for _, f := range m.Fields {
		if f.Property == nil || f.Code == catalog.ID {
			continue
		}
		for _, c := range f.Property.Columns() {
			out = append(out, c.Name)
		}
	}
	return out
}

// TestInsertRows: many rows at once leave what Insert leaves one by one, with the indexes put off or not.
func TestInsertRows(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(7, 7)), 60)
	lot := w.c.Model("lot")
	search := &plan.Query{Model: "lot", Select: []plan.Expr{col("id", plan.ID)}, Order: []plan.Order{{By: col("id", plan.ID)}},
		Where: &plan.Match{X: col("part", plan.Text), Pattern: &plan.Const{K: plan.Text, Value: "混凝"}}}
	member := &plan.Query{Model: "lot", Select: []plan.Expr{col("id", plan.ID)}, Order: []plan.Order{{By: col("id", plan.ID)}},
		Where: &plan.InSet{Op: plan.SetHas, F: col("methods", plan.Set), G: &plan.Const{K: plan.Set, Value: []string{"OK"}}}}
	for _, putOff := range []bool{false, true} {
		t.Run(fmt.Sprintf("put off %v", putOff), func(t *testing.T) {
			storetest.EachOptions(t, func(t *testing.T, o store.Options) {
				o.System = []any{&file{}}
				one := storetest.Open(t, o)
				w.save(t, one)
				want := map[string][][]any{"lot": rowsOf(t, one, w, lot), "items": rowsOf(t, one, w, lot.Sheets[0])}
				found, members := ids(t, one, w, search), ids(t, one, w, member)
				require.NotEmpty(t, found)
				require.NotEmpty(t, members)

				require.NoError(t, one.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
					for _, row := range w.rows["lot"] {
						if _, err := tx.Delete(t.Context(), lot, row["id"].(string), -1, plan.True); err != nil {
							return err
						}
					}
					return nil
				}))
				require.Empty(t, rowsOf(t, one, w, lot))
				if putOff {
					require.NoError(t, one.PutOffIndexes(t.Context(), lot))
				}
				require.NoError(t, one.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
					for _, m := range []*catalog.Model{lot, lot.Sheets[0]} {
						columns := columnsOf(m)
						var rows [][]any
						for _, row := range w.rows[m.Code] {
							values := make([]any, len(columns))
							for i, c := range columns {
								values[i] = row[c]
							}
							rows = append(rows, values)
						}
						if err := tx.InsertRows(t.Context(), m, columns, rows); err != nil {
							return err
						}
					}
					return nil
				}))
				require.Equal(t, found, ids(t, one, w, search), "a search answers the same before the indexes are built")
				require.NoError(t, one.EnsureIndexes(t.Context()))
				pending, err := one.Pending(t.Context())
				require.NoError(t, err)
				require.Empty(t, pending)
				require.Equal(t, want["lot"], rowsOf(t, one, w, lot))
				require.Equal(t, want["items"], rowsOf(t, one, w, lot.Sheets[0]))
				require.Equal(t, found, ids(t, one, w, search))
				require.Equal(t, members, ids(t, one, w, member))
			})
		})
	}
}

func ids(t *testing.T, db *store.DB, w *world, q *plan.Query) (out []string) {
	t.Helper()
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
		out, err = tx.Ids(t.Context(), w.c, q)
		return err
	}))
	return out
}

// TestTop: the first rows of each group, with the number of all of them.
func TestTop(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(8, 8)), 40)
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		o.System = []any{&file{}}
		db := storetest.Open(t, o)
		w.save(t, db)
		parent, order, id := col("parentId", plan.ID), col("sortKey", plan.Int), col("id", plan.ID)
		q := &plan.Query{Model: "lot.items", Select: []plan.Expr{parent, id, col("value", plan.Number)}, Where: plan.True,
			Order: []plan.Order{{By: parent}, {By: order}, {By: id}}}
		all := map[string][][]any{}
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.Query(t.Context(), w.c, q, func(row []any) error {
				p := row[0].(string)
				all[p] = append(all[p], slices.Clone(row))
				return nil
			})
		}))
		const most = 2
		q.Top = most
		got, longer := map[string][][]any{}, 0
		require.NoError(t, db.ReadCommitted(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.Query(t.Context(), w.c, q, func(row []any) error {
				p := row[0].(string)
				require.EqualValues(t, len(all[p]), row[3])
				got[p] = append(got[p], slices.Clone(row[:3]))
				return nil
			})
		}))
		require.Len(t, got, len(all))
		for p, rows := range all {
			if len(rows) > most {
				longer++
			}
			require.Equal(t, rows[:min(most, len(rows))], got[p])
		}
		require.Positive(t, longer)
	})
}
