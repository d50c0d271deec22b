package compile

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// edge is what a formula reads: a property of the same record or its rows, of the record's children in their tree, or of any other
// record.
type edge struct {
	to   *catalog.Field
	kind edgeKind
}

type edgeKind int

const (
	ofRecord   edgeKind = iota
	ofChildren          // a fold over the records whose tree parent is this one: every step leads deeper, so the way ends at the leaves
	ofOthers
)

// edges lists what a formula of m reads: properties of its record and its sub-tables, of related records, and the relations that
// lead to them.
func (c *compiler) edges(e plan.Expr, m *model) (out []edge) {
	if e == nil {
		return nil
	}
	for _, o := range c.operands(e, m) {
		kind := ofRecord
		if o.of != nil {
			kind = c.kindOf(m, o.of)
		}
		for _, r := range o.path {
			out = append(out, edge{r.field, kind})
			kind = ofOthers
		}
		if o.field != nil {
			out = append(out, edge{o.field, kind})
		}
	}
	for _, of := range folded(e) {
		if of.Own != "" {
			out = append(out, edge{m.Field(of.Own), ofRecord})
			continue
		}
		out = append(out, edge{c.recordsIn(m, of).Field(of.Property), c.kindOf(m, of)})
	}
	return slices.DeleteFunc(out, func(e edge) bool { return e.to == nil })
}

// kindOf tells what records a formula of m folds.
func (c *compiler) kindOf(m *model, of *plan.Records) edgeKind {
	if of.Own == "" && m.Tree != nil && c.recordsIn(m, of) == m.Model && m.Model.Field(of.Property) == m.Tree {
		return ofChildren
	}
	return ofOthers
}

// findReads fills Reads and ReadsBeside.
func (c *compiler) findReads(m *model) {
	for _, t := range append([]*catalog.Model{m.Model}, m.Sheets...) {
		for _, f := range t.Fields {
			if f.Compute != nil {
				c.readsOf(m, f)
			}
		}
	}
}

func (c *compiler) readsOf(m *model, f *catalog.Field) {
	add := func(to *[]*catalog.Field, of *catalog.Field) {
		if of != f && !slices.Contains(*to, of) {
			*to = append(*to, of)
		}
	}
	for _, e := range c.edges(f.Compute, c.of[f.Model]) {
		own := top(e.to.Model) == m.Model
		switch {
		case e.kind == ofRecord && (own || e.to.System):
			add(&f.Reads, e.to)
		case own:
			add(&f.ReadsBeside, e.to)
		}
	}
	plan.Walk(f.Compute, func(x plan.Expr) {
		sheet := ""
		switch x := x.(type) {
		case *plan.Aggregate:
			sheet = x.Sheet
		case *plan.AnyRow:
			sheet = x.Sheet
		}
		if of := m.Field(sheet); of != nil {
			add(&f.Reads, of)
		}
	})
}

// orderComputed fills Computed, each field behind those that it reads of its own record, and reports each cycle
// once. A formula may read the children of its record in their tree, itself included; a way back from there to the formula that leads
// over any other record is a cycle too.
func (c *compiler) orderComputed(m *model) {
	const (
		open = 1
		done = 2
	)
	state := map[*catalog.Field]int{}
	var stack []*catalog.Field
	var visit func(f *catalog.Field)
	visit = func(f *catalog.Field) {
		switch state[f] {
		case done:
			return
		case open:
			cycle := stack[slices.Index(stack, f):]
			told := slices.ContainsFunc(cycle, func(f *catalog.Field) bool { return c.circular[f] })
			for _, g := range cycle {
				c.circular[g] = true
			}
			if !told {
				c.reportCycle("MODEL024", m, cycle)
			}
			return
		}
		state[f] = open
		stack = append(stack, f)
		for _, d := range c.edges(f.Compute, c.of[f.Model]) {
			if d.to.Compute != nil && d.kind != ofChildren {
				visit(d.to)
			}
		}
		stack = stack[:len(stack)-1]
		state[f] = done
		if top(f.Model) == m.Model {
			m.Computed = append(m.Computed, f)
		}
	}
	for _, t := range append([]*catalog.Model{m.Model}, m.Sheets...) {
		for _, f := range t.Fields {
			if f.Compute != nil {
				visit(f)
			}
		}
	}
	for _, f := range m.Computed {
		if cycle := c.astray(f); cycle != nil && !slices.ContainsFunc(cycle, func(f *catalog.Field) bool { return c.circular[f] }) {
			c.reportCycle("MODEL044", m, cycle)
		}
	}
}

// astray finds a way from a formula over the children of its record and over other records back to itself.
func (c *compiler) astray(f *catalog.Field) []*catalog.Field {
	type place struct {
		at               *catalog.Field
		children, others bool
	}
	seen := map[place]bool{}
	var stack []*catalog.Field
	var visit func(p place) bool
	visit = func(p place) bool {
		if seen[p] {
			return false
		}
		seen[p] = true
		stack = append(stack, p.at)
		for _, d := range c.edges(p.at.Compute, c.of[p.at.Model]) {
			next := place{d.to, p.children || d.kind == ofChildren, p.others || d.kind == ofOthers}
			if d.to == f && next.children && next.others || d.to.Compute != nil && visit(next) {
				return true
			}
		}
		stack = stack[:len(stack)-1]
		return false
	}
	if visit(place{at: f}) {
		return stack
	}
	return nil
}

// reportCycle tells of a circle at the first of its formulas that m has.
func (c *compiler) reportCycle(code string, m *model, cycle []*catalog.Field) {
	name := func(f *catalog.Field) string {
		if of := top(f.Model); of != m.Model {
			return of.Code + "." + name(f)
		}
		return name(f)
	}
	for i, f := range cycle {
		if top(f.Model) != m.Model {
			continue
		}
		var chain []string
		for j := range cycle {
			g := cycle[(i+j)%len(cycle)]
			at := c.of[g.Model].defs[g].Node.Get("computeFormula").Pos()
			chain = append(chain, name(g)+" ("+at.String()+")")
		}
		chain = append(chain, name(f))
		c.report(code, c.of[f.Model].defs[f].Node.Get("computeFormula"), name(f), strings.Join(chain, " → "))
		return
	}
}
