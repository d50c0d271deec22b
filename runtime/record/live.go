package record

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
)

// What is computed when it is read is in no row. The database computes it for lists and forms; here it is computed for those who
// look at a change before it is stored: forms that are being filled in, hooks, "why this value?".

// lived puts the values of the moment into a copy of a row; the row itself where there are none.
func lived(m *catalog.Model, row map[string]any, scope expression.Scope) map[string]any {
	out, own := row, false
	for _, f := range m.Fields {
		if !f.Live {
			continue
		}
		if !own {
			out, own = clone(row), true
		}
		v, err := evaluate(f, f.Compute, scope)
		if err != nil {
			v = nil
		}
		name := f.Property.Columns()[0].Name
		if out[name] = f.Property.Store(v)[0]; out[name] == nil {
			delete(out, name)
		}
	}
	return out
}

// computeLive puts the values of the moment into a change that will not be stored.
func (c *change) computeLive() {
	c.row = lived(c.m, c.row, c.scope())
	for _, f := range c.m.Fields {
		if s := c.sheets[f.Code]; s != nil {
			c.computeLiveRows(s)
		}
	}
}

func (c *change) computeLiveRows(s *sheetChange) {
	for _, r := range s.rows {
		r.row = lived(s.field.Sheet, r.row, expression.Row(c.rowScopeIn(s.field.Sheet, r), c.scope()))
	}
}

// formulasOf are the fields of a model, or of one of its sub-tables, that have a formula, those that are computed when they are read
// last.
func formulasOf(m, of *catalog.Model) []*catalog.Field {
	out := computed(m, of)
	for _, f := range of.Fields {
		if f.Live {
			out = append(out, f)
		}
	}
	return out
}
