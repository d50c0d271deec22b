package compile

import (
	"fmt"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// operand is a property that a formula reads, with the relations that lead to it: each from the record of the one before,
// the first from the formula's own record or one of its rows.
type operand struct {
	path  []*relation
	field *catalog.Field // nil: the column is none of a property's
	of    *plan.Records  // the property is one of these records
	in    *catalog.Model // that has the property
	node  *plan.Field
}

// relation is a property that refers to records, in the model that has it: system properties are shared by all models.
type relation struct {
	of    *catalog.Model
	field *catalog.Field
}

func (r *relation) column() *plan.Field { return r.field.Column() }

// operands lists what a formula of m reads of records, in the order of its nodes. Values before the change are left out.
func (c *compiler) operands(e plan.Expr, m *model) (out []operand) {
	top := m
	if m.parent != nil {
		top = m.parent
	}
	inSheet, inRecords := rowsOf(e)
	plan.Walk(e, func(x plan.Expr) {
		node, ok := x.(*plan.Field)
		if !ok || node.Old {
			return
		}
		o := operand{node: node, in: m.Model}
		if sheet := top.Field(inSheet[node]); sheet != nil && sheet.Sheet != nil {
			o.in = sheet.Sheet
		}
		if o.of = inRecords[node]; o.of != nil {
			o.in = c.recordsIn(top, o.of)
		}
		if node.Outer {
			o.in, o.of = top.Model, nil
		}
		for _, step := range node.Path {
			if o.in == nil {
				return
			}
			f := o.in.Field(step)
			if f == nil || f.Target == nil {
				return
			}
			o.path = append(o.path, &relation{o.in, f})
			o.in = f.Target
		}
		if o.in != nil {
			o.field = o.in.Field(node.Column)
			out = append(out, o)
		}
	})
	return out
}

// rowsOf finds the fields of an expression that speak of a sub-table's row, and those that speak of records of another
// model.
func rowsOf(e plan.Expr) (map[*plan.Field]string, map[*plan.Field]*plan.Records) {
	sheets, records := map[*plan.Field]string{}, map[*plan.Field]*plan.Records{}
	mark := func(sheet string, of *plan.Records, parts ...plan.Expr) {
		for _, p := range parts {
			plan.Walk(p, func(x plan.Expr) {
				f, ok := x.(*plan.Field)
				switch {
				case !ok:
				case of != nil:
					records[f] = of
				default:
					sheets[f] = sheet
				}
			})
		}
	}
	plan.Walk(e, func(x plan.Expr) {
		switch x := x.(type) {
		case *plan.Aggregate:
			mark(x.Sheet, x.Of, x.X, x.Where)
		case *plan.AnyRow:
			mark(x.Sheet, nil, x.Where)
		}
	})
	return sheets, records
}

// recordsIn is the model of records that a formula of top folds.
func (c *compiler) recordsIn(top *model, of *plan.Records) *catalog.Model {
	if of.Own == "" {
		m, _ := c.models.get(of.Model)
		return m.Model
	}
	return top.Field(of.Own).Target
}

// folded lists the Records of an expression.
func folded(e plan.Expr) (out []*plan.Records) {
	plan.Walk(e, func(x plan.Expr) {
		if a, ok := x.(*plan.Aggregate); ok && a.Of != nil {
			out = append(out, a.Of)
		}
	})
	return out
}

// compileDependents tells each model whose computed properties read it.
func (c *compiler) compileDependents() {
	feeds := dependentSet{}
	for _, m := range c.models.all {
		for _, t := range append([]*catalog.Model{m.Model}, m.Sheets...) {
			for _, f := range t.Fields {
				if f.Compute != nil {
					c.feedsOf(feeds, m, c.of[t], f)
				}
			}
		}
	}
	web := map[*catalog.Model]*catalog.Model{}
	root := func(m *catalog.Model) *catalog.Model {
		for web[m] != nil {
			m = web[m]
		}
		return m
	}
	for _, m := range c.models.all {
		for _, feed := range m.Dependents {
			slices.Sort(feed.Columns)
			if a, b := root(m.Model), root(feed.To); a != b {
				web[b] = a
			}
		}
	}
	for from, to := range web {
		name := root(to).Code
		from.LockGroup, root(to).LockGroup = name, name
	}
	for _, m := range c.models.all {
		m.AddsUp = m.Tree != nil && slices.ContainsFunc(m.Dependents, func(f *catalog.Dependent) bool {
			return f.To == m.Model && f.Up != nil && f.Up.Column == m.Tree.Column().Column
		})
		if m.AddsUp && m.LockGroup == "" {
			m.LockGroup = m.Code
		}
	}
}

func (c *compiler) feedsOf(feeds dependentSet, to, m *model, f *catalog.Field) {
	read := map[*plan.Records][]*plan.Field{}
	for _, o := range c.operands(f.Compute, m) {
		if o.of != nil {
			read[o.of] = append(read[o.of], o.node)
			continue
		}
		var back []catalog.Step
		for i, r := range o.path {
			back = append([]catalog.Step{{Model: r.of, Column: r.column()}}, back...)
			column := o.node.Column
			if i+1 < len(o.path) {
				column = o.path[i+1].column().Column
			}
			feeds.add(f, r.field.Target, catalog.Dependent{To: to.Model, Back: back}, column)
		}
	}
	for _, of := range folded(f.Compute) {
		from := c.recordsIn(to, of)
		var columns []string
		for _, f := range read[of] {
			columns = append(columns, f.Column)
		}
		of.Model, of.Read = from.Code, read[of]
		if of.Own != "" {
			own := &relation{to.Model, to.Field(of.Own)}
			feeds.add(f, from, catalog.Dependent{To: to.Model, Back: []catalog.Step{{Model: own.of, Column: own.column()}}}, columns...)
			continue
		}
		up := from.Field(of.Property).Column()
		feeds.add(f, from, catalog.Dependent{To: to.Model, Up: up}, append(columns, up.Column)...)
	}
}

// dependentSet holds each feed once, by the way that it takes.
type dependentSet map[string]*catalog.Dependent

// add notes that a computed field reads columns of the records of a model.
func (s dependentSet) add(reader *catalog.Field, from *catalog.Model, f catalog.Dependent, columns ...string) {
	if len(columns) == 0 {
		return
	}
	key := from.Code + " " + f.To.Code
	if f.Up != nil {
		key += " up " + f.Up.Column
	}
	for _, b := range f.Back {
		key += fmt.Sprintf(" %s.%s", b.Model.Code, b.Column.Column)
	}
	have := s[key]
	if have == nil {
		f.Readers = map[string][]*catalog.Field{}
		have = &f
		s[key] = have
		from.Dependents = append(from.Dependents, have)
	}
	for _, column := range columns {
		if !slices.Contains(have.Columns, column) {
			have.Columns = append(have.Columns, column)
		}
		if !slices.Contains(have.Readers[column], reader) {
			have.Readers[column] = append(have.Readers[column], reader)
		}
	}
}
