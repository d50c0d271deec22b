package expression_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/stretchr/testify/require"
)

// Values that a caller gives have dotted names, with kinds of their own; a property may share their first word.
func TestVars(t *testing.T) {
	env := readCorpus(t).env()
	env.Vars = map[string]plan.Kind{"initiator.id": plan.ID, "initiator.roles": plan.Set, "answer.sums.net": plan.Number, "contract.dept": plan.ID}
	for text, want := range map[string]string{
		"initiator.id == unit":                            "",
		"has(initiator.roles, 'x')":                       "",
		"answer.sums.net > 1":                             "",
		"contract.dept == unit":                           "",
		"contract.amount > 1":                             "",
		"any(items, .value > 1) and initiator.id == unit": "",
		"initiator.id > 1":                                "EXPR008",
		"initiator.ids == unit":                           "EXPR004 ids",
		"answer.sums == 1":                                "EXPR004 sums",
		"initiator == unit":                               "EXPR022",
		"contract.depts == unit":                          "EXPR004 depts",
		"inititor.id == unit":                             "EXPR004 inititor",
	} {
		e, problems := expression.Compile(text, env, plan.Bool)
		if want == "" {
			require.Empty(t, problems, text)
			require.NotNil(t, e, text)
			continue
		}
		require.Len(t, problems, 1, text)
		p := problems[0]
		got := p.Code
		if p.Word != "" {
			got += " " + p.Word
		}
		require.Equal(t, want, got, text)
	}
	_, problems := expression.Compile("inititor.id == unit", env, plan.Bool)
	require.Contains(t, problems[0].Candidates, "initiator")
	_, problems = expression.Compile("initiator.ids == unit", env, plan.Bool)
	require.Equal(t, []string{"id", "roles"}, problems[0].Candidates)

	env.Vars = nil
	_, problems = expression.Compile("initiator.id == unit", env, plan.Bool)
	require.Equal(t, "initiator", problems[0].Word, "only where the caller gives it")

	e, problems := expression.Compile("answer.sums.net + 1", expression.Env{Vars: map[string]plan.Kind{"answer.sums.net": plan.Number}}, plan.Number)
	require.Empty(t, problems)
	require.Equal(t, []string{"answer.sums.net"}, varsOf(e))
}

func varsOf(e plan.Expr) (out []string) {
	plan.Walk(e, func(x plan.Expr) {
		if v, ok := x.(*plan.Var); ok {
			out = append(out, v.Name)
		}
	})
	return out
}
