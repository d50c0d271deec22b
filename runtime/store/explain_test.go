package store_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestIndexesServe asks both databases how they run the statements of a list: no scan of the table, no sort of a page.
func TestIndexesServe(t *testing.T) {
	id, day, result := col("id", plan.ID), col("day", plan.Date), col("result", plan.Text)
	byDay := []plan.Order{{By: day, Descending: true}, {By: id}}
	ok := eq(result, "OK")
	codes := val(plan.Set, []string{"OK", "BAD"})
	cases := []struct {
		name   string
		q      plan.Query
		sorted bool // an index gives the order
	}{
		{"page", plan.Query{Where: ok, Order: byDay, Limit: 20}, true},
		{"after a cursor", plan.Query{Where: ok, Order: byDay, Limit: 20, After: []any{"2021-06-01", "x"}}, true},
		{"before a cursor", plan.Query{Where: ok, Order: byDay, Limit: 20, Before: []any{"2021-06-01", "x"}}, true},
		{"after an empty value", plan.Query{Where: ok, Order: byDay, Limit: 20, After: []any{nil, "x"}}, true},
		{"last page", plan.Query{Where: ok, Order: byDay, Limit: 20, Before: []any{}}, true},
		{"by id", plan.Query{Where: plan.True, Limit: 20, After: []any{"x"}}, true},
		{"by id, backwards", plan.Query{Where: plan.True, Limit: 20, Before: []any{"x"}}, true},
		{"guarded", plan.Query{Where: &plan.Compare{Op: plan.EQ, A: &plan.Guarded{Cond: col("good", plan.Bool), X: result}, B: val(plan.Text, "OK")}}, false},
		{"set contains", plan.Query{Where: &plan.InSet{Op: plan.SetIntersects, F: col("methods", plan.Set), G: codes}}, false},
		{"set has", plan.Query{Where: &plan.InSet{Op: plan.SetHas, F: col("methods", plan.Set), G: codes}}, false},
		{"belongs", plan.Query{Where: &plan.Belongs{X: col("team", plan.Set), Departments: val(plan.Set, []string{"x"})}}, false},
		{"person belongs", plan.Query{Where: &plan.Belongs{X: col("inspector", plan.ID), Departments: val(plan.Set, []string{"x"})}}, false},
		{"department belongs", plan.Query{Where: &plan.Belongs{X: col("unit", plan.ID), Departments: val(plan.Set, []string{"x"})}}, false},
		{"begins with", plan.Query{Where: &plan.Match{X: result, Pattern: val(plan.Text, "O"), Prefix: true}}, false},
		{"options", plan.Query{Where: &plan.InSet{Op: plan.SetWithin, F: result, G: codes}}, false},
	}
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		o.System = []any{&file{}}
		db := storetest.Open(t, o)
		w := newWorld()
		for i := range w.c.Storage.Tables {
			if tab := &w.c.Storage.Tables[i]; tab.Name == "d_lot" {
				tab.Indexes = []plan.Index{{Columns: []string{"result", "day", "id"}, Desc: []bool{false, true, false}}}
			}
		}
		w.save(t, db)
		for _, c := range cases {
			c.q.Model, c.q.Select = "lot", []plan.Expr{id, day}
			text, args, err := store.SQL(db.Dialect(), w.c, &c.q)
			require.NoError(t, err)
			how := explain(t, o, text, args)
			for _, bad := range []string{"SCAN t\n", "Seq Scan on d_lot t"} {
				require.NotContains(t, how, bad, text)
			}
			if c.sorted {
				require.NotContains(t, how, "Sort", text)
				require.NotContains(t, how, "TEMP B-TREE", text)
			}
		}
	})
}

func explain(t *testing.T, o store.Options, text string, args []any) string {
	t.Helper()
	return explained(t, o, "SET enable_seqscan = off; SET enable_bitmapscan = off", text, args)
}

// explainSearch is explain with the scans that gram indexes are for.
func explainSearch(t *testing.T, o store.Options, text string, args []any) string {
	t.Helper()
	return explained(t, o, "SET enable_seqscan = off", text, args)
}

func explained(t *testing.T, o store.Options, settings, text string, args []any) string {
	t.Helper()
	driver, name, word := "pgx", storetest.One(o.URL), "EXPLAIN "
	if o.URL == "" {
		driver, name, word = "sqlite", "file:"+filepath.ToSlash(filepath.Join(o.Dir, "sluice.db"))+"?mode=ro", "EXPLAIN QUERY PLAN "
	}
	pool, err := sql.Open(driver, name)
	require.NoError(t, err)
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	if driver == "pgx" {
		_, err = pool.Exec(settings)
		require.NoError(t, err)
	}
	rows, err := pool.Query(word+text, args...)
	require.NoError(t, err, text)
	defer rows.Close()
	columns, err := rows.Columns()
	require.NoError(t, err)
	var b strings.Builder
	for rows.Next() {
		line := make([]any, len(columns))
		for i := range line {
			line[i] = new(any)
		}
		var last string
		line[len(line)-1] = &last
		require.NoError(t, rows.Scan(line...))
		b.WriteString(last + "\n")
	}
	return b.String()
}
