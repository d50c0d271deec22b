package plan_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/plan"
)

func TestFormat(t *testing.T) {
	state := &plan.Field{Column: "state", K: plan.Text}
	owner := &plan.Field{Path: []string{"contract"}, Column: "owner", K: plan.ID}
	cases := []struct {
		e    plan.Expr
		want string
	}{
		{plan.True, "true"},
		{plan.Negate(&plan.Compare{Op: plan.EQ, A: state, B: &plan.Const{K: plan.Text, Value: "DONE"}}), `not state == "DONE"`},
		{plan.AllOf(&plan.IsNull{X: state}, &plan.Compare{Op: plan.EQ, A: owner, B: &plan.Var{Name: "user.id", K: plan.ID}}), "(empty(state) and contract.owner == user.id)"},
		{&plan.InSet{Op: plan.SetIntersects, F: state, G: &plan.Const{K: plan.Set, Value: []string{"A", "B"}}}, `intersects(state, ["A", "B"])`},
		{&plan.Guarded{Cond: plan.False, X: state}, "(state where false)"},
	}
	for _, c := range cases {
		if got := plan.Format(c.e); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
