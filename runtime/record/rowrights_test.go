package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// TestRowRightsOfRoles: what roles let be done with the rows of a sub-table may depend on the record, as it was and as it becomes.
func TestRowRightsOfRoles(t *testing.T) {
	w := newWorldOn(t)
	order := w.c.Model("order")
	mine := &plan.Compare{Op: plan.EQ, A: order.Field("title").Column(), B: &plan.Const{Value: "mine", K: plan.Text}}
	grant := func(rows plan.Expr, rights catalog.RowRights) catalog.Grant {
		return catalog.Grant{Model: order, Actions: []string{"view", "add", "edit"}, Rows: rows, EditRows: rows, Rest: catalog.Writable, Sheets: map[string]catalog.RowRights{"lines": rights}}
	}
	who := w.boss.Through(&authz.Lens{Effect: authz.Replaces, Grants: []catalog.Grant{grant(plan.True, catalog.AddRows), grant(mine, catalog.AllRows)}})
	fixed := w.boss.Through(&authz.Lens{Effect: authz.Replaces, Grants: []catalog.Grant{grant(plan.True, catalog.EditRows)}})
	for name, try := range map[string]struct{ title, set, want string }{
		"a row is added anywhere":                     {"other", `{"lines": [{"id": "A"}, {"item": "b"}]}`, "ok"},
		"a row is changed where the record is mine":   {"mine", `{"lines": [{"id": "A", "item": "x"}]}`, "ok"},
		"a row is changed elsewhere":                  {"other", `{"lines": [{"id": "A", "item": "x"}]}`, "lines 302039; "},
		"the record is made mine by the same save":    {"other", `{"title": "mine", "lines": [{"id": "A", "item": "x"}]}`, "lines 302039; "},
		"the record is made another's by the save":    {"mine", `{"title": "other", "lines": []}`, "lines 302040; "},
		"a row that comes as it is is not changed":    {"other", `{"lines": [{"id": "A", "item": "a"}]}`, "ok"},
		"a row is deleted where the record is mine":   {"mine", `{"lines": []}`, "ok"},
		"a row is deleted and another one made of it": {"other", `{"lines": [{"item": "a"}]}`, "lines 302040; "},
	} {
		o := w.save(w.boss, "order", "", 0, `{"title": "`+try.title+`", "lines": [{"item": "a"}]}`)
		set := strings.ReplaceAll(try.set, `"A"`, `"`+w.read("order.lines", of(o.ID), "id")[0]+`"`)
		if _, err := w.try(who, "order", o.ID, 1, set); explain(err) != try.want {
			t.Errorf("%s: %s, not %s", name, explain(err), try.want)
		}
	}
	_, err := w.try(fixed, "order", "", 0, `{"title": "x", "lines": [{"item": "a"}]}`)
	require.Equal(t, "lines 302038; ", explain(err), "a new record has the rows that may be added")
}

// TestRowRights: a lens may let rows of a sub-table be added, changed or deleted alone; a row that comes as it was is not changed.
func TestRowRights(t *testing.T) {
	w := newWorldOn(t)
	for _, try := range []struct {
		name   string
		rights catalog.RowRights
		rows   string // A and B are the rows that are stored
		want   string
	}{
		{"added", catalog.AddRows, `[{"id": "A", "item": "a"}, {"id": "B"}, {"item": "c"}]`, "ok"},
		{"added", catalog.EditRows | catalog.DeleteRows, `[{"id": "A"}, {"id": "B"}, {"item": "c"}]`, "lines 302038; "},
		{"changed", catalog.EditRows, `[{"id": "A", "item": "x"}, {"id": "B"}]`, "ok"},
		{"changed", catalog.AddRows | catalog.DeleteRows, `[{"id": "A", "item": "x"}, {"id": "B", "qty": "9"}]`, "lines 302039; lines 302039; "},
		{"deleted", catalog.DeleteRows, `[{"id": "B"}]`, "ok"},
		{"deleted", catalog.AddRows | catalog.EditRows, `[]`, "lines 302040; lines 302040; "},
		{"all at once", 0, `[{"id": "A", "item": "x"}, {"item": "c"}]`, "lines 302039; lines 302038; lines 302040; "},
		{"nothing", 0, `[{"id": "A", "item": "a", "qty": "1"}, {"id": "B"}]`, "ok"},
		{"everything", catalog.AllRows, `[{"id": "A", "item": "x"}, {"item": "c"}]`, "ok"},
	} {
		o := w.save(w.boss, "order", "", 0, `{"title": "x", "lines": [{"item": "a"}, {"item": "b"}]}`)
		ids := w.read("order.lines", of(o.ID), "id")
		rows := ""
		for _, r := range try.rows {
			switch r {
			case 'A':
				rows += ids[0]
			case 'B':
				rows += ids[1]
			default:
				rows += string(r)
			}
		}
		lens := &authz.Lens{Effect: authz.Narrows, Grants: []catalog.Grant{{Model: w.c.Model("order"), Actions: []string{"view", "edit"}, Rows: plan.True, EditRows: plan.True, Rest: catalog.Writable,
			Sheets: map[string]catalog.RowRights{"lines": try.rights}}}}
		_, err := w.try(w.boss.Through(lens), "order", o.ID, 1, `{"title": "y", "lines": `+rows+`}`)
		if explain(err) != try.want {
			t.Errorf("%s with %b: %s, not %s", try.name, try.rights, explain(err), try.want)
		}
		if _, err := w.try(w.boss.Through(lens), "order", o.ID, map[bool]int64{true: 2, false: 1}[err == nil], `{"title": "z"}`); err != nil {
			t.Errorf("%s with %b, without its rows: %s", try.name, try.rights, explain(err))
		}
	}
}
