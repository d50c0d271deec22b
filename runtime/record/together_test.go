package record_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// stays are roles and orders of which some cannot be deleted by somebody, with the reason as Writer.Delete, Batch.Delete and DeleteIn know it.
var stays = with(map[string]string{"access/remover.json": `{"name": "清理人", "models": [
	{"schemaCode": "order", "actions": ["view", "delete"], "rows": "title != 'hidden'", "editRows": "title != 'kept'"},
	{"schemaCode": "customer", "actions": ["view", "delete"], "rows": "all"},
	{"schemaCode": "place", "actions": ["view"], "rows": "all"}]}`})

// TestDeleteTogether: a record is deleted with others of the transaction or says why it stays, in whatever way it is asked to go.
func TestDeleteTogether(t *testing.T) {
	w, ctx := newWorldOn(t, stays), t.Context()
	remover := w.rights(w.clerkID, "remover")
	held, free := w.save(w.boss, "customer", "", 0, `{"title": "held"}`).ID, w.save(w.boss, "customer", "", 0, `{"title": "free"}`).ID
	order := func(title, more string) string {
		return w.save(w.boss, "order", "", 0, `{"title": "`+title+`"`+more+`, "lines": [{"item": "a"}]}`).ID
	}
	plain, hidden, kept := order("plain", `, "customer": "`+held+`"`), order("hidden", ""), order("kept", "")
	place := w.save(w.boss, "place", "", 0, `{"code": "9"}`).ID
	for _, try := range []struct {
		name, model, id string
		want            fault.Code
		code            int
	}{
		{"no model", "ghost", plain, fault.ModelNotFound, 0},
		{"a row", "order.lines", plain, fault.ModelNotFound, 0},
		{"a model that is not seen", "role", plain, fault.ModelNotFound, 0},
		{"what is not seen", "order", hidden, fault.RecordNotFound, record.DeleteNotPossible},
		{"what may not go", "order", kept, fault.Forbidden, record.DeleteNotPossible},
		{"without the right", "place", place, fault.Forbidden, record.DeleteNotPossible},
		{"what another refers to", "customer", held, fault.RecordReferenced, record.DeleteNotPossible},
		{"nothing", "order", held, fault.RecordNotFound, record.DeleteNotPossible},
	} {
		err := w.w.Together(ctx, remover, func(b *record.Batch) error {
			if err := b.Delete("customer", free); err != nil {
				return err
			}
			if err := b.Delete(try.model, try.id); fault.Of(err) != try.want {
				t.Errorf("%s: %v", try.name, err)
			}
			return nil // passes over the refusal, which undoes all the same
		})
		if fault.Of(err) != try.want {
			t.Errorf("%s, passed over: %v", try.name, err)
		}
		must(t, w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			state, err := w.w.DeleteIn(ctx, tx, remover, try.model, try.id)
			if try.code == 0 && fault.Of(err) != try.want || try.code != 0 && (err != nil || record.Deletable(state.ResultCode) || state.ResultDesc == "") {
				t.Errorf("%s, inside: %+v %v", try.name, state, err)
			}
			reasons, err := w.w.Stays(ctx, tx, remover, try.model, []string{try.id, free})
			if try.code == 0 && fault.Of(err) != try.want || try.code != 0 && (err != nil || try.model != "customer" && reasons[try.id] == "") {
				t.Errorf("%s, asked before: %v %v", try.name, reasons, err)
			}
			if why, said := reasons[free]; said && try.model == "customer" {
				t.Errorf("the free customer stays: %s", why)
			}
			return nil
		}))
	}
	if n := len(w.read("customer", plan.True, "id")); n != 2 {
		t.Errorf("%d customers are left of two", n)
	}
	must(t, w.w.Together(ctx, remover, func(b *record.Batch) error {
		return errors.Join(b.Delete("order", plain), b.Delete("customer", held))
	}))
	must(t, w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		state, err := w.w.DeleteIn(ctx, tx, remover, "customer", free)
		if !record.Deletable(state.ResultCode) {
			t.Errorf("%+v", state)
		}
		return err
	}))
	same(t, w.read("order", plan.True, "title"), "hidden", "kept")
	same(t, w.read("customer", plan.True, "title"))
	same(t, w.bin("customer", ""), "free", "held")
	if h := w.history("order", plain); len(h) != 2 {
		t.Errorf("told %q", h)
	}
	must(t, w.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		ids, err := record.InRecycleBin(tx, "customer", []string{held, plain, kept})
		same(t, ids, held)
		rows, err2 := record.RecycledOf(tx, "customer", []string{free, plain})
		if len(rows) != 1 || rows[0].Record != free {
			t.Errorf("%+v", rows)
		}
		return errors.Join(err, err2)
	}))
}

// TestOnce: a call with a token runs once, and its answer comes back; what was undone may come again.
func TestOnce(t *testing.T) {
	w := newWorldOn(t)
	runs := 0
	call := func(view *authz.View, token, asked string, end error) (string, error) {
		answer := ""
		err := w.w.Together(t.Context(), view, func(b *record.Batch) error {
			out, err := b.Once(token, asked, func() ([]byte, error) {
				runs++
				_, err := b.Save(change("customer", "", fmt.Sprintf(`{"title": "c%d"}`, runs), ""))
				return fmt.Appendf(nil, "answer %d", runs), errors.Join(err, end)
			})
			answer = string(out)
			return err
		})
		return answer, err
	}
	undone := errors.New("undone")
	for _, try := range []struct {
		view         *authz.View
		token, asked string
		end          error
		want         string
		err          error
		code         fault.Code
	}{
		{w.boss, "k", "a", undone, "", undone, 0},
		{w.boss, "k", "a", nil, "answer 2", nil, 0},
		{w.boss, "k", "a", undone, "answer 2", nil, 0}, // f does not run
		{w.boss, "k", "b", nil, "", nil, fault.RepeatSubmit},
		{w.system(), "k", "b", nil, "answer 3", nil, 0},
		{w.boss, "", "a", nil, "answer 4", nil, 0},
		{w.boss, "", "a", nil, "answer 5", nil, 0},
	} {
		got, err := call(try.view, try.token, try.asked, try.end)
		if got != try.want || try.code != 0 && fault.Of(err) != try.code || try.code == 0 && !errors.Is(err, try.err) {
			t.Errorf("%q %q: %q %v", try.token, try.asked, got, err)
		}
	}
	same(t, w.read("customer", plan.True, "title"), "c2", "c3", "c4", "c5")
}

// TestMemo: what code of packs keeps for a transaction is its own for every right that it acts with.
func TestMemo(t *testing.T) {
	w := newWorldOn(t)
	must(t, w.w.Together(t.Context(), w.boss, func(b *record.Batch) error {
		b.Memo()["key"] = "boss"
		views := map[string]*authz.View{
			"boss": w.rights(w.bossID, "clerk"), "another person": w.clerk, "the system": w.system(),
			"another reason": w.policy.View(principal.Principal{UserID: w.bossID, Name: "boss", Reason: "import"}, now, w.zone)}
		for name, view := range views {
			if got := b.As(view).Memo()["key"]; (got == "boss") != (name == "boss") {
				t.Errorf("%s finds %v", name, got)
			}
			if b.As(view).View() != view || b.As(view).Tx() != b.Tx() {
				t.Errorf("%s is another one, or in another transaction", name)
			}
		}
		return nil
	}))
}

// TestSucceed: what belongs to a person or department goes to another one, record by record; only the system property counts, and rights are asked
// on who had it.
func TestSucceed(t *testing.T) {
	w, ctx := newWorldOn(t, with(map[string]string{
		"access/merger.json": `{"name": "合并人", "models": [{"schemaCode": "user", "actions": ["view", "delete"], "rows": "name != '隐'", "editRows": "name != '留'"}]}`,
		"access/hr.json":     `{"name": "看人", "models": [{"schemaCode": "user", "actions": ["view"], "rows": "all"}]}`})), t.Context()
	person := func(name, more string) string {
		return w.save(w.system(), "user", "", 0, `{"username": "`+name+`", "name": "`+name+`"`+more+`}`).ID
	}
	var high string
	for _, role := range w.read("role", plan.True, "id", "code") {
		if role[len(role)-4:] == "boss" {
			high = role[:36]
		}
	}
	hidden, kept, chief := person("隐", ""), person("留", ""), person("chief", `, "roles": ["`+high+`"]`)
	o := w.save(w.clerkBoss(), "order", "", 0, `{"title": "x", "agent": "`+w.clerkID+`", "lines": [{"item": "a"}]}`)
	c := w.save(w.clerkBoss(), "customer", "", 0, `{"title": "c"}`)
	other := w.save(w.boss, "order", "", 0, `{"title": "y", "agent": "`+w.clerkID+`"}`)
	merger := w.rights(w.bossID, "merger")
	succeed := func(view *authz.View, model, from, to string) (n int, err error) {
		err = w.w.Together(ctx, view, func(b *record.Batch) (err error) { n, err = b.Succeed(model, from, to, "delete"); return err })
		return n, err
	}
	for _, try := range []struct {
		name, model, from string
		view              *authz.View
		want              fault.Code
	}{
		{"no model", "ghost", w.clerkID, merger, fault.ModelNotFound},
		{"a person who is not seen", "user", hidden, merger, fault.RecordNotFound},
		{"a person who may not be merged", "user", kept, merger, fault.Forbidden},
		{"without the right", "user", w.clerkID, w.rights(w.bossID, "hr"), fault.Forbidden},
		{"a person above", "user", chief, merger, fault.FieldAbove},
	} {
		if n, err := succeed(try.view, try.model, try.from, w.bossID); fault.Of(err) != try.want || n != 0 {
			t.Errorf("%s: %d %v", try.name, n, err)
		}
		must(t, w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
			if err := w.w.AllowedIn(ctx, tx, try.view, try.model, try.from, "delete"); fault.Of(err) != try.want {
				t.Errorf("%s, asked before: %v", try.name, err)
			}
			return nil
		}))
	}
	if n, err := succeed(merger, "user", w.clerkID, w.bossID); n != 2 || err != nil {
		t.Errorf("%d went, %v", n, err)
	}
	same(t, w.read("order", id(o.ID), "owner", "agent", "creator", "version"), w.bossID+" | "+w.clerkID+" | "+w.clerkID+" | 2")
	same(t, w.read("customer", id(c.ID), "owner", "version"), w.bossID+" | 2")
	same(t, w.read("order", id(other.ID), "version"), "1")
	if h := w.history("order", o.ID); len(h) != 2 {
		t.Errorf("told %q", h)
	}
	if n, err := succeed(merger, "user", w.clerkID, w.bossID); n != 0 || err != nil {
		t.Errorf("a second time %d went, %v", n, err)
	}
}
