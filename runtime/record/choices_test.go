package record_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
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
	docs["models/order.json"] = strings.Replace(order, `"properties": [`, `"properties": [
		{"code": "one", "propertyType": "Radio", "name": "单选", "options": ["A", {"code": "OLD", "name": "旧", "disabled": true}]},
		{"code": "drop", "propertyType": "Dropdown", "name": "下拉", "dictionary": "ages"},
		{"code": "drop2", "propertyType": "Dropdown", "name": "下拉二", "dictionary": "ages", "defaultValue": "'OLD'"},
		{"code": "some", "propertyType": "Checkbox", "name": "多选", "dictionary": "ages"},
		{"code": "more", "propertyType": "DropdownMulti", "name": "下拉多选", "dictionary": "ages"},
		{"code": "parties", "propertyType": "StaffDeptMix", "name": "各方"},
		{"code": "staff", "propertyType": "StaffMulti", "name": "下属", "staffFilter": "admin"},
		{"code": "place", "propertyType": "Address", "name": "地点"},`, 1)
	docs["dictionaries/ages.json"] = `{"name": "年代", "items": ["A", {"code": "OLD", "name": "旧", "disabled": true}]}`
	docs["access/clerk.json"] = strings.Replace(docs["access/clerk.json"], `"models": [`, `"models": [
		{"schemaCode": "user", "actions": ["view", "edit"], "rows": "all", "editRows": "username == 'clerk'"},`, 1)
	docs["forms/narrow.json"] = `{"schemaCode": "order", "items": ["title", "kind", {"propertyCode": "detail", "condition": "code != 'A2'"},
		{"propertyCode": "customer", "condition": "title == form.title"}, {"propertyCode": "lines", "childColumns": ["item", {"propertyCode": "supplier", "condition": "title != 'small'"}]}]}`
}

// TestChoices: what a condition does not offer is refused on every write with its field; a form adds its own conditions; what
// is stored is asked again only when it or what its condition depends on changes.
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

		hidden := w.save(w.boss, "customer", "", 0, `{"title": "hidden", "limit": "5", "secret": "s"}`).ID
		if _, err := w.try(w.clerk, "order", "", 0, `{"title": "x", "customer": "`+hidden+`"}`); explain(err) != "customer 302009; " {
			t.Errorf("of what is not seen nothing more is said: %s", explain(err))
		}

		narrow := func(text string) string {
			_, err := w.w.Save(t.Context(), w.boss, change("order", "narrow", text, ""))
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

// TestDisabledOptions: an option that was switched off stays; nobody chooses it again, by any type of choice.
func TestDisabledOptions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for text, want := range map[string]string{
			`{"title": "x", "one": "A", "drop": "A", "some": ["A"], "more": ["A"]}`:             "ok",
			`{"title": "x", "one": "OLD"}`:                                                      "one 302037; ",
			`{"title": "x", "one": "旧"}`:                                                        "one 302037; ",
			`{"title": "x", "drop": "OLD"}`:                                                     "drop 302037; ",
			`{"title": "x", "some": ["A", "OLD"]}`:                                              "some 302037; ",
			`{"title": "x", "more": ["OLD"]}`:                                                   "more 302037; ",
			`{"title": "x", "lines": [{"item": "a", "age": "A"}, {"item": "b", "age": "OLD"}]}`: "lines.age 302037; ",
		} {
			if _, err := w.try(w.boss, "order", "", 0, text); explain(err) != want {
				t.Errorf("%s: %s, not %s", text, explain(err), want)
			}
		}

		o := w.save(w.system(), "order", "", 0, `{"title": "x", "one": "OLD", "some": ["OLD"], "lines": [{"item": "a", "age": "OLD"}]}`) // as initial data has it
		o = w.save(w.boss, "order", o.ID, o.Version, `{"title": "y"}`)
		o = w.save(w.boss, "order", o.ID, o.Version, `{"one": "OLD", "some": ["A", "OLD"]}`)
		o = w.save(w.boss, "order", o.ID, o.Version, `{"one": "A"}`)
		row := w.read("order.lines", plan.True, "id")
		o = w.save(w.boss, "order", o.ID, o.Version, `{"lines": [{"id": "`+row[0]+`", "item": "b", "age": "OLD"}]}`)
		if _, err := w.try(w.boss, "order", o.ID, o.Version, `{"one": "OLD"}`); explain(err) != "one 302037; " {
			t.Errorf("once it is gone it does not come back: %s", explain(err))
		}
		back := record.Change{Model: "order", ID: o.ID, Version: &o.Version, Set: set(`{"one": "OLD"}`), Undoes: true}
		if _, err := w.w.Save(t.Context(), w.boss, back); err != nil {
			t.Errorf("who takes a change back chooses nothing: %s", explain(err))
		}
		same(t, w.read("order", id(o.ID), "one", "drop2"), "OLD | <nil>")
	}, withChoices, func(docs map[string]string, _ *pack.Set) {
		docs["models/order.json"] = strings.Replace(docs["models/order.json"], `"maxRows": 5, "properties": [`, `"maxRows": 5, "properties": [
			{"code": "age", "propertyType": "Dropdown", "name": "年代", "dictionary": "ages"},`, 1)
	})
}

// TestForgedEntries: an entry that calls a person a department, or has keys that entries do not have, is refused with its field;
// so is a person whom the writer does not administer where the field asks for that.
func TestForgedEntries(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		unit := w.save(w.boss, "department", "", 0, `{"name": "一处"}`).ID
		person, department := `{"id": "`+w.clerkID+`", "type": `, `{"id": "`+unit+`", "type": `
		for text, want := range map[string]string{
			`{"title": "x", "parties": [` + person + `3}, ` + department + `1}]}`:         "ok",
			`{"title": "x", "parties": ["` + w.clerkID + `", "` + unit + `"]}`:            "ok",
			`{"title": "x", "parties": [` + person + `1}]}`:                               "parties 302009; ",
			`{"title": "x", "parties": [` + person + `3}, ` + department + `3}]}`:         "parties 302009; ",
			`{"title": "x", "parties": [` + person + `2}]}`:                               "parties 302005; ",
			`{"title": "x", "parties": [` + person + `3, "roles": "boss"}]}`:              "parties 302005; ",
			`{"title": "x", "agent": ` + person + `1}}`:                                   "agent 302005; ",
			`{"title": "x", "place": {"code": "11", "detail": "1 号", "province": "北京市"}}`: "ok",
			`{"title": "x", "place": {"code": "11", "street": "1 号"}}`:                    "place 302005; ",
			`{"title": "x", "place": {"code": "11", "province": {"name": "x"}}}`:          "place 302005; ",
		} {
			if _, err := w.try(w.boss, "order", "", 0, text); explain(err) != want {
				t.Errorf("%s: %s, not %s", text, explain(err), want)
			}
		}
		o := w.save(w.boss, "order", "", 0, `{"title": "x", "parties": [`+person+`3}]}`)
		if _, err := w.try(w.boss, "order", o.ID, o.Version, `{"parties": [`+person+`1}]}`); explain(err) != "parties 302009; " {
			t.Errorf("one that stands is called a department: %s", explain(err))
		}

		for staff, want := range map[string]string{w.clerkID: "ok", w.bossID: "staff 302018; ", w.clerkID + ";" + w.bossID: "staff 302018; "} {
			if _, err := w.try(w.clerk, "order", "", 0, `{"title": "x", "staff": "`+staff+`"}`); explain(err) != want {
				t.Errorf("%s chosen by one who may edit the clerk only: %s, not %s", staff, explain(err), want)
			}
		}
		mine := w.save(w.clerk, "order", "", 0, `{"title": "x"}`)
		mine = w.save(w.boss, "order", mine.ID, mine.Version, `{"staff": ["`+w.bossID+`"]}`)
		w.save(w.clerk, "order", mine.ID, mine.Version, `{"staff": ["`+w.bossID+`", "`+w.clerkID+`"]}`) // who stands stays
	}, withChoices)
}

// TestRemovedOptionsStay: options that were removed stay in the records and rows that have them, also beside others, and come to no other.
func TestRemovedOptionsStay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		o := w.save(w.boss, "order", "", 0, `{"title": "t", "one": "A", "some": ["A"], "lines": [{"item": "a"}, {"item": "b"}]}`)
		line := w.read("order.lines", plan.True, "id")
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := tx.Update(t.Context(), w.c.Model("order"), o.ID, -1, plan.True, map[string]any{"one": "gone", "some": []string{"A", "gone"}})
			if err != nil {
				return err
			}
			_, err = tx.Update(t.Context(), w.c.Model("order").Field("lines").Sheet, line[0], -1, plan.True, map[string]any{"marks": []string{"gone"}})
			return err
		}))
		o.Version++
		for _, c := range [][2]string{
			{`{"one": "gone", "some": ["OLD", "gone"]}`, "some 302037; "},
			{`{"one": "gone", "some": ["gone", "A"]}`, "ok"},
			{`{"some": ["gone"]}`, "ok"},
			{`{"some": ["gone", "never"]}`, "some 302008; "},
			{`{"lines": [{"id": "` + line[0] + `", "marks": ["A", "gone"]}, {"id": "` + line[1] + `"}]}`, "ok"},
			{`{"lines": [{"id": "` + line[0] + `"}, {"id": "` + line[1] + `", "marks": ["gone"]}]}`, "lines.marks 302008; "},
			{`{"lines": [{"id": "` + line[0] + `"}, {"marks": ["gone"]}]}`, "lines.marks 302008; "},
			{`{"one": "A", "some": []}`, "ok"},
			{`{"one": "gone"}`, "one 302008; "},
			{`{"some": ["gone"]}`, "some 302008; "},
		} {
			saved, err := w.try(w.boss, "order", o.ID, o.Version, c[0])
			if err == nil {
				o.Version = saved.Version
			}
			if explain(err) != c[1] {
				t.Errorf("%s: %s, not %s", c[0], explain(err), c[1])
			}
		}
		if got := w.read("order.lines", plan.True, "marks"); !slices.Contains(got, "[A gone]") {
			t.Errorf("the row has %v", got)
		}
	}, withChoices, func(docs map[string]string, _ *pack.Set) {
		docs["models/order.json"] = strings.Replace(docs["models/order.json"], `{"code": "supplier"`, `{"code": "marks", "propertyType": "Checkbox", "name": "记号", "options": ["A", "B"]}, {"code": "supplier"`, 1)
	})
}
