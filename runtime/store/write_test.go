package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// small is a world with two departments, a user and one lot with two items.
func small() *world {
	w := newWorld()
	d := w.many("department", 2, func(int) map[string]any { return map[string]any{} })
	u := w.many("user", 1, func(int) map[string]any { return map[string]any{"departments": d[:1]} })
	lot := w.many("lot", 1, func(int) map[string]any {
		return map[string]any{"part": "混凝土", "methods": []string{"b", "a"}, "team": u, "unit": d[1], "inspector": u[0], "version": int64(1)}
	})
	w.many("lot.items", 2, func(i int) map[string]any {
		return map[string]any{"parentId": lot[0], "sortKey": int64(i), "item": "一", "tags": []string{"x"}}
	})
	return w
}

func TestUpdateChecksVersionAndRule(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := small()
		w.save(t, db)
		lot, id := w.c.Model("lot"), w.rows["lot"][0]["id"].(string)
		mine := &plan.Belongs{X: col("inspector", plan.ID), Departments: val(plan.Set, []string{w.rows["department"][0]["id"].(string)})}
		named := &plan.Compare{Op: plan.EQ, A: col("name", plan.Text, "unit"), B: val(plan.Text, "x")}
		cases := []struct {
			name    string
			version int64
			where   plan.Expr
			want    int64
		}{
			{"right version and rule", 1, mine, 1},
			{"old version", 1, nil, 0},
			{"new version", 2, nil, 1},
			{"version not looked at", -1, plan.True, 1},
			{"rule refuses", -1, plan.Negate(mine), 0},
			{"rule through a relation refuses", -1, named, 0},
			{"rule through a relation", -1, plan.Negate(named), 1},
			{"no rows", -1, plan.False, 0},
		}
		for _, c := range cases {
			require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				n, err := tx.Update(t.Context(), lot, id, c.version, c.where, map[string]any{"remark": c.name})
				require.Equal(t, c.want, n, c.name)
				return err
			}))
		}
		got := rows(t, db, w, &plan.Query{Model: "lot", Where: plan.True, Select: []plan.Expr{col("remark", plan.Text), col("version", plan.Int)}})
		require.Equal(t, [][]any{{"rule through a relation", int64(5)}}, got)
	}, &file{})
}

func TestSetsKeepOrderAndLinks(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := small()
		w.save(t, db)
		lot, id := w.c.Model("lot"), w.rows["lot"][0]["id"].(string)
		has := func(code string) int {
			return len(found(t, db, w, "lot", &plan.InSet{Op: plan.SetIntersects, F: col("methods", plan.Set), G: val(plan.Set, []string{code})}))
		}
		read := func() any {
			return rows(t, db, w, &plan.Query{Model: "lot", Where: plan.True, Select: []plan.Expr{col("methods", plan.Set)}})[0][0]
		}
		require.Equal(t, []string{"b", "a"}, read())
		require.Equal(t, 1, has("a"))
		for _, set := range []any{[]string{"c", "b"}, nil} {
			require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := tx.Update(t.Context(), lot, id, -1, nil, map[string]any{"methods": set})
				return err
			}))
			require.Equal(t, set, read())
			require.Equal(t, 0, has("a"))
		}
		require.Equal(t, 0, has("b"))
	}, &file{})
}

func TestDeleteTakesAllThatBelongsToIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := small()
		w.save(t, db)
		lot, id := w.c.Model("lot"), w.rows["lot"][0]["id"].(string)
		user := w.rows["user"][0]["id"].(string)
		remove := func(m string, id string, version int64) (n int64, err error) {
			err = db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				n, err = tx.Delete(t.Context(), w.c.Model(m), id, version, nil)
				return err
			})
			return n, err
		}
		var referenced *store.Referenced
		_, err := remove("user", user, -1)
		require.ErrorAs(t, err, &referenced)
		require.False(t, referenced.Missing)
		n, err := remove("lot", id, 9)
		require.NoError(t, err)
		require.Zero(t, n)
		require.Len(t, rows(t, db, w, &plan.Query{Model: "lot.items", Where: plan.True}), 2)

		n, err = remove("lot", id, 1)
		require.NoError(t, err)
		require.EqualValues(t, 1, n)
		require.Empty(t, rows(t, db, w, &plan.Query{Model: "lot.items", Where: plan.True}))
		_ = lot
		n, err = remove("user", user, -1)
		require.NoError(t, err)
		require.EqualValues(t, 1, n)
	}, &file{})
}

func TestInsertRefuses(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := small()
		w.save(t, db)
		write := func(m string, row map[string]any) error {
			return db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.Insert(t.Context(), w.c.Model(m), row) })
		}
		var duplicate *store.Duplicate
		require.ErrorAs(t, write("lot", map[string]any{"id": w.rows["lot"][0]["id"]}), &duplicate)
		require.Equal(t, "lot", duplicate.Model)
		var referenced *store.Referenced
		require.ErrorAs(t, write("lot", map[string]any{"id": fakeID(5000), "unit": fakeID(6000)}), &referenced)
		require.True(t, referenced.Missing)
		require.Equal(t, "unit", referenced.Column)
		require.ErrorAs(t, write("lot", map[string]any{"id": fakeID(5000), "team": []string{fakeID(6000)}}), &referenced)
		require.True(t, referenced.Missing)
		require.ErrorContains(t, write("lot", map[string]any{"id": fakeID(5000), "prat": "x"}), `no column "prat"`)
		require.ErrorContains(t, write("lot", map[string]any{"part": "x"}), "without an id")
		require.ErrorIs(t, write("lot", map[string]any{"id": fakeID(5000), "part": "a\x00b"}), store.ErrValue)
	}, &file{})
}

// TestHostileTexts: as values they are data; as codes they are unknown.
func TestHostileTexts(t *testing.T) {
	hostile := []string{`'; DROP TABLE "d_lot"; --`, `" OR 1=1 --`, `%`, `\`, `$1`, `?`, "{\"a\"}", `a","b`, "x' OR 'a'='a"}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld()
		w.many("lot", len(hostile), func(i int) map[string]any {
			return map[string]any{"part": hostile[i], "methods": []string{hostile[i]}, "version": int64(1)}
		})
		w.save(t, db)
		for i, text := range hostile {
			id := []string{w.rows["lot"][i]["id"].(string)}
			many := append([]string{text}, "none", "nothing")
			require.Equal(t, id, found(t, db, w, "lot", &plan.Compare{Op: plan.EQ, A: col("part", plan.Text), B: val(plan.Text, text)}))
			require.Equal(t, id, found(t, db, w, "lot", &plan.InSet{Op: plan.SetWithin, F: col("part", plan.Text), G: val(plan.Set, many)}))
			require.Equal(t, id, found(t, db, w, "lot", &plan.InSet{Op: plan.SetIntersects, F: col("methods", plan.Set), G: val(plan.Set, many)}))
			require.Contains(t, found(t, db, w, "lot", &plan.Match{X: col("part", plan.Text), Pattern: val(plan.Text, text)}), id[0])

			for _, q := range []*plan.Query{
				{Model: text, Where: plan.True},
				{Model: "lot", Where: plan.True, Select: []plan.Expr{col(text, plan.Text)}},
				{Model: "lot", Where: plan.True, Select: []plan.Expr{col("name", plan.Text, text)}},
				{Model: "lot", Where: plan.True, Order: []plan.Order{{By: col(text, plan.Text)}}},
				{Model: "lot", Where: &plan.AnyRow{Sheet: text, Where: plan.True}},
			} {
				_, _, err := store.SQL(db.Dialect(), w.c, q)
				require.Error(t, err, text)
			}
		}
		require.Len(t, rows(t, db, w, &plan.Query{Model: "lot", Where: plan.True}), len(hostile))
		_, _, err := store.SQL(db.Dialect(), w.c, &plan.Query{Model: "lot",
			Where: &plan.Match{X: col("part", plan.Text), Pattern: val(plan.Text, "a\x00")}})
		require.True(t, errors.Is(err, store.ErrValue))
	}, &file{})
}

// TestSearchIndexFollowsWrites: the gram path finds what a walk finds, after inserts, updates and deletes.
func TestSearchIndexFollowsWrites(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld()
		texts := []string{"混凝土浇筑", "凝土", "A12 梁", "a13 柱", "İx kK", ""}
		ids := w.many("lot", len(texts), func(i int) map[string]any {
			return map[string]any{"part": texts[i], "version": int64(1)}
		})
		w.save(t, db)
		search := func(text string) []string {
			return found(t, db, w, "lot", &plan.Match{X: col("part", plan.Text), Pattern: val(plan.Text, text)})
		}
		require.Equal(t, []string{ids[0], ids[1]}, search("凝土"))
		require.Equal(t, []string{ids[2]}, search("A12"))
		require.Equal(t, []string{ids[4]}, search("Kk"))
		require.Empty(t, search("凝浇"))
		change := func(f func(ctx context.Context, tx *store.Tx) (int64, error)) {
			require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := f(t.Context(), tx)
				return err
			}))
		}
		lot := w.c.Model("lot")
		change(func(ctx context.Context, tx *store.Tx) (int64, error) {
			return tx.Update(ctx, lot, ids[1], -1, nil, map[string]any{"part": "钢筋"})
		})
		change(func(ctx context.Context, tx *store.Tx) (int64, error) {
			return tx.Update(ctx, lot, ids[2], -1, nil, map[string]any{"part": nil})
		})
		change(func(ctx context.Context, tx *store.Tx) (int64, error) { return tx.Delete(ctx, lot, ids[4], -1, nil) })
		require.Equal(t, []string{ids[0]}, search("凝土"))
		require.Equal(t, []string{ids[1]}, search("钢筋"))
		require.Empty(t, search("A12"))
		require.Empty(t, search("kk"))
	}, &file{})
}
