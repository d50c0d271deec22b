package record

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// rowsWritable checks what the caller does with the rows of a sub-table, before hooks: a role, or a node of a workflow, may let rows be added and
// no others changed, or the other way round. It returns what must hold on the merged row where that depends on the record.
func (c *change) rowsWritable(s *sheetChange) (conds []condition, err error) {
	where := map[catalog.RowRights]plan.Expr{}
	all := true
	for _, right := range []catalog.RowRights{catalog.AddRows, catalog.EditRows, catalog.DeleteRows} {
		where[right] = c.view.SheetRows(s.field, right, c.action())
		all = all && plan.IsTrue(where[right])
	}
	if all || !s.given {
		return nil, nil
	}
	stored, err := c.storedRows(s)
	if err != nil {
		return nil, err
	}
	needs := func(right catalog.RowRights, row string, code fault.Code) {
		wrong := fault.FieldError{PropertyCode: s.field.Code, Row: row, Code: code, Args: []any{s.field.Label}}
		switch rows := where[right]; {
		case plan.IsTrue(rows):
		case plan.IsFalse(rows) && c.create:
			c.errs = append(c.errs, wrong)
		default:
			conds = append(conds, condition{wrong, rows})
		}
	}
	sent := map[string]bool{}
	for _, r := range s.rows {
		sent[r.id] = true
		at := slices.IndexFunc(stored, func(row map[string]any) bool { return row[catalog.ID] == r.id })
		switch {
		case r.id == "":
			needs(catalog.AddRows, r.name(), fault.RowNotAdded)
		case at >= 0 && r.changes(s.field.Sheet, stored[at]):
			needs(catalog.EditRows, r.name(), fault.RowNotChanged)
		}
	}
	for _, row := range stored {
		if id, _ := row[catalog.ID].(string); !sent[id] {
			needs(catalog.DeleteRows, id, fault.RowNotDeleted)
		}
	}
	return conds, nil
}

// changes reports whether the row gives other values than those that are stored.
func (r *rowChange) changes(m *catalog.Model, stored map[string]any) bool {
	now := clone(stored)
	for code, v := range r.set {
		put(now, m.Field(code), v)
	}
	return len(changed(stored, now)) > 0
}
