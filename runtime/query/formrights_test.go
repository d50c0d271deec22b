package query_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestFormRights: what a form offers to each role: actions, related lists, rules, and what formulas read.
func TestFormRights(t *testing.T) {
	c := catalogOf(t, "testdata/formrights.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.put("lot", map[string]values{"a": {"part": "A", "items": []values{{"item": "x"}}}})
		for role, want := range map[string]string{
			"keeper": `[save delete form_track copy] RelatedList shown by rows: true reads [contract price]`,
			"mute":   `[save delete form_track copy]  shown by rows: true reads [contract price]`,
			"copier": `[save]  shown by rows: true reads [contract price]`,
			"adder":  `[delete]  shown by rows: true reads [contract price]`,
			"narrow": `[]  shown by rows: false reads [contract]`,
		} {
			got, err := w.FormLoad(t.Context(), w.rights("clerk", role), query.FormRequest{SchemaCode: "lot", ObjectID: id("a")})
			must(t, err)
			var related []string
			for _, item := range got.Form.Layout {
				if item.Type == "RelatedList" {
					related = append(related, item.Type)
				}
			}
			told := fmt.Sprint(got.Actions, " ", strings.Join(related, " "))
			for _, f := range got.Form.Fields {
				switch f.PropertyCode {
				case "contract":
					told += fmt.Sprintf(" shown by rows: %v", strings.Contains(string(f.DisplayRule), "items"))
				case "share":
					told += fmt.Sprintf(" reads %v", f.ComputeReads)
				}
			}
			if told != want {
				t.Errorf("%s: %s\nwant %s", role, told, want)
			}
		}
		// Columns of sub-tables alone, one of them named twice.
		data, err := w.List(t.Context(), w.rights("clerk", "keeper"), query.ListRequest{SchemaCode: "lot",
			Options: &query.ListOptions{QueryDisplayType: 1, CustomDisplayColumns: []string{"items.item", "marks", "items.item"}}})
		must(t, err)
		if !json.Valid(data) || strings.Count(string(data), `"item":"x"`) != 1 || strings.Contains(string(data), "rate") {
			t.Errorf("%s", data)
		}
	})
}

// TestMatchFields: a record is named by what relations show, its name, its number, and texts that are unique.
func TestMatchFields(t *testing.T) {
	c := catalogOf(t, "testdata/formrights.txtar")
	policy, err := authz.Compile(c)
	must(t, err)
	w := &world{t: t, c: c, policy: policy}
	m := c.Model("contract")
	codes := func(display *catalog.Field) (out string) {
		for _, f := range query.MatchFields(w.rights("clerk", "keeper"), m, display) {
			out += " " + f.Code
		}
		return out
	}
	if got := codes(m.Field("title")); got != " title name sequenceNo" {
		t.Errorf("shown by its title:%s", got)
	}
	if got := codes(nil); got != " name sequenceNo" {
		t.Errorf("shown by its name:%s", got)
	}
}
