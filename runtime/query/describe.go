package query

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// Shows reports whether a view may read a property, by its path from a model. Descriptions name no other properties: reports, pages and paper
// leave out what lists and forms leave out.
func Shows(view *authz.View, m *catalog.Model, path string) bool {
	_, err := newGraph(view, m).resolve(path)
	return err == nil
}

// ShowsAll reports whether a view may read everything that a condition or a formula on records of a model names; with a sheet, on rows of that
// sub-table.
func ShowsAll(view *authz.View, m *catalog.Model, e plan.Expr, sheet string) bool {
	if e == nil {
		return true
	}
	g, in, all := newGraph(view, m), rowFields(e), true
	of := func(code string) {
		if catalog.EngineRowsNamed(code) == nil && code != "" {
			_, err := g.resolve(code)
			all = all && err == nil
		}
	}
	plan.Walk(e, func(x plan.Expr) {
		switch f := x.(type) {
		case *plan.Field:
			row, nested := in[f]
			if !nested && !f.Outer {
				row = sheet
			}
			if catalog.EngineRowsNamed(row) == nil {
				_, hidden := g.restrictField(f, row).(*plan.Const)
				all = all && !hidden
			}
		case *plan.AnyRow:
			of(f.Sheet)
		case *plan.Aggregate:
			of(f.Sheet)
		}
	})
	return all
}

// ShowsIn is Shows for a path as templates have it: of a model, or of the rows of a sub-table of it.
func ShowsIn(view *authz.View, m *catalog.Model, sheet string, path *catalog.Path) bool {
	if path == nil {
		return true
	}
	if path.Sheet {
		sheet = "" // it is a step of the path
	}
	_, shows := newGraph(view, m).resolveIn(sheet, *path)
	return shows
}
