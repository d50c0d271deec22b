package record_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// bin are the names of a model's deleted records, the last deleted first.
func (w *world) bin(model, search string) []string {
	w.t.Helper()
	out := []string{}
	must(w.t, w.db.Read(w.t.Context(), func(_ context.Context, tx *store.Tx) error {
		rows, _, err := record.RecycleBin(tx, model, search, 0, 100)
		for _, r := range rows {
			out = append(out, r.Name)
		}
		return err
	}))
	return out
}

func (w *world) delete(view *authz.View, model string, ids ...string) {
	w.t.Helper()
	res, err := w.w.Delete(w.t.Context(), view, model, ids)
	must(w.t, err)
	if res.SuccessCount != len(ids) {
		w.t.Fatalf("delete %s: %+v", model, res)
	}
}

func (w *world) restore(view *authz.View, model, id string) (record.Saved, error) {
	return w.w.Restore(w.t.Context(), view, model, id)
}

// TestRestore: a record comes back whole, under its id, with a version that goes on and an entry of its history, and hooks
// and outboxes hear of it.
func TestRestore(t *testing.T) {
	// The databases run beside each other: what is heard is told apart by its record.
	var (
		mu    sync.Mutex
		heard = map[string][]string{}
	)
	hear := func(when string, e *hook.Record) {
		mu.Lock()
		defer mu.Unlock()
		heard[e.ID] = append(heard[e.ID], fmt.Sprint(when, " ", e.Model, " ", e.Create, " ", e.Restore, " ", e.Set["title"]))
	}
	each(t, func(t *testing.T, w *world) {
		friend := w.save(w.boss, "customer", "", 0, `{"title": "friend", "limit": "100"}`)
		o := w.save(w.clerk, "order", "", 0, `{"title": "x", "number": "A1", "customer": "`+friend.ID+`", "lines": [{"item": "a", "supplier": "`+friend.ID+`"}, {"item": "b", "qty": "3"}]}`)
		w.save(w.boss, "order", o.ID, 1, `{"friends": ["`+friend.ID+`"], "price": "2"}`)
		columns := []string{"id", "name", "title", "number", "customer", "friends", "price", "total", "rest", "owner", "creator", "createdTime", "sequenceNo"}
		lines := []string{"id", "item", "qty", "amount", "supplier", "sortKey", "parentId"}
		before, rows := w.read("order", id(o.ID), columns...), w.read("order.lines", plan.True, lines...)
		w.delete(w.clerk, "order", o.ID)
		same(t, w.read("order", id(o.ID), "id"))
		same(t, w.bin("order", ""), strings.Split(before[0], " | ")[1])
		same(t, w.bin("order", "d-2026"), w.bin("order", "")[0])
		same(t, w.bin("order", "%"))
		mu.Lock()
		delete(heard, o.ID)
		mu.Unlock()
		out, err := w.restore(w.clerk, "order", o.ID)
		must(t, err)
		if out.ID != o.ID || out.Version != 4 {
			t.Errorf("restored as %+v", out)
		}
		same(t, w.read("order", id(o.ID), columns...), before...)
		same(t, w.read("order.lines", plan.True, lines...), rows...)
		same(t, w.read("order", id(o.ID), "version", "modifier"), "4 | "+w.clerkID)
		same(t, w.bin("order", ""))
		mu.Lock()
		told := heard[o.ID]
		mu.Unlock()
		same(t, told, "before order true true x", "after order true true x")
		h := w.history("order", o.ID)
		if len(h) != 4 || !strings.HasPrefix(h[3], "restore "+w.clerkID) || !strings.Contains(h[3], `"after":["x"]`) || !strings.Contains(h[3], `"sheet":"lines"`) {
			t.Errorf("%q", h)
		}
		if _, err := w.restore(w.clerk, "order", o.ID); fault.Of(err) != fault.RecycleGone {
			t.Errorf("a second time: %v", err)
		}
		w.save(w.boss, "order", o.ID, 4, `{"title": "y"}`) // it lives on
		w.delete(w.boss, "order", o.ID)
		if out, err = w.restore(w.boss, "order", o.ID); err != nil || out.Version != 7 {
			t.Errorf("once more: %+v %v", out, err)
		}
	}, func(_ map[string]string, s *pack.Set) {
		s.BeforeWrite.Add(func(_ context.Context, e *hook.Record, next func() error) error {
			hear("before", e)
			return next()
		})
		s.AfterWrite.Add(func(_ context.Context, e *hook.Record, next func() error) error {
			hear("after", e)
			return next()
		})
	})
}

// TestRestoreRights: only who could have seen and deleted the record brings it back; to others it is not there.
func TestRestoreRights(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		his := w.save(w.boss, "order", "", 0, `{"title": "the boss's"}`)
		closed := w.save(w.clerk, "order", "", 0, `{"title": "closed"}`)
		w.save(w.boss, "order", closed.ID, 1, `{"state": "CLOSED", "reason": "done"}`)
		open := w.save(w.clerk, "order", "", 0, `{"title": "open"}`)
		c := w.save(w.boss, "customer", "", 0, `{"title": "c"}`)
		w.delete(w.boss, "order", his.ID, closed.ID, open.ID)
		w.delete(w.boss, "customer", c.ID)
		reader := w.rights(w.clerkID, "reader")
		for name, try := range map[string]struct {
			view      *authz.View
			model, id string
			want      fault.Code
		}{
			"another's":                 {w.clerk, "order", his.ID, fault.RecycleGone},
			"one he could not delete":   {w.clerk, "order", closed.ID, fault.RecycleGone},
			"without the right":         {w.clerk, "customer", c.ID, fault.Forbidden},
			"of a model he cannot see":  {w.clerk, "place", c.ID, fault.ModelNotFound},
			"without any right":         {reader, "order", open.ID, fault.ModelNotFound},
			"one that was never there":  {w.boss, "order", c.ID, fault.RecycleGone},
			"what is no id":             {w.boss, "order", "' OR 1=1", fault.RecycleGone},
			"a model that is not there": {w.boss, "ghost", c.ID, fault.ModelNotFound},
		} {
			if _, err := w.restore(try.view, try.model, try.id); fault.Of(err) != try.want {
				t.Errorf("restore %s: %v", name, err)
			}
			if err := w.w.Purge(t.Context(), try.view, try.model, try.id); fault.Of(err) != try.want {
				t.Errorf("purge %s: %v", name, err)
			}
		}
		_, err := w.restore(w.clerk, "order", open.ID)
		must(t, err)
		must(t, w.w.Purge(t.Context(), w.boss, "order", his.ID))
		same(t, w.bin("order", "their"))
		if got := w.bin("order", ""); len(got) != 1 {
			t.Errorf("%q", got)
		}
	})
}

// TestRestoreOfPeople: nobody gets an account back that may do more than they could grant.
func TestRestoreOfPeople(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var boss string
		for _, row := range w.read("role", plan.True, "id", "code") {
			if id, code, _ := strings.Cut(row, " | "); code == "boss" {
				boss = id
			}
		}
		chief := w.save(w.system(), "user", "", 0, `{"username": "chief", "name": "总", "roles": ["`+boss+`"]}`)
		plain := w.save(w.system(), "user", "", 0, `{"username": "plain", "name": "平"}`)
		w.delete(w.boss, "user", chief.ID, plain.ID)
		hr := w.rights(w.clerkID, "hr")
		if _, err := w.restore(hr, "user", chief.ID); fault.Of(err) != fault.FieldAbove {
			t.Errorf("the chief: %v", err)
		}
		if err := w.w.Purge(t.Context(), hr, "user", chief.ID); fault.Of(err) != fault.FieldAbove {
			t.Errorf("the chief for ever: %v", err)
		}
		_, err := w.restore(hr, "user", plain.ID)
		must(t, err)
		_, err = w.restore(w.boss, "user", chief.ID)
		must(t, err)
	}, with(map[string]string{"access/hr.json": `{"name": "人事", "models": [{"schemaCode": "user", "actions": ["view", "add", "edit", "delete"], "rows": "all"}, {"schemaCode": "role", "actions": ["view"], "rows": "all"}]}`}))
}

// TestRestoreRefused: what has been given away or is gone blocks the restore by name, or is emptied where the model says so.
func TestRestoreRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		held := w.save(w.boss, "customer", "", 0, `{"title": "held"}`)
		friend := w.save(w.boss, "customer", "", 0, `{"title": "friend"}`)
		other := w.save(w.boss, "customer", "", 0, `{"title": "other"}`)
		o := w.save(w.boss, "order", "", 0, `{"title": "x", "number": "A1", "customer": "`+held.ID+`", "friends": ["`+friend.ID+`", "`+other.ID+`"], "lines": [{"item": "a", "supplier": "`+friend.ID+`"}]}`)
		w.delete(w.boss, "order", o.ID)
		taken := w.save(w.boss, "order", "", 0, `{"title": "taken", "number": "A1"}`)
		w.delete(w.boss, "customer", held.ID, friend.ID)
		if _, err := w.restore(w.boss, "order", o.ID); explain(err) != "customer 302009; " {
			t.Errorf("without its customer: %s", explain(err))
		}
		_, err := w.restore(w.boss, "customer", held.ID)
		must(t, err)
		if _, err := w.restore(w.boss, "order", o.ID); explain(err) != "number 302012; " {
			t.Errorf("its number is taken: %s", explain(err))
		}
		same(t, w.bin("order", "x"), w.bin("order", "")[0]) // refused: it stays where it was
		w.save(w.boss, "order", taken.ID, 1, `{"number": null}`)
		_, err = w.restore(w.boss, "order", o.ID)
		must(t, err)
		same(t, w.read("order", id(o.ID), "customer", "friends"), held.ID+" | ["+other.ID+"]")
		same(t, w.read("order.lines", plan.True, "item", "supplier"), "a | <nil>")

		top := w.save(w.boss, "place", "", 0, `{"code": "9", "title": "top"}`)
		below := w.save(w.boss, "place", "", 0, `{"code": "99", "parent": "`+top.ID+`"}`)
		w.delete(w.boss, "place", below.ID)
		w.delete(w.boss, "place", top.ID)
		if _, err := w.restore(w.boss, "place", below.ID); explain(err) != "parent 302009; " {
			t.Errorf("without what it lay below: %s", explain(err))
		}
		for _, id := range []string{top.ID, below.ID} {
			_, err := w.restore(w.boss, "place", id)
			must(t, err)
		}
	})
}

// TestRestoreAtOnce: of several who bring one record back, one does.
func TestRestoreAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for range 5 {
			o := w.save(w.boss, "order", "", 0, `{"title": "x"}`)
			w.delete(w.boss, "order", o.ID)
			var all sync.WaitGroup
			errs := make([]error, 4)
			for i := range errs {
				all.Go(func() { _, errs[i] = w.restore(w.boss, "order", o.ID) })
			}
			all.Wait()
			won := 0
			for _, err := range errs {
				if err == nil {
					won++
				} else if fault.Of(err) != fault.RecycleGone {
					t.Errorf("lost with %v", err)
				}
			}
			if won != 1 || len(w.read("order", id(o.ID), "id")) != 1 {
				t.Errorf("%d won: %v", won, errs)
			}
		}
	})
}

// TestRestoreByOtherDefinitions: a column that is gone is left out, and a newly required one does not block the restore.
func TestRestoreByOtherDefinitions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.save(w.boss, "customer", "", 0, `{"title": "c", "secret": "s", "limit": "5"}`)
		w.delete(w.boss, "customer", c.ID)
		docs := map[string]string{}
		for name, text := range documents {
			docs[name] = text
		}
		docs["models/customer.json"] = `{"name": "客户", "digest": "{title}", "properties": [
			{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
			{"code": "secret", "propertyType": "ShortText", "name": "密"},
			{"code": "limit", "propertyType": "Number", "name": "额度", "scale": 2},
			{"code": "phone", "propertyType": "ShortText", "name": "电话", "required": true}]}`
		w.apply(docs)
		_, err := w.restore(w.rights(w.bossID, "boss"), "customer", c.ID)
		must(t, err)
		same(t, w.read("customer", id(c.ID), "title", "limit", "phone"), "c | 5 | <nil>")
	})
}

func (w *world) apply(docs map[string]string) {
	w.t.Helper()
	w.compile(docs)
	p, err := w.db.Plan(w.t.Context(), w.c.Storage, store.PlanOptions{Dev: true})
	must(w.t, err)
	must(w.t, w.db.Apply(w.t.Context(), p, store.ApplyOptions{}))
	w.boss = w.rights(w.bossID, "boss")
}

// TestRecycleSweep: what was kept long enough goes, and with it the files that nothing else holds; kept not at all goes at once.
func TestRecycleSweep(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		file := func(name string) string {
			f := blob.File{ID: "00000000-0000-7000-8000-00000000000" + name, Name: name + ".txt", Mime: "text/plain", CreatedBy: w.bossID, CreatedAt: now}
			must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Create(&f).Error }))
			return f.ID
		}
		held := func(ids ...string) (out []string) {
			must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
				found, err := blob.Files(tx, ids)
				for _, id := range ids {
					out = append(out, fmt.Sprint(found[id].Held))
				}
				return err
			}))
			return out
		}
		own, shared, inRow, fresh := file("1"), file("2"), file("3"), file("4")
		paper := func(files, rows string) string {
			return w.save(w.boss, "paper", "", 0, `{"title": "p", "files": `+files+`, "pages": `+rows+`}`).ID
		}
		both, other := paper(`["`+own+`", "`+shared+`"]`, `[{"scans": ["`+inRow+`"]}]`), paper(`["`+shared+`"]`, `[]`)
		w.delete(w.boss, "paper", both)
		n, err := w.w.SweepRecycled(t.Context(), w.system())
		must(t, err)
		if n != 0 || len(w.bin("paper", "")) != 1 {
			t.Errorf("swept %d too early", n)
		}
		same(t, held(own, shared, inRow), "true", "true", "true")
		_, err = w.restore(w.boss, "paper", both)
		must(t, err)
		same(t, w.read("paper", id(both), "files"), "["+own+" "+shared+"]")
		w.delete(w.boss, "paper", both)
		late := record.New(w.db, w.set, compiletest.Nobody{}, w.zone, func() time.Time { return now.Add(record.DefaultKeep) })
		n, err = late.SweepRecycled(t.Context(), w.system())
		must(t, err)
		if n != 1 || len(w.bin("paper", "")) != 0 {
			t.Errorf("swept %d", n)
		}
		same(t, held(own, shared, inRow), "false", "true", "false")
		w.delete(w.boss, "paper", other)
		must(t, w.w.Purge(t.Context(), w.boss, "paper", other))
		same(t, held(shared), "false")
		for _, gone := range []string{own, inRow, shared} { // nobody's, not their uploader's either
			must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
				f, err := blob.Files(tx, []string{gone})
				if f[gone].CreatedBy != "" {
					t.Errorf("%s is still its uploader's", gone)
				}
				return err
			}))
		}

		w.w.KeepDeleted(0)
		last := paper(`["`+fresh+`"]`, `[]`)
		same(t, held(fresh), "true")
		w.delete(w.boss, "paper", last)
		same(t, w.bin("paper", ""))
		same(t, held(fresh), "false")
	}, with(map[string]string{"models/paper.json": `{"name": "文件", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "标题"},
		{"code": "files", "propertyType": "Attachment", "name": "附件"},
		{"code": "pages", "propertyType": "Sheet", "name": "页", "properties": [{"code": "scans", "propertyType": "Attachment", "name": "扫描件"}]}]}`}))
}
