package compile

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
)

// inline puts the formulas of properties that are computed when they are read in the place of their names. of is the model, or the
// sub-table, whose record or row the expression is about.
func (c *compiler) inline(e plan.Expr, of *model) plan.Expr {
	if e == nil || of == nil || !c.live {
		return e
	}
	record := of.Model
	if of.parent != nil {
		record = of.parent.Model
	}
	return c.inlineIn(e, of.Model, record)
}

func (c *compiler) inlineIn(e plan.Expr, in, record *catalog.Model) plan.Expr {
	switch x := e.(type) {
	case *plan.Field:
		return inlineField(x, in, record)
	case *plan.AnyRow:
		if f := record.Field(x.Sheet); f != nil && f.Sheet != nil {
			in = f.Sheet
		} else if catalog.EngineRowsNamed(x.Sheet) != nil {
			in = nil
		}
	case *plan.Aggregate:
		if f := record.Field(x.Sheet); f != nil && f.Sheet != nil {
			in = f.Sheet
		}
		if x.Of != nil {
			in = c.recordsIn(c.of[record], x.Of)
		}
	}
	return plan.Descend(e, func(x plan.Expr) plan.Expr { return c.inlineIn(x, in, record) })
}

func inlineField(x *plan.Field, in, record *catalog.Model) plan.Expr {
	if x.Outer {
		in = record
	}
	for _, step := range x.Path {
		if in == nil || in.Field(step) == nil {
			return x
		}
		in = in.Field(step).Target
	}
	if in == nil {
		return x
	}
	f := in.Field(x.Column)
	if f == nil || !f.Live {
		return x
	}
	return plan.Rewrite(f.Compute, func(e plan.Expr) plan.Expr {
		read, ok := e.(*plan.Field)
		if !ok {
			return e
		}
		moved := *read
		moved.Path, moved.Old, moved.Outer = append(slices.Clone(x.Path), read.Path...), x.Old, x.Outer || read.Outer
		return &moved
	})
}

// findLive finds the formulas of a model that depend on the time. They are not stored but computed when they are read; Computed has
// each behind those that it is made of.
func (c *compiler) findLive(m *model) {
	stored := m.Computed[:0:0]
	for _, f := range m.Computed {
		of := c.of[f.Model]
		if f.Compute = c.inline(f.Compute, of); expression.Time(f.Compute) {
			c.live, f.Live = true, true
			f.Compute = rounded(f)
			continue
		}
		stored = append(stored, f)
	}
	m.Computed = stored
}

// rounded gives a computed number the fraction digits of its property, as storing it would.
func rounded(f *catalog.Field) plan.Expr {
	cols := f.Property.Columns()
	if f.Compute.Kind() != plan.Number && f.Compute.Kind() != plan.Int || len(cols) == 0 || cols[0].Kind != plan.Number {
		return f.Compute
	}
	digits := &plan.Const{K: plan.Number, Value: decimal.NewFromInt(int64(cols[0].Scale))}
	return &plan.Call{Fn: "round", K: plan.Number, Args: []plan.Expr{f.Compute, digits}}
}

// checkLive reports what a formula that is computed when it is read cannot do, and stored formulas that read one of other records.
func (c *compiler) checkLive(m *model) {
	for _, f := range m.Fields {
		if f.Compute == nil {
			continue
		}
		at := m.defs[f].Node.Get("computeFormula")
		if name := expression.Caller(f.Compute); name != "" {
			c.report("MODEL040", at, f.Code, name)
			continue
		}
		e := c.inline(f.Compute, m)
		if !expression.Time(e) {
			continue
		}
		if word := beyond(e); word != "" {
			c.report("MODEL041", at, f.Code, word)
			continue
		}
		cols := f.Property.Columns()
		if len(cols) != 1 || cols[0].Kind == plan.Set || cols[0].Kind == plan.ID || cols[0].Kind == plan.Int || cols[0].Kind == plan.Rows {
			c.report("MODEL042", at, f.Code, f.Type.Name())
		}
		c.refuseLive(m, f)
	}
	c.refuseLiveOf(m)
}

// beyond names what a formula reads beyond its own record or row, or what only the evaluator computes.
func beyond(e plan.Expr) (word string) {
	plan.Walk(e, func(x plan.Expr) {
		found := ""
		switch n := x.(type) {
		case *plan.Field:
			if len(n.Path) > 0 {
				found = strings.Join(n.Path, ".") + "." + n.Column
			}
		case *plan.AnyRow:
			found = n.Sheet
		case *plan.Aggregate:
			if found = n.Sheet; n.Of != nil {
				found = string(n.Fn)
			}
		}
		if word == "" {
			word = found
		}
	})
	if word == "" {
		word = expression.MemoryOnly(e)
	}
	return word
}

// refuseLive reports the places in the property itself that need a stored value.
func (c *compiler) refuseLive(m *model, f *catalog.Field) {
	d := m.defs[f]
	if f.Unique {
		c.report("MODEL043", d.Node.Get("unique"), f.Code, "unique")
		f.Unique = false
	}
	if d.Required {
		c.report("MODEL043", d.Node.Get("required"), f.Code, "required")
		f.Required = false
	}
	if slices.ContainsFunc(f.Property.Columns(), func(col plan.Column) bool { return col.Search }) && d.Node.Get("search") != nil {
		c.report("MODEL043", d.Node.Get("search"), f.Code, "search")
	}
}

// refuseLiveOf reports the places of a model that need a stored value and name a property that has none.
func (c *compiler) refuseLiveOf(m *model) {
	for _, f := range m.Fields {
		if f.Display != nil && f.Display.Live && !f.System {
			c.report("MODEL043", member(m.defs[f].Node, "relativePropertyCode"), f.Display.Code, "relativePropertyCode")
		}
	}
	if m.def == nil {
		return
	}
	for _, p := range m.Digest {
		if p.Field != nil && p.Field.Live {
			c.report("MODEL043", member(m.def.Node, "digest"), p.Field.Code, "digest")
		}
	}
	for key, lists := range map[string][][]*catalog.Field{"unique": m.Unique, "indexes": m.Indexes} {
		for _, fields := range lists {
			for _, f := range fields {
				if f.Live {
					c.report("MODEL043", m.def.Node.Get(key), f.Code, key)
				}
			}
		}
	}
	for _, d := range m.def.DataRules {
		if f := m.Field(d.PropertyCode); f != nil && f.Live && d.CheckType == "pattern" {
			c.report("MODEL043", codeNode(d.Node), f.Code, "pattern")
		}
	}
}
