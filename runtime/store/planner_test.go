package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

type searchedText struct{ property.Property }

func (searchedText) Kind() plan.Kind { return plan.Text }
func (searchedText) Columns() []plan.Column {
	return []plan.Column{{Name: "part", Property: "part", Kind: plan.Text, Search: true}}
}

type codes struct{ property.Property }

func (codes) Kind() plan.Kind { return plan.Set }
func (codes) Columns() []plan.Column {
	return []plan.Column{{Name: "methods", Property: "methods", Kind: plan.Set}}
}

func searchedCatalog() *catalog.Catalog {
	m := &catalog.Model{Code: "lot", Table: "d_lot", Volume: 1_000_000}
	m.Fields = []*catalog.Field{{Code: "part", Model: m, Property: searchedText{}}, {Code: "methods", Model: m, Property: codes{}}}
	c := &catalog.Catalog{Models: []*catalog.Model{m}}
	c.Storage = plan.Storage{Tables: []plan.Table{{Name: "d_lot", Model: "lot", Columns: append(searchedText{}.Columns(), codes{}.Columns()[0],
		plan.Column{Name: "day", Kind: plan.Date}, plan.Column{Name: "unit", Kind: plan.ID}),
		Indexes: []plan.Index{{Columns: []string{"unit", "day", "id"}}}}}}
	c.Freeze()
	return c
}

// TestSearchChoosesItsWay: few hits go through the gram index, many walk, short words always walk.
func TestSearchChoosesItsWay(t *testing.T) {
	db, err := Open(t.Context(), Options{Dir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	c := searchedCatalog()
	p, err := db.Plan(t.Context(), c.Storage, PlanOptions{})
	require.NoError(t, err)
	require.NoError(t, db.Apply(t.Context(), p, ApplyOptions{}))
	require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *Tx) error {
		for i := range 1500 {
			row := map[string]any{"id": fmt.Sprintf("00000000-0000-7000-8000-%012d", i), "part": "混凝土", "methods": []string{"common"}}
			if i < 5 {
				row["part"], row["methods"] = "钢筋混凝土", []string{"common", "rare"}
			}
			if err := tx.Insert(t.Context(), c.Models[0], row); err != nil {
				return err
			}
		}
		return nil
	}))
	setsChooseTheirWay(t, db, c)
	for text, want := range map[string]bool{"钢筋": true, "混凝": false, "筋混凝": true, "梁柱": true, "钢": false} {
		m := &plan.Match{X: &plan.Field{Column: "part", K: plan.Text}, Pattern: &plan.Const{K: plan.Text, Value: text}}
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *Tx) error {
			r, err := tx.reader(t.Context(), c, &plan.Query{Model: "lot", Where: m, Limit: 20})
			require.NoError(t, err)
			require.Equal(t, want, r.grams[m], text)
			if text != "钢" {
				require.NotContains(t, planOf(t, tx, r, m), "LIST SUBQUERY", "%s: counting stops at the border", text)
			}
			_, done, err := tx.admit(t.Context(), r)
			require.NoError(t, err)
			require.Equal(t, !want, len(tx.db.scans.slots) == 1, "%s: only the walk is admitted as a scan", text)
			done()
			return nil
		}))
	}
	for _, x := range []struct {
		text string
		want bool
	}{{"混凝", false}, {"钢筋", true}, {"两成", true}} { // of all rows, of few, of more than a page collects
		text, want := x.text, x.want
		m := &plan.Match{X: &plan.Field{Column: "part", K: plan.Text}, Pattern: &plan.Const{K: plan.Text, Value: text}}
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *Tx) error {
			for i := 1500; text == "两成" && i < 8000; i++ {
				row := map[string]any{"id": fmt.Sprintf("00000000-0000-7000-8000-%012d", i), "part": "土方"}
				if i < 1500+fewHits {
					row["part"] = "两成"
				}
				if err := tx.Insert(t.Context(), c.Models[0], row); err != nil {
					return err
				}
			}
			r, err := tx.figures(t.Context(), c, &plan.Query{Model: "lot", Where: m})
			require.NoError(t, err)
			require.Equal(t, want, r.grams[m], "figures of %s", text)
			page, err := tx.reader(t.Context(), c, &plan.Query{Model: "lot", Where: m, Limit: 20})
			require.NoError(t, err)
			require.Equal(t, text == "钢筋", page.grams[m], "a page of %s", text)
			n, err := tx.count(t.Context(), r, 0)
			require.EqualValues(t, map[string]int64{"混凝": 1500, "钢筋": 5, "两成": fewHits}[text], n)
			return err
		}))
	}
}

// setsChooseTheirWay is part of TestSearchChoosesItsWay: the way changes nothing in what is found.
// planOf is how SQLite counts the hits of a search.
func planOf(t *testing.T, tx *Tx, r *reader, m *plan.Match) string {
	t.Helper()
	text, args, err := countHits(r, m)
	require.NoError(t, err)
	rows, err := tx.c.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, args...)
	require.NoError(t, err)
	defer rows.Close()
	var out strings.Builder
	for rows.Next() {
		var a, b, c int
		var line string
		require.NoError(t, rows.Scan(&a, &b, &c, &line))
		out.WriteString(line + "\n")
	}
	require.NoError(t, rows.Err())
	return out.String()
}

func setsChooseTheirWay(t *testing.T, db *DB, c *catalog.Catalog) {
	for _, x := range []struct {
		op     plan.SetOp
		values []string
		walk   bool
		n      int
	}{
		{plan.SetIntersects, []string{"common"}, true, 20}, {plan.SetIntersects, []string{"rare"}, false, 5},
		{plan.SetHas, []string{"common", "rare"}, true, 5}, {plan.SetHas, []string{"rare"}, false, 5}, {plan.SetEqual, []string{"common"}, true, 20},
	} {
		f := &plan.Field{Column: "methods", K: plan.Set}
		q := &plan.Query{Model: "lot", Limit: 20, Where: &plan.InSet{Op: x.op, F: f, G: &plan.Const{K: plan.Set, Value: x.values}}}
		require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *Tx) error {
			r, err := tx.reader(t.Context(), c, q)
			require.NoError(t, err)
			require.Equal(t, x.walk, r.walk[f], "%s %v", x.op, x.values)
			ids, err := tx.Ids(t.Context(), c, q)
			require.Len(t, ids, x.n)
			return err
		}))
	}
}

func TestScans(t *testing.T) {
	c := searchedCatalog()
	unit := &plan.Field{Column: "unit", K: plan.ID}
	day := &plan.Field{Column: "day", K: plan.Date}
	is := func(f *plan.Field) plan.Expr {
		return &plan.Compare{Op: plan.EQ, A: f, B: &plan.Const{K: f.K, Value: "x"}}
	}
	for _, x := range []struct {
		name string
		q    plan.Query
		want bool
	}{
		{"no condition", plan.Query{Where: plan.True}, false},
		{"no condition, sorted by an index", plan.Query{Where: plan.True, Limit: 20, Order: []plan.Order{{By: unit}}}, false},
		{"no condition, sorted without", plan.Query{Where: plan.True, Limit: 20, Order: []plan.Order{{By: day}}}, true},
		{"first column of an index", plan.Query{Where: is(unit)}, false},
		{"second column only", plan.Query{Where: is(day)}, true},
		{"one of two", plan.Query{Where: plan.AllOf(is(unit), is(day))}, false},
		{"either of two", plan.Query{Where: plan.AnyOf(is(unit), is(day))}, true},
		{"guarded", plan.Query{Where: &plan.Guarded{Cond: is(unit), X: is(day)}}, false},
		{"all but some", plan.Query{Where: plan.Negate(is(unit))}, true},
		{"no rows", plan.Query{Where: plan.False}, false},
	} {
		x.q.Model = "lot"
		require.Equal(t, x.want, Scans(c, &x.q), x.name)
	}
}

func TestAdmission(t *testing.T) {
	a := newAdmission(1)
	ctx, done, err := a.enter(t.Context())
	require.NoError(t, err)
	_, has := ctx.Deadline()
	require.True(t, has)
	hurried, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, _, err = a.enter(hurried)
	require.Equal(t, fault.DeadlineExceeded, fault.Of(err))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = a.enter(gone)
	require.True(t, errors.Is(err, context.Canceled))
	done()
	_, done, err = a.enter(t.Context())
	require.NoError(t, err)
	done()
}

func TestCost(t *testing.T) {
	f := &plan.Field{Column: "title", K: plan.Text, Path: []string{"contract", "project"}}
	q := &plan.Query{Where: &plan.IsNull{X: f}, Select: []plan.Expr{f}, Order: []plan.Order{{By: f}}, Limit: 20}
	require.Equal(t, Cost{Nodes: 4, Hops: 2, Depth: 2, Keys: 1, Columns: 1, Rows: 20}, CostOf(q))
	require.NoError(t, DefaultCaps().Check(CostOf(q)))
	deep := *q
	deep.Select = []plan.Expr{&plan.Field{Column: "x", K: plan.Text, Path: strings.Split("a.b.c.d.e.f.g", ".")}}
	require.Equal(t, fault.TooExpensive, fault.Of(DefaultCaps().Check(CostOf(&deep))))
}

// TestFoldingIsFold: what the databases fold by name is all that Fold folds besides A to Z.
func TestFoldingIsFold(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		s := string(r)
		if !norm.NFC.IsNormalString(s) {
			continue // no stored text has it
		}
		l := unicode.ToLower(r)
		if unicode.ToLower(l) != l {
			t.Errorf("folding twice changes %U", r)
		}
		f := foldingOf(string(l))
		known := l == r || r >= 'A' && r <= 'Z' && f.ascii
		for i, c := range f.from {
			known = known || c == r && f.to[i] == l
		}
		if !known {
			t.Errorf("%U is not folded", r)
		}
	}
}

func TestSuccessor(t *testing.T) {
	for in, want := range map[string]string{"a": "b", "az": "a{", "\uD7FF": "\uE000", "a" + string(unicode.MaxRune): "b", string(unicode.MaxRune): "", "中": "丮"} {
		require.Equal(t, want, successor(in))
	}
}

// TestWideNumbers: numbers of any size compare by their bytes and come back whole.
func TestWideNumbers(t *testing.T) {
	sorted := []string{"-170141183460469231731687303715", "-99999999999999999999999.5", "-9999999999999999.99999999", "-1.000000001", "-1",
		"-0.000000000000001", "0", "0.0000000000000001", "0.00000001", "0.000000010000001", "1", "1.5", "9999999999999999.99999999", "12345678901234567890123.25"}
	last := []byte(nil)
	for _, s := range sorted {
		d, err := parseDecimal(s)
		require.NoError(t, err)
		b := encodeNumber(d)
		require.Less(t, string(last), string(b), s)
		back, err := decodeBytes(b)
		require.NoError(t, err)
		require.True(t, d.Equal(back), "%s came back as %s", d, back)
		last = b
	}
}
