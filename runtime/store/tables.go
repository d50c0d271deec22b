package store

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Tables lists the tables on which the rows and figures of a query depend: what a cache of them must watch. Link tables
// are watched by their record's table, whose rows change with them.
func Tables(c *catalog.Catalog, q *plan.Query) []string {
	m := c.Model(q.Model)
	if m == nil {
		return nil
	}
	w := &watch{c: c, seen: map[string]bool{}, joins: q.Joins}
	w.add(m.Table)
	for _, e := range q.Select {
		w.expr(m, "", e)
	}
	for _, e := range q.Group {
		w.expr(m, "", e)
	}
	w.expr(m, "", q.Where)
	for _, o := range q.Order {
		w.expr(m, "", o.By)
	}
	for _, a := range q.Aggregate {
		w.expr(m, "", a.X)
	}
	return w.tables
}

type watch struct {
	c      *catalog.Catalog
	tables []string
	seen   map[string]bool
	joins  map[string]plan.Expr
}

func (w *watch) add(table string) {
	if !slices.Contains(w.tables, table) {
		w.tables = append(w.tables, table)
	}
}

func (w *watch) expr(m *catalog.Model, prefix string, e plan.Expr) {
	plan.Walk(e, func(x plan.Expr) {
		switch x := x.(type) {
		case *plan.Field:
			w.field(m, prefix, x)
		case *plan.Belongs:
			w.add(peopleTable)
		case *plan.LinkText:
			w.add(x.Table)
		case *plan.Visible:
			if t := w.c.Model(x.Model); t != nil {
				w.add(t.Table)
				w.expr(t, "\x00", x.Where)
			}
		case *plan.AnyRow:
			if rows := engineRowsOf(m, x.Sheet); rows != nil {
				w.add(rows.Table)
			} else if s := sheetOf(m, x.Sheet); s != nil {
				w.add(s.Table)
				w.expr(s, prefix+sheetCode(x.Sheet)+".", x.Where)
			}
		}
	})
}

// field watches the models along a path, and what the rights on them read.
func (w *watch) field(m *catalog.Model, prefix string, f *plan.Field) {
	if f.Outer && m.Parent != nil {
		m = m.Parent
		w.add(m.Table)
	}
	if s := sheetOf(m, f.Column); f.K == plan.Rows && s != nil {
		w.add(s.Table)
	}
	key := prefix
	for i, step := range f.Path {
		r := m.Field(step)
		if r == nil || r.Target == nil {
			return
		}
		m = r.Target
		w.add(m.Table)
		if i > 0 {
			key += "."
		}
		key += step
		if e := w.joins[key]; e != nil && !w.seen[key] {
			w.seen[key] = true
			w.expr(m, "\x00", e)
		}
	}
	if links := sharedLinks(m, f.Column); links != "" {
		w.add(links)
	}
}
