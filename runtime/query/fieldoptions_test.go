package query_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// offered are the names that a picker shows, and what choosing each fills in.
func (w *world) offered(view *authz.View, req query.OptionsRequest, form string) string {
	w.t.Helper()
	req.SchemaCode, req.Size = "lot", 20
	if form != "" {
		must(w.t, json.Unmarshal([]byte(form), &req.Form))
	}
	got, err := w.FieldOptions(w.t.Context(), view, req)
	must(w.t, err)
	var out []string
	for _, e := range got.Content {
		out = append(out, strings.TrimSpace(e.Name+" "+string(e.Fill)))
	}
	if int(got.Total) != len(out) {
		w.t.Errorf("total %d of %v", got.Total, out)
	}
	return strings.Join(out, ", ")
}

func TestOffers(t *testing.T) {
	c := catalogOf(t, "testdata/choices.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.organise()
		w.put("supplier", map[string]values{"one": {"title": "One", "region": "north", "rate": 3, "agent": "boss", "secret": "s"},
			"two": {"title": "Two", "region": "north", "rate": 9}, "three": {"title": "Three", "region": "south", "rate": 9},
			"hidden": {"title": "Hidden", "region": "north", "rate": 9, "owner": "boss"}})
		w.put("lot", map[string]values{"a": {"region": "north"}})
		clerk, blind, chief := w.rights("clerk", "clerk"), w.rights("clerk", "blind"), w.rights("boss", "chief")
		agent := fmt.Sprintf(`"agent":{"id":"%s","name":"李娜","imgUrl":null,"type":3}`, id("boss"))
		for _, x := range []struct {
			name string
			view *authz.View
			req  query.OptionsRequest
			form string
			want string
		}{
			{"a list's filter knows no form", clerk, query.OptionsRequest{PropertyCode: "supplier"}, "", "one, three, two"},
			{"the model's condition and fill, as far as the caller may read", clerk, query.OptionsRequest{PropertyCode: "supplier"}, `{"region": "north"}`,
				`one {"rate":"3",` + agent + `}, two {"rate":"9","agent":null}`},
			{"nothing fits an empty value", clerk, query.OptionsRequest{PropertyCode: "supplier"}, `{"region": null}`, ""},
			{"nor one that cannot be read", clerk, query.OptionsRequest{PropertyCode: "supplier"}, `{"region": {"x": 1}}`, ""},
			{"the form adds a condition and replaces fill", clerk, query.OptionsRequest{PropertyCode: "supplier", SheetCode: "lot"}, `{"region": "north"}`, `two {"rate":"9"}`},
			{"what the form does not show comes from the record", clerk, query.OptionsRequest{PropertyCode: "supplier", SheetCode: "lot", ObjectID: id("a")}, `{}`, `two {"rate":"9"}`},
			{"unless the caller may not read it", blind, query.OptionsRequest{PropertyCode: "supplier", SheetCode: "lot", ObjectID: id("a")}, `{}`, ""},
			{"in a row, its values come before the record's", clerk, query.OptionsRequest{PropertyCode: "items.source"}, `{"price": "5", "region": "north"}`, `two {"price":"9"}`},
			{"a keyword narrows further", clerk, query.OptionsRequest{PropertyCode: "supplier", Keyword: "tw"}, `{"region": "north"}`, `two {"rate":"9","agent":null}`},
			{"options", clerk, query.OptionsRequest{PropertyCode: "detail"}, `{"kind": "A"}`, "A one, A two"},
			{"options in a form", clerk, query.OptionsRequest{PropertyCode: "detail", SheetCode: "lot"}, `{"kind": "A"}`, "A one"},
			{"options without a value", clerk, query.OptionsRequest{PropertyCode: "detail"}, `{}`, ""},
			{"people whom nobody but others administer", clerk, query.OptionsRequest{PropertyCode: "staff"}, "", ""},
			{"people whose records the caller may edit", chief, query.OptionsRequest{PropertyCode: "staff"}, "", "张伟"},
			{"found by a word", chief, query.OptionsRequest{PropertyCode: "staff", Keyword: "li"}, "", ""},
			{"those of some", chief, query.OptionsRequest{PropertyCode: "staff", IDs: []string{id("boss"), id("clerk")}}, "", "张伟"},
			{"for mixed fields too", chief, query.OptionsRequest{PropertyCode: "parties", Kind: "user"}, "", "张伟"},
			{"departments that nobody may edit", chief, query.OptionsRequest{PropertyCode: "parties", Kind: "department"}, "", ""},
			{"departments that a filter compares people with", chief, query.OptionsRequest{PropertyCode: "staff", Kind: "department"}, "", "分部, 总部"},
			{"options without a condition, disabled ones left out", clerk, query.OptionsRequest{PropertyCode: "kind"}, `{}`, "A, A one, A two"},
		} {
			w.t = t
			if got := w.offered(x.view, x.req, x.form); got != x.want {
				t.Errorf("%s: %s, not %s", x.name, got, x.want)
			}
		}
		load, err := w.FormLoad(t.Context(), clerk, query.FormRequest{SchemaCode: "lot", ObjectID: id("a")})
		must(t, err)
		settings := map[string]string{}
		for _, f := range load.Form.Fields {
			settings[f.PropertyCode] = fmt.Sprint(f.Settings["narrowedBy"], f.Settings["fills"])
			for _, child := range f.Children {
				settings["items."+child.PropertyCode] = fmt.Sprint(child.Settings["narrowedBy"], child.Settings["fills"])
			}
		}
		for code, want := range map[string]string{"kind": "<nil> <nil>", "detail": "[kind] <nil>", "supplier": "[region] true", "items.source": "[price region] true", "rate": "<nil> <nil>"} {
			if settings[code] != want {
				t.Errorf("settings of %s: %s, not %s", code, settings[code], want)
			}
		}
	})
}
