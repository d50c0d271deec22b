package record_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	ones = `{"name": "物", "properties": [
		{"code": "amount", "propertyType": "Number", "name": "数"},
		{"code": "day", "propertyType": "Date", "name": "日期"},
		{"code": "state", "propertyType": "Radio", "name": "状态", "options": ["A", "B"]},
		{"code": "boss", "propertyType": "StaffSingle", "name": "人"},
		{"code": "of", "propertyType": "RelevanceForm", "name": "客户", "relativeCode": "customer"}]}`
	// several is the model after each property has got a type that holds more.
	several = `{"name": "物", "properties": [
		{"code": "amount", "propertyType": "ShortText", "name": "数"},
		{"code": "day", "propertyType": "Date", "name": "日期", "displayFormat": "yyyy-MM-dd HH:mm"},
		{"code": "state", "propertyType": "Checkbox", "name": "状态", "options": ["A", "B"]},
		{"code": "boss", "propertyType": "StaffMulti", "name": "人"},
		{"code": "of", "propertyType": "RelevanceFormEx", "name": "客户", "relativeCode": "customer"}]}`
)

// After a change of types that loses nothing, records, their histories and the recycle bin tell what they told before.
func TestTypesThatHoldMore(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		of := w.save(w.boss, "customer", "", 0, `{"title": "one"}`).ID
		text := `{"amount": "12.50", "day": "2026-11-21", "state": "B", "boss": "` + w.bossID + `", "of": "` + of + `"}`
		kept, gone := w.save(w.boss, "thing", "", 0, text).ID, w.save(w.boss, "thing", "", 0, text).ID
		w.delete(w.boss, "thing", gone)

		docs := maps.Clone(documents)
		docs["models/thing.json"] = several
		w.compile(docs)
		w.boss = w.rights(w.bossID, "boss")
		p, err := w.db.Plan(t.Context(), w.c.Storage, store.PlanOptions{})
		must(t, err)
		must(t, w.db.Apply(t.Context(), p, store.ApplyOptions{}))

		want := fmt.Sprintf("12.5 | 2026-11-20 16:00:00 +0000 UTC | [B] | [%s] | [%s]", w.bossID, of)
		if _, err := w.restore(w.boss, "thing", gone); err != nil {
			t.Fatal(explain(err))
		}
		for name, record := range map[string]string{"converted": kept, "brought back": gone} {
			if got := w.read("thing", id(record), "amount", "day", "state", "boss", "of"); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %v, want %s", name, got, want)
			}
		}
		m := w.c.Model("thing")
		must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			rows, _, err := record.HistoryOf(tx, "thing", []string{kept}, 0, 10)
			if err != nil || len(rows) != 1 {
				t.Fatal(rows, err)
			}
			var ch record.Changes
			must(t, json.Unmarshal([]byte(rows[0].Changes), &ch))
			told := map[string]string{}
			for _, f := range ch.Fields {
				told[f.Code] = fmt.Sprint(record.Columns(m.Field(f.Code).Property, f.After)...)
			}
			var line []string
			for _, code := range []string{"amount", "day", "state", "boss", "of"} {
				line = append(line, told[code])
			}
			if got := strings.Join(line, " | "); got != want {
				t.Errorf("history: %s, want %s", got, want)
			}
			return nil
		}))
		if got := w.read("thing", &plan.InSet{Op: plan.SetWithin, F: &plan.Field{Column: "of", K: plan.Set}, G: &plan.Const{K: plan.Set, Value: []string{of}}}, "id"); len(got) != 2 {
			t.Errorf("found by their links: %v", got)
		}
	}, func(docs map[string]string, _ *pack.Set) { docs["models/thing.json"] = ones })
}

// And the other way, where every value fits.
func TestTypesThatHoldLess(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		of := w.save(w.boss, "customer", "", 0, `{"title": "one"}`).ID
		text := `{"amount": "12.50", "day": "2026-11-21", "state": ["B"], "boss": ["` + w.bossID + `"], "of": ["` + of + `"]}`
		kept, gone := w.save(w.boss, "thing", "", 0, text).ID, w.save(w.boss, "thing", "", 0, text).ID
		w.delete(w.boss, "thing", gone)
		docs := maps.Clone(documents)
		docs["models/thing.json"] = ones
		w.compile(docs)
		w.boss = w.rights(w.bossID, "boss")
		p, err := w.db.Plan(t.Context(), w.c.Storage, store.PlanOptions{})
		must(t, err)
		must(t, w.db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}))
		want := fmt.Sprintf("12.5 | 2026-11-21 | B | %s | %s", w.bossID, of)
		if _, err := w.restore(w.boss, "thing", gone); err != nil {
			t.Fatal(explain(err))
		}
		for name, record := range map[string]string{"converted": kept, "brought back": gone} {
			if got := w.read("thing", id(record), "amount", "day", "state", "boss", "of"); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %v, want %s", name, got, want)
			}
		}
		m := w.c.Model("thing")
		must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			rows, _, err := record.HistoryOf(tx, "thing", []string{kept}, 0, 10)
			must(t, err)
			var ch record.Changes
			must(t, json.Unmarshal([]byte(rows[0].Changes), &ch))
			told := map[string]string{}
			for _, f := range ch.Fields {
				told[f.Code] = fmt.Sprint(record.Columns(m.Field(f.Code).Property, f.After)...)
			}
			if got := strings.Join([]string{told["amount"], told["day"], told["state"], told["boss"], told["of"]}, " | "); got != want {
				t.Errorf("history: %s, want %s", got, want)
			}
			return nil
		}))
	}, func(docs map[string]string, _ *pack.Set) { docs["models/thing.json"] = several })
}
