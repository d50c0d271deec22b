package query_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestRowKinds: the popup of a sub-table filters its rows by texts, numbers, yes and no, people, departments and dates.
func TestRowKinds(t *testing.T) {
	c := catalogOf(t, "testdata/sheetkinds.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.organise()
		noon := func(day int) time.Time { return time.Date(2026, 11, day, 12, 0, 0, 0, zone) }
		w.put("lot", map[string]values{
			"other": {"items": []values{{"item": "of another record", "ok": true, "by": "clerk", "unit": "head", "day": "2026-11-02"}}},
			"lot": {"items": []values{
				{"item": "a", "note": "first pour", "rate": 1, "ok": true, "by": "clerk", "crew": []string{"clerk", "boss"}, "unit": "head",
					"units": []string{"head"}, "informed": []string{id("boss"), id("branch")}, "day": "2026-11-01", "at": noon(1)},
				{"item": "b", "note": "second pour", "rate": 2, "ok": false, "by": "boss", "crew": []string{"boss"}, "unit": "branch",
					"units": []string{"head", "branch"}, "informed": []string{id("clerk")}, "day": "2026-11-02", "at": noon(2)},
				{"item": "c", "note": "curing", "rate": 3, "by": "gone", "day": "2026-11-30", "at": noon(30)},
				{"item": "d"},
			}}})
		view := w.rights("clerk", "all")
		for _, x := range []struct {
			name    string
			filters []query.Filter
			want    string
		}{
			{"short text", []query.Filter{filter("item", "Contains", "B")}, "b"},
			{"long text", []query.Filter{filter("note", "Contains", "pour")}, "a b"},
			{"number", []query.Filter{filter("rate", "Between", "2;3")}, "b c"},
			{"yes", []query.Filter{filter("ok", "Equal", "true")}, "a"},
			{"no; nothing said is not no", []query.Filter{filter("ok", "Equal", "false")}, "b"},
			{"person", []query.Filter{filter("by", "Have", id("clerk"))}, "a"},
			{"one of people", []query.Filter{filter("by", "In", id("clerk")+";"+id("gone"))}, "a c"},
			{"among people", []query.Filter{filter("crew", "Have", id("clerk"))}, "a"},
			{"people of a department and below", []query.Filter{filter("by", "Of", id("branch"))}, "a"},
			{"department", []query.Filter{filter("unit", "Have", id("branch"))}, "b"},
			{"department and below", []query.Filter{filter("unit", "Of", id("head"))}, "a b"},
			{"among departments", []query.Filter{filter("units", "Have", id("branch"))}, "b"},
			{"people and departments", []query.Filter{filter("informed", "Have", id("branch"))}, "a"},
			{"days", []query.Filter{filter("day", "Between", "2026-11-02;2026-11-30")}, "b c"},
			{"from a day", []query.Filter{filter("day", "Between", "2026-11-02;")}, "b c"},
			{"to a day", []query.Filter{filter("day", "Between", ";2026-11-01")}, "a"},
			{"instants within days", []query.Filter{filter("at", "Between", "2026-11-02;2026-11-02")}, "b"},
			{"several kinds at once", []query.Filter{filter("unit", "Of", id("head")), filter("ok", "Equal", "false"), filter("day", "Between", "2026-11-01;2026-11-30")}, "b"},
			{"none", []query.Filter{filter("by", "Have", id("nobody"))}, ""},
		} {
			got, total, err := w.sheetItems(view, x.filters)
			if err != nil || got != x.want || total != len(strings.Fields(x.want)) {
				t.Errorf("%s: %q of %d (%v), want %q", x.name, got, total, err, x.want)
			}
		}
		for name, wrong := range map[string]query.Filter{"a word for a number": filter("rate", "Between", "x;3"), "a word for yes": filter("ok", "Equal", "perhaps"),
			"a day that is none": filter("day", "Between", "2026-02-30;2026-03-01")} {
			if _, _, err := w.sheetItems(view, []query.Filter{wrong}); fault.Of(err) != fault.FilterValue {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// sheetItems are the items of the rows of the lot's sub-table that filters leave, and how many the answer says.
func (w *world) sheetItems(view *authz.View, filters []query.Filter) (string, int, error) {
	data, err := w.SheetRows(w.t.Context(), view, query.SheetRequest{SchemaCode: "lot", ObjectID: id("lot"), PropertyCode: "items", Size: 20, Filters: filters})
	if err != nil {
		return "", 0, err
	}
	var page struct {
		Content       []struct{ Item string }
		TotalElements int
	}
	must(w.t, json.Unmarshal(data, &page))
	var items []string
	for _, row := range page.Content {
		items = append(items, row.Item)
	}
	return strings.Join(items, " "), page.TotalElements, nil
}
