package expression

import "github.com/sluice-platform/sluice/engine/plan"

// Bind replaces Vars by the values of a request and computes what has become constant: calls such as addDays(today(), -7),
// which SQL does not know. A missing Var becomes empty. What fails to compute (an overflow) becomes empty too, so it
// satisfies no positive condition.
func Bind(e plan.Expr, vars map[string]any) plan.Expr {
	if e == nil {
		return nil
	}
	return foldAll(plan.Bind(e, vars))
}

// BindSome is Bind for the variables that vars has; the others stay.
func BindSome(e plan.Expr, vars map[string]any) plan.Expr {
	if e == nil {
		return nil
	}
	return foldAll(plan.Rewrite(e, func(x plan.Expr) plan.Expr {
		if v, ok := x.(*plan.Var); ok {
			if value, given := vars[v.Name]; given {
				return &plan.Const{K: v.K, Value: value}
			}
		}
		return x
	}))
}

func foldAll(e plan.Expr) plan.Expr {
	return plan.Rewrite(e, func(x plan.Expr) plan.Expr {
		if x = fold(x); constant(x) {
			return &plan.Const{K: x.Kind()}
		}
		return x
	})
}

// fold computes a node whose parts are all constants, and drops constants from conditions. What fails to compute stays.
func fold(e plan.Expr) plan.Expr {
	switch x := e.(type) {
	case *plan.And:
		return plan.AllOf(x.Of...)
	case *plan.Or:
		return plan.AnyOf(x.Of...)
	case *plan.Not:
		if k, ok := x.X.(*plan.Const); ok {
			return boolean(k.Value != true)
		}
		return e
	case *plan.AnyRow:
		if plan.IsFalse(x.Where) {
			return plan.False
		}
		return e
	case *plan.InSet:
		if k, ok := x.G.(*plan.Const); ok && k.Value == nil {
			if x.Op == plan.SetEqual {
				return fold(&plan.IsNull{X: x.F})
			}
			return plan.False
		}
	}
	if constant(e) {
		v, err := Eval(e, nothing{})
		if err != nil {
			return e
		}
		if e.Kind() == plan.Bool {
			return boolean(v == true)
		}
		return &plan.Const{K: e.Kind(), Value: v}
	}
	// A comparison with an empty value is false whatever is on its other side.
	if x, ok := e.(*plan.Compare); ok && (emptyConst(x.A) || emptyConst(x.B)) {
		return plan.False
	}
	if x, ok := e.(*plan.Match); ok && (emptyConst(x.X) || emptyConst(x.Pattern)) {
		return plan.False
	}
	return e
}

func emptyConst(e plan.Expr) bool {
	k, ok := e.(*plan.Const)
	return ok && k.Value == nil
}

func boolean(b bool) plan.Expr {
	if b {
		return plan.True
	}
	return plan.False
}

// constant reports whether e is a computation on constants only.
func constant(e plan.Expr) bool {
	var parts []plan.Expr
	switch x := e.(type) {
	case *plan.Compare:
		parts = []plan.Expr{x.A, x.B}
	case *plan.IsNull:
		parts = []plan.Expr{x.X}
	case *plan.Match:
		parts = []plan.Expr{x.X, x.Pattern}
	case *plan.InSet:
		parts = []plan.Expr{x.F, x.G}
	case *plan.Arith:
		parts = []plan.Expr{x.A, x.B}
	case *plan.If:
		parts = []plan.Expr{x.Cond, x.Then, x.Else}
	case *plan.Call:
		parts = x.Args
	case *plan.Guarded:
		parts = []plan.Expr{x.Cond, x.X}
	default:
		return false
	}
	for _, p := range parts {
		if _, ok := p.(*plan.Const); !ok {
			return false
		}
	}
	return true
}

// nothing is the scope of constants.
type nothing struct{}

func (nothing) Column(*plan.Field) any                     { return nil }
func (nothing) Var(string) any                             { return nil }
func (nothing) Rows(string) []Scope                        { return nil }
func (nothing) Records(*plan.Records) []Scope              { return nil }
func (nothing) Belongs(_, _ []string) bool                 { return false }
func (nothing) LinkTexts(_, _ string, _ []string) []string { return nil }
