package record

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
)

// rowsWritable checks what the caller does with the rows of a sub-table, before hooks: a node of a workflow may let rows be added and no
// others changed, or the other way round.
func (c *change) rowsWritable(s *sheetChange) error {
	rights := c.view.RowRights(s.field)
	if rights == catalog.AllRows || !s.given {
		return nil
	}
	stored, err := c.storedRows(s)
	if err != nil {
		return err
	}
	wrong := func(row string, code fault.Code) {
		c.errs = append(c.errs, fault.FieldError{PropertyCode: s.field.Code, Row: row, Code: code, Args: []any{s.field.Label}})
	}
	sent := map[string]bool{}
	for _, r := range s.rows {
		sent[r.id] = true
		at := slices.IndexFunc(stored, func(row map[string]any) bool { return row[catalog.ID] == r.id })
		switch {
		case r.id == "" && rights&catalog.AddRows == 0:
			wrong(r.name(), fault.RowNotAdded)
		case at >= 0 && rights&catalog.EditRows == 0:
			now := clone(stored[at])
			for code, v := range r.set {
				put(now, s.field.Sheet.Field(code), v)
			}
			if len(changed(stored[at], now)) > 0 {
				wrong(r.name(), fault.RowNotChanged)
			}
		}
	}
	for _, row := range stored {
		if id, _ := row[catalog.ID].(string); !sent[id] && rights&catalog.DeleteRows == 0 {
			wrong(id, fault.RowNotDeleted)
		}
	}
	return nil
}
