package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	packs "github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestFilteredRows: the rows of a sub-table are filtered where they are stored, and paged behind that.
func TestFilteredRows(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var rows []values
		for i := range 30 {
			rows = append(rows, values{"item": fmt.Sprintf("part %02d %s", i, map[bool]string{true: "even", false: "odd"}[i%2 == 0]), "rate": i})
		}
		w.put("lot", map[string]values{"a": {"part": "A", "result": "OK", "items": rows}, "b": {"part": "B", "items": []values{{"item": "even"}}}})
		for _, x := range []struct {
			name    string
			filters []query.Filter
			page    int
			want    string
		}{
			{"pattern", []query.Filter{filter("item", "Contains", "even")}, 0, "15: part 00 even,part 02 even"},
			{"second page", []query.Filter{filter("item", "Contains", "even")}, 1, "15: part 04 even,part 06 even"},
			{"negation", []query.Filter{filter("item", "NotContains", "even")}, 0, "15: part 01 odd,part 03 odd"},
			{"number", []query.Filter{filter("rate", "Between", "28;40")}, 0, "2: part 28 even,part 29 odd"},
			{"both", []query.Filter{filter("rate", "Between", "10;40"), filter("item", "Contains", "odd")}, 0, "10: part 11 odd,part 13 odd"},
			{"none", []query.Filter{filter("item", "Contains", "x%")}, 0, "0: "},
		} {
			data, err := w.SheetRows(t.Context(), w.rights("clerk", "administrator"), query.SheetRequest{SchemaCode: "lot", ObjectID: id("a"),
				PropertyCode: "items", Page: x.page, Size: 2, Filters: x.filters})
			must(t, err)
			var page struct {
				Content       []struct{ Item string }
				TotalElements int
			}
			must(t, json.Unmarshal(data, &page))
			var items []string
			for _, row := range page.Content {
				items = append(items, row.Item)
			}
			if got := fmt.Sprintf("%d: %s", page.TotalElements, strings.Join(items, ",")); got != x.want {
				t.Errorf("%s: %s, not %s", x.name, got, x.want)
			}
		}
		for code, want := range map[string]fault.Code{"rate": fault.FieldUnknown, "items.item": fault.FieldUnknown, "part": fault.FieldUnknown, "source": fault.OperatorNotAllowed} {
			_, err := w.SheetRows(t.Context(), w.rights("boss", "clerk"), query.SheetRequest{SchemaCode: "lot", ObjectID: id("a"), PropertyCode: "items", Size: 2,
				Filters: []query.Filter{filter(code, "Equal", "1")}})
			if fault.Of(err) != want {
				t.Errorf("a clerk filters by %s: %v", code, err)
			}
		}
	})
}

// TestSheetColumns: a request may ask for columns of a sub-table by their paths; they come in the sub-table's cell.
func TestSheetColumns(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.put("lot", map[string]values{"a": {"part": "A", "price": 7, "result": "OK", "items": []values{{"item": "one", "rate": 1}, {"item": "two", "rate": 2}}}})
		for _, x := range []struct {
			role, columns, want string
			code                fault.Code
		}{
			{"administrator", "items.rate price", `{"items":{"rows":[{"rate":"1"},{"rate":"2"}],"total":2},"price":"7"}`, 0},
			{"administrator", "items.rate items.item items.rate", `{"items":{"rows":[{"item":"one","rate":"1"},{"item":"two","rate":"2"}],"total":2}}`, 0},
			{"administrator", "items.rate items", `{"items":{"rows":[{"item":"one","rate":"1","source":null},{"item":"two","rate":"2","source":null}],"total":2}}`, 0},
			{"administrator", "items.nothing", "", fault.FieldUnknown},
			{"administrator", "items items.nothing", "", fault.FieldUnknown},
			{"administrator", "items.source.title", "", fault.FieldUnknown},
			{"clerk", "items.rate", "", fault.FieldUnknown},
		} {
			data, err := w.List(t.Context(), w.rights("boss", x.role), query.ListRequest{SchemaCode: "lot",
				Options: &query.ListOptions{QueryDisplayType: 1, CustomDisplayColumns: strings.Fields(x.columns)}})
			if fault.Of(err) != x.code {
				t.Errorf("%s, %s: %v", x.role, x.columns, err)
			}
			if err != nil {
				continue
			}
			var page struct {
				Content []struct{ Data map[string]any }
			}
			must(t, json.Unmarshal(data, &page))
			if len(page.Content) != 1 {
				t.Fatalf("%s: %s", x.columns, data)
			}
			for _, row := range page.Content[0].Data["items"].(map[string]any)["rows"].([]any) {
				delete(row.(map[string]any), "id")
			}
			got, err := json.Marshal(page.Content[0].Data)
			must(t, err)
			if string(got) != x.want {
				t.Errorf("%s: %s, not %s", x.columns, got, x.want)
			}
		}
	})
}

// TestFindAll: packs get as many ids as they ask for, in the order of ids, or all of them.
func TestFindAll(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		records := map[string]values{}
		for i := range 2300 {
			records[fmt.Sprintf("%04d", i)] = values{"title": "same"}
		}
		w.put("contract", records)
		view := w.rights("clerk", "administrator")
		same := map[string]json.RawMessage{"title": json.RawMessage(`"same"`)}
		for limit, want := range map[int]int{1: 1, 999: 999, 1000: 1000, 1500: 1500, 2300: 2300, 5000: 2300, packs.All: 2300} {
			var ids []string
			must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
				ids, err = w.Find(t.Context(), tx, view, "contract", same, limit)
				return err
			}))
			if len(ids) != want || !slices.IsSorted(ids) || len(slices.Compact(ids)) != want {
				t.Errorf("%d ids for %d, want %d", len(ids), limit, want)
			}
		}
		for _, limit := range []int{-1, packs.MostFound + 1} {
			err := w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := w.Find(t.Context(), tx, view, "contract", same, limit)
				return err
			})
			if fault.Of(err) != fault.BadParameter {
				t.Errorf("limit %d: %v", limit, err)
			}
		}
	})
}

// TestFetches: chosen records with chosen columns, and all of a list in one go.
func TestFetches(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		records := map[string]values{}
		for i := range 700 {
			records[fmt.Sprintf("r%03d", i)] = values{"part": fmt.Sprintf("P%03d", i), "price": i, "result": "OK"}
		}
		w.put("lot", records)
		view := w.rights("clerk", "administrator")
		size := func(n int) *int { return &n }
		var page struct {
			Content []struct {
				ID   string
				Data map[string]any
			}
			TotalElements int
		}
		read := func(data []byte, err error) {
			t.Helper()
			must(t, err)
			page.Content = nil
			must(t, json.Unmarshal(data, &page))
		}
		read(w.List(t.Context(), view, query.ListRequest{SchemaCode: "lot", Size: size(99999), ObjectIDs: []string{id("r001"), id("r002"), "none"},
			Options: &query.ListOptions{QueryDisplayType: 1, CustomDisplayColumns: []string{"price", "createdTime", "price"}}}))
		if len(page.Content) != 2 || page.TotalElements != 2 || len(page.Content[0].Data) != 2 || page.Content[0].Data["price"] != "1" {
			t.Errorf("the comparison: %+v", page)
		}
		read(w.SkipList(t.Context(), view, query.SkipRequest{ListRequest: query.ListRequest{SchemaCode: "lot", OrderByFields: []string{"price"}, OrderType: 2}}))
		if len(page.Content) != 700 || page.Content[0].Data["price"] != "699" {
			t.Errorf("in one go: %d rows of %d", len(page.Content), page.TotalElements)
		}
		condition := filter("price", "LessThan", "10")
		read(w.SkipList(t.Context(), view, query.SkipRequest{ListRequest: query.ListRequest{SchemaCode: "lot", Size: size(1000)}, Condition: &condition}))
		if len(page.Content) != 10 {
			t.Errorf("with a condition: %d rows", len(page.Content))
		}
		for order, want := range map[int]string{0: "0", 1: "0", 2: "699"} { // 0 = no order: the list's own, by part
			read(w.List(t.Context(), view, query.ListRequest{SchemaCode: "lot", OrderByFields: []string{"price"}, OrderType: order}))
			if len(page.Content) != 20 || page.TotalElements != 700 || page.Content[0].Data["price"] != want {
				t.Errorf("order %d: %d rows of %d, first %v", order, len(page.Content), page.TotalElements, page.Content[0].Data["price"])
			}
		}
		if _, err := w.List(t.Context(), view, query.ListRequest{SchemaCode: "lot", OrderByFields: []string{"price"}, OrderType: 3}); fault.Of(err) != fault.BadParameter {
			t.Errorf("order 3: %v", err)
		}
		for name, err := range map[string]func() error{
			"too many in one go": func() error {
				_, err := w.SkipList(t.Context(), view, query.SkipRequest{ListRequest: query.ListRequest{SchemaCode: "lot", Size: size(1001)}})
				return err
			},
			"a second page in one go": func() error {
				_, err := w.SkipList(t.Context(), view, query.SkipRequest{ListRequest: query.ListRequest{SchemaCode: "lot", Page: 1}})
				return err
			},
			"a large page of all": func() error {
				_, err := w.List(t.Context(), view, query.ListRequest{SchemaCode: "lot", Size: size(501)})
				return err
			},
		} {
			if got := err(); fault.Of(got) != fault.PageOutOfRange {
				t.Errorf("%s: %v", name, got)
			}
		}
		for _, columns := range [][]string{nil, {"price", "nothing"}, {"price"}} {
			_, err := w.List(t.Context(), w.rights("boss", "clerk"), query.ListRequest{SchemaCode: "lot", ObjectIDs: []string{id("r001")},
				Options: &query.ListOptions{QueryDisplayType: 1, CustomDisplayColumns: columns}})
			want := fault.FieldUnknown
			if columns == nil {
				want = fault.BadParameter
			}
			if fault.Of(err) != want {
				t.Errorf("columns %v: %v", columns, err)
			}
		}
	})
}
