package expression

import (
	"github.com/expr-lang/expr/ast"
	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// rowFunctions take rows first: those of a sub-table, or records of another model.
var rowFunctions = map[string]bool{"any": true, "sum": true, "average": true, "minimum": true, "maximum": true, "count": true, "filter": true}

// foldable reports whether records of other models can be folded here: not for the row of a sub-table, nor inside another fold.
func (c *checker) foldable() bool { return c.env.Models != nil && c.env.Row == nil && c.rows == nil }

// records turns a set of references into the records that it refers to.
func (c *checker) records(o operand) operand {
	if o.bad || o.sheet != nil || o.members == nil {
		return o
	}
	return operand{sheet: &Property{Code: o.own, Kind: plan.Rows, Sheet: o.members}, of: &plan.Records{Own: o.own}, node: o.node}
}

// buildRelated names the records whose relation refers to this one.
func buildRelated(c *checker, n ast.Node, f *Function, args []operand) operand {
	if !c.foldable() {
		return c.problem(n, "EXPR018", f.Name)
	}
	var words [2]string
	for i, a := range args {
		word, _ := constText(a)
		if !a.literal || word == "" {
			return c.needs(a.node, f.Name, a.kind(), plan.Text)
		}
		words[i] = word
	}
	m, code := c.env.Models.Model(words[0])
	if m == nil {
		return c.suggest(args[0].node, "EXPR019", words[0], c.env.Models.Codes())
	}
	c.found(args[0].node, words[0], Name{Model: code})
	p, ok := m.Property(words[1])
	if !ok {
		return c.suggest(args[1].node, "EXPR004", words[1], m.Codes())
	}
	c.foundProperty(step{word: words[1], name: args[1].node}, p)
	if p.Target != c.env.Record {
		return c.problem(args[1].node, "EXPR021", code+"."+p.Code)
	}
	return operand{sheet: &Property{Code: code, Kind: plan.Rows, Sheet: m}, of: &plan.Records{Model: code, Property: p.Code}, node: n}
}

// someOf is true when one of the records satisfies where.
func someOf(of *plan.Records, where plan.Expr) plan.Expr {
	count := &plan.Aggregate{Fn: plan.SumCount, Of: of, Where: where}
	return &plan.Compare{Op: plan.GT, A: count, B: &plan.Const{K: plan.Number, Value: decimal.Zero}}
}
