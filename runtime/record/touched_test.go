package record_test

import (
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/runtime/record"
)

// TestTouching: a change that is judged by what it touches is refused for rules that read what it alters, by whatever way, and told
// of all others.
func TestTouching(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.save(w.boss, "customer", "", 0, `{"title": "c", "limit": "5"}`)
		o := w.save(w.boss, "order", "", 0, `{"title": "t", "price": "9", "customer": "`+c.ID+`", "lines": [{"item": "a", "qty": "20"}, {"item": "b", "qty": "1"}]}`)
		rows := w.read("order.lines", of(o.ID), "id")
		docs := map[string]string{}
		for name, text := range documents {
			docs[name] = text
		}
		docs["models/order.json"] = strings.Replace(docs["models/order.json"], `"dataRules": [`, `"dataRules": [
			{"propertyCode": "lines.qty", "checkType": "formula", "formula": "qty <= 10 or price < 5"},
			{"propertyCode": "price", "checkType": "formula", "formula": "customer.limit > 100"},
			{"propertyCode": "title", "checkType": "formula", "formula": "total < 100"},
			{"propertyCode": "title", "checkType": "formula", "formula": "any(lines, .item == 'z')"},`, 1)
		w.compile(docs) // the record is older than these rules
		w.boss = w.rights(w.bossID, "boss")
		lines := func(first, second string) string {
			return `{"lines": [{"id": "` + rows[0] + `"` + first + `}, {"id": "` + rows[1] + `"` + second + `}]}`
		}
		const all = "lines.qty price title title"
		version := o.Version
		for _, x := range []struct{ name, set, refused, warned string }{
			{"nothing that is read", `{"day": "2026-11-20"}`, "ok", all},
			{"a row's own property", lines(`, "supplier": "`+c.ID+`"`, ``), "ok", all},
			{"the property of a rule", `{"title": "u"}`, "title 302011; title 302011; ", ""},
			{"a relation that a rule follows", `{"customer": null}`, "price 302011; ", ""},
			{"the record that rows read, and what is computed of it", `{"price": "8"}`, "lines.qty 302011; price 302011; title 302011; ", ""},
			{"a column of rows that a rule asks for", lines(``, `, "item": "c"`), "title 302011; ", ""},
			{"a row beside the broken one", lines(``, `, "qty": "2"`), "title 302011; ", ""},
			{"the broken row", lines(`, "qty": "30"`, ``), "lines.qty 302011; title 302011; ", ""},
			{"a row that goes", `{"lines": [{"id": "` + rows[0] + `"}]}`, "title 302011; title 302011; ", ""},
		} {
			saved, err := w.w.Save(t.Context(), w.boss, record.Change{Model: "order", ID: o.ID, Version: &version, Set: set(x.set), Touching: true})
			var warned []string
			for _, e := range saved.Warnings {
				warned = append(warned, e.PropertyCode)
			}
			if got := explain(err); got != x.refused || strings.Join(warned, " ") != x.warned {
				t.Errorf("%s: %s, warned of %q", x.name, got, warned)
			}
			if err == nil {
				version = saved.Version
			}
		}
		if _, err := w.try(w.boss, "order", o.ID, version, `{"day": "2026-11-19"}`); explain(err) != "lines.qty 302011; price 302011; title 302011; title 302011; " {
			t.Errorf("a form is judged whole: %s", explain(err))
		}
	})
}
