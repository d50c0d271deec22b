package record_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestFileComesBack: a file that the record held once may be put back by anybody who may write the field, and by nobody elsewhere.
func TestFileComesBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := blob.File{ID: "00000000-0000-7000-8000-000000000001", Name: "a.txt", Mime: "text/plain", CreatedBy: w.bossID, CreatedAt: now}
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Create(&f).Error }))
		p := w.save(w.boss, "paper", "", 0, `{"title": "p", "files": ["`+f.ID+`"]}`)
		w.save(w.boss, "paper", p.ID, 1, `{"files": []}`)
		another := w.save(w.boss, "paper", "", 0, `{"title": "q"}`)
		if _, err := w.try(w.clerkBoss(), "paper", another.ID, 1, `{"files": ["`+f.ID+`"]}`); explain(err) != "files 302009; " {
			t.Errorf("into another record: %s", explain(err))
		}
		if _, err := w.try(w.clerkBoss(), "paper", p.ID, 2, `{"more": ["`+f.ID+`"]}`); explain(err) != "more 302009; " {
			t.Errorf("into another field: %s", explain(err))
		}
		w.save(w.clerkBoss(), "paper", p.ID, 2, `{"files": ["`+f.ID+`"]}`)
		w.save(w.boss, "paper", p.ID, 3, `{"files": [], "pages": [{"scans": ["`+f.ID+`"]}]}`)
		w.save(w.boss, "paper", p.ID, 4, `{"pages": []}`)
		if _, err := w.try(w.clerkBoss(), "paper", p.ID, 5, `{"pages": [{"scans": [], "others": ["`+f.ID+`"]}]}`); explain(err) != "pages.others 302009; " {
			t.Errorf("into another column: %s", explain(err))
		}
		w.save(w.clerkBoss(), "paper", p.ID, 5, `{"pages": [{"scans": ["`+f.ID+`"]}]}`)
	}, with(map[string]string{"models/paper.json": `{"name": "文件", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "标题"},
		{"code": "files", "propertyType": "Attachment", "name": "附件"}, {"code": "more", "propertyType": "Attachment", "name": "其他"},
		{"code": "pages", "propertyType": "Sheet", "name": "页", "properties": [{"code": "scans", "propertyType": "Attachment", "name": "扫描件"}, {"code": "others", "propertyType": "Attachment", "name": "其他"}]}]}`}))
}

// asOf is what AsOf says of an order, in words.
func (w *world) asOf(orderID string, at record.Moment) (string, error) {
	var out string
	err := w.db.Read(w.t.Context(), func(_ context.Context, tx *store.Tx) error {
		st, made, err := record.AsOf(w.t.Context(), tx, w.system(), w.c.Model("order"), orderID, at)
		if err != nil {
			return err
		}
		text, err := json.Marshal([]any{made.Version, st.Row["title"], st.Row["version"], st.Row["owner"], st.Sheets["lines"]})
		out = string(text)
		return err
	})
	return out, err
}

// TestAsOf: moments at which there was no record are refused, and a record that was brought back has a past.
func TestAsOf(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o := w.save(w.boss, "order", "", 0, `{"title": "one", "lines": [{"item": "a"}]}`)
		w.save(w.boss, "order", o.ID, 1, `{"title": "two", "lines": []}`)
		w.delete(w.boss, "order", o.ID)
		version := func(n int64) record.Moment { return record.Moment{Version: &n} }
		if _, err := w.asOf(o.ID, version(1)); fault.Of(err) != fault.RecordNotFound {
			t.Errorf("of a record that is gone: %v", err)
		}
		_, err := w.restore(w.boss, "order", o.ID)
		must(t, err)
		for n, want := range map[int64]string{1: `[1,"one",1,`, 2: `[2,"two",2,`, 4: `[4,"two",4,`} {
			got, err := w.asOf(o.ID, version(n))
			must(t, err)
			if !strings.HasPrefix(got, want) || strings.Contains(got, `"item":"a"`) != (n == 1) {
				t.Errorf("version %d is %s", n, got)
			}
		}
		early, late := now.Add(-time.Hour), now.Add(time.Hour)
		for name, moment := range map[string]record.Moment{"deleted": version(3), "not made yet": version(9), "before it was": {At: &early}} {
			var f *fault.Error
			if _, err := w.asOf(o.ID, moment); !errors.As(err, &f) || f.Code != fault.VersionNotFound {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got, err := w.asOf(o.ID, record.Moment{At: &late}); err != nil || !strings.HasPrefix(got, `[4,"two",4,`) {
			t.Errorf("now: %s %v", got, err)
		}
	})
}

// TestRestoreCounts: what folds a record counts it again when it comes back, and what the record reads is as it is by then.
func TestRestoreCounts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		project := w.save(w.boss, "project", "", 0, `{"title": "p", "rate": "2"}`)
		contract := w.save(w.boss, "contract", "", 0, `{"title": "c", "project": "`+project.ID+`", "factor": "3"}`)
		payment := w.save(w.boss, "payment", "", 0, `{"title": "x", "contract": "`+contract.ID+`", "amount": "20", "lines": [{"qty": "2"}]}`)
		same(t, w.read("project", id(project.ID), "paid", "large"), "66 | 1")
		w.delete(w.boss, "payment", payment.ID)
		same(t, w.read("project", id(project.ID), "large"), "0")
		w.save(w.boss, "contract", contract.ID, 3, `{"factor": "4"}`)
		_, err := w.restore(w.boss, "payment", payment.ID)
		must(t, err)
		same(t, w.read("project", id(project.ID), "paid", "large"), "88 | 1")
		state, err := w.state(t.Context())
		must(t, err)
		if bad := wrong(state); len(bad) > 0 {
			t.Errorf("%q", bad)
		}
	}, works)
}

// TestRestoreReferences: what was emptied because of a deletion refers to the record again, unless something else is there.
func TestRestoreReferences(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		customer := func(title string) string { return w.save(w.boss, "customer", "", 0, `{"title": "`+title+`"}`).ID }
		a, b, c := customer("a"), customer("b"), customer("c")
		order := func() string {
			return w.save(w.boss, "order", "", 0, `{"title": "x", "friends": ["`+a+`", "`+b+`", "`+c+`"], "lines": [{"item": "i", "supplier": "`+b+`"}, {"item": "j", "supplier": "`+b+`"}]}`).ID
		}
		first, gone := order(), order()
		w.delete(w.boss, "customer", b)
		same(t, w.read("order", id(first), "friends", "version"), "["+a+" "+c+"] | 4")
		w.delete(w.boss, "order", gone)
		rows := w.read("order.lines", plan.True, "id")
		w.save(w.boss, "order", first, 4, `{"lines": [{"id": "`+rows[0]+`"}, {"id": "`+rows[1]+`", "supplier": "`+a+`"}]}`)
		_, err := w.restore(w.boss, "customer", b)
		must(t, err)
		same(t, w.read("order", id(first), "friends", "version"), "["+a+" "+b+" "+c+"] | 7")
		same(t, w.read("order.lines", plan.True, "item", "supplier"), "i | "+b, "j | "+a)
		if h := w.history("order", first); len(h) != 7 || !strings.Contains(h[5]+h[6], `"code":"supplier","after":["`+b+`"]`) {
			t.Errorf("%q", h)
		}
	})
}
