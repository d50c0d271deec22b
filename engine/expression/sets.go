package expression

import (
	"slices"

	"github.com/expr-lang/expr/ast"

	"github.com/sluice-platform/sluice/engine/plan"
)

// has compiles has(set, x) and "x in set": x is not empty and every value of x is in set.
func (c *checker) has(n ast.Node, set, x operand) operand {
	c.foundNamed(set, x.options)
	c.foundNamed(x, set.options)
	if set.kind() != plan.Set {
		return c.needs(n, "has, in", set.kind(), plan.Set)
	}
	if x.literal && !set.literal {
		if x = c.convert(x, plan.Set, set.options); x.bad {
			return x
		}
	}
	if set.literal && !x.literal {
		given, _ := set.e.(*plan.Const).Value.([]string)
		if set = c.optionsOf(set, given, x.options); set.bad {
			return set
		}
	}
	if x = c.need(x, "has, in", plan.Set, plan.ID, plan.Text); x.bad {
		return x
	}
	if isEmpty(set) || isEmpty(x) {
		return operand{e: plan.False}
	}
	if closed(set.e) || !closed(x.e) {
		if c.env.SQL && !closed(set.e) {
			return c.problem(n, "EXPR010", "has, in")
		}
		return operand{e: &plan.InSet{Op: plan.SetWithin, F: x.e, G: set.e}}
	}
	return c.sets(n, "has, in", plan.SetHas, set, x)
}

// sets compares the set a with the given b.
func (c *checker) sets(n ast.Node, by string, op plan.SetOp, a, b operand) operand {
	if b.literal {
		b = c.convert(b, plan.Set, a.options)
	}
	if b = c.need(b, by, plan.Set, plan.ID, plan.Text); b.bad {
		return b
	}
	if c.env.SQL && !closed(b.e) && !closed(a.e) {
		return c.problem(n, "EXPR010", by)
	}
	if closed(a.e) && !closed(b.e) {
		a, b = b, a // only equal and intersects come here: both are symmetric
	}
	return operand{e: &plan.InSet{Op: op, F: a.e, G: asSet(b.e)}}
}

func asSet(e plan.Expr) plan.Expr {
	if e.Kind() == plan.Set {
		return e
	}
	return fold(&plan.Call{Fn: "set", Args: []plan.Expr{e}, K: plan.Set})
}

func (c *checker) contains(n ast.Node, a, b operand) operand {
	if a.kind() == plan.Set {
		return c.sets(n, "contains", plan.SetIntersects, a, b)
	}
	a, b = c.need(a, "contains", plan.Text, plan.Set), c.need(b, "contains", plan.Text)
	if a.bad || b.bad {
		return broken
	}
	return operand{e: &plan.Match{X: a.e, Pattern: b.e}}
}

// among compiles "x in [a, b]": options and references as one set, everything else as comparisons.
func (c *checker) among(n ast.Node, x operand, list *ast.ArrayNode) operand {
	if x.bad {
		return x
	}
	if x.kind() == plan.Set {
		o := c.array(list)
		if o.bad {
			return o
		}
		o.node = list
		return c.has(n, o, x)
	}
	var any []plan.Expr
	var set []string
	bad := false
	for _, m := range list.Nodes {
		o := c.check(m)
		if !o.bad {
			if isEmpty(o) {
				o = c.problem(m, "EXPR008", "in", kindLabels[x.kind()], kindLabels[plan.None])
			} else {
				o = c.compare(m, plan.EQ, x, o)
			}
		}
		if bad = bad || o.bad; bad {
			continue
		}
		any = append(any, o.e)
		if s, ok := equalsText(o.e); ok && !slices.Contains(set, s) {
			set = append(set, s)
		}
	}
	switch {
	case bad:
		return broken
	case len(set) > 0 && len(set) == len(any):
		return operand{e: &plan.InSet{Op: plan.SetWithin, F: x.e, G: constSet(set)}}
	}
	if simple(x.e) {
		return operand{e: plan.AnyOf(any...)}
	}
	// A computed x is once, so that nested conditions do not multiply.
	args := []plan.Expr{x.e}
	for _, e := range any {
		k, ok := e.(*plan.Compare)
		if !ok || k.A != x.e {
			return c.problem(n, "EXPR008", "in", kindLabels[x.kind()], kindLabels[e.Kind()])
		}
		args = append(args, k.B)
	}
	return c.function(n, "among", plan.Bool, args...)
}

// simple reports whether an expression may stand twice in what is compiled: names, constants and arithmetic on them, which
// hold no conditions that could stand twice again.
func simple(e plan.Expr) bool {
	yes := true
	plan.Walk(e, func(x plan.Expr) {
		switch x.(type) {
		case *plan.Field, *plan.Var, *plan.Const, *plan.Arith:
		default:
			yes = false
		}
	})
	return yes
}

// equalsText returns s of "x == s", for a text or a reference.
func equalsText(e plan.Expr) (string, bool) {
	if k, ok := e.(*plan.Compare); ok && k.Op == plan.EQ && (k.A.Kind() == plan.Text || k.A.Kind() == plan.ID) {
		return constText(operand{e: k.B})
	}
	return "", false
}
