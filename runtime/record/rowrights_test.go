package record_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
)

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
