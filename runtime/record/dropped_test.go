package record_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestDroppedProperty: a property that is dropped and added again under its code has nothing of what was kept of the first: no
// history, no earlier versions, nothing in the recycle bin.
func TestDroppedProperty(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		keep := w.save(w.boss, "customer", "", 0, `{"title": "kept", "secret": "old secret"}`)
		gone := w.save(w.boss, "customer", "", 0, `{"title": "gone", "secret": "old secret"}`)
		w.delete(w.boss, "customer", gone.ID)
		told := func() string {
			var out []string
			must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
				rows, _, err := record.HistoryOf(tx, "customer", []string{keep.ID}, 0, 10)
				must(t, err)
				for _, row := range rows {
					ch, err := record.ChangesOf(tx, row)
					must(t, err)
					for _, f := range ch.Fields {
						out = append(out, f.Code)
					}
				}
				return nil
			}))
			return strings.Join(out, " ")
		}
		if got := told(); !strings.Contains(got, "secret") {
			t.Fatalf("before: %s", got)
		}
		docs := map[string]string{}
		for name, text := range documents {
			docs[name] = text
		}
		with := docs["models/customer.json"]
		docs["models/customer.json"] = strings.Replace(with, `{"code": "secret", "propertyType": "ShortText", "name": "密"}, `, "", 1)
		docs["access/clerk.json"] = strings.Replace(docs["access/clerk.json"], `"rows": "secret == nil"`, `"rows": "all"`, 1)
		w.drop(docs)
		docs["models/customer.json"] = with
		w.drop(docs)
		if got := told(); strings.Contains(got, "secret") || !strings.Contains(got, "title") {
			t.Errorf("after: %s", got)
		}
		_, err := w.restore(w.boss, "customer", gone.ID)
		must(t, err)
		same(t, w.read("customer", id(gone.ID), "title", "secret"), "gone | <nil>")
		w.save(w.boss, "customer", keep.ID, 1, `{"secret": "new"}`)
	})
}

// drop applies documents, whatever they lose.
func (w *world) drop(docs map[string]string) {
	w.t.Helper()
	w.compile(docs)
	p, err := w.db.Plan(w.t.Context(), w.c.Storage, store.PlanOptions{})
	must(w.t, err)
	must(w.t, w.db.Apply(w.t.Context(), p, store.ApplyOptions{AllowDestructive: true, At: now.Add(time.Hour)}))
	w.boss = w.rights(w.bossID, "boss")
}
