package importer

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// held is what a record has now; nil is a record that is new, or of which nothing is known.
type held struct{ *query.Held }

func (h *held) value(f *catalog.Field) any {
	if h == nil {
		return nil
	}
	return h.Values[f]
}

// rows are those of a sub-table; false: the principal sees them on some records only, so that nobody can tell them which of them a file lacks.
func (h *held) rows(sheet *catalog.Field) ([]query.HeldRow, bool) {
	if h == nil {
		return nil, true
	}
	rows, seen := h.Rows[sheet]
	return rows, seen
}

// hold reads what some records have.
func (j *judge) hold(ctx context.Context, tx *store.Tx, ids []string) (map[string]*query.Held, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return j.look.s.Reader.Holds(ctx, tx, j.look.view, j.m, ids, j.fields())
}

// differing leaves of a change what is another value than the record has: a row that changes nothing is not a write, and runs no code of packs.
// What the principal may not read stays in it, so that nobody finds out by it what a property holds.
func (j *judge) differing(set map[string]json.RawMessage, h *held) {
	if h == nil {
		return
	}
	for _, f := range j.m.Fields {
		text, given := set[f.Code]
		if !given || f.Sheet != nil {
			continue
		}
		if now, known := h.Values[f]; known && same(f, now, text) {
			delete(set, f.Code)
		}
	}
}

// same reports whether a value as a save takes it is what a property holds.
func same(f *catalog.Field, now any, text json.RawMessage) bool {
	v, err := record.Value(text)
	if err != nil {
		return false
	}
	given, err := f.Property.Parse(v)
	if over := holding(f, now); err != nil && over != nil {
		given, err = over.Property.Parse(v)
	}
	if err != nil {
		return false
	}
	if (given == nil) != (now == nil) {
		return false
	}
	one, other := stored(f, given), stored(f, now)
	if bytes.Equal(one, other) {
		return true
	}
	again, err := record.Value(other) // code may have stored what a save would have written in another way
	if err != nil {
		return false
	}
	kept, err := f.Property.Parse(again)
	return err == nil && bytes.Equal(one, stored(f, kept))
}

// settle makes texts of the cells of a row that text properties take as the sheet shows them. So they are kept as they count.
func (j *judge) settle(r *raw) {
	for _, c := range j.columns {
		if _, typed := c.Field.Property.(property.CellReader); typed {
			continue
		}
		if c.Sheet == nil {
			settleCell(r.Cells, c.Field.Code)
			continue
		}
		for _, sub := range r.Rows[c.Sheet.Code] {
			settleCell(sub.Cells, c.Field.Code)
		}
	}
}

func settleCell(cells map[string]input, code string) {
	in, given := cells[code]
	if given && in.cell.Kind == property.CellNumber {
		cells[code] = input{cell: property.Cell{Kind: property.CellText, Text: in.shown()}, chosen: in.chosen}
	}
}
