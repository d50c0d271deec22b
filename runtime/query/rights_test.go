package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// page is a ListPage as a client reads it.
type page struct {
	Content []struct {
		ID      string
		Data    map[string]any
		Actions []string
		Leaf    *bool
	}
	TotalElements  int
	Aggregates     map[string]any
	Next, Previous *string
}

func (w *world) list(view *authz.View, req query.ListRequest) (page, error) {
	if req.SchemaCode == "" {
		req.SchemaCode = "lot"
	}
	var p page
	data, err := w.List(w.t.Context(), view, req)
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	return p, err
}

// parts are the parts of a page's lots, in order.
func (p page) parts() string {
	var out []string
	for _, r := range p.Content {
		out = append(out, fmt.Sprint(r.Data["part"]))
	}
	return strings.Join(out, "")
}

// secrets is a world whose rows differ in owner, result and contract.
func secrets(t *testing.T, f func(t *testing.T, w *world)) {
	each(t, func(t *testing.T, w *world) { w.fill(true); f(t, w) })
}

// TestNotGranted: what is not granted answers as what is not there.
func TestNotGranted(t *testing.T) {
	secrets(t, func(t *testing.T, w *world) {
		nosy, clerk := w.rights("nosy", "nosy"), w.rights("clerk", "clerk")
		if _, err := w.Menu(nosy, "world", false); fault.Of(err) != fault.AppNotFound || len(w.Apps(nosy)) != 0 || len(w.Apps(clerk)) != 1 {
			t.Errorf("the menu of an application that is not granted: %v", err)
		}
		for of, want := range map[[2]string]fault.Code{{"lot", "result"}: 0, {"lot", "price"}: fault.FieldUnknown, {"lot.items", "item"}: fault.ModelNotFound,
			{"vault", "code"}: fault.ModelNotFound, {"ghost", "code"}: fault.ModelNotFound} {
			_, err := w.FieldOptions(t.Context(), clerk, query.OptionsRequest{SchemaCode: of[0], PropertyCode: of[1]})
			if got := fault.Of(err); err == nil && want != 0 || err != nil && got != want {
				t.Errorf("options of %v: %v, want %d", of, err, want)
			}
		}
	})
}

// TestOffered: what a grant gives on no record at all is not offered, as to somebody of no department where a condition asks for one.
func TestOffered(t *testing.T) {
	secrets(t, func(t *testing.T, w *world) {
		for _, x := range []struct {
			departments []string
			actions     []string
			recycle     bool
			form        fault.Code
		}{
			{[]string{"branch"}, []string{"add", "delete"}, true, 0},
			{nil, nil, false, fault.NoAddPermission},
		} {
			who := principal.Principal{UserID: id("clerk"), Name: "clerk", Roles: []string{"branch"}, Locale: "en", Departments: x.departments, DepartmentTree: x.departments}
			view := w.policy.View(who, now, zone)
			cfg, err := w.Config(view, "lot", "lot")
			must(t, err)
			var actions []string
			for _, a := range cfg.Actions {
				actions = append(actions, a.ActionCode)
			}
			if !slices.Equal(actions, x.actions) || cfg.Recycle != x.recycle {
				t.Errorf("departments %v: buttons %v, recycle bin %t", x.departments, actions, cfg.Recycle)
			}
			_, err = w.FormLoad(t.Context(), view, query.FormRequest{SchemaCode: "lot"})
			if got := fault.Of(err); err == nil && x.form != 0 || err != nil && got != x.form {
				t.Errorf("departments %v: a new record's form: %v", x.departments, err)
			}
		}
	})
}

// TestRelationsOfRowsThatAreHidden: a filter on a relation inside a sub-table sees a hidden record as none at all.
func TestRelationsOfRowsThatAreHidden(t *testing.T) {
	secrets(t, func(t *testing.T, w *world) {
		for _, x := range []struct{ role, op, operand, want string }{
			{"clerk", "Equal", id("c1"), "A"},
			{"clerk", "Equal", id("h1"), ""}, // a row of A has it
			{"clerk", "Equal", id("h2"), ""},
			{"clerk", "IsNull", "", "AB"}, // the relations of one row of A and of that of B are hidden
			{"clerk", "NotEqual", id("h1"), "ABDE"},
			{"auditor", "Equal", id("h1"), "A"}, // whose own contract it is
		} {
			view := w.rights(map[string]string{"auditor": "boss"}[x.role], x.role)
			if x.role == "clerk" {
				view = w.rights("clerk", "clerk")
			}
			p, err := w.list(view, query.ListRequest{Filters: []query.Filter{filter("items.source", x.op, x.operand)}})
			if err != nil || p.parts() != x.want {
				t.Errorf("%s: items.source %s %s finds %q, not %q: %v", x.role, x.op, x.operand, p.parts(), x.want, err)
			}
		}
	})
}

// TestRolesThatDiffer: with two roles a cell shows only where one role shows both the row and the field; filter, sort and
// sum see no more than the cell.
func TestRolesThatDiffer(t *testing.T) {
	secrets(t, func(t *testing.T, w *world) {
		view := w.rights("clerk", "clerk", "boss")
		all, err := w.list(view, query.ListRequest{})
		must(t, err)
		// own rows A B D E and, through boss, those with the result OK: X (part A) too. y and z are seen by nobody.
		if got := all.parts(); got != "AABDE" || all.TotalElements != 5 {
			t.Errorf("rows %s, total %d", got, all.TotalElements)
		}
		prices := map[string]any{}
		for _, r := range all.Content {
			prices[r.ID] = r.Data["price"]
		}
		want := map[string]any{id("a"): "5", id("x"): "7", id("b"): nil, id("d"): "200", id("e"): nil}
		if fmt.Sprint(prices) != fmt.Sprint(want) {
			t.Errorf("prices %v, want %v", prices, want)
		}
		if all.Aggregates["price"] != "212" {
			t.Errorf("the sum is %v: it counts the hidden 500 of B", all.Aggregates["price"])
		}
		for _, x := range []struct {
			filter query.Filter
			want   string
		}{
			{filter("price", "Equal", "500"), ""}, {filter("price", "GreaterThan", "6"), "AD"}, {filter("price", "IsNull", nil), "BE"},
			{filter("price", "NotEqual", "5"), "ABDE"}, {filter("items", "IsNull", nil), "ADE"}, {filter("items.item", "Equal", "i"), "A"},
		} {
			p, err := w.list(view, query.ListRequest{Filters: []query.Filter{x.filter}})
			if must(t, err); p.parts() != x.want {
				t.Errorf("%s %s gives %s, want %s", x.filter.PropertyCode, x.filter.QueryFilterType, p.parts(), x.want)
			}
		}
		sorted, err := w.list(view, query.ListRequest{OrderByFields: []string{"price"}, OrderType: 2})
		if must(t, err); sorted.parts() != "DAAEB" && sorted.parts() != "DAABE" {
			t.Errorf("by price: %s", sorted.parts())
		}
	})
}

// TestRuleThroughHiddenRelation: a row rule looks at related records as they are, whether or not the caller sees them and
// whatever the list shows of them.
func TestRuleThroughHiddenRelation(t *testing.T) {
	secrets(t, func(t *testing.T, w *world) {
		view := w.rights("clerk", "auditor")
		p, err := w.list(view, query.ListRequest{Size: number(50)})
		must(t, err)
		if strings.Contains(p.parts(), "B") { // B's contract is closed, and hidden from the clerk
			t.Errorf("rows %s hold B", p.parts())
		}
		if p.TotalElements != 6 {
			t.Errorf("rows %s", p.parts())
		}
		explained, err := w.Explain(t.Context(), view, "lot")
		if must(t, err); !strings.Contains(explained, "access/auditor.json") || !strings.Contains(explained, "SELECT") {
			t.Errorf("explain says\n%s", explained)
		}
	})
}

// TestPeople: names of people are open, what else is known of them follows the rights to the model user.
func TestPeople(t *testing.T) {
	secrets(t, func(t *testing.T, w *world) {
		view := w.rights("clerk", "clerk")
		if _, err := w.list(view, query.ListRequest{Filters: []query.Filter{filter("inspector.mobile", "Equal", "222")}}); fault.Of(err) != fault.FieldUnknown {
			t.Errorf("a mobile can be guessed: %v", err)
		}
		found, err := w.FieldOptions(t.Context(), view, query.OptionsRequest{SchemaCode: "lot", PropertyCode: "inspector", Keyword: "zw", Size: 20})
		if must(t, err); found.Total != 1 || found.Content[0].Name != "张伟" {
			t.Errorf("zw finds %+v", found)
		}
		if found, err = w.FieldOptions(t.Context(), view, query.OptionsRequest{SchemaCode: "lot", PropertyCode: "inspector", Keyword: "wangfang", Size: 20}); err != nil || found.Total != 0 {
			t.Errorf("a disabled person is offered: %+v %v", found, err)
		}
		of := query.ListRequest{Filters: []query.Filter{filter("unit", "", id("head"))}} // the list's operator: Of
		p, err := w.list(view, of)
		if must(t, err); p.parts() != "AD" {
			t.Errorf("units of the head and below: %s", p.parts())
		}
	})
}

// TestRightSet lists, for each role, every property that list, form and data items name. A change of it is a change of
// rights.
func TestRightSet(t *testing.T) {
	secrets(t, func(t *testing.T, w *world) {
		for _, x := range []struct{ role, hidden string }{{"clerk", "price"}, {"boss", "items"}} {
			view := w.rights("clerk", x.role)
			items, err := w.DataItems(view, "lot", "")
			must(t, err)
			config, err := w.Config(view, "lot", "")
			must(t, err)
			form, err := w.FormLoad(t.Context(), view, query.FormRequest{SchemaCode: "lot", ObjectID: id("a")})
			must(t, err)
			var codes []string
			for _, i := range items {
				codes = append(codes, i.PropertyCode)
			}
			for _, c := range config.Columns {
				codes = append(codes, c.PropertyCode)
			}
			for _, c := range config.Conditions {
				codes = append(codes, c.PropertyCode)
			}
			for _, f := range form.Form.Fields {
				codes = append(codes, f.PropertyCode)
			}
			if slices.Contains(codes, x.hidden) || strings.Contains(string(form.Data), `"`+x.hidden+`"`) {
				t.Errorf("%s is told of %s", x.role, x.hidden)
			}
			if !slices.Contains(codes, "part") {
				t.Errorf("%s is not told of part", x.role)
			}
		}
		nobody := w.policy.View(principal.Principal{}, now, zone)
		for _, c := range calls(w) {
			if got := c.answer(w, nobody); !strings.HasPrefix(got, "fault") && got != "[]" {
				t.Errorf("somebody unknown gets %s from %s", got, c.name)
			}
		}
	})
}

// TestWhoWrote: the history names nobody to those who may not read who made or changed the record.
func TestWhoWrote(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.organise()
		w.put("lot", map[string]values{"a": {"part": "A"}})
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Create([]record.History{
				{ID: id("1"), Model: "lot", Record: id("a"), Version: 1, Kind: record.Created, UserID: id("boss"), Name: "李娜", Dept: id("head"), At: now, Changes: "{}"},
				{ID: id("2"), Model: "lot", Record: id("a"), Version: 2, Kind: record.Updated, UserID: id("clerk"), Name: "张伟", Dept: id("branch"), At: now, Changes: "{}"},
			}).Error
		}))
		for role, want := range map[string]string{"clerk": "张伟 分部, 李娜 总部, ", "stranger": "- -, 李娜 总部, "} {
			page, err := w.History(t.Context(), w.rights("clerk", role), query.HistoryRequest{SchemaCode: "lot", BizObjectID: id("a")})
			must(t, err)
			got := ""
			for _, e := range page.Content {
				for _, s := range []*string{e.Creator, e.Department} {
					if s == nil {
						got += "- "
					} else {
						got += *s + " "
					}
				}
				got = got[:len(got)-1] + ", "
			}
			if got != want {
				t.Errorf("%s reads %q, want %q", role, got, want)
			}
		}
	})
}

// TestSearchable: the plan of a list says whether the keyword search of its records works for the caller.
func TestSearchable(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for role, want := range map[string]bool{"clerk": true, "boss": true, "stranger": false} {
			view := w.rights("clerk", role)
			config, err := w.Config(view, "lot", "")
			must(t, err)
			_, err = w.List(t.Context(), view, query.ListRequest{SchemaCode: "lot", Keyword: "a"})
			if config.Searchable != want || (err == nil) != want {
				t.Errorf("%s: searchable %v, the search answers %v", role, config.Searchable, err)
			}
		}
	})
}

// TestTreeOrder: rows of a tree are dragged where a number that the caller writes keeps their order, and nowhere else.
func TestTreeOrder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, x := range []struct{ list, role, want string }{
			{"lot_order", "clerk", "quantity"}, {"lot_order", "chief", "quantity"},
			{"lot_order", "auditor", ""},                                                  // who only reads it
			{"lot_down", "clerk", ""}, {"lot_unshown", "clerk", ""}, {"lot", "clerk", ""}, // downwards; not there; a plain table
		} {
			config, err := w.Config(w.rights("clerk", x.role), "lot", x.list)
			must(t, err)
			got := ""
			if config.Presentation.Order != nil {
				got = *config.Presentation.Order
			}
			if got != x.want {
				t.Errorf("%s in %s drags by %q, want %q", x.role, x.list, got, x.want)
			}
		}
	})
}
