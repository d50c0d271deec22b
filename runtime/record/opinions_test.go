package record_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestOpinions: what people said in a workflow becomes rows of the properties that keep it, each entry once, and nothing else of the record
// changes.
func TestOpinions(t *testing.T) {
	w, ctx := newWorldOn(t, with(map[string]string{"models/paper.json": `{"name": "文件", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "标题"},
		{"code": "first", "propertyType": "ApprovalOpinion", "name": "初审"},
		{"code": "last", "propertyType": "ApprovalOpinion", "name": "终审"},
		{"code": "pages", "propertyType": "Sheet", "name": "页", "properties": [{"code": "no", "propertyType": "ShortText", "name": "号"}]}]}`})), t.Context()
	paper := w.save(w.boss, "paper", "", 0, `{"title": "p", "pages": [{"no": "1"}]}`)
	said := func(entry int64, in, text string) record.Opinion {
		return record.Opinion{Entry: entry, Property: in, Opinion: property.Opinion{Node: plan.Label{Zh: "审批"}, User: w.bossID, Result: "agree", Text: text, Time: now.Add(time.Duration(entry) * time.Minute)}}
	}
	keep := func(model, id, in string, gone []int64, all ...record.Opinion) error {
		return w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return w.w.OpinionsIn(ctx, tx, w.system(), model, id, in, all, gone)
		})
	}
	kept := func(want ...string) {
		t.Helper()
		var got []string
		must(t, w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
			st, made, err := record.AsOf(ctx, tx, w.system(), w.c.Model("paper"), paper.ID, record.Moment{})
			if err != nil {
				return err
			}
			for _, code := range []string{"first", "last"} {
				line := code
				value, _ := record.Gathered(w.c.Model("paper").Field(code), st.Sheets[code], time.Time{}).([]property.Opinion)
				for _, o := range value {
					line += " " + o.Text
				}
				early, _ := record.Gathered(w.c.Model("paper").Field(code), st.Sheets[code], now.Add(90*time.Second)).([]property.Opinion)
				got = append(got, fmt.Sprintf("%s, %d early", line, len(early)))
			}
			if made.Version != 1 || len(w.history("paper", paper.ID)) != 1 {
				t.Errorf("version %d", made.Version)
			}
			return nil
		}))
		same(t, got, want...)
	}
	must(t, keep("paper", paper.ID, instance, nil, said(1, "", "both"), said(2, "last", "second")))
	kept("first both, 1 early", "last both second, 1 early")
	must(t, keep("paper", paper.ID, instance, nil, said(1, "", "again"), said(3, "first", "third")))
	kept("first both third, 1 early", "last both second, 1 early")
	must(t, keep("paper", paper.ID, another, []int64{2}, said(1, "last", "of another")))
	kept("first both third, 1 early", "last both second of another, 2 early")
	must(t, keep("paper", paper.ID, instance, []int64{1, 4}, said(4, "", "taken back at once")))
	kept("first third, 0 early", "last second of another, 1 early")
	must(t, keep("paper", paper.ID, instance, []int64{3}))
	kept("first, 0 early", "last second of another, 1 early")
	must(t, keep("ghost", paper.ID, instance, nil, said(9, "", "x")))
	must(t, keep("customer", paper.ID, instance, nil, said(9, "", "x")))
	must(t, keep("paper", another, instance, nil, said(9, "", "x")))
	must(t, keep("paper", paper.ID, "no id, and nothing to keep", nil))
	if err := keep("paper", paper.ID, "no id", nil, said(9, "", "x")); err == nil {
		t.Error("an instance without an id was taken")
	}
	kept("first, 0 early", "last second of another, 1 early")
	same(t, w.read("paper.pages", plan.True, "no"), "1")
	if v := record.Gathered(w.c.Model("paper").Field("pages"), nil, time.Time{}); v != nil {
		t.Errorf("rows that are filled in are gathered: %v", v)
	}
	if v := record.Gathered(w.c.Model("paper").Field("title"), nil, time.Time{}); v != nil {
		t.Errorf("a text is gathered: %v", v)
	}
}
