package record_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	instance = "01900000-0000-7000-8000-00000000000a"
	another  = "01900000-0000-7000-8000-00000000000b"
)

// TestMoves: a workflow writes into its record which one it is and how far; hooks of packs hear of every other state, in the name of who acts, and
// may refuse it; while it moves the record others do not.
func TestMoves(t *testing.T) {
	var heard []string
	var deeper func(ctx context.Context) error
	var current *store.Tx
	refuse := errors.New("refused")
	register := func(docs map[string]string, s *pack.Set) {
		docs["access/operator.json"] = `{"name": "流程管理员", "permissions": ["WORKFLOW_ADMIN"], "models": [{"schemaCode": "order", "actions": ["*"], "rows": "all"}]}`
		docs["models/plain.json"] = `{"name": "无流程", "properties": [{"code": "title", "propertyType": "ShortText", "name": "标题"}]}`
		s.AfterMove.Add(func(ctx context.Context, e *hook.Move, next func() error) error {
			heard = append(heard, fmt.Sprintf("%s %s>%s %t", e.Model, e.Old, e.New, e.Instance != ""))
			if e.New == "CANCELED" {
				return refuse
			}
			if deeper != nil {
				return deeper(ctx)
			}
			return next()
		})
	}
	w, ctx := newWorldOn(t, register), t.Context()
	o := w.save(w.clerk, "order", "", 0, `{"title": "x", "lines": [{"item": "a"}]}`)
	mark := func(ctx context.Context, by *authz.View, model, id, instance, status string) error {
		return w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			current = tx
			return w.w.MarkIn(ctx, tx, w.system(), by, record.Mark{Model: model, Record: id, Instance: instance, Status: status})
		})
	}
	unmark := func(instance string) error {
		return w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return w.w.RemarkIn(ctx, tx, w.system(), w.boss, record.Mark{Model: "order", Record: o.ID, Was: instance, Status: record.StatusCompleted})
		})
	}
	state := func(want string) {
		t.Helper()
		same(t, w.read("order", id(o.ID), "workflowInstanceId", "sequenceStatus", "version"), want)
	}
	must(t, mark(ctx, w.boss, "ghost", o.ID, instance, "PROCESSING"))
	must(t, mark(ctx, w.boss, "order.lines", o.ID, instance, "PROCESSING"))
	must(t, mark(ctx, w.boss, "order", another, instance, "PROCESSING"))
	state("<nil> | COMPLETED | 1")
	must(t, mark(ctx, w.boss, "order", o.ID, instance, "PROCESSING"))
	state(instance + " | PROCESSING | 2")
	must(t, mark(ctx, w.boss, "order", o.ID, instance, "PROCESSING"))
	state(instance + " | PROCESSING | 2") // nothing has changed
	for name, try := range map[string]struct {
		view *authz.View
		want string
	}{"the boss": {w.boss, "302093"}, "the clerk": {w.clerk, "302093"}, "an administrator": {w.rights(w.clerkID, "operator"), "ok"}, "the system": {w.system(), "ok"}} {
		ch := record.Change{Model: "order", ID: o.ID, Set: set(`{"title": "y"}`)}
		undone := errors.New("undone")
		err := w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			version := int64(2)
			ch.Version = &version
			if _, err := w.w.SaveIn(ctx, tx, try.view, ch); err != nil {
				return err
			}
			return undone
		})
		if got := explain(err); got != try.want && (try.want != "ok" || !errors.Is(err, undone)) {
			t.Errorf("%s changes it meanwhile: %s", name, got)
		}
	}
	must(t, mark(ctx, nil, "order", o.ID, instance, "DRAFT"))
	if err := mark(ctx, w.boss, "order", o.ID, instance, "CANCELED"); !errors.Is(err, refuse) {
		t.Errorf("a refusal of a hook: %v", err)
	}
	state(instance + " | DRAFT | 3")
	must(t, mark(ctx, w.boss, "order", o.ID, another, "DRAFT"))
	must(t, unmark(instance))
	state(another + " | DRAFT | 4")
	must(t, unmark(another))
	state("<nil> | COMPLETED | 5")
	must(t, unmark(another))
	same(t, heard, "order COMPLETED>PROCESSING true", "order DRAFT>CANCELED true", "order DRAFT>COMPLETED false")

	deeper = func(ctx context.Context) error { // a hook that moves the record again, and so on
		return w.w.MarkIn(ctx, current, w.system(), w.boss, record.Mark{Model: "order", Record: o.ID, Instance: instance, Workflow: "orders", Status: []string{"PROCESSING", "DRAFT"}[len(heard)%2]})
	}
	if err := mark(ctx, w.boss, "order", o.ID, instance, "DRAFT"); err == nil || !strings.Contains(err.Error(), "more than 8 deep") || len(heard) != 3+8 {
		t.Errorf("moves of moves: %d of them, %v", len(heard)-3, err)
	}
	state("<nil> | COMPLETED | 5")
}

// TestDeleteEndsProcesses: a record in a workflow goes only with those who administer workflows, and its workflow ends before.
func TestDeleteEndsProcesses(t *testing.T) {
	w, ctx := newWorldOn(t, with(map[string]string{
		"access/operator.json": `{"name": "流程管理员", "permissions": ["WORKFLOW_ADMIN"], "models": [{"schemaCode": "order", "actions": ["*"], "rows": "all"}]}`,
		"access/chief.json":    `{"name": "总管", "permissions": ["ADMIN"], "models": [{"schemaCode": "order", "actions": ["*"], "rows": "all"}]}`,
		"access/keeper.json":   `{"name": "看管", "permissions": ["SYS_MNG"], "models": [{"schemaCode": "order", "actions": ["*"], "rows": "all"}]}`})), t.Context()
	order := func(in string) string {
		o := w.save(w.boss, "order", "", 0, `{"title": "x"}`).ID
		must(t, w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return w.w.MarkIn(ctx, tx, w.system(), nil, record.Mark{Model: "order", Record: o, Instance: in, Status: "PROCESSING"})
		}))
		return o
	}
	var ended []string
	fail := error(nil)
	w.w.EndProcesses(func(ctx context.Context, tx *store.Tx, view *authz.View, model, id string) error {
		ended = append(ended, model+" "+id)
		if fail != nil {
			return fail
		}
		return w.w.RemarkIn(ctx, tx, w.system(), nil, record.Mark{Model: model, Record: id, Was: instance, Status: record.StatusCompleted})
	})
	first, second, plain := order(instance), order(instance), w.save(w.boss, "order", "", 0, `{"title": "y"}`).ID
	for _, try := range []struct {
		role, id string
		want     int
	}{
		{"boss", first, record.DeleteNotPossible}, {"keeper", first, record.DeleteNotPossible}, {"boss", plain, record.DeletePossible}, {"operator", plain, record.DeletePossible},
		{"operator", first, record.DeleteProcess}, {"chief", first, record.DeleteProcess},
	} {
		states, err := w.w.DeleteCheck(ctx, w.rights(w.bossID, try.role), "order", []string{try.id})
		must(t, err)
		if states[0].ResultCode != try.want {
			t.Errorf("%s: %+v", try.role, states[0])
		}
	}
	for _, try := range []struct {
		parent, child bool
		want          int
	}{{false, false, record.DeleteProcess}, {true, false, record.DeleteParent}, {false, true, record.DeleteChild}, {true, true, record.DeleteParent}} {
		w.w.LinkedProcesses(func(_ *store.Tx, id string) (bool, bool, error) {
			if id != instance {
				t.Errorf("asked for %q", id)
			}
			return try.parent, try.child, nil
		})
		states, err := w.w.DeleteCheck(ctx, w.rights(w.bossID, "operator"), "order", []string{first, plain})
		must(t, err)
		if states[0].ResultCode != try.want || states[1].ResultCode != record.DeletePossible {
			t.Errorf("%+v: %+v", try, states)
		}
	}
	w.w.LinkedProcesses(nil)
	res, err := w.w.Delete(ctx, w.boss, "order", []string{first, plain})
	must(t, err)
	if res.SuccessCount != 1 || len(ended) != 0 {
		t.Errorf("%+v, ended %v", res, ended)
	}
	operator := w.rights(w.clerkID, "operator")
	w.delete(operator, "order", first)
	same(t, ended, "order "+first)
	_, err = w.restore(w.boss, "order", first)
	must(t, err)
	same(t, w.read("order", id(first), "workflowInstanceId", "sequenceStatus"), "<nil> | COMPLETED")
	fail = fault.New(fault.RecordBusy)
	res, err = w.w.Delete(ctx, operator, "order", []string{second})
	if err == nil && res.SuccessCount > 0 || len(w.read("order", id(second), "id")) != 1 {
		t.Errorf("went without its workflow having ended: %+v %v", res, err)
	}
	same(t, w.read("order", plan.True, "title"), "x", "x")
}
