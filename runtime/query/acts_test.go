package query_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// actedRow is a row with what may be done with it.
type actedRow struct {
	ID      string   `json:"id"`
	Actions []string `json:"actions"`
}

// TestActs: each call that answers records that can be edited says of one that a workflow approved that it cannot be, and of the others that they can.
func TestActs(t *testing.T) {
	c := catalogOf(t, "testdata/acts.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.organise()
		w.put("lot", map[string]values{"above": {"part": "A", "workflowInstanceId": id("flow"), "sequenceStatus": "COMPLETED"}, "other": {"part": "B"}})
		w.put("lot", map[string]values{"below": {"part": "AA", "parent": "above", "workflowInstanceId": id("flow"), "sequenceStatus": "COMPLETED"}, "free": {"part": "AB", "parent": "other"}})
		w.LetSeal(func(_ context.Context, _ *store.Tx, _ *authz.View, _ string, ids []string) (map[string]*query.Seal, error) {
			out := map[string]*query.Seal{}
			for _, one := range ids {
				if one == id("above") || one == id("below") {
					out[one] = &query.Seal{}
				}
			}
			return out, nil
		})
		view := w.rights("clerk", "all")
		for name, answer := range w.answersOfRows(view) {
			if len(answer) == 0 {
				t.Errorf("%s answers nothing", name)
			}
			for _, row := range answer {
				sealed := row.ID == id("above") || row.ID == id("below")
				if slices.Contains(row.Actions, "edit") == sealed {
					t.Errorf("%s offers %v on %s (approved: %v)", name, row.Actions, row.ID, sealed)
				}
			}
		}
	})
}

// answersOfRows are the answers of all calls whose rows are drawn with buttons.
func (w *world) answersOfRows(view *authz.View) map[string][]actedRow {
	w.t.Helper()
	out := map[string][]actedRow{}
	list := func(name string, req query.ListRequest) {
		req.SchemaCode = "lot"
		data, err := w.List(w.t.Context(), view, req)
		must(w.t, err)
		var page struct{ Content, Ancestors []actedRow }
		must(w.t, json.Unmarshal(data, &page))
		if req.Ancestors {
			out[name+", above"] = page.Ancestors
		}
		out[name] = page.Content
	}
	first := ""
	list("a list, a Gantt chart, related records", query.ListRequest{})
	list("the first level of a tree", query.ListRequest{ParentID: &first})
	list("what is found in a tree", query.ListRequest{Keyword: "below", Ancestors: true})
	below, by := id("above"), id("other")
	list("a level of a tree", query.ListRequest{ParentID: &below})
	list("another level of a tree", query.ListRequest{ParentID: &by})
	data, err := w.SkipList(w.t.Context(), view, query.SkipRequest{ListRequest: query.ListRequest{SchemaCode: "lot"}})
	must(w.t, err)
	var page struct{ Content []actedRow }
	must(w.t, json.Unmarshal(data, &page))
	out["a list in one go"] = page.Content
	for _, key := range []string{"above", "free"} {
		form, err := w.FormLoad(w.t.Context(), view, query.FormRequest{SchemaCode: "lot", ObjectID: id(key)})
		must(w.t, err)
		one := actedRow{ID: id(key)}
		if slices.Contains(form.Actions, "save") {
			one.Actions = []string{"edit"}
		}
		out["the form"] = append(out["the form"], one)
	}
	return out
}
