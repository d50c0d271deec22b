package record

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// touched knows which columns of a record, and of the rows of its sub-tables, a change alters: a requirement or a rule that reads
// none of them is as right or wrong as it was before.
type touched struct {
	c      *change
	record map[string]any
	sheets map[string]map[string]bool // code in lower case -> columns of any row; nil = as it was
}

func (c *change) touches() *touched {
	if !c.touching {
		return nil // nobody asks
	}
	t := &touched{c: c, record: changed(c.old, c.row), sheets: map[string]map[string]bool{}}
	for code, s := range c.sheets {
		columns := map[string]bool{}
		for _, r := range s.rows {
			for column := range changed(r.old, r.row) {
				columns[column] = true
			}
			if r.old == nil {
				columns[anyColumn] = true
			}
		}
		if len(s.gone) > 0 {
			columns[anyColumn] = true
		}
		if len(columns) > 0 {
			t.sheets[strings.ToLower(code)] = columns
		}
	}
	return t
}

// anyColumn means all: rows came or went.
const anyColumn = "*"

// field reports whether a property of the record changes.
func (t *touched) field(f *catalog.Field) bool {
	if f == nil {
		return false
	}
	if f.Sheet != nil {
		return t.sheets[strings.ToLower(f.Code)] != nil
	}
	return ofField(f, t.record)
}

func ofField(f *catalog.Field, columns map[string]any) bool {
	for _, column := range f.Property.Columns() {
		if _, ok := columns[column.Name]; ok {
			return true
		}
	}
	return false
}

// reads reports whether an expression of the record reads what changes; row are the changed columns of the row of a sub-table
// (of) that it is about, nil for the record itself.
func (t *touched) reads(e plan.Expr, of *catalog.Model, row map[string]any) bool {
	if e == nil {
		return false
	}
	found := false
	within := map[plan.Expr]bool{}
	plan.Walk(e, func(x plan.Expr) {
		var parts []plan.Expr
		sheet := ""
		switch n := x.(type) {
		case *plan.AnyRow:
			parts, sheet = []plan.Expr{n.Where}, n.Sheet
		case *plan.Aggregate:
			parts, sheet = []plan.Expr{n.X, n.Where}, n.Sheet
			if n.Of != nil && n.Of.Own != "" {
				found = found || t.field(t.c.m.Field(n.Of.Own))
			}
		default:
			return
		}
		columns := t.sheets[strings.ToLower(sheet)]
		found = found || columns[anyColumn]
		for _, p := range parts {
			if p == nil {
				continue
			}
			plan.Walk(p, func(inner plan.Expr) {
				within[inner] = true
				if f, ok := inner.(*plan.Field); ok {
					found = found || !f.Outer && columns[leads(f, t.c.sheetModel(sheet))] || f.Outer && t.column(f, t.c.m, t.record)
				}
			})
		}
	})
	plan.Walk(e, func(x plan.Expr) {
		f, ok := x.(*plan.Field)
		switch {
		case !ok || within[x]:
		case row == nil || f.Outer:
			found = found || t.column(f, t.c.m, t.record)
		default:
			found = found || t.column(f, of, row)
		}
	})
	return found
}

func (t *touched) column(f *plan.Field, m *catalog.Model, columns map[string]any) bool {
	_, ok := columns[leads(f, m)]
	return ok
}

// leads is the column of the model itself that a path begins with.
func leads(f *plan.Field, m *catalog.Model) string {
	if len(f.Path) == 0 || m == nil {
		return f.Column
	}
	relation := m.Field(f.Path[0])
	if relation == nil || len(relation.Property.Columns()) == 0 {
		return f.Column
	}
	return relation.Property.Columns()[0].Name
}

func (c *change) sheetModel(code string) *catalog.Model {
	if f := c.m.Field(code); f != nil {
		return f.Sheet
	}
	return nil
}

// aside takes what was refused since a place out of the refusals, when it is none of the change's matter.
func (c *change) aside(from int, matters func() bool) {
	if len(c.errs) == from || !c.madeUp && (!c.touching || matters()) {
		return
	}
	c.warnings = append(c.warnings, c.errs[from:]...)
	c.errs = c.errs[:from]
}

// told are the warnings that the principal may hear of.
func (c *change) told() ([]fault.FieldError, error) {
	var out []fault.FieldError
	for _, e := range c.warnings {
		known, err := c.mayKnow(e.PropertyCode, true)
		if err != nil {
			return nil, err
		}
		if known {
			out = append(out, c.named(e))
		}
	}
	return out, nil
}
