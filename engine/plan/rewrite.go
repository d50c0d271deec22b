package plan

// Rewrite returns e with f applied to every node, children first. f returns its argument to keep a node. e is not changed.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	if e == nil {
		return nil
	}
	return f(Descend(e, func(x Expr) Expr { return Rewrite(x, f) }))
}

// Descend returns e with f applied to each of the expressions that it is made of. e is not changed.
func Descend(e Expr, f func(Expr) Expr) Expr {
	r := func(x Expr) Expr {
		if x == nil {
			return nil
		}
		return f(x)
	}
	list := func(xs []Expr) []Expr {
		out := make([]Expr, len(xs))
		for i, x := range xs {
			out[i] = r(x)
		}
		return out
	}
	switch x := e.(type) {
	case *And:
		e = &And{Of: list(x.Of)}
	case *Or:
		e = &Or{Of: list(x.Of)}
	case *Not:
		e = &Not{X: r(x.X)}
	case *Compare:
		e = &Compare{Op: x.Op, A: r(x.A), B: r(x.B)}
	case *IsNull:
		e = &IsNull{X: r(x.X)}
	case *Match:
		e = &Match{X: r(x.X), Pattern: r(x.Pattern), Prefix: x.Prefix}
	case *InSet:
		e = &InSet{Op: x.Op, F: r(x.F), G: r(x.G)}
	case *Belongs:
		e = &Belongs{X: r(x.X), Departments: r(x.Departments)}
	case *LinkText:
		e = &LinkText{X: r(x.X), Table: x.Table, Column: x.Column, Pattern: r(x.Pattern), Whole: x.Whole}
	case *AnyRow:
		e = &AnyRow{Sheet: x.Sheet, Where: r(x.Where)}
	case *Guarded:
		e = &Guarded{Cond: r(x.Cond), X: r(x.X)}
	case *Rule:
		e = &Rule{X: r(x.X)}
	case *Visible:
		e = &Visible{F: r(x.F), Model: x.Model, Where: r(x.Where)}
	case *Rank:
		e = &Rank{X: r(x.X), Codes: x.Codes}
	case *Arith:
		e = &Arith{Op: x.Op, A: r(x.A), B: r(x.B)}
	case *If:
		e = &If{Cond: r(x.Cond), Then: r(x.Then), Else: r(x.Else)}
	case *Aggregate:
		e = &Aggregate{Fn: x.Fn, Sheet: x.Sheet, Of: x.Of, X: r(x.X), Where: r(x.Where)}
	case *Call:
		e = &Call{Fn: x.Fn, Args: list(x.Args), K: x.K, Own: x.Own}
	}
	return e
}

// Walk calls f for every node, children first.
func Walk(e Expr, f func(Expr)) {
	Rewrite(e, func(x Expr) Expr { f(x); return x })
}

// Bind replaces every Var by the value that the request gives it; a name that is missing in vars becomes empty, which
// satisfies no positive condition.
func Bind(e Expr, vars map[string]any) Expr {
	return Rewrite(e, func(x Expr) Expr {
		if v, ok := x.(*Var); ok {
			return &Const{K: v.K, Value: vars[v.Name]}
		}
		return x
	})
}
