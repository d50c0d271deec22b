package address

import (
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/operand"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/words"
)

func (p address) Operators() []plan.Op { return operand.C() }

func (p address) DefaultOperator() plan.Op { return plan.Contains }

// Filter: a given code means the division (Contains: or one below it), any other text the detail; Contains finds a text
// in the names of divisions as well.
func (p address) Filter(op plan.Op, given any, col func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	code, detail := col(p.code.Name), col(p.detail.Name)
	switch op {
	case plan.OpIsNull:
		return plan.AllOf(&plan.IsNull{X: code}, &plan.IsNull{X: detail}), nil
	case plan.Equal, plan.Contains:
	default:
		return nil, operand.NotAllowed(op)
	}
	if m, ok := given.(map[string]any); ok { // as the value is read
		given = m["code"]
	}
	text, err := operand.Text(given)
	if err != nil {
		return nil, err
	}
	text, ok := words.Line(text)
	if !ok {
		return nil, operand.Refused(given)
	}
	pattern := &plan.Const{K: plan.Text, Value: text}
	if op == plan.Equal {
		if isCode(text) {
			return &plan.Compare{Op: plan.EQ, A: code, B: pattern}, nil
		}
		return &plan.Compare{Op: plan.EQ, A: detail, B: pattern}, nil
	}
	part, err := operand.Part(text)
	if err != nil {
		return nil, err
	}
	of := []plan.Expr{&plan.Match{X: detail, Pattern: part}}
	divisions := p.within(text)
	if isCode(text) {
		divisions = []string{text}
	}
	for _, d := range divisions {
		of = append(of, &plan.Match{X: code, Pattern: &plan.Const{K: plan.Text, Value: d}, Prefix: true})
	}
	return plan.AnyOf(of...), nil
}

// SortBy orders by code, which is the official order of divisions.
func (p address) SortBy(col func(string) plan.Expr, _ func(string, string) plan.Expr) []plan.Expr {
	return []plan.Expr{col(p.code.Name)}
}

func (p address) Aggregates() []plan.Sum { return []plan.Sum{plan.SumCount} }
