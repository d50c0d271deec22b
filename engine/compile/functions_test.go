package compile_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
)

// TestFunctionsOfPacks: what a pack cannot register, and that a function stays what it is when rights rewrite its expression and browsers
// are told that they cannot compute it.
func TestFunctionsOfPacks(t *testing.T) {
	good := plan.Function{Code: "stars", Args: []plan.Kind{plan.Text}, Result: plan.Number, Zh: "星数", En: "stars", Eval: stars}
	for want, change := range map[string]func(f *plan.Function){
		"begins with a small letter": func(f *plan.Function) { f.Code = "Stars" },
		"belongs to the language":    func(f *plan.Function) { f.Code = "round" },
		"needs Eval":                 func(f *plan.Function) { f.Eval = nil },
		"needs a description":        func(f *plan.Function) { f.En = "" },
	} {
		set, f := &pack.Set{}, good
		change(&f)
		require.NoError(t, set.Functions.Add(f))
		_, err := compile.Schemas(set)
		require.ErrorContains(t, err, want)
	}
	e, problems := expression.Compile("stars('**')", expression.Env{Function: func(string) (plan.Function, bool) { return good, true }}, plan.Number)
	require.Empty(t, problems)
	require.Equal(t, decimal.NewFromInt(2), e.(*plan.Const).Value)
	call := &plan.Call{Fn: "stars", Args: []plan.Expr{&plan.Field{Column: "x", K: plan.Text}}, K: plan.Number, Own: &good}
	again := plan.Rewrite(call, func(x plan.Expr) plan.Expr {
		if _, ok := x.(*plan.Field); ok {
			return &plan.Const{K: plan.Text, Value: "*"}
		}
		return x
	})
	require.Equal(t, &good, again.(*plan.Call).Own)
	require.JSONEq(t, `{"op": "server"}`, string(expression.JSON(call)))
	require.Equal(t, "stars", expression.MemoryOnly(call))
}
