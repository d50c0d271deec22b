package store_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

func col(name string, k plan.Kind, path ...string) *plan.Field {
	return &plan.Field{Column: name, K: k, Path: path}
}

func val(k plan.Kind, v any) *plan.Const { return &plan.Const{K: k, Value: v} }

// select_ lists the ids that the database finds.
func found(t testing.TB, db *store.DB, w *world, model string, e plan.Expr) (ids []string) {
	t.Helper()
	q := &plan.Query{Model: model, Where: e, Joins: w.joins, Select: []plan.Expr{col("id", plan.ID)}}
	err := db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		var err error
		if ids, err = tx.Ids(t.Context(), w.c, q); err != nil {
			return err
		}
		n, err := tx.Count(t.Context(), w.c, q)
		if err == nil && int(n) != len(ids) {
			t.Errorf("Count says %d, Query found %d", n, len(ids))
		}
		return err
	})
	if err != nil {
		text, args, _ := store.SQL(db.Dialect(), w.c, q)
		t.Fatalf("%v\n%s\n%v", err, text, args)
	}
	return ids
}

// TestRandomConditions compares random trees of all nodes between memory and both databases.
func TestRandomConditions(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(1, 2)), 120)
	w.joins = map[string]plan.Expr{
		"contract":         &plan.Not{X: &plan.Match{X: col("title", plan.Text), Pattern: val(plan.Text, "drop")}},
		"contract.project": &plan.Compare{Op: plan.EQ, A: col("secret", plan.Bool), B: plan.False},
		"items.source":     &plan.Compare{Op: plan.EQ, A: col("secret", plan.Bool, "project"), B: plan.True},
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w.save(t, db)
		g := &generator{Rand: rand.New(rand.NewPCG(7, 7)), w: w}
		compared, tries := 0, storetest.Full(400, 800)
		for range tries {
			e := g.condition(3, false)
			want, ok := w.holds("lot", e)
			if !ok {
				continue
			}
			compared++
			got := found(t, db, w, "lot", e)
			if slices.Sort(got); !slices.Equal(want, got) {
				q := &plan.Query{Model: "lot", Where: e, Joins: w.joins}
				text, args, _ := store.SQL(db.Dialect(), w.c, q)
				t.Fatalf("memory finds %d, %s finds %d:\n%s\n%q", len(want), db.Dialect(), len(got), text, args)
			}
		}
		require.Greater(t, compared, tries*5/8)
	}, &file{})
}

// TestRulesAndVisibleLinks: a rule follows relations as they are; links to hidden rows are no links.
func TestRulesAndVisibleLinks(t *testing.T) {
	w := newWorld()
	w.fill(rand.New(rand.NewPCG(1, 2)), 120)
	title := &plan.IsNull{X: col("title", plan.Text, "contract")}
	unjoined, _ := w.holds("lot", title)
	u := w.rows["user"]
	seen := &plan.InSet{Op: plan.SetWithin, F: col("id", plan.ID), G: val(plan.Set, []string{u[0]["id"].(string), u[1]["id"].(string)})}
	team := &plan.Visible{F: col("team", plan.Set), Model: "user", Where: seen}
	has := func(op plan.SetOp, of ...any) plan.Expr {
		var ids []string
		for _, id := range of {
			ids = append(ids, id.(string))
		}
		return &plan.InSet{Op: op, F: team, G: val(plan.Set, ids)}
	}
	visible := func(f func(team []string) bool) (ids []string) {
		for _, row := range w.rows["lot"] {
			all, _ := row["team"].([]string)
			if f(slices.DeleteFunc(slices.Clone(all), func(id string) bool { return id != u[0]["id"] && id != u[1]["id"] })) {
				ids = append(ids, row["id"].(string))
			}
		}
		return ids
	}
	w.joins = map[string]plan.Expr{"contract": plan.False}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w.save(t, db)
		require.Len(t, found(t, db, w, "lot", title), 120)
		require.Equal(t, unjoined, found(t, db, w, "lot", &plan.Rule{X: title}))
		require.Equal(t, visible(func(s []string) bool { return len(s) == 0 }), found(t, db, w, "lot", &plan.IsNull{X: team}))
		require.Equal(t, visible(func(s []string) bool { return slices.Contains(s, u[1]["id"].(string)) }),
			found(t, db, w, "lot", has(plan.SetIntersects, u[1]["id"], u[5]["id"])))
		require.Empty(t, found(t, db, w, "lot", has(plan.SetHas, u[5]["id"])))
		require.Equal(t, visible(func(s []string) bool { return len(s) == 1 && s[0] == u[0]["id"] }), found(t, db, w, "lot", has(plan.SetEqual, u[0]["id"])))
		require.Equal(t, visible(func(s []string) bool { return len(s) > 0 }), found(t, db, w, "lot", has(plan.SetWithin, u[0]["id"], u[1]["id"])))
		q := &plan.Query{Model: "lot", Where: has(plan.SetHas, u[5]["id"])}
		require.ElementsMatch(t, []string{"d_lot", "d_user"}, store.Tables(w.c, q))
	}, &file{})
}

// generator makes random expressions over the world's lots, or over rows of their items.
type generator struct {
	*rand.Rand
	w *world
}

func oneOf[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

func (g *generator) condition(depth int, row bool) plan.Expr {
	if depth > 0 && g.IntN(3) > 0 {
		switch g.IntN(6) {
		case 0, 1:
			return &plan.And{Of: g.list(depth, row)}
		case 2:
			return &plan.Or{Of: g.list(depth, row)}
		case 3:
			return &plan.Not{X: g.condition(depth-1, row)}
		case 4:
			return &plan.Guarded{Cond: g.condition(depth-1, row), X: g.condition(depth-1, row)}
		}
		if !row {
			return &plan.AnyRow{Sheet: oneOf(g, "items", "lot.items"), Where: g.condition(depth-1, true)}
		}
	}
	return g.predicate(row)
}

func (g *generator) list(depth int, row bool) []plan.Expr {
	out := make([]plan.Expr, g.IntN(3)+1)
	for i := range out {
		out[i] = g.condition(depth-1, row)
	}
	return out
}

func (g *generator) predicate(row bool) plan.Expr {
	switch g.IntN(9) {
	case 0:
		return &plan.IsNull{X: g.operand(oneOf(g, plan.Text, plan.Number, plan.Date, plan.Set, plan.ID, plan.Bool), row)}
	case 1:
		return &plan.Match{X: g.operand(plan.Text, row), Pattern: val(plan.Text, g.text()), Prefix: g.IntN(4) == 0}
	case 2:
		return &plan.InSet{Op: g.setOp(), F: g.operand(plan.Set, row), G: g.constSet()}
	case 3:
		return &plan.InSet{Op: g.setOp(), F: g.operand(oneOf(g, plan.Text, plan.ID), row), G: g.constSet()}
	case 4:
		if !row {
			x := oneOf[plan.Expr](g, col("inspector", plan.ID), col("team", plan.Set), col("informed", plan.Set), col("unit", plan.ID))
			return &plan.Belongs{X: g.guard(x, row), Departments: val(plan.Set, g.ids("department"))}
		}
	case 5:
		if !row {
			x := &plan.LinkText{X: g.guard(col("photos", plan.Set), row), Table: "sl_file", Column: "name", Pattern: val(plan.Text, g.text())}
			if g.IntN(2) == 0 {
				x.Whole, x.Pattern = true, val(plan.Set, g.fileNames())
			}
			return x
		}
	case 6:
		a := oneOf(g, g.operand(plan.ID, row), g.operand(plan.Set, row))
		return &plan.InSet{Op: g.setOp(), F: a, G: g.operand(plan.Set, row)}
	case 7:
		if !row {
			return &plan.Match{X: col("remark", plan.Text), Pattern: col("part", plan.Text), Prefix: g.IntN(2) == 0}
		}
	}
	k := oneOf(g, plan.Text, plan.Number, plan.Number, plan.Date, plan.Instant, plan.Clock, plan.Bool, plan.ID, plan.Int)
	return &plan.Compare{Op: oneOf(g, plan.EQ, plan.LT, plan.LE, plan.GT, plan.GE), A: g.operand(k, row), B: g.either(k, row)}
}

// fileNames are some names of files, so that they are all those of a record now and then.
func (g *generator) fileNames() (out []string) {
	for _, id := range slices.Sorted(maps.Keys(g.w.files)) {
		if g.IntN(3) == 0 {
			out = append(out, g.w.files[id])
		}
	}
	return out
}

func (g *generator) setOp() plan.SetOp {
	return oneOf(g, plan.SetEqual, plan.SetHas, plan.SetIntersects, plan.SetWithin)
}

func (g *generator) either(k plan.Kind, row bool) plan.Expr {
	if g.IntN(3) == 0 {
		return g.operand(k, row)
	}
	return g.constant(k)
}

func (g *generator) guard(e plan.Expr, row bool) plan.Expr {
	if g.IntN(4) == 0 {
		return &plan.Guarded{Cond: g.predicate(row), X: e}
	}
	return e
}

// fields are the columns by kind; those of rows may speak of the record above.
var lotFields = map[plan.Kind][]*plan.Field{
	plan.Text:    {col("part", plan.Text), col("remark", plan.Text), col("result", plan.Text), col("title", plan.Text, "contract"), col("name", plan.Text, "contract", "project"), col("name", plan.Text, "inspector")},
	plan.Number:  {col("amount", plan.Number), col("price", plan.Number), col("amount", plan.Number, "contract")},
	plan.Date:    {col("day", plan.Date)},
	plan.Instant: {col("at", plan.Instant)},
	plan.Clock:   {col("clock", plan.Clock)},
	plan.Bool:    {col("good", plan.Bool), col("secret", plan.Bool, "contract", "project")},
	plan.ID:      {col("inspector", plan.ID), col("unit", plan.ID), col("project", plan.ID, "contract"), col("id", plan.ID)},
	plan.Set:     {col("methods", plan.Set), col("team", plan.Set), col("departments", plan.Set, "inspector")},
	plan.Int:     {col("version", plan.Int)},
}

var rowFields = map[plan.Kind][]*plan.Field{
	plan.Text:   {col("item", plan.Text), col("title", plan.Text, "source")},
	plan.Number: {col("value", plan.Number), col("amount", plan.Number, "source")},
	plan.Bool:   {col("good", plan.Bool)},
	plan.ID:     {col("source", plan.ID)},
	plan.Set:    {col("tags", plan.Set)},
	plan.Int:    {col("sortKey", plan.Int)},
}

// call is a function that runs as SQL, for formulas that are computed when they are read; nil for kinds that none gives.
func (g *generator) call(k plan.Kind, row bool) plan.Expr {
	a := func(k plan.Kind) plan.Expr { return g.either(k, row) }
	fn := func(name string, args ...plan.Expr) plan.Expr { return &plan.Call{Fn: name, K: k, Args: args} }
	zone := val(plan.Text, oneOf(g, "Asia/Shanghai", "America/New_York", "UTC"))
	digits := func(most int) plan.Expr { return val(plan.Number, number(fmt.Sprint(g.IntN(most)))) }
	if k != plan.ID && k != plan.Set && k != plan.Int && g.IntN(4) == 0 {
		return &plan.If{Cond: g.predicate(row), Then: a(k), Else: a(k)}
	}
	if k == plan.Text && g.IntN(4) == 0 || k != plan.Bool && k != plan.ID && k != plan.Int && k != plan.Set && g.IntN(5) == 0 {
		return fn("coalesce", a(k), a(k))
	}
	switch k {
	case plan.Number:
		return oneOf(g,
			fn("days", a(plan.Date), a(plan.Date)), fn("year", a(plan.Date)), fn("month", a(plan.Date)), fn("day", a(plan.Date)),
			fn("hour", a(plan.Clock)), fn("hour", a(plan.Instant), zone), fn("abs", a(k)), fn("round", a(k)), fn("round", a(k), digits(9)),
			fn(expression.Fit, a(k), val(plan.Int, g.Int64N(9))), fn("min", a(k), a(plan.Int), a(k)), fn("max", a(k), a(k)), fn("length", a(plan.Text)))
	case plan.Date:
		n := oneOf(g, digits(40), a(plan.Number))
		return oneOf(g, fn("addDays", a(k), n), fn("date", a(plan.Instant), zone), fn("min", a(k), a(k)), fn("max", a(k), a(k), a(k)))
	case plan.Instant:
		return oneOf(g, fn("dayStart", a(plan.Date), zone, val(plan.Int, g.Int64N(2))), fn("min", a(k), a(k)), fn("max", a(k), a(k)))
	case plan.Clock:
		return oneOf(g, fn("min", a(k), a(k)), fn("max", a(k), a(k)))
	case plan.Bool:
		of := oneOf(g, plan.Number, plan.Date, plan.Instant, plan.Clock, plan.Text)
		return oneOf(g, fn("among", a(of), a(of), a(of)), fn("between", a(of), a(of), a(of)))
	case plan.Text:
		as := func(k plan.Kind) plan.Expr { return fn("text", a(k)) }
		return oneOf(g, fn("concat", a(k), a(k)), fn("concat", a(k), as(plan.Number)), as(plan.Date), as(plan.Instant), as(plan.Bool), as(plan.Number),
			fn("concat", as(plan.Clock), as(plan.Int)))
	}
	return nil
}

func (g *generator) operand(k plan.Kind, row bool) plan.Expr {
	if g.IntN(6) == 0 {
		if e := g.call(k, row); e != nil {
			return e
		}
	}
	if k == plan.Number && g.IntN(3) == 0 {
		return &plan.Arith{Op: oneOf[byte](g, '+', '-', '*', '/'), A: g.either(k, row), B: g.operand(k, row)}
	}
	if k == plan.Int && g.IntN(2) == 0 && !row {
		return &plan.Rank{X: g.operand(plan.Text, row), Codes: optionCodes}
	}
	if row && g.IntN(4) > 0 && rowFields[k] != nil {
		return g.guard(oneOf(g, rowFields[k]...), row)
	}
	f := *oneOf(g, lotFields[k]...)
	f.Outer = row
	return g.guard(&f, row)
}

func (g *generator) constant(k plan.Kind) plan.Expr {
	switch k {
	case plan.Text:
		return val(k, oneOf(g, append(words, optionCodes...)...))
	case plan.Number:
		return val(k, number(oneOf(g, append(numbers, "0.000000001", "-99999999999999999999999", "1e40", "3.123456789")...)))
	case plan.Int:
		return val(k, g.Int64N(5))
	case plan.Bool:
		return val(k, g.IntN(2) == 0)
	case plan.ID:
		return val(k, oneOf(g, oneOf(g, g.w.rows["user"]...), oneOf(g, g.w.rows["department"]...))["id"])
	}
	f := lotFields[k][0]
	v := oneOf(g, g.w.rows["lot"]...)[f.Column]
	return val(k, v)
}

func (g *generator) text() string {
	return oneOf(g, append(words, "混凝", "12", "ss", "σ", "i", "É", "%", "_", `\`, "凝土", "'")...)
}

func (g *generator) ids(model string) []string {
	var out []string
	for range g.IntN(3) {
		out = append(out, oneOf(g, g.w.rows[model]...)["id"].(string))
	}
	return out
}

func (g *generator) constSet() plan.Expr {
	if g.IntN(3) == 0 {
		return val(plan.Set, append(g.ids("user"), fakeID(g.IntN(14))))
	}
	var out []string
	for range g.IntN(4) {
		out = append(out, oneOf(g, append(optionCodes, words[:4]...)...))
	}
	if out == nil {
		return val(plan.Set, nil)
	}
	return val(plan.Set, out)
}
