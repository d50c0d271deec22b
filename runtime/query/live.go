package query

import (
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
)

// live is a property that is computed when it is read: its formula with the time put in, as seen from the graph's model. Like stored
// values it is made of all that its formula reads, whether or not the principal may read that too.
func (n node) live(c plan.Column) plan.Expr {
	g := n.graph
	g.timed = true
	e := g.view.Bind(n.field.Compute)
	if g.at != nil {
		e = expression.Bind(n.field.Compute, g.at)
	}
	if n.sheet == nil {
		e = rebase(n.path, false, e)
	}
	if c.Kind == plan.Number {
		e = &plan.Call{Fn: expression.Fit, K: plan.Number, Args: []plan.Expr{e, &plan.Const{K: plan.Int, Value: int64(c.Scale)}}}
	}
	return e
}

// truths writes comparisons of a condition with true or false as the condition, or its complement, so that what it is made of can
// use indexes.
func truths(e plan.Expr) plan.Expr {
	return plan.Rewrite(e, func(x plan.Expr) plan.Expr {
		c, ok := x.(*plan.Compare)
		if !ok || c.Op != plan.EQ {
			return x
		}
		value, ok := c.B.(*plan.Const)
		if !ok || value.K != plan.Bool || value.Value == nil {
			return x
		}
		switch c.A.(type) {
		case *plan.And, *plan.Or, *plan.Not, *plan.Compare, *plan.IsNull, *plan.Match, *plan.InSet, *plan.Const:
		default:
			return x
		}
		if value.Value == true {
			return c.A
		}
		return plan.Negate(c.A)
	})
}
