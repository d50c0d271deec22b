package record

import (
	"encoding/json"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
)

// along follows a field of a formula over relations, telling each step. hidden: the principal may not see the way or its end.
func (c *change) along(m *catalog.Model, n *plan.Field, scope expression.Scope, step func(*catalog.Field)) (f *catalog.Field, hidden bool, err error) {
	for i, code := range n.Path {
		f := m.Field(code)
		step(f)
		id, _ := scope.Column(&plan.Field{Path: n.Path[:i], Column: f.Property.Columns()[0].Name, K: plan.ID}).(string)
		hidden = hidden || !c.shows(f, scope)
		if m = f.Target; id == "" || hidden {
			continue
		}
		seen, err := c.holds(m, id, plan.AllOf(idIs(id), c.rowsOf(m)))
		if err != nil {
			return nil, true, err
		}
		hidden = !seen
	}
	if f = fieldOfColumn(m, n.Column); f == nil {
		return nil, true, nil
	}
	step(f)
	right, guard := c.view.Field(f)
	switch {
	case right == catalog.Hidden, len(n.Path) > 0 && !plan.IsTrue(guard):
		hidden = true // a guard that depends on the other record is not looked up
	case len(n.Path) == 0:
		hidden = !c.shows(f, scope)
	}
	return f, hidden, nil
}

// operands are the values of related records that the rules of the form ask for, in their wire form, by their paths: a browser
// knows the form's own values only. What the principal may not see is empty, as it is everywhere else in the rules it is told.
func (c *change) operands() (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	scope := c.scope()
	for _, n := range c.farFields() {
		key := strings.Join(n.Path, ".") + "."
		f, hidden, err := c.along(c.m, n, scope, func(*catalog.Field) {})
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		key += f.Code
		if hidden {
			out[key] = json.RawMessage("null")
			continue
		}
		row := map[string]any{}
		for _, col := range f.Property.Columns() {
			row[col.Name] = scope.Column(&plan.Field{Path: n.Path, Column: col.Name, K: col.Kind})
		}
		names, err := c.names([]*catalog.Field{f}, row, true)
		if err != nil {
			return nil, err
		}
		out[key] = f.Property.AppendJSON(nil, get(row, f), names)
	}
	return out, nil
}

// farFields are the fields of related records that the rules of the form name. Rules on rows are the server's alone.
func (c *change) farFields() (out []*plan.Field) {
	if c.form == nil {
		return nil
	}
	add := func(of ...plan.Expr) {
		for _, e := range of {
			if e == nil {
				continue
			}
			for _, n := range operandsOf(e) {
				if f, ok := n.(*plan.Field); ok && len(f.Path) > 0 && !f.Old {
					out = append(out, f)
				}
			}
		}
	}
	var walk func(items []catalog.FormItem)
	walk = func(items []catalog.FormItem) {
		for i := range items {
			item := &items[i]
			add(item.Display, item.Required)
			if item.Field != nil {
				add(item.Field.RequiredIf)
			}
			walk(item.Items)
		}
	}
	walk(c.form.Items)
	return out
}
