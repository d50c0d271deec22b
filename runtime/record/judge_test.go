package record_test

import (
	"context"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestJudge: a condition over a record as it was reads its values and rows, relations to records of today, variables and the organization; what
// cannot be known decides for nobody.
func TestJudge(t *testing.T) {
	w, ctx := newWorldOn(t), t.Context()
	customer := w.save(w.boss, "customer", "", 0, `{"title": "c", "limit": "9"}`).ID
	gone := w.save(w.boss, "customer", "", 0, `{"title": "gone"}`).ID
	o := w.save(w.boss, "order", "", 0, `{"title": "x", "customer": "`+customer+`", "lines": [{"item": "a", "qty": "2", "supplier": "`+customer+`"}, {"item": "b", "qty": "3"}]}`)
	w.delete(w.boss, "customer", gone)
	m := w.c.Model("order")
	field := func(column string, k plan.Kind, path ...string) *plan.Field {
		return &plan.Field{Column: column, K: k, Path: path}
	}
	text := func(column, value string, path ...string) plan.Expr {
		return &plan.Compare{Op: plan.EQ, A: field(column, plan.Text, path...), B: &plan.Const{K: plan.Text, Value: value}}
	}
	must(t, w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		j := record.NewJudge(ctx, tx, w.boss)
		now, err := j.State(m, o.ID)
		must(t, err)
		if none, err := j.State(m, another); none != nil || err != nil {
			t.Errorf("a record that was never there: %v %v", none, err)
		}
		was := *now
		was.Row = map[string]any{"title": "old", "customer": gone, "id": o.ID}
		row := record.State{Model: m.Field("lines").Sheet, Row: now.Sheets["lines"][0], Above: now}
		vars := j.With(map[string]any{"node": "first", "user.id": "somebody"})
		organized := j.Among(func(ids, departments []string) bool {
			return slices.Contains(departments, "d") && slices.Contains(ids, w.bossID)
		})
		belongs := &plan.Belongs{X: field("owner", plan.ID), Departments: &plan.Const{K: plan.Set, Value: []string{"d"}}}
		for _, try := range []struct {
			name string
			j    *record.Judge
			st   record.State
			cond plan.Expr
			want bool
		}{
			{"nothing asked", j, *now, nil, true},
			{"always", j, *now, plan.True, true},
			{"never", j, *now, plan.False, false},
			{"its own value", j, *now, text("title", "x"), true},
			{"its value of then", j, was, text("title", "x"), false},
			{"of a related record", j, *now, text("title", "c", "customer"), true},
			{"of another related record", j, *now, text("title", "d", "customer"), false},
			{"of a related record that is gone", j, was, &plan.Not{X: text("title", "d", "customer")}, false},
			{"of a relation that is empty", j, *now, &plan.Not{X: text("name", "d", "agent2")}, false},
			{"of a relation of the row", j, row, text("title", "c", "supplier"), true},
			{"of the row's record", j, row, &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: "title", K: plan.Text, Outer: true}, B: &plan.Const{K: plan.Text, Value: "x"}}, true},
			{"who asks", j, *now, &plan.Compare{Op: plan.EQ, A: &plan.Var{Name: "user.id", K: plan.ID}, B: field("owner", plan.ID)}, true},
			{"who asks, as somebody else", vars, *now, &plan.Compare{Op: plan.EQ, A: &plan.Var{Name: "user.id", K: plan.ID}, B: field("owner", plan.ID)}, false},
			{"a variable of the caller", vars, *now, &plan.Compare{Op: plan.EQ, A: &plan.Var{Name: "node", K: plan.Text}, B: &plan.Const{K: plan.Text, Value: "first"}}, true},
			{"nobody belongs anywhere", j, *now, belongs, false},
			{"the owner belongs", organized, *now, belongs, true},
			{"a row with", j, *now, &plan.AnyRow{Sheet: "lines", Where: text("item", "b")}, true},
			{"a row with, by another case", j, *now, &plan.AnyRow{Sheet: "order.LINES", Where: text("item", "b")}, true},
			{"a row with what none has", j, *now, &plan.AnyRow{Sheet: "lines", Where: text("item", "z")}, false},
			{"a row of what has none", j, *now, &plan.AnyRow{Sheet: "title", Where: text("item", "b")}, false},
		} {
			if got, err := try.j.Holds(try.st, try.cond); got != try.want || err != nil {
				t.Errorf("%s: %t %v", try.name, got, err)
			}
		}
		v, err := j.Value(*now, field("title", plan.Text, "customer"))
		if v != "c" || err != nil {
			t.Errorf("the customer's title is %v %v", v, err)
		}
		return nil
	}))
}

// TestJudgeOfRights: who may see a deleted record, and which of its fields.
func TestJudgeOfRights(t *testing.T) {
	w, ctx := newWorldOn(t, with(map[string]string{
		"access/looker.json":  `{"name": "查阅人", "models": [{"schemaCode": "order", "actions": ["view"], "rows": "all"}]}`,
		"access/remover.json": `{"name": "清理人", "models": [{"schemaCode": "order", "actions": ["delete"], "rows": "all"}]}`,
		"access/narrow.json": `{"name": "窄", "models": [{"schemaCode": "order", "actions": ["view", "delete"], "rows": "title != 'hidden'", "editRows": "title != 'kept'", "fields": {"price": "-", "*": "r"}},
			{"schemaCode": "order", "actions": ["view"], "rows": "title == 'x'", "fields": {"number": "r", "*": "-"}}]}`})), t.Context()
	m := w.c.Model("order")
	must(t, w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, try := range []struct {
			role, title string
			want        bool
		}{{"boss", "hidden", true}, {"looker", "x", false}, {"remover", "x", false}, {"narrow", "x", true}, {"narrow", "hidden", false}, {"narrow", "kept", false}} {
			j := record.NewJudge(ctx, tx, w.rights(w.clerkID, try.role))
			if got, err := j.May(record.State{Model: m, Row: map[string]any{"title": try.title}}); got != try.want || err != nil {
				t.Errorf("%s of %s: %t %v", try.role, try.title, got, err)
			}
		}
		j := record.NewJudge(ctx, tx, w.rights(w.clerkID, "narrow"))
		for _, try := range []struct {
			code, title string
			want        bool
		}{{"price", "x", false}, {"title", "x", true}, {"title", "hidden", false}} {
			if got, err := j.Shows(record.State{Model: m, Row: map[string]any{"title": try.title}}, m.Field(try.code)); got != try.want || err != nil {
				t.Errorf("%s of %s: %t %v", try.code, try.title, got, err)
			}
		}
		return nil
	}))
}
