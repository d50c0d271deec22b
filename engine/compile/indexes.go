package compile

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// maxIndexes caps the derived indexes of a table: each costs every write. Those that come first in usage.indexes stay.
const maxIndexes = 8

// usage is what lists and rights ask of the tables.
type usage struct {
	lists  map[*catalog.Model][]*catalog.List
	rights rowColumns
	feeds  map[*catalog.Model][]string // relations that every change of a related record follows
}

// rowColumns are the columns of row rules by their models; nil key: those of every model.
type rowColumns map[*catalog.Model][]string

func (c *compiler) rowColumns() rowColumns {
	out := rowColumns{}
	for _, r := range c.cat.Roles {
		for _, g := range r.Grants {
			plan.Walk(g.Rows, func(e plan.Expr) {
				if f, ok := e.(*plan.Field); ok && len(f.Path) == 0 && (f.Column == catalog.Owner || f.Column == catalog.OwnerDept) &&
					!slices.Contains(out[g.Model], f.Column) {
					out[g.Model] = append(out[g.Model], f.Column)
				}
			})
		}
	}
	for _, columns := range out {
		slices.Sort(columns)
	}
	return out
}

func (c *compiler) usage() usage {
	c.rights = c.rowColumns()
	u := usage{map[*catalog.Model][]*catalog.List{}, c.rights, map[*catalog.Model][]string{}}
	follow := func(m *catalog.Model, column *plan.Field) {
		if column != nil && column.K == plan.ID && !slices.Contains(u.feeds[m], column.Column) {
			u.feeds[m] = append(u.feeds[m], column.Column)
		}
	}
	for _, m := range c.cat.Models {
		for _, feed := range m.Dependents {
			follow(m, feed.Up)
			for _, step := range feed.Back {
				follow(step.Model, step.Column)
			}
		}
	}
	for _, l := range c.cat.Lists {
		u.lists[l.Model] = append(u.lists[l.Model], l)
	}
	return u
}

// indexes derives a table's indexes, the most useful first: the author's own, what computed properties follow, the order of each list, the tree's parent,
// the columns of rights, relations, then the filters of the lists.
func (u usage) indexes(m *model, unique []plan.Index) []plan.Index {
	s := indexSet{unique: unique}
	for i, fields := range m.Indexes {
		s.own = append(s.own, plan.Index{Columns: columnNames(fields), At: m.def.Node.Get("indexes").At(itoa(i)).Pos().String()})
	}
	if m.parent != nil {
		s.own = append(s.own, plan.Index{Columns: []string{catalog.SheetParent, catalog.SheetOrder}, At: m.at()})
	}
	for _, column := range u.feeds[m.Model] {
		s.add(plan.Index{Columns: []string{column}})
	}
	var orders []plan.Index
	for _, l := range u.lists[m.Model] {
		order, ok := orderIndex(l)
		if ok {
			orders = append(orders, order)
			s.add(prependColumns(fixedColumns(l.Condition), order))
		}
	}
	var order plan.Index // of the first list: the page that most people open
	if len(orders) > 0 {
		order = orders[0]
	}
	if m.Tree != nil {
		s.add(prependColumns([]string{m.Tree.Column().Column}, order))
	}
	if m.parent == nil {
		for _, column := range slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(u.rights[nil]), u.rights[m.Model]...)))) {
			s.add(prependColumns([]string{column}, order))
		}
	}
	for _, f := range m.Fields {
		for _, col := range f.Columns() {
			if col.References != "" && col.Kind == plan.ID {
				s.add(plan.Index{Columns: []string{col.Name}})
			}
		}
	}
	for _, l := range u.lists[m.Model] {
		if l.Generated { // an index costs each write, and nobody asked for these filters
			continue
		}
		listOrder, _ := orderIndex(l)
		for _, x := range l.Conditions {
			s.addCondition(x, listOrder)
		}
	}
	return s.result(m.at())
}

// prependColumns puts columns that are compared for equality before an order.
func prependColumns(columns []string, order plan.Index) plan.Index {
	out := plan.Index{Columns: slices.Clone(columns), Desc: make([]bool, len(columns))}
	for i, c := range order.Columns {
		if !slices.Contains(out.Columns, c) {
			out.Columns, out.Desc = append(out.Columns, c), append(out.Desc, order.Desc[i])
		}
	}
	return out
}

// orderIndex is the order of a list, with id last; false when a key is not a column of the table.
func orderIndex(l *catalog.List) (plan.Index, bool) {
	var out plan.Index
	descending := false
	for _, o := range l.OrderBy {
		columns := sortColumns(o.Path)
		if columns == nil {
			return plan.Index{}, false
		}
		descending = o.Descending
		for _, c := range columns {
			out.Columns, out.Desc = append(out.Columns, c), append(out.Desc, o.Descending)
		}
	}
	if len(out.Columns) == 0 {
		return plan.Index{}, false
	}
	if !slices.Contains(out.Columns, catalog.ID) {
		out.Columns, out.Desc = append(out.Columns, catalog.ID), append(out.Desc, descending)
	}
	return out, true
}

// sortColumns are the columns that a property sorts by; nil when it sorts by anything else (joined names, options' order).
func sortColumns(p catalog.Path) []string {
	sorter, ok := p.Field.Property.(property.Sorter)
	if !ok || len(p.Steps) > 0 || len(p.Field.Columns()) == 0 {
		return nil
	}
	column := func(name string) plan.Expr { return &plan.Field{Column: name, K: p.Field.Property.Kind()} }
	related := func(property, name string) plan.Expr {
		return &plan.Field{Path: []string{property}, Column: name, K: plan.Text}
	}
	var out []string
	for _, e := range sorter.SortBy(column, related) {
		f, ok := e.(*plan.Field)
		if !ok || len(f.Path) > 0 {
			return nil
		}
		out = append(out, f.Column)
	}
	return out
}

// fixedColumns are the columns that a list's own condition compares with one constant.
func fixedColumns(e plan.Expr) (out []string) {
	parts := []plan.Expr{e}
	if and, ok := e.(*plan.And); ok {
		parts = and.Of
	}
	for _, p := range parts {
		x, ok := p.(*plan.Compare)
		if !ok || x.Op != plan.EQ {
			continue
		}
		f, isField := x.A.(*plan.Field)
		_, isConst := x.B.(*plan.Const)
		if isField && isConst && len(f.Path) == 0 && !slices.Contains(out, f.Column) {
			out = append(out, f.Column)
		}
	}
	return out
}

// indexSet collects indexes without those that another one begins with.
type indexSet struct{ unique, own, derived []plan.Index }

func (s *indexSet) add(x plan.Index) {
	if len(x.Columns) > 0 {
		s.derived = append(s.derived, x)
	}
}

// addCondition adds what a filter needs: equality before the list's order, a range by itself. Sets have link tables and
// parts of texts gram indexes.
func (s *indexSet) addCondition(x catalog.Condition, order plan.Index) {
	columns := x.Path.Field.Columns()
	if len(x.Path.Steps) > 0 || len(columns) != 1 {
		return
	}
	op, _ := x.Operator.Positive()
	_, chooses := x.Path.Field.Property.(property.Chooser)
	switch columns[0].Kind {
	case plan.ID, plan.Bool:
		s.add(prependColumns([]string{columns[0].Name}, order))
	case plan.Text:
		if chooses || op == plan.Equal || op == plan.In {
			s.add(prependColumns([]string{columns[0].Name}, order))
		}
	case plan.Number, plan.Date, plan.Instant, plan.Clock:
		s.add(plan.Index{Columns: []string{columns[0].Name}})
	}
}

// result keeps the first maxIndexes derived ones that no other index serves. One that begins a later one gives it its place.
func (s *indexSet) result(at string) []plan.Index {
	out := slices.Clone(s.own)
	for i, x := range s.derived {
		for _, y := range s.derived[i+1:] {
			if serves(y, x) {
				x = y
			}
		}
		if !slices.Contains(x.Desc, true) {
			x.Desc = nil
		}
		served := func(y plan.Index) bool { return serves(y, x) }
		if slices.ContainsFunc(s.unique, served) || slices.ContainsFunc(out, served) {
			continue
		}
		if x.At = at; len(out)-len(s.own) < maxIndexes {
			out = append(out, x)
		}
	}
	own := slices.DeleteFunc(slices.Clone(s.own), func(x plan.Index) bool {
		return slices.ContainsFunc(out, func(y plan.Index) bool { return len(y.Columns) > len(x.Columns) && finds(y, x) })
	})
	return append(own, out[len(s.own):]...)
}

// finds reports whether y leads to rows as an author's index x does: it begins with the same columns. The author gave no
// directions, which count for an order alone, and lists have indexes of their own for that.
func finds(y, x plan.Index) bool {
	return !slices.Contains(x.Desc, true) && !slices.Contains(x.Columns, catalog.SheetOrder) && slices.Equal(y.Columns[:len(x.Columns)], x.Columns)
}

// serves reports whether y begins with the columns of x, in the same directions or all reversed. Directions of a single
// column count nothing.
func serves(y, x plan.Index) bool {
	if len(y.Columns) < len(x.Columns) || !slices.Equal(y.Columns[:len(x.Columns)], x.Columns) {
		return false
	}
	same, reversed := true, true
	for i := range x.Columns {
		if desc(x, i) == desc(y, i) {
			reversed = false
		} else {
			same = false
		}
	}
	return same || reversed
}

func desc(x plan.Index, i int) bool { return i < len(x.Desc) && x.Desc[i] }
