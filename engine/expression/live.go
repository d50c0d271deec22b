package expression

import (
	"github.com/sluice-platform/sluice/engine/plan"
)

// sqlCalls are the functions that every database computes as the evaluator does: what a formula that is computed when it is read
// may use.
var sqlCalls = map[string]bool{
	"days": true, "addDays": true, "date": true, "dayStart": true, "year": true, "month": true, "day": true, "hour": true,
	"round": true, "abs": true, "min": true, "max": true, "coalesce": true, "among": true, "between": true, "length": true,
	"concat": true, "text": true, Fit: true, Step: true,
}

// Time reports whether an expression depends on when it is asked: it names now or today.
func Time(e plan.Expr) bool {
	found := false
	plan.Walk(e, func(x plan.Expr) {
		if v, ok := x.(*plan.Var); ok && (v.Name == VarNow || v.Name == VarToday) {
			found = true
		}
	})
	return found
}

// Caller returns the first name of the caller in an expression, such as user.id; "" when there is none.
func Caller(e plan.Expr) (name string) {
	plan.Walk(e, func(x plan.Expr) {
		if v, ok := x.(*plan.Var); ok && name == "" && v.Name != VarNow && v.Name != VarToday {
			name = v.Name
		}
	})
	return name
}

// MemoryOnly names what of an expression no database computes; "" when it can run as SQL once its Vars are bound.
func MemoryOnly(e plan.Expr) (word string) {
	plan.Walk(e, func(x plan.Expr) {
		found := ""
		switch n := x.(type) {
		case *plan.Call:
			if n.Own != nil || !sqlCalls[n.Fn] || n.Fn == "length" && n.Args[0].Kind() == plan.Set {
				found = n.Fn
			}
		case *plan.Aggregate:
			found = string(n.Fn)
		}
		if word == "" && found != "" && !closed(x) {
			word = found
		}
	})
	return word
}
