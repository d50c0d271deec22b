package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestHostileRequests: each is refused with a code of its own, none fails inside.
func TestHostileRequests(t *testing.T) {
	nested := filter("part", "Equal", "A")
	for range 20 {
		nested = query.Filter{And: []query.Filter{nested}}
	}
	many := make([]query.Filter, 60)
	for i := range many {
		many[i] = filter("part", "Equal", "A")
	}
	filters := func(f ...query.Filter) query.ListRequest { return query.ListRequest{Filters: f} }
	raw := func(code, op, value string) query.ListRequest {
		return filters(query.Filter{PropertyCode: code, QueryFilterType: json.RawMessage(op), PropertyValue: json.RawMessage(value)})
	}
	cases := []struct {
		name string
		req  query.ListRequest
		want fault.Code
	}{
		{"unknown field", filters(filter("ghost", "Equal", "1")), fault.FieldUnknown},
		{"hidden field", filters(filter("price", "Equal", "1")), fault.FieldUnknown},
		{"hidden field behind a relation", filters(filter("contract.budget", "Equal", "1")), fault.FieldUnknown},
		{"hidden column of a sub-table", filters(filter("items.rate", "Equal", "1")), fault.FieldUnknown},
		{"through a text", filters(filter("part.length", "Equal", "1")), fault.FieldUnknown},
		{"endless path", filters(filter(strings.Repeat("parent.", 50)+"part", "Equal", "1")), fault.FieldUnknown},
		{"engine's column", filters(filter("name__pinyin", "Equal", "1")), fault.FieldUnknown},
		{"row id", filters(filter("rid", "Equal", "1")), fault.FieldUnknown},
		{"injection in a name", filters(filter(`part" OR 1=1 --`, "Equal", "1")), fault.FieldUnknown},
		{"injection in an operator", raw("part", `"Equal; DROP TABLE d_lot"`, `"A"`), fault.OperatorNotAllowed},
		{"operator of another type", filters(filter("part", "Between", "1;2")), fault.OperatorNotAllowed},
		{"operator number out of range", raw("part", `19`, `"A"`), fault.OperatorNotAllowed},
		{"operator that is an object", raw("part", `{}`, `"A"`), fault.OperatorNotAllowed},
		{"number that is none", filters(filter("quantity", "Equal", "1 OR 1=1")), fault.FilterValue},
		{"object as a value", raw("part", `"Equal"`, `{"a": 1}`), fault.FilterValue},
		{"list in a list", raw("tags", `"Contains"`, `[["a"]]`), fault.FilterValue},
		{"long text to look for", filters(filter("part", "Contains", strings.Repeat("x", 201))), fault.FilterValue},
		{"broken value", raw("part", `"Equal"`, `{`), fault.FilterValue},
		{"deep groups", filters(nested), fault.TooExpensive},
		{"many filters", filters(many...), fault.TooExpensive},
		{"two things in one filter", filters(query.Filter{PropertyCode: "part", And: []query.Filter{}}), fault.BadParameter},
		{"nothing in a filter", filters(query.Filter{}), fault.BadParameter},
		{"sort by hidden", query.ListRequest{OrderByFields: []string{"price"}, OrderType: 1}, fault.FieldUnknown},
		{"sort by a set", query.ListRequest{OrderByFields: []string{"tags"}, OrderType: 1}, fault.SortNotAllowed},
		{"sort by injection", query.ListRequest{OrderByFields: []string{"part;--"}, OrderType: 1}, fault.FieldUnknown},
		{"many sorts", query.ListRequest{OrderByFields: strings.Split("part,part,part,part,part,part", ","), OrderType: 1}, fault.TooExpensive},
		{"size 0", query.ListRequest{Size: number(0)}, fault.PageOutOfRange},
		{"size 501", query.ListRequest{Size: number(501)}, fault.PageOutOfRange},
		{"negative page", query.ListRequest{Page: -1}, fault.PageOutOfRange},
		{"cursor of nobody", query.ListRequest{Cursor: text("AAAA")}, fault.BadParameter},
		{"long keyword", query.ListRequest{Keyword: strings.Repeat("字", 101)}, fault.BadParameter},
		{"tree of a flat model", query.ListRequest{SchemaCode: "contract", ParentID: text("")}, fault.BadParameter},
		{"model without rights", query.ListRequest{SchemaCode: "vault"}, fault.ModelNotFound},
		{"model that is none", query.ListRequest{SchemaCode: "ghost"}, fault.ModelNotFound},
		{"sub-table as a model", query.ListRequest{SchemaCode: "lot.items"}, fault.ModelNotFound},
		{"list of another model", query.ListRequest{SchemaCode: "contract", QueryCode: "lot"}, fault.ListNotFound},
	}
	each(t, func(t *testing.T, w *world) {
		w.fill(true)
		view := w.rights("clerk", "clerk")
		for _, x := range cases {
			if _, err := w.list(view, x.req); fault.Of(err) != x.want {
				t.Errorf("%s: %v, want %d", x.name, err, x.want)
			}
		}
		// U+0000 equals nothing: it is refused or finds nothing, on both databases.
		for _, code := range []string{"part", "id", "contract", "tags"} {
			if p, err := w.list(view, filters(filter(code, "Equal", "a\x00"))); fault.Of(err) == fault.Internal || err == nil && len(p.Content) > 0 {
				t.Errorf("U+0000 in %s: %v", code, err)
			}
		}
	})
}

// TestFilters: groups, default operators, operators by number and the complement of each.
func TestFilters(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.fill(false)
		view := w.rights("clerk", "clerk")
		or := query.Filter{Or: []query.Filter{filter("part", "Equal", "A"), {And: []query.Filter{filter("result", "Equal", "OK"), filter("inspector", "IsNull", nil)}}}}
		byNumber := query.Filter{PropertyCode: "part", QueryFilterType: json.RawMessage("2"), PropertyValue: json.RawMessage(`"A"`)}
		cases := []struct {
			filter query.Filter
			want   string
		}{
			{filter("part", "", "a"), "A"}, {filter("quantity", "", "2;"), "AB"}, {or, "AE"}, {byNumber, "BDE"}, {filter("tags", "Equal", "b;a"), "A"}, {filter("tags", "NotEqual", []string{"a", "b"}), "BDE"},
			{filter("quantity", "NotBetween", "1;2"), "BDE"}, {filter("contract.title", "Contains", "ONE"), "A"}, {filter("contract.title", "NotContains", "ONE"), "BDE"},
			{filter("others", "Equal", id("c2")), "B"}, {filter("others", "IsNull", nil), "DE"}, {filter("items.item", "Contains", "K"), "B"}, {filter("items.item", "NotContains", "K"), "ADE"},
			{filter("id", "In", id("a")+";"+id("e")), "AE"}, {filter("id", "In", []string{id("a"), id("b")}), "AB"}, {filter("id", "Equal", []string{id("b")}), "B"}, {filter("items", "IsNotNull", nil), "AB"},
		}
		for _, x := range cases {
			p, err := w.list(view, query.ListRequest{Filters: []query.Filter{x.filter}})
			if err != nil || p.parts() != x.want || p.TotalElements != len(x.want) {
				t.Errorf("%s %s %s: %s (total %d), want %s %v", x.filter.PropertyCode, x.filter.QueryFilterType, x.filter.PropertyValue, p.parts(), p.TotalElements, x.want, err)
			}
		}
		tree, err := w.list(view, query.ListRequest{ParentID: text("")})
		if must(t, err); tree.parts() != "ADE" || *tree.Content[0].Leaf || !*tree.Content[1].Leaf {
			t.Errorf("roots %s", tree.parts())
		}
		// A child that the list leaves out is not a child there.
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := tx.Update(t.Context(), w.c.Model("lot"), id("b"), -1, plan.True, map[string]any{"sequenceStatus": "CANCELED"})
			return err
		}))
		if tree, err := w.list(view, query.ListRequest{ParentID: text("")}); err != nil || tree.parts() != "ADE" || !*tree.Content[0].Leaf {
			t.Errorf("roots without children in the list: %s %v", tree.parts(), err)
		}
		if a := tree.Content[0].Actions; fmt.Sprint(a) != "[edit delete closeLot]" {
			t.Errorf("actions %v", a)
		}
	})
}
