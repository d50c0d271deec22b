package query

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
)

// graph resolves property paths of one model for one principal. It collects the joins that its answers
// need, each with the row rights of the joined model.
type graph struct {
	view  *authz.View
	model *catalog.Model
	joins map[string]plan.Expr
	at    map[string]any // the time of values that are computed when they are read; nil: that of the request
	timed bool           // such a value has been named
}

func newGraph(view *authz.View, m *catalog.Model) *graph {
	return &graph{view: view, model: m, joins: map[string]plan.Expr{}}
}

// node is a readable property, seen from the graph's model.
type node struct {
	graph *graph
	field *catalog.Field
	path  []string       // relations before it
	sheet *catalog.Field // the sub-table that holds it; nil for others
	guard plan.Expr      // rows on which it shows
}

// unknown is the one answer to properties that do not exist and to those that may not be read.
func unknown() error { return fault.New(fault.FieldUnknown) }

// unknown refuses a path whose step i no property of a model has. Where one had that code before, its reader is told what it is called now.
func (g *graph) unknown(m *catalog.Model, steps []string, i int) error {
	f := g.view.Catalog.Renamed(m, steps[i])
	if f == nil {
		return unknown()
	}
	if right, _ := g.view.Field(f); right == catalog.Hidden {
		return unknown()
	}
	steps[i] = f.Code
	return fault.New(fault.FieldRenamed, strings.Join(steps, "."))
}

// resolve finds a path as authors and callers write it: "amount", "contract.partyB", "items.rate".
func (g *graph) resolve(code string) (node, error) {
	n := node{graph: g, guard: plan.True}
	m := g.model
	steps := strings.Split(code, ".")
	if len(steps) > maxHops {
		return node{}, unknown()
	}
	for i, step := range steps {
		f := m.Field(step)
		if f == nil {
			return node{}, g.unknown(m, steps, i)
		}
		right, guard := g.view.Field(f)
		if right == catalog.Hidden {
			return node{}, unknown()
		}
		n.guard = plan.AllOf(n.guard, rebase(n.path, n.sheet != nil, guard))
		last := i == len(steps)-1
		if f.Sheet != nil && len(n.path) > 0 {
			return node{}, unknown() // sub-tables of joined records are not read
		}
		switch {
		case last:
			n.field = f
			return n, nil
		case f.Sheet != nil && n.sheet == nil && len(n.path) == 0:
			n.sheet, m, n.guard = f, f.Sheet, rebase(nil, true, n.guard)
		case f.Target != nil && !f.Multiple && n.sheet == nil:
			n.path = append(slices.Clone(n.path), f.Code)
			g.joins[strings.Join(n.path, ".")] = rule(g.view.Rows(f.Target))
			m = f.Target
		default:
			return node{}, unknown()
		}
	}
	return node{}, unknown()
}

// maxHops bounds the relations of a path.
const maxHops = 4

// join notes that the record behind a reference is looked at for its id or name. The names of people and departments are
// known to everybody who sees a record that names them; other records join only where the principal may see them, so a
// hidden one is as good as none. A path that is followed further keeps the rights to its records.
func (g *graph) join(path []string, target *catalog.Model) {
	key := strings.Join(path, ".")
	if _, followed := g.joins[key]; !followed {
		g.joins[key] = rule(targetRows(g.view, target))
	}
}

func targetRows(view *authz.View, target *catalog.Model) plan.Expr {
	if directory.Knows(target.Code) {
		return plan.True
	}
	return view.Rows(target)
}

// rebase moves a condition on a joined record to the graph's model; inSheet moves one on the parent into its sub-table.
// A condition on the rows of a joined record's sub-table cannot be moved and denies.
func rebase(path []string, inSheet bool, e plan.Expr) plan.Expr {
	if plan.IsTrue(e) || len(path) == 0 && !inSheet {
		return e
	}
	movable := true
	out := plan.Rewrite(e, func(x plan.Expr) plan.Expr {
		switch f := x.(type) {
		case *plan.Field:
			moved := *f
			moved.Path = append(append([]string(nil), path...), f.Path...)
			moved.Outer = inSheet
			return &moved
		case *plan.AnyRow, *plan.Aggregate:
			movable = false
		}
		return x
	})
	if !movable {
		return plan.False
	}
	return out
}

// column is the expression of one of the property's columns with everything that limits it, to compare and to sort by.
func (n node) column(name string) plan.Expr {
	for _, c := range n.field.Property.Columns() {
		if c.Name != name {
			continue
		}
		e := n.raw(c)
		if c.Kind == plan.ID && n.sheet != nil && n.limited() {
			e = n.visibleRowRelation()
		}
		if c.Kind == plan.Set && n.limited() {
			e = &plan.Visible{F: e, Model: n.field.Target.Code, Where: rule(targetRows(n.graph.view, n.field.Target))}
		}
		return n.guarded(e)
	}
	return &plan.Const{K: plan.Text}
}

// columns are the expressions of all columns, in order, to read. Of several references the hidden ones are left out when
// their names are resolved.
func (n node) columns() []plan.Expr {
	cols := n.field.Property.Columns()
	out := make([]plan.Expr, len(cols))
	for i, c := range cols {
		out[i] = n.guarded(n.raw(c))
	}
	return out
}

func (n node) guarded(e plan.Expr) plan.Expr {
	if plan.IsTrue(n.guard) {
		return e
	}
	return &plan.Guarded{Cond: rule(n.guard), X: e}
}

// rule marks a condition of the access documents: it follows relations as they are, not as the caller sees them.
func rule(e plan.Expr) plan.Expr {
	follows := false
	plan.Walk(e, func(x plan.Expr) {
		if f, ok := x.(*plan.Field); ok && (len(f.Path) > 0 || f.Outer) {
			follows = true
		}
	})
	if follows {
		return &plan.Rule{X: e}
	}
	return e
}

// raw is a column without guard. A relation to a model of which the principal sees only some rows is read as the id of the
// joined row: a hidden record is empty in cells, filters, sorts and figures alike.
func (n node) raw(c plan.Column) plan.Expr {
	f := n.field
	if f.Live {
		return n.live(c)
	}
	if c.Kind == plan.ID && n.sheet == nil && n.limited() && !f.Multiple {
		path := append(append([]string(nil), n.path...), f.Code)
		n.graph.join(path, f.Target)
		return &plan.Field{Path: path, Column: catalog.ID, K: plan.ID}
	}
	return &plan.Field{Path: n.path, Column: c.Name, K: c.Kind}
}

// limited reports whether the property refers to records of which the principal may not see all.
func (n node) limited() bool {
	return n.field.Target != nil && !plan.IsTrue(targetRows(n.graph.view, n.field.Target))
}

// visibleRowRelation is the relation of a sub-table's row as the caller sees it: the id of the joined record, empty when it is hidden.
func (n node) visibleRowRelation() plan.Expr {
	n.graph.joins[n.sheet.Code+"."+n.field.Code] = rule(targetRows(n.graph.view, n.field.Target))
	return &plan.Field{Path: []string{n.field.Code}, Column: catalog.ID, K: plan.ID}
}

// related is the expression of a column of the record that a reference of the property's model points to.
func (n node) related(propertyCode, column string) plan.Expr {
	f := n.field.Model.Field(propertyCode)
	if f == nil || f.Target == nil || f.Multiple || n.sheet != nil {
		return &plan.Const{K: plan.Text}
	}
	path := append(append([]string(nil), n.path...), f.Code)
	n.graph.join(path, f.Target)
	target := f.Target.Field(column)
	if target == nil || len(target.Property.Columns()) == 0 {
		return &plan.Const{K: plan.Text}
	}
	guard := plan.True
	if !directory.Knows(f.Target.Code) {
		var right catalog.FieldRight
		if right, guard = n.graph.view.Field(target); right == catalog.Hidden {
			return &plan.Const{K: plan.Text}
		}
	}
	c := target.Column()
	return node{guard: plan.AllOf(n.guard, rebase(path, false, guard))}.guarded(&plan.Field{Path: path, Column: c.Column, K: c.K})
}

// filter compiles a comparison.
func (n node) filter(op plan.Op, operand any, at property.FilterContext) (plan.Expr, error) {
	if !slices.Contains(n.operators(), op) {
		return nil, fault.New(fault.OperatorNotAllowed)
	}
	positive, negated := op.Positive()
	e, err := n.positive(positive, operand, at)
	if err != nil {
		return nil, fault.Wrap(err, fault.FilterValue)
	}
	switch {
	case n.sheet != nil: // a hidden sub-table has no rows
		e = &plan.AnyRow{Sheet: n.sheet.Code, Where: plan.AllOf(rule(n.guard), e)}
	case n.field.Sheet != nil && positive == plan.OpIsNull:
		e = plan.AnyOf(plan.Negate(rule(n.guard)), e)
	case n.field.Sheet != nil:
		e = plan.AllOf(rule(n.guard), e)
	}
	if negated {
		e = plan.Negate(e)
	}
	return e, nil
}

// rowFilter compiles a comparison of a sub-table's row, for queries over the rows themselves. What refers to records that may be
// hidden is not compared there.
func (n node) rowFilter(op plan.Op, operand any, at property.FilterContext) (plan.Expr, error) {
	if n.sheet == nil || n.limited() || !slices.Contains(n.operators(), op) {
		return nil, fault.New(fault.OperatorNotAllowed)
	}
	positive, negated := op.Positive()
	e, err := n.positive(positive, operand, at)
	if err != nil {
		return nil, fault.Wrap(err, fault.FilterValue)
	}
	if negated {
		e = plan.Negate(e)
	}
	return plan.AllOf(rule(n.guard), e), nil
}

// operators lists what the property can be compared with; ids have their own (docs/authoring.md, Operators).
func (n node) operators() []plan.Op {
	if n.isID() {
		return []plan.Op{plan.Equal, plan.In}
	}
	if f, ok := n.field.Property.(property.Filterer); ok {
		return f.Operators()
	}
	return []plan.Op{}
}

func (n node) isID() bool { return n.field.System && n.field.Code == catalog.ID }

func (n node) positive(op plan.Op, operand any, at property.FilterContext) (plan.Expr, error) {
	if !n.isID() {
		e, err := n.field.Property.(property.Filterer).Filter(op, operand, n.column, at)
		if err == nil && n.field.Live {
			e = truths(e)
		}
		return e, err
	}
	ids, ok := words(operand)
	if !ok || op == plan.Equal && len(ids) != 1 {
		return nil, property.Refuse(fault.FieldType)
	}
	return &plan.InSet{Op: plan.SetWithin, F: n.column(catalog.ID), G: &plan.Const{K: plan.Set, Value: ids}}, nil
}

// words reads "a;b" or an array of texts.
func words(operand any) ([]string, bool) {
	switch v := operand.(type) {
	case string:
		return strings.Split(v, ";"), v != ""
	case []any:
		out := make([]string, len(v))
		for i, x := range v {
			s, ok := x.(string)
			if !ok {
				return nil, false
			}
			out[i] = s
		}
		return out, len(out) > 0
	}
	return nil, false
}

// order gives the sort keys of the property.
func (n node) order(descending bool) ([]plan.Order, error) {
	s, ok := n.field.Property.(property.Sorter)
	if !ok || n.sheet != nil {
		return nil, fault.New(fault.SortNotAllowed)
	}
	var out []plan.Order
	for _, e := range s.SortBy(n.column, n.related) {
		out = append(out, plan.Order{By: e, Descending: descending})
	}
	return out, nil
}
