package query

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// restrict puts the caller's rights into a condition that a list's author wrote: what the caller may not read is empty in
// it, as it is in the caller's own filters. Variables are bound.
func (g *graph) restrict(e plan.Expr) plan.Expr {
	if e == nil {
		return plan.True
	}
	return g.restrictBound(g.view.Bind(e), "")
}

// restrictBound is restrict for a condition whose variables are bound already. With a sheet it is one on the rows of that sub-table.
func (g *graph) restrictBound(e plan.Expr, sheet string) plan.Expr {
	inRow := rowFields(e)
	return plan.Rewrite(e, func(x plan.Expr) plan.Expr {
		switch f := x.(type) {
		case *plan.Field:
			in, nested := inRow[f]
			switch {
			case catalog.EngineRowsNamed(in) != nil:
				return f // the rows show as a whole, or not at all
			case !nested && !f.Outer && sheet != "":
				return g.restrictField(f, sheet)
			}
			return g.restrictField(f, in)
		case *plan.AnyRow:
			if rows := catalog.EngineRowsNamed(f.Sheet); rows != nil {
				return g.restrictEngineRows(rows, f)
			}
			n, err := g.resolve(f.Sheet)
			if err != nil {
				return plan.False
			}
			return plan.AllOf(rule(n.guard), f)
		}
		return x
	})
}

// restrictEngineRows limits a condition on rows of the engine to what the caller may know: tasks show where their people do, comments with
// the record, and files in the fields that the caller reads.
func (g *graph) restrictEngineRows(rows *catalog.EngineRows, x *plan.AnyRow) plan.Expr {
	switch {
	case rows.Code == catalog.FileRows:
		return g.restrictFiles(x)
	case rows.Follows == "":
		return x
	}
	n, err := g.resolve(rows.Follows)
	if err != nil {
		return plan.False
	}
	return plan.AllOf(rule(n.guard), x)
}

func (g *graph) restrictFiles(x *plan.AnyRow) plan.Expr {
	var any []plan.Expr
	for _, at := range fileFields(g.model) {
		n, err := g.resolve(at.code)
		if err != nil {
			continue
		}
		held := plan.AllOf(rule(n.guard), &plan.AnyRow{Sheet: n.field.Code, Where: x.Where})
		if n.sheet != nil {
			held = &plan.AnyRow{Sheet: n.sheet.Code, Where: held}
		}
		any = append(any, held)
	}
	return plan.AnyOf(any...)
}

// rowFields finds the fields that speak of a row of a sub-table, and of which.
func rowFields(e plan.Expr) map[*plan.Field]string {
	out := map[*plan.Field]string{}
	mark := func(sheet string, of ...plan.Expr) {
		for _, e := range of {
			plan.Walk(e, func(x plan.Expr) {
				if f, ok := x.(*plan.Field); ok && !f.Outer {
					out[f] = sheet
				}
			})
		}
	}
	plan.Walk(e, func(x plan.Expr) {
		switch n := x.(type) {
		case *plan.AnyRow:
			mark(n.Sheet, n.Where)
		case *plan.Aggregate:
			mark(n.Sheet, n.X, n.Where)
		}
	})
	return out
}

func (g *graph) restrictField(f *plan.Field, sheet string) plan.Expr {
	empty := &plan.Const{K: f.K}
	m, path := g.model, ""
	if sheet != "" {
		if s := m.Field(sheet); s != nil && s.Sheet != nil {
			if len(f.Path) > 0 {
				return g.restrictBehindRow(s, f)
			}
			m, path = s.Sheet, s.Code+"."
		}
	}
	if len(f.Path) > 0 {
		path += strings.Join(f.Path, ".") + "."
		for _, step := range f.Path {
			relation := m.Field(step)
			if relation == nil || relation.Target == nil {
				return empty
			}
			m = relation.Target
		}
	}
	if m.Parent != nil && (f.Column == catalog.ID || f.Column == catalog.SheetOrder) {
		return f
	}
	field := ownerOf(m, f.Column)
	if field == nil {
		return empty
	}
	n, err := g.resolve(path + field.Code)
	if err != nil {
		return empty
	}
	out := n.column(f.Column)
	if field.Sheet != nil {
		out = n.guarded(f)
	}
	if f.Outer { // inside a row: the record above it
		return rebase(nil, true, out)
	}
	return out
}

// restrictBehindRow is a property of a record that a row refers to. Callers name none: the conditions of documents do.
func (g *graph) restrictBehindRow(sheet *catalog.Field, f *plan.Field) plan.Expr {
	empty, m := &plan.Const{K: f.K}, sheet.Sheet
	_, guard := g.view.Field(sheet)
	guard = rebase(nil, true, guard)
	for i, step := range append(slices.Clone(f.Path), f.Column) {
		field := ownerOf(m, step)
		if field == nil {
			return empty
		}
		right, on := g.view.Field(field)
		if right == catalog.Hidden {
			return empty
		}
		guard = plan.AllOf(guard, rebase(f.Path[:i], i == 0, on))
		key := sheet.Code + "." + strings.Join(append(slices.Clone(f.Path[:i]), field.Code), ".")
		if i < len(f.Path) {
			if field.Target == nil || field.Multiple {
				return empty
			}
			g.joins[key] = rule(g.view.Rows(field.Target))
			m = field.Target
			continue
		}
		n := node{graph: g, field: field, path: f.Path, guard: guard}
		if f.K == plan.ID && n.limited() {
			if _, followed := g.joins[key]; !followed {
				g.joins[key] = rule(targetRows(g.view, field.Target))
			}
			return n.guarded(&plan.Field{Path: append(slices.Clone(f.Path), field.Code), Column: catalog.ID, K: plan.ID})
		}
		return n.column(f.Column)
	}
	return empty
}

// ownerOf finds the field that a column belongs to.
func ownerOf(m *catalog.Model, column string) *catalog.Field {
	if f := m.Field(column); f != nil {
		return f
	}
	code, _, _ := strings.Cut(column, "__")
	return m.Field(code)
}
