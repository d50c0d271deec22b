package record_test

import (
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/pack"
)

// withChoices lets choices depend on other values: the customer on the state, a reason on the state, a supplier on the row.
func withChoices(docs map[string]string, _ *pack.Set) {
	order := docs["models/order.json"]
	order = strings.Replace(order, `"name": "客户", "relativeCode": "customer"`,
		`"name": "客户", "relativeCode": "customer", "condition": "form.state == 'CLOSED' or limit > 10", "fill": {"price": "limit"}`, 1)
	order = strings.Replace(order, `"name": "相关客户", "relativeCode": "customer"`, `"name": "相关客户", "relativeCode": "customer", "condition": "title != form.title"`, 1)
	order = strings.Replace(order, `"name": "供方", "relativeCode": "customer"`, `"name": "供方", "relativeCode": "customer", "condition": "limit > form.qty and (empty(form.number) or title == form.number)"`, 1)
	order = strings.Replace(order, `"properties": [
		{"code": "title"`, `"properties": [
		{"code": "kind", "propertyType": "Dropdown", "name": "种类", "options": [{"code": "A", "items": ["A1", "A2"]}, {"code": "B", "items": ["B1"]}]},
		{"code": "below", "propertyType": "DropdownMulti", "name": "下级", "dependsOn": "kind", "options": [{"code": "A", "items": ["A1", "A2"]}, {"code": "B", "items": ["B1"]}]},
		{"code": "detail", "propertyType": "Checkbox", "name": "细类", "options": [{"code": "A", "items": ["A1", "A2"]}, {"code": "B", "items": ["B1"]}], "condition": "parent == form.kind or empty(form.kind) and user.name == 'nobody'"},
		{"code": "title"`, 1)
	docs["models/order.json"] = order
	docs["forms/narrow.json"] = `{"schemaCode": "order", "items": ["title", "kind", {"propertyCode": "detail", "condition": "code != 'A2'"},
		{"propertyCode": "customer", "condition": "title == form.title"}, {"propertyCode": "lines", "childColumns": ["item", {"propertyCode": "supplier", "condition": "title != 'small'"}]}]}`
}

// TestChoices: what a condition does not offer is refused on every write with its field; a form adds its own conditions; what
// stands is asked again only when it or what its condition depends on changes.
func TestChoices(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		small := w.save(w.boss, "customer", "", 0, `{"title": "small", "limit": "5"}`).ID
		large := w.save(w.boss, "customer", "", 0, `{"title": "large", "limit": "50"}`).ID
		for text, want := range map[string]string{
			`{"title": "x", "customer": "` + large + `"}`:                                                                  "ok",
			`{"title": "x", "customer": "` + small + `"}`:                                                                  "customer 302018; ",
			`{"title": "x", "customer": "` + small + `", "state": "CLOSED", "reason": "r"}`:                                "ok",
			`{"title": "small", "friends": ["` + small + `", "` + large + `"]}`:                                            "friends 302018; ",
			`{"title": "x", "friends": ["` + small + `", "` + large + `"]}`:                                                "ok",
			`{"title": "x", "kind": "A", "detail": ["A1", "A2"]}`:                                                          "ok",
			`{"title": "x", "kind": "B", "detail": ["B1", "A2"]}`:                                                          "detail 302018; ",
			`{"title": "x", "kind": "A", "below": ["A1", "A2"]}`:                                                           "ok",
			`{"title": "x", "kind": "A", "below": ["A1", "B1"]}`:                                                           "below 302018; ",
			`{"title": "x", "kind": "A", "below": ["A"]}`:                                                                  "below 302018; ",
			`{"title": "x", "below": ["A1"]}`:                                                                              "below 302018; ",
			`{"title": "x", "detail": ["A1"]}`:                                                                             "detail 302018; ",
			`{"title": "x", "lines": [{"item": "a", "qty": "4", "supplier": "` + small + `"}]}`:                            "ok",
			`{"title": "x", "lines": [{"item": "a", "qty": "4"}, {"item": "b", "qty": "6", "supplier": "` + small + `"}]}`: "lines.supplier 302018; ",
			`{"title": "x", "number": "N1", "lines": [{"item": "a", "qty": "1", "supplier": "` + small + `"}]}`:            "lines.supplier 302018; ",
		} {
			if _, err := w.try(w.boss, "order", "", 0, text); explain(err) != want {
				t.Errorf("%s: %s, not %s", text, explain(err), want)
			}
		}

		narrow := func(text string) string {
			_, err := w.w.Save(t.Context(), w.c, w.boss, change("order", "narrow", text, ""))
			return explain(err)
		}
		for text, want := range map[string]string{
			`{"title": "large", "customer": "` + large + `", "kind": "A", "detail": ["A1"]}`: "ok",
			`{"title": "other", "customer": "` + large + `"}`:                                "customer 302018; ",
			`{"title": "x", "kind": "A", "detail": ["A1", "A2"]}`:                            "detail 302018; ",
			`{"title": "x", "lines": [{"item": "a", "supplier": "` + small + `"}]}`:          "lines.supplier 302018; ",
		} {
			if got := narrow(text); got != want {
				t.Errorf("through the form, %s: %s, not %s", text, got, want)
			}
		}

		o := w.save(w.boss, "order", "", 0, `{"title": "x", "customer": "`+large+`", "lines": [{"item": "a", "qty": "4", "supplier": "`+small+`"}]}`)
		w.save(w.boss, "customer", large, 1, `{"limit": "3"}`)
		o = w.save(w.boss, "order", o.ID, o.Version, `{"title": "y"}`) // what stands stays
		if _, err := w.try(w.boss, "order", o.ID, o.Version, `{"number": "N2"}`); explain(err) != "lines.supplier 302018; " {
			t.Errorf("rows that were not sent no longer fit: %s", explain(err))
		}
		o = w.save(w.boss, "order", o.ID, o.Version, `{"state": "CLOSED", "reason": "r"}`)
		if _, err := w.try(w.boss, "order", o.ID, o.Version, `{"state": "OPEN"}`); explain(err) != "customer 302018; " {
			t.Errorf("what the condition depends on has changed: %s", explain(err))
		}
	}, withChoices)
}
