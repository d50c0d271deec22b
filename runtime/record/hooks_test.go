package record_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// of are the rows of a record's sub-table.
func of(record string) plan.Expr {
	return &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: catalog.SheetParent, K: plan.ID}, B: &plan.Const{K: plan.ID, Value: record}}
}

// TestHooksAndRows: what a before-hook does to the rows of a sub-table is stored, judged and told as it was stored.
func TestHooksAndRows(t *testing.T) {
	var stored []any
	register := func(_ map[string]string, s *pack.Set) {
		s.BeforeWrite.Add(func(_ context.Context, e *hook.Record, next func() error) error {
			lines, _ := e.Set["lines"].([]map[string]any)
			switch e.Set["title"] {
			case "more":
				e.Set["lines"] = append(lines, map[string]any{"item": "added", "qty": decimal.NewFromInt(3)})
			case "changed":
				lines[0]["item"] = "by the hook"
			case "given":
				e.Set["lines"] = []map[string]any{{"item": "from nothing"}}
			case "empty row":
				lines[0]["item"] = nil
			case "odd":
				lines[0]["nothing"] = 1
			case "taken":
				delete(e.Set, "lines")
				delete(e.Set, "price")
			}
			return next()
		})
		s.AfterWrite.Add(func(_ context.Context, e *hook.Record, next func() error) error {
			stored = append(stored, e.Set["lines"])
			return next()
		})
	}
	each(t, func(t *testing.T, w *world) {
		items := func(o string) string { return fmt.Sprint(w.read("order.lines", of(o), "item", "qty")) }
		o := w.save(w.boss, "order", "", 0, `{"title": "more", "price": "2", "lines": [{"item": "own", "qty": "1"}]}`)
		same(t, []string{items(o.ID), fmt.Sprint(w.read("order", id(o.ID), "total"))}, "[own | 1 added | 3]", "[8]")
		if rows, _ := stored[len(stored)-1].([]map[string]any); len(rows) != 2 {
			t.Errorf("the after-hook hears of %v", stored)
		}
		w.save(w.boss, "order", o.ID, 1, `{"title": "changed", "lines": [{"item": "own", "qty": "1"}]}`)
		same(t, []string{items(o.ID)}, "[by the hook | 1]")
		w.save(w.boss, "order", o.ID, 2, `{"title": "given"}`)
		same(t, []string{items(o.ID)}, "[from nothing | 1]")
		w.save(w.boss, "order", o.ID, 3, `{"title": "taken", "price": "9", "lines": []}`)
		same(t, []string{items(o.ID), fmt.Sprint(w.read("order", id(o.ID), "price"))}, "[from nothing | 1]", "[2]")
		if stored[len(stored)-1] != any(nil) {
			t.Errorf("the after-hook hears of %v", stored[len(stored)-1])
		}
		for title, want := range map[string]string{"empty row": "lines.item 302004; ", "odd": "lines.nothing 302003; "} {
			if _, err := w.try(w.boss, "order", o.ID, 4, `{"title": "`+title+`", "lines": [{"item": "x"}]}`); explain(err) != want {
				t.Errorf("%s: %s", title, explain(err))
			}
		}
		version := int64(4)
		_, err := w.w.Save(t.Context(), w.boss, record.Change{Model: "order", Form: "order", ID: o.ID, Version: &version, // the form has no qty
			Set: set(`{"title": "more", "lines": [{"item": "x"}]}`)})
		must(t, err)
		same(t, []string{items(o.ID)}, "[x | 1 added | 3]")
	}, register)
}

// TestHookThatSwallows: a before-hook that neither refuses nor goes on is an error of every kind of write, and nothing is written.
func TestHookThatSwallows(t *testing.T) {
	var swallow atomic.Bool
	register := func(_ map[string]string, s *pack.Set) {
		s.BeforeWrite.Add(func(_ context.Context, _ *hook.Record, next func() error) error {
			if swallow.Load() {
				return nil
			}
			return next()
		})
	}
	w, ctx := newWorldOn(t, register), t.Context()
	o, gone := w.save(w.boss, "order", "", 0, `{"title": "one"}`), w.save(w.boss, "order", "", 0, `{"title": "gone"}`)
	w.delete(w.boss, "order", gone.ID)
	swallow.Store(true)
	for name, write := range map[string]func() error{
		"create":  func() error { _, err := w.try(w.boss, "order", "", 0, `{"title": "two"}`); return err },
		"change":  func() error { _, err := w.try(w.boss, "order", o.ID, 1, `{"title": "two"}`); return err },
		"delete":  func() error { _, err := w.w.Delete(ctx, w.boss, "order", []string{o.ID}); return err },
		"restore": func() error { _, err := w.restore(w.boss, "order", gone.ID); return err },
		"owner": func() error {
			return w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				return w.w.ChangeOwnerIn(ctx, tx, w.boss, "order", o.ID, 1, record.Owner{User: w.clerkID})
			})
		},
	} {
		if err := write(); err == nil || !strings.Contains(err.Error(), "neither refused nor went on") {
			t.Errorf("%s: %v", name, err)
		}
	}
	same(t, w.read("order", plan.True, "title", "owner"), "one | "+w.bossID)
}

// newWorldOn is a world on SQLite, for what no database has a part in.
func newWorldOn(t *testing.T, change ...func(map[string]string, *pack.Set)) *world {
	t.Helper()
	return newWorld(t, storetest.Open(t, store.Options{Dir: t.TempDir(), System: append(record.Tables(), blob.Tables()...)}), change...)
}
