package record_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

func change(model, form, text, token string) record.Change {
	return record.Change{Model: model, Form: form, Set: set(text), Token: token}
}

func TestStale(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o := w.save(w.clerk, "order", "", 0, `{"title": "x"}`)
		w.save(w.boss, "order", o.ID, 1, `{"title": "y", "price": "7", "friends": []}`)
		w.save(w.boss, "order", o.ID, 2, `{"state": "OPEN"}`) // changes nothing
		_, err := w.try(w.clerk, "order", o.ID, 1, `{"title": "z"}`)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.VersionStale {
			t.Fatal(explain(err))
		}
		s := f.Data.(fault.Stale)
		if fmt.Sprint(s.Changed) != "[title price]" && fmt.Sprint(s.Changed) != "[title price name]" {
			t.Errorf("changed %v", s.Changed)
		}
		current := s.Current.(map[string]json.RawMessage)
		if string(current["title"]) != `"y"` || current["friends"] != nil || string(current["version"]) != "2" {
			t.Errorf("current %s", current)
		}
		if _, err := w.w.Save(t.Context(), w.clerk, record.Change{Model: "order", ID: o.ID, Set: set(`{"title": "z"}`)}); explain(err) != "100002" {
			t.Errorf("without a version: %s", explain(err))
		}
	})
}

// TestRace: of many writers with one version one wins, and running numbers are without gaps or repeats.
func TestRace(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o := w.save(w.boss, "order", "", 0, `{"title": "x"}`)
		var wg sync.WaitGroup
		var mu sync.Mutex
		got := map[string]int{}
		for i := range 12 {
			wg.Go(func() {
				_, err := w.try(w.boss, "order", o.ID, 1, fmt.Sprintf(`{"title": "t%d"}`, i))
				_, dup := w.try(w.boss, "order", "", 0, `{"title": "u", "number": "N1"}`)
				_, plain := w.try(w.boss, "order", "", 0, `{"title": "n"}`)
				mu.Lock()
				defer mu.Unlock()
				got["version "+explain(err)]++
				got["unique "+explain(dup)]++
				got["plain "+explain(plain)]++
			})
		}
		wg.Wait()
		want := map[string]int{"version ok": 1, "version 302002": 11, "unique ok": 1, "unique number 302012; ": 11, "plain ok": 12}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v", got)
		}
		numbers := w.read("order", plan.True, "sequenceNo")
		slices.Sort(numbers)
		for i, n := range numbers {
			if n != fmt.Sprintf("D-202611%03d", i+1) {
				t.Fatalf("numbers %v", numbers)
			}
		}
	})
}

// TestSaveIn: several records in one transaction of the caller's; a refused one leaves the others alone, and all go with it.
func TestSaveIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		undone := errors.New("undone")
		write := func(end error) error {
			return w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				for i, title := range []string{"one", "", "three"} {
					err := tx.Try(t.Context(), func() error {
						_, err := w.w.SaveIn(t.Context(), tx, w.boss, change("customer", "", `{"title": "`+title+`"}`, ""))
						return err
					})
					if refused := i == 1; refused != (explain(err) == "title 302004; ") {
						t.Errorf("%q: %v", title, err)
					}
				}
				return end
			})
		}
		if err := write(undone); !errors.Is(err, undone) {
			t.Error(err)
		}
		if n := len(w.read("customer", plan.True, "id")); n != 0 {
			t.Errorf("%d records of a transaction that was undone", n)
		}
		if err := write(nil); err != nil {
			t.Error(err)
		}
		if n := len(w.read("customer", plan.True, "id")); n != 2 {
			t.Errorf("%d records, not 2", n)
		}
	})
}

func TestIdempotency(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var wg sync.WaitGroup
		var mu sync.Mutex
		ids := map[string]bool{}
		for range 6 {
			wg.Go(func() {
				s, err := w.w.Save(t.Context(), w.boss, change("customer", "", `{"title": "one"}`, "k1"))
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(explain(err))
				}
				ids[s.ID] = true
			})
		}
		wg.Wait()
		if len(ids) != 1 || len(w.read("customer", plan.True, "id")) != 1 {
			t.Errorf("ids %v", ids)
		}
		if _, err := w.w.Save(t.Context(), w.boss, change("customer", "", `{"title": "two"}`, "k1")); explain(err) != "100005" {
			t.Errorf("another request: %s", explain(err))
		}
		if _, err := w.w.Save(t.Context(), w.system(), change("customer", "", `{"title": "one"}`, "k1")); err != nil {
			t.Errorf("another caller: %s", explain(err))
		}
		if _, err := w.w.Save(t.Context(), w.boss, change("customer", "", `{"title": ""}`, "k2")); explain(err) != "title 302004; " {
			t.Error(explain(err))
		}
		if _, err := w.w.Save(t.Context(), w.boss, change("customer", "", `{"title": "k2"}`, "k2")); err != nil {
			t.Errorf("a refused write kept its key: %s", explain(err))
		}
	})
}

func TestSheet(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o := w.save(w.boss, "order", "", 0, `{"title": "x", "price": "2", "lines": [{"item": "a"}, {"item": "b"}, {"item": "c"}]}`)
		other := w.save(w.boss, "order", "", 0, `{"title": "y", "lines": [{"item": "z"}]}`)
		rows := w.read("order.lines", plan.True, "id", "item")
		at := func(i int) string { return strings.Split(rows[i], " | ")[0] }
		text := fmt.Sprintf(`{"lines": [{"id": %q, "qty": "5"}, {"item": "new"}, {"id": %q}]}`, at(2), at(0))
		o = w.save(w.boss, "order", o.ID, 1, text)
		parent := &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: "parentId", K: plan.ID}, B: &plan.Const{K: plan.ID, Value: o.ID}}
		same(t, w.read("order.lines", parent, "item", "qty", "sortKey"), "a | 1 | 3", "c | 5 | 1", "new | 1 | 2")
		same(t, w.read("order", id(o.ID), "total", "version"), "14 | 2")
		for text, want := range map[string]string{
			fmt.Sprintf(`{"lines": [{"id": %q, "item": "stolen"}]}`, at(3)):         "lines 302009; ",
			fmt.Sprintf(`{"lines": [{"id": %q}, {"id": %q}]}`, at(0), at(0)):        "lines 302009; ",
			`{"lines": [{"id": 5, "item": "x"}]}`:                                   "lines 302009; ",
			fmt.Sprintf(`{"lines": [{"id": %q, "item": ""}, {"qty": "1"}]}`, at(0)): "lines.item 302004; lines.item 302004; ",
		} {
			if _, err := w.try(w.boss, "order", o.ID, 2, text); explain(err) != want {
				t.Errorf("%s: %s", text, explain(err))
			}
		}
		same(t, w.read("order.lines", id(at(3)), "item", "parentId"), "z | "+other.ID)
		w.save(w.boss, "order", other.ID, 1, `{"lines": [{"item": "bare"}, {"item": "emptied", "qty": null}]}`)
		of := &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: "parentId", K: plan.ID}, B: &plan.Const{K: plan.ID, Value: other.ID}}
		same(t, w.read("order.lines", of, "item", "qty"), "bare | 1", "emptied | <nil>")
		w.save(w.boss, "order", o.ID, 2, `{"lines": []}`)
		same(t, w.read("order.lines", parent, "item"))
		same(t, w.read("order", id(o.ID), "total", "version"), "<nil> | 3")
	})
}

func (w *world) history(model, record string) []string {
	w.t.Helper()
	var rows []struct{ Kind, UserID, Changes string }
	must(w.t, w.db.Read(w.t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Table("sl_history").Where("model = ? AND record = ?", model, record).Order("version").Find(&rows).Error
	}))
	var out []string
	for _, r := range rows {
		out = append(out, r.Kind+" "+r.UserID+" "+r.Changes)
	}
	return out
}

func TestHistory(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o := w.save(w.boss, "order", "", 0, `{"title": "x", "price": "2", "lines": [{"item": "a"}]}`)
		row := w.read("order.lines", plan.True, "id")[0]
		w.save(w.clerkBoss(), "order", o.ID, 1, `{"price": null, "lines": [{"id": "`+row+`", "qty": "2"}]}`)
		h := w.history("order", o.ID)
		if len(h) != 2 || !strings.HasPrefix(h[0], "create "+w.bossID) || !strings.Contains(h[0], `{"sheet":"lines","id":"`+row+`","kind":"create"`) {
			t.Fatalf("%q", h)
		}
		want := "update " + w.clerkID + ` {"fields":[{"code":"price","before":["2"]},{"code":"total","before":["2"]}],` +
			`"rows":[{"sheet":"lines","id":"` + row + `","kind":"update","was":1,"place":1,"changes":[{"code":"qty","before":["1"],"after":["2"]},{"code":"amount","before":["2"]}]}]}`
		if h[1] != want {
			t.Errorf("got\n%s\nwant\n%s", h[1], want)
		}
		res, err := w.w.Delete(t.Context(), w.boss, "order", []string{o.ID})
		must(t, err)
		if h = w.history("order", o.ID); res.SuccessCount != 1 || len(h) != 3 || !strings.HasPrefix(h[2], "delete") || !strings.Contains(h[2], `"before":["x"]`) {
			t.Errorf("%+v %q", res, h)
		}
		same(t, w.read("order.lines", plan.True, "id"))
	})
}

// clerkBoss is the clerk with all rights.
func (w *world) clerkBoss() *authz.View { return w.rights(w.clerkID, "boss") }

func TestDelete(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		used := w.save(w.boss, "customer", "", 0, `{"title": "used"}`)
		friend := w.save(w.boss, "customer", "", 0, `{"title": "friend"}`)
		other := w.save(w.boss, "customer", "", 0, `{"title": "other"}`)
		o := w.save(w.clerk, "order", "", 0, `{"title": "x", "customer": "`+used.ID+`", "lines": [{"item": "a", "supplier": "`+friend.ID+`"}]}`)
		w.save(w.boss, "order", o.ID, 1, `{"friends": ["`+friend.ID+`", "`+other.ID+`"]}`)
		check, err := w.w.DeleteCheck(ctx, w.boss, "customer", []string{used.ID, friend.ID, o.ID})
		must(t, err)
		if check[0].ResultCode != record.DeleteNotPossible || *check[0].RelativeModel != "order" || check[1].ResultCode != record.DeletePossible || check[2].ResultCode != record.DeleteNotPossible {
			t.Errorf("%+v", check)
		}
		res, err := w.w.Delete(ctx, w.boss, "customer", []string{used.ID, friend.ID})
		must(t, err)
		if res.SuccessCount != 1 || res.ErrorCount != 1 || res.Errors[0].ObjectID != used.ID || res.Errors[0].ResultDesc != "1 record of “订单” refers to it" {
			t.Errorf("%+v", res)
		}
		same(t, w.read("order", id(o.ID), "friends", "version"), "["+other.ID+"] | 4")
		same(t, w.read("order.lines", plan.True, "item", "supplier"), "a | <nil>")
		if h := w.history("order", o.ID); len(h) != 4 || !strings.Contains(h[2]+h[3], `"code":"friends"`) || !strings.Contains(h[2]+h[3], `"code":"supplier"`) {
			t.Errorf("%q", h)
		}
		res, err = w.w.Delete(ctx, w.clerk, "customer", []string{other.ID})
		must(t, err)
		his := w.save(w.boss, "order", "", 0, `{"title": "his"}`)
		more, err := w.w.Delete(ctx, w.clerk, "order", []string{his.ID, o.ID})
		must(t, err)
		if res.SuccessCount != 0 || res.Errors[0].ResultDesc != "not permitted" || more.SuccessCount != 1 || more.Errors[0].ResultDesc != "does not exist" {
			t.Errorf("%+v %+v", res, more)
		}
	})
}

func TestHooks(t *testing.T) {
	var log []string
	register := func(_ map[string]string, s *pack.Set) {
		s.BeforeWrite.Add(func(_ context.Context, e *hook.Record, next func() error) error {
			if e.Delete && e.Old["title"] == "held" {
				return fmt.Errorf("by somebody: %w", store.ErrConflict)
			}
			if e.Set["title"] == "no" {
				return fault.New(fault.FieldRule)
			}
			if e.Model == "order" && e.Set["title"] == "long" {
				e.Set["reason"] = "hooked"
			}
			if e.Model == "order" && e.Set["title"] == "bad" {
				e.Set["number"] = "lower" // the pattern holds for hooks too
			}
			return next()
		})
		s.AfterWrite.Add(func(_ context.Context, e *hook.Record, next func() error) error {
			if e.Model == "order" {
				kind := map[[2]bool]string{{true, false}: "create", {false, false}: "update", {false, true}: "delete"}[[2]bool{e.Create, e.Delete}]
				log = append(log, fmt.Sprintf("%s %v %v", kind, e.Old["title"], e.Set["title"]))
			}
			return next()
		})
	}
	each(t, func(t *testing.T, w *world) {
		log = nil
		o := w.save(w.boss, "order", "", 0, `{"title": "long"}`)
		same(t, w.read("order", id(o.ID), "reason"), "hooked")
		for title, want := range map[string]string{"no": "302011", "bad": "number 302010; "} {
			if _, err := w.try(w.boss, "order", "", 0, `{"title": "`+title+`"}`); explain(err) != want {
				t.Errorf("%s: %s", title, explain(err))
			}
		}
		w.save(w.boss, "order", o.ID, 1, `{"title": "new"}`)
		_, err := w.w.Delete(t.Context(), w.boss, "order", []string{o.ID})
		must(t, err)
		same(t, log, "create <nil> long", "update long new", "delete new <nil>")
		// What other transactions hold is told apart; when all is held, nothing was done.
		held, free := w.save(w.boss, "order", "", 0, `{"title": "held"}`), w.save(w.boss, "order", "", 0, `{"title": "free"}`)
		res, err := w.w.Delete(t.Context(), w.boss, "order", []string{held.ID, free.ID})
		must(t, err)
		if res.SuccessCount != 1 || len(res.Errors) != 1 || res.Errors[0].ResultDesc != "somebody is changing it at the moment" {
			t.Errorf("%+v", res)
		}
		if _, err = w.w.Delete(t.Context(), w.boss, "order", []string{held.ID}); fault.Of(err) != fault.DeleteBusy {
			t.Error(err)
		}
	}, register)
}

func TestLoadData(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		parent := &plan.Field{Path: []string{"parent"}, Column: "code", K: plan.Text}
		got := map[string]string{}
		must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			q := &plan.Query{Model: "place", Where: plan.True, Select: []plan.Expr{&plan.Field{Column: "code", K: plan.Text}, parent, &plan.Field{Column: "id", K: plan.ID}}}
			return tx.Query(t.Context(), w.c, q, func(row []any) error {
				got[fmt.Sprint(row[0])] = fmt.Sprint(row[1], " ", row[2] == record.DataID(nil, "demo", "place", fmt.Sprint(row[0])))
				return nil
			})
		}))
		if fmt.Sprint(got) != "map[1:<nil> true 11:1 true]" {
			t.Error(got)
		}
		roles := w.read("role", plan.True, "code")
		slices.Sort(roles)
		same(t, roles, "boss", "clerk")
		// What was deleted stays away, and what somebody made under the key of a new row counts.
		_, err := w.w.Delete(t.Context(), w.boss, "place", []string{record.DataID(nil, "demo", "place", "11")})
		must(t, err)
		w.save(w.boss, "place", "", 0, `{"code": "12", "title": "own"}`)
		must(t, w.w.LoadData(t.Context(), w.system()))
		if n := len(w.read("place", plan.True, "id")); n != 2 {
			t.Errorf("%d places", n)
		}
		// Another version of the file, of which what is there stays: the rows are not those that were known.
		for i, p := range w.c.Packs {
			for k := range p.Data {
				if d := &w.c.Packs[i].Data[k]; d.Model.Code == "place" {
					d.Rows = append(slices.Clone(d.Rows), map[string]any{"code": "13", "title": "new"})
				}
			}
		}
		must(t, w.w.LoadData(t.Context(), w.system()))
		if n := len(w.read("place", plan.True, "id")); n < 3 {
			t.Errorf("%d places after the file has changed", n)
		}
	})
}

// TestDataOrder: rows are as old as their place in the file, also where references ask for another order of writing.
func TestDataOrder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var got []string
		must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			made := &plan.Field{Column: "createdTime", K: plan.Instant}
			q := &plan.Query{Model: "place", Where: plan.True, Select: []plan.Expr{&plan.Field{Column: "code", K: plan.Text}, made}, Order: []plan.Order{{By: made}}}
			var last time.Time
			return tx.Query(t.Context(), w.c, q, func(row []any) error {
				at := row[1].(time.Time)
				if !last.IsZero() && at.Sub(last) != time.Millisecond {
					t.Errorf("%v lies %v behind the row before", row[0], at.Sub(last))
				}
				last = at
				got = append(got, fmt.Sprint(row[0]))
				return nil
			})
		}))
		same(t, got, "4", "2", "9", "1", "3")
	}, with(map[string]string{"data/place.json": `{"key": ["code"], "rows": [{"code": "4", "title": "d", "parent": "1"}, {"code": "2", "title": "b", "parent": "3"},
		{"code": "9", "title": "e"}, {"code": "1", "title": "a"}, {"code": "3", "title": "c"}]}`}))
}

// TestLoadMany keeps the loading of the administrative divisions within a start's patience.
func TestLoadMany(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"key": ["code"], "rows": [{"code": "0", "title": "国"}`)
	for i := 1; i < 3400; i++ {
		fmt.Fprintf(&b, `, {"code": "%d", "title": "第%d区", "parent": "%d"}`, i, i, i/15)
	}
	b.WriteString("]}")
	each(t, func(t *testing.T, w *world) {
		if n := len(w.read("place", plan.True, "id")); n != 3400 {
			t.Fatalf("%d places", n)
		}
		began := time.Now()
		must(t, w.w.LoadData(t.Context(), w.system()))
		t.Logf("again: %v", time.Since(began))
	}, func(docs map[string]string, _ *pack.Set) { docs["data/place.json"] = b.String() })
}
