package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// fill makes the clerk's world. With secrets it holds, besides, what the clerk does not see: rows of others, values of
// hidden fields, and references to hidden rows.
func (w *world) fill(secrets bool) {
	w.organise()
	if secrets { // colleagues see their own phone only
		must(w.t, w.db.Write(w.t.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := tx.Update(w.t.Context(), w.c.Model("user"), id("boss"), -1, plan.True, map[string]any{"mobile": "999"})
			return err
		}))
	}
	w.put("contract", map[string]values{"c1": {"title": "One", "budget": 10}, "c2": {"title": "Two", "budget": 10}})
	top := map[string]values{
		"a": {"part": "A", "quantity": 2, "result": "OK", "contract": "c1", "others": []string{"c1"}, "inspector": "boss", "unit": "branch", "tags": []string{"a", "b"},
			"items": []values{{"item": "i", "source": "c1"}, {"item": "j"}}},
		"d": {"part": "D", "result": "OK", "inspector": "clerk", "unit": "head"},
		"e": {"part": "E", "result": "OK"}}
	below := map[string]values{"b": {"part": "B", "quantity": 3, "result": "BAD", "parent": "a", "others": []string{"c2"}, "items": []values{{"item": "k"}}}}
	if !secrets {
		w.put("lot", top)
		w.put("lot", below)
		return
	}
	w.put("vault", map[string]values{"v": {"code": "secret"}})
	w.put("contract", map[string]values{"h1": {"title": "Aaa hidden", "budget": 99, "owner": "boss", "closed": true}, "h2": {"title": "One", "owner": "boss"}})
	w.put("lot", map[string]values{"x": {"part": "A", "quantity": 1000, "price": 7, "result": "OK", "owner": "boss", "contract": "c1", "items": []values{{"item": "i", "rate": 9}}},
		"y": {"part": "0", "owner": "boss", "others": []string{"c1", "h1"}}})
	add := func(to values, more values) { maps.Copy(to, more) }
	add(top["a"], values{"price": 5, "others": []string{"h1", "c1"}})
	add(top["a"]["items"].([]values)[0], values{"rate": 100})
	add(top["a"]["items"].([]values)[1], values{"rate": 8, "source": "h1"})
	add(top["d"], values{"price": 200, "parent": "x", "contract": "h2"})
	add(top["e"], values{"others": []string{"h1"}})
	add(below["b"], values{"price": 500, "contract": "h1", "others": []string{"c2", "h2"}})
	add(below["b"]["items"].([]values)[0], values{"rate": 1, "source": "h2"})
	w.put("lot", top)
	w.put("lot", below)
	w.put("lot", map[string]values{"z": {"part": "Z", "owner": "boss", "parent": "b"}})
}

// call is one read call of the clerk.
type call struct {
	name string
	run  func(w *world, view *authz.View) (any, error)
}

func list(name string, req query.ListRequest) call {
	if req.SchemaCode == "" {
		req.SchemaCode = "lot"
	}
	return call{"list " + name, func(w *world, view *authz.View) (any, error) {
		data, err := w.List(w.t.Context(), view, req)
		return string(data), err
	}}
}

func filter(code, op string, operand any) query.Filter {
	value, _ := json.Marshal(operand)
	f := query.Filter{PropertyCode: code, PropertyValue: value}
	if op != "" {
		f.QueryFilterType = json.RawMessage(`"` + op + `"`)
	}
	return f
}

func text(s string) *string { return &s }

func number(n int) *int { return &n }

// calls are all reads that a client can make, with every property as filter and sort key: what may not be used is refused
// alike in both worlds.
func calls(w *world) []call {
	out := []call{list("plain", query.ListRequest{}), list("dear", query.ListRequest{QueryCode: "lot_dear"}), list("contracts", query.ListRequest{SchemaCode: "contract"}),
		list("vault", query.ListRequest{SchemaCode: "vault"}), list("roots", query.ListRequest{ParentID: text("")}), list("children", query.ListRequest{ParentID: text(id("b"))}),
		list("children of a", query.ListRequest{ParentID: text(id("a"))}), list("children of hidden", query.ListRequest{ParentID: text(id("x"))}), list("keyword", query.ListRequest{Keyword: "a"}), list("size", query.ListRequest{Size: number(1)})}
	paths := []string{"id", "parent", "part", "price", "quantity", "result", "tags", "inspector", "inspector.mobile", "unit", "contract", "contract.title",
		"contract.budget", "contract.closed", "others", "others.title", "items", "items.item", "items.rate", "items.source", "owner", "name", "ghost"}
	operands := []any{nil, id("h1"), id("c1"), id("c1") + ";" + id("h1"), id("x"), "a", "One", "5;600", "5", true, id("head")}
	operators := []string{"Equal", "NotEqual", "IsNull", "IsNotNull", "Contains", "NotContains", "In", "NotIn", "Of", "NotOf", "Have", "NotHave", "Between", "NotBetween",
		"GreaterThan", "LessThan", "GreaterThanOrEqual", "LessThanOrEqual", ""}
	for _, p := range paths {
		for _, op := range operators {
			for i, o := range operands {
				if (op == "IsNull" || op == "IsNotNull") && i > 0 {
					continue
				}
				out = append(out, list(fmt.Sprint(p, op, o), query.ListRequest{Filters: []query.Filter{filter(p, op, o)}}))
			}
		}
		for _, direction := range []int{1, 2} {
			out = append(out, list(fmt.Sprint("by ", p, direction), query.ListRequest{OrderByFields: []string{p}, OrderType: direction}))
		}
		out = append(out,
			call{"options " + p, func(w *world, view *authz.View) (any, error) {
				return w.FieldOptions(w.t.Context(), view, query.OptionsRequest{SchemaCode: "lot", PropertyCode: p, Size: 20})
			}},
			call{"rows " + p, func(w *world, view *authz.View) (any, error) {
				data, err := w.SheetRows(w.t.Context(), view, query.SheetRequest{SchemaCode: "lot", ObjectID: id("a"), PropertyCode: p, Size: 20})
				return string(data), err
			}})
	}
	for _, m := range []string{"lot", "contract", "vault", "ghost"} {
		out = append(out,
			call{"config " + m, func(w *world, view *authz.View) (any, error) { return w.Config(view, m, "") }},
			call{"headers " + m, func(w *world, view *authz.View) (any, error) { return w.Headers(view, m) }},
			call{"items " + m, func(w *world, view *authz.View) (any, error) { return w.DataItems(view, m, "") }},
			call{"rules " + m, func(w *world, view *authz.View) (any, error) { return w.DataRules(view, m) }})
	}
	for _, name := range []string{"", "a", "b", "d", "e", "x", "y", "none"} {
		record := ""
		if name != "" {
			record = id(name)
		}
		out = append(out,
			call{"form " + name, func(w *world, view *authz.View) (any, error) {
				return w.FormLoad(w.t.Context(), view, query.FormRequest{SchemaCode: "lot", ObjectID: record})
			}},
			call{"history " + name, func(w *world, view *authz.View) (any, error) {
				return w.History(w.t.Context(), view, query.HistoryRequest{SchemaCode: "lot", BizObjectID: record})
			}},
			call{"rows of " + name, func(w *world, view *authz.View) (any, error) {
				data, err := w.SheetRows(w.t.Context(), view, query.SheetRequest{SchemaCode: "lot", ObjectID: record, PropertyCode: "items", Size: 20})
				return string(data), err
			}})
	}
	for _, code := range []string{"item", "rate", "source"} {
		out = append(out, call{"filtered rows by " + code, func(w *world, view *authz.View) (any, error) {
			value := map[string]string{"item": "i", "rate": "0;99", "source": id("c1")}[code]
			data, err := w.SheetRows(w.t.Context(), view, query.SheetRequest{SchemaCode: "lot", ObjectID: id("a"), PropertyCode: "items", Size: 20,
				Filters: []query.Filter{filter(code, "", value)}})
			return string(data), err
		}})
	}
	all := []string{id("a"), id("b"), id("d"), id("x"), id("y")}
	for _, code := range []string{"part", "price", "contract.budget", "items", "id"} {
		many := 99999
		out = append(out, list("compare "+code, query.ListRequest{ObjectIDs: all, Size: &many,
			Options: &query.ListOptions{QueryDisplayType: 1, CustomDisplayColumns: []string{code}}}))
	}
	for _, code := range []string{"closeLot", "dearLot"} {
		for _, name := range []string{"a", "b", "x"} {
			out = append(out, call{"press " + code + " on " + name, func(w *world, view *authz.View) (any, error) {
				b, err := w.Button(view, query.ActionRequest{SchemaCode: "lot", QueryCode: "lot", ActionCode: code, ObjectIDs: []string{id(name)}})
				if err != nil {
					return nil, err
				}
				var answer *query.ActionAnswer
				err = w.db.Read(w.t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
					answer, _, err = b.Prepare(w.t.Context(), tx)
					return err
				})
				return answer, err
			}})
		}
	}
	out = append(out,
		call{"histories", func(w *world, view *authz.View) (any, error) {
			return w.Histories(w.t.Context(), view, query.HistoriesRequest{SchemaCode: "lot", BizObjectIDs: all})
		}},
		call{"skip list", func(w *world, view *authz.View) (any, error) {
			condition := filter("price", "GreaterThan", "3")
			data, err := w.SkipList(w.t.Context(), view, query.SkipRequest{ListRequest: query.ListRequest{SchemaCode: "lot"}, Condition: &condition})
			return string(data), err
		}})
	out = append(out, combined()...)
	out = append(out, figures(w)...)
	return append(out, call{"apps", func(w *world, view *authz.View) (any, error) { return w.Apps(view), nil }},
		call{"menu", func(w *world, view *authz.View) (any, error) { return w.Menu(view, "world", false) }},
		call{"menu of nothing", func(w *world, view *authz.View) (any, error) { return w.Menu(view, "ghost", false) }},
		call{"button of nothing", func(w *world, view *authz.View) (any, error) {
			return w.Button(view, query.ActionRequest{SchemaCode: "ghost", SheetCode: "ghost", ActionCode: "edit", ObjectIDs: []string{id("a")}})
		}})
}

// combined are lists with filters, sorts and columns at random, so that a followed path meets one that is only named.
func combined() []call {
	r := rand.New(rand.NewPCG(2, 36))
	pick := func(of []string, most int) []string {
		out := make([]string, r.IntN(most+1))
		for i := range out {
			out[i] = of[r.IntN(len(of))]
		}
		return out
	}
	compare := []struct {
		code, op string
		of       []any
	}{
		{"inspector.mobile", "Contains", []any{"1", "2", "9"}}, {"inspector.mobile", "IsNull", []any{nil}}, {"inspector.mobile", "IsNotNull", []any{nil}}, {"inspector.mobile", "NotContains", []any{"1", "9"}},
		{"inspector", "IsNotNull", []any{nil}}, {"inspector.name", "Contains", []any{"张", "李"}}, {"contract.title", "Contains", []any{"One", "Aaa"}}, {"contract.title", "IsNull", []any{nil}},
		{"contract.closed", "Equal", []any{true, false}}, {"contract", "IsNull", []any{nil}}, {"contract.id", "Equal", []any{id("h1"), id("c1")}}, {"parent.part", "Contains", []any{"A"}},
		{"parent.inspector.mobile", "IsNull", []any{nil}}, {"parent.contract.title", "IsNotNull", []any{nil}}, {"items.source", "IsNull", []any{nil}}, {"others", "IsNull", []any{nil}}}
	sorts := []string{"inspector", "inspector.mobile", "inspector.name", "contract", "contract.title", "parent", "parent.part", "parent.inspector", "parent.contract", "unit", "part", "quantity"}
	columns := append([]string{"part", "others", "items", "contract.id"}, sorts...)
	var out []call
	for i := range 250 {
		req := query.ListRequest{OrderByFields: pick(sorts, 2), OrderType: 1 + r.IntN(2)}
		for range r.IntN(3) {
			c := compare[r.IntN(len(compare))]
			f := filter(c.code, c.op, c.of[r.IntN(len(c.of))])
			if len(req.Filters) > 0 && r.IntN(3) == 0 {
				f = query.Filter{Or: []query.Filter{f, req.Filters[0]}}
			}
			req.Filters = append(req.Filters, f)
		}
		if shown := pick(columns, 3); len(shown) > 0 {
			slices.Sort(shown)
			req.Options = &query.ListOptions{QueryDisplayType: 1, CustomDisplayColumns: slices.Compact(shown)}
		}
		out = append(out, list(fmt.Sprintf("%d by %v %d where %+v show %+v", i, req.OrderByFields, req.OrderType, req.Filters, req.Options), req))
	}
	return out
}

// answer is what the caller gets: bytes, or the code of the failure.
func (c call) answer(w *world, view *authz.View) string {
	data, err := c.run(w, view)
	if err != nil {
		if fault.Of(err) == fault.Internal {
			w.t.Errorf("%s fails inside: %v", c.name, err)
		}
		return fmt.Sprint("fault ", fault.Of(err))
	}
	if s, ok := data.(string); ok {
		return s
	}
	out, err := json.Marshal(data)
	must(w.t, err)
	return string(out)
}

// TestTwoWorlds: a caller cannot tell a world with hidden rows, hidden values and references to hidden rows from one
// without them, by any call, on either database.
func TestTwoWorlds(t *testing.T) {
	c := catalogOf(t, "testdata/world.txtar")
	var mu sync.Mutex // both databases answer at the same time
	var answers []map[string]string
	for _, secrets := range []bool{false, true} {
		storetest.EachOptions(t, func(t *testing.T, o store.Options) {
			w := newWorld(t, c, o)
			w.fill(secrets)
			view, got := w.rights("clerk", "clerk", "colleague"), map[string]string{}
			for _, x := range calls(w) {
				got[x.name] = x.answer(w, view)
			}
			mu.Lock()
			defer mu.Unlock()
			answers = append(answers, got)
		})
	}
	if len(answers) < 2 || len(answers[0]) < 1000 {
		t.Fatalf("%d worlds were read", len(answers))
	}
	taken := 0
	for _, x := range combined() {
		if !strings.HasPrefix(answers[0][x.name], "fault") {
			taken++
		}
	}
	if taken < 150 {
		t.Errorf("only %d combined lists are answered", taken)
	}
	rows := 0
	for name, answer := range answers[0] {
		if strings.HasPrefix(name, "rows of page") && !strings.HasPrefix(answer, "fault") {
			rows++
		}
	}
	if rows < 30 {
		t.Errorf("only %d lists of pages are answered", rows)
	}
	shown := 0
	for i := 1; i < len(answers); i++ {
		for name, want := range answers[0] {
			if got := answers[i][name]; got != want && shown < 10 {
				shown++
				t.Errorf("%s (database %d) %s", name, i, difference(want, got))
			}
		}
	}
}

// difference shows where two texts part.
func difference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("from byte %d\n  without %.200s\n  with    %.200s", i, a[max(i-40, 0):], b[max(i-40, 0):])
}
