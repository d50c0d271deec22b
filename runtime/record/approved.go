package record

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/store"
)

// A workflow that seals a record holds the values of its formulas, too: they are those that were approved. A formula that is another one since then
// computes nothing of such a record, until what it reads changes. Who amends the record, and who changes properties that the workflow left open, is
// answered by the formulas of now, as far as they read what is changed; an amendment computes everything.

// Held finds those of a model's records that workflows hold as they were approved.
type Held func(tx *store.Tx, model string, ids []string) (map[string]bool, error)

// HeldBy sets what finds the records that workflows hold, for a writer that only looks.
func (w *Writer) HeldBy(find Held) { w.held = find }

// fields are some properties of a model and its sub-tables.
type fields map[*catalog.Field]bool

func (s fields) add(of ...*catalog.Field) {
	for _, f := range of {
		s[f] = true
	}
}

// keeping tells which values of a record stay as they were approved. nil = none.
type keeping func(f *catalog.Field, was map[string]any) bool

// value reports whether a computed property of a record or row stays; was is nil for a new row.
func (k keeping) value(f *catalog.Field, was map[string]any) bool {
	return k != nil && was != nil && k(f, was)
}

// formulaRun is that all records are computed because of other formulas. What was approved stays, but for what was empty because the property had no
// formula.
type formulaRun struct {
	fresh func(f *catalog.Field) bool // the property had no formula before
}

// findSealed asks which records workflows hold, all at once.
func (s *session) findSealed(m *catalog.Model, rows []map[string]any) error {
	var ids []string
	for _, row := range rows {
		id, _ := row[catalog.ID].(string)
		if _, known := s.approvals[m.Code+" "+id]; known {
			continue
		}
		if instance, _ := row[catalog.WorkflowInstance].(string); instance != "" && s.w.held != nil {
			ids = append(ids, id)
		} else {
			s.approvals[m.Code+" "+id] = false
		}
	}
	for chunk := range slices.Chunk(ids, many) {
		held, err := s.w.held(s.tx, m.Code, chunk)
		if err != nil {
			return err
		}
		for _, id := range chunk {
			s.approvals[m.Code+" "+id] = held[id]
		}
	}
	return nil
}

// isSealed reports whether a workflow holds the record as it was approved.
func (c *change) isSealed() (bool, error) {
	if c.create || c.old == nil {
		return false, nil
	}
	if !c.derives { // a step of the workflow may have ended it meanwhile
		delete(c.approvals, c.m.Code+" "+c.id)
	}
	row := clone(c.old)
	row[catalog.ID] = c.id
	err := c.findSealed(c.m, []map[string]any{row})
	return c.approvals[c.m.Code+" "+c.id], err
}

// approved decides which values of a record stay as they were approved.
func (c *change) approved() (keeping, error) {
	if c.act == catalog.AmendAction || len(c.m.Computed) == 0 || c.derives && c.because == nil && c.other == nil {
		return nil, nil
	}
	if sealed, err := c.isSealed(); err != nil || !sealed {
		return nil, err
	}
	computes := fields{}
	if c.other == nil {
		computes = c.reached()
	}
	return func(f *catalog.Field, was map[string]any) bool {
		return !computes[f] && (c.other == nil || !c.other.fresh(f) || get(was, f) != nil)
	}, nil
}

// reached are the computed properties of the record and its rows that read, at once or by others, what is another value than before.
func (c *change) reached() fields {
	changed, out := fields{}, fields{}
	for f := range c.because {
		if changed[f] = true; f.Compute != nil {
			out.add(f)
		}
	}
	if !c.derives {
		for _, f := range c.m.Fields {
			if f.Compute == nil && c.changes(f) {
				changed.add(f)
				if f.Sheet != nil {
					changed.add(f.Sheet.Fields...)
				}
			}
		}
	}
	for _, f := range c.m.Computed { // each behind those that it reads
		if out[f] || slices.ContainsFunc(f.Reads, func(of *catalog.Field) bool { return changed[of] }) {
			out.add(f)
			changed.add(f)
		}
	}
	return out
}
