package query_test

import (
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/query"
)

// TestCursorsEqualPages walks results with empty and equal sort keys forwards and backwards by cursor, and compares each
// page with the one of the same number.
func TestCursorsEqualPages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.organise()
		lots := map[string]values{}
		for i := range 23 {
			v := values{"part": fmt.Sprintf("P%02d", i%7)}
			if i%3 > 0 {
				v["quantity"] = i % 4
			}
			if i%4 > 0 {
				v["inspector"] = []string{"", "clerk", "boss", "gone"}[i%4]
			}
			lots[fmt.Sprintf("%02d", i)] = v
		}
		w.put("lot", lots)
		view := w.rights("clerk", "clerk")
		for _, sort := range [][]string{nil, {"part"}, {"quantity"}, {"quantity", "part"}, {"inspector"}, {"result"}, {"contract"}, {"createdTime", "quantity"}} {
			for _, direction := range []int{1, 2} {
				req := query.ListRequest{OrderByFields: sort, OrderType: direction, Size: number(5)}
				w.walk(t, fmt.Sprint(sort, direction), func(page int, cursor *string) (page, error) {
					req.Page, req.Cursor = page, cursor
					return w.list(view, req)
				})
			}
		}
	})
}

func (w *world) walk(t *testing.T, name string, read func(number int, cursor *string) (page, error)) {
	t.Helper()
	var pages []page
	seen := map[string]bool{}
	for n := 0; n < 5; n++ {
		p, err := read(n, nil)
		must(t, err)
		pages = append(pages, p)
		for _, r := range p.Content {
			seen[r.ID] = true
		}
	}
	if len(seen) != 23 || pages[0].Previous != nil || pages[4].Next != nil || pages[0].TotalElements != 23 {
		t.Errorf("%s: %d rows in pages, total %d", name, len(seen), pages[0].TotalElements)
	}
	ids := func(p page) string {
		out := ""
		for _, r := range p.Content {
			out += r.ID + " "
		}
		return out
	}
	at := pages[0]
	step := func(n int, cursor *string) {
		if cursor == nil {
			t.Fatalf("%s: no cursor to page %d", name, n)
		}
		p, err := read(n, cursor)
		must(t, err)
		if at = p; ids(p) != ids(pages[n]) {
			t.Errorf("%s: page %d by cursor\n%s\nby number\n%s", name, n, ids(p), ids(pages[n]))
		}
	}
	for n := 1; n < 5; n++ {
		step(n, at.Next)
	}
	if at.Next != nil {
		t.Errorf("%s: the last page has a next one", name)
	}
	for n := 3; n >= 0; n-- {
		step(n, at.Previous)
	}
	if at.Previous != nil {
		t.Errorf("%s: the first page has one before it", name)
	}
}

// TestCursorIsBound: a cursor serves the query and the person that it was made for, and no changed one.
func TestCursorIsBound(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fill(false)
		req := query.ListRequest{Size: number(1)}
		first, err := w.list(w.rights("clerk", "clerk"), req)
		must(t, err)
		req.Cursor = first.Next
		second, err := w.list(w.rights("clerk", "clerk"), req)
		if must(t, err); second.parts() != "B" {
			t.Errorf("the next page is %s", second.parts())
		}
		data, err := base64.RawURLEncoding.DecodeString(*first.Next)
		must(t, err)
		data[len(data)-3] ^= 1
		changed, sorted, filtered := req, req, req
		changed.Cursor = text(base64.RawURLEncoding.EncodeToString(data))
		sorted.OrderByFields, sorted.OrderType = []string{"result"}, 1
		filtered.Filters = []query.Filter{filter("part", "Equal", "A")}
		for name, r := range map[string]query.ListRequest{"changed": changed, "another sort": sorted, "another filter": filtered} {
			if _, err := w.list(w.rights("clerk", "clerk"), r); fault.Of(err) != fault.BadParameter {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := w.list(w.rights("boss", "clerk"), req); fault.Of(err) != fault.BadParameter {
			t.Errorf("another person: %v", err)
		}
	})
}
