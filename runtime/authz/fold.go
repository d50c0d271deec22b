package authz

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/plan"
)

// fold removes the parts of a bound condition that no longer depend on the row, so that "everybody" and "nobody" are
// recognised and SQL holds no constants. It keeps the two-valued truth of engine/plan.
func fold(e plan.Expr) plan.Expr {
	return plan.Rewrite(e, func(x plan.Expr) plan.Expr {
		switch n := x.(type) {
		case *plan.And:
			return plan.AllOf(n.Of...)
		case *plan.Or:
			return plan.AnyOf(n.Of...)
		case *plan.Not:
			return plan.Negate(n.X)
		case *plan.Compare:
			return foldCompare(n)
		case *plan.InSet:
			return foldInSet(n)
		case *plan.IsNull:
			if c, ok := n.X.(*plan.Const); ok {
				return truth(c.Value == nil)
			}
		}
		return x
	})
}

func truth(b bool) plan.Expr {
	if b {
		return plan.True
	}
	return plan.False
}

// foldCompare: an empty operand compares with nothing; two texts compare by bytes.
func foldCompare(n *plan.Compare) plan.Expr {
	a, okA := n.A.(*plan.Const)
	b, okB := n.B.(*plan.Const)
	if okA && a.Value == nil || okB && b.Value == nil {
		return plan.False
	}
	if !okA || !okB {
		return n
	}
	x, okA := a.Value.(string)
	y, okB := b.Value.(string)
	if !okA || !okB {
		return n
	}
	switch n.Op {
	case plan.EQ:
		return truth(x == y)
	case plan.LT:
		return truth(x < y)
	case plan.LE:
		return truth(x <= y)
	case plan.GT:
		return truth(x > y)
	default:
		return truth(x >= y)
	}
}

// foldInSet: an empty F satisfies only "equal" with an empty G; nothing intersects or lies within an empty G.
func foldInSet(n *plan.InSet) plan.Expr {
	f, okF := n.F.(*plan.Const)
	g, okG := n.G.(*plan.Const)
	if okF && f.Value == nil && n.Op != plan.SetEqual || okG && g.Value == nil && (n.Op == plan.SetIntersects || n.Op == plan.SetWithin) {
		return plan.False
	}
	if !okF || !okG {
		return n
	}
	a, b := setOf(f.Value), setOf(g.Value)
	inB := func(s string) bool { return slices.Contains(b, s) }
	inA := func(s string) bool { return slices.Contains(a, s) }
	switch n.Op {
	case plan.SetIntersects:
		return truth(slices.ContainsFunc(a, inB))
	case plan.SetHas:
		return truth(all(b, inA))
	case plan.SetWithin:
		return truth(all(a, inB))
	default:
		return truth(all(a, inB) && all(b, inA))
	}
}

func all(s []string, f func(string) bool) bool {
	return !slices.ContainsFunc(s, func(x string) bool { return !f(x) })
}

func setOf(v any) []string {
	switch x := v.(type) {
	case string:
		return []string{x}
	case []string:
		return x
	}
	return nil
}
