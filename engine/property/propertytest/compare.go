package propertytest

import (
	"slices"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/stretchr/testify/require"
)

func (s suite) order(t *testing.T) {
	sorter, ok := s.p.(property.Sorter)
	require.Equal(t, len(s.Order) > 0, ok, "cases of order belong to types that sort")
	if !ok {
		return
	}
	keys := sorter.SortBy(Fields(s.p), Related)
	require.NotEmpty(t, keys)
	var last []any
	for i, text := range s.Order {
		v, err := s.p.Parse(Decode(t, text))
		require.NoError(t, err, text)
		var now []any
		for _, k := range keys {
			value, err := expression.Eval(k, Record(s.p, v, s.Names))
			require.NoError(t, err)
			now = append(now, value)
		}
		if i > 0 {
			require.True(t, before(t, keys, last, now), "%s stands before %s", s.Order[i-1], text)
		}
		last = now
	}
}

// before compares two rows of sort keys; empty values come first.
func before(t *testing.T, keys []plan.Expr, a, b []any) bool {
	for i, k := range keys {
		switch {
		case a[i] == nil && b[i] == nil:
			continue
		case a[i] == nil || b[i] == nil:
			return a[i] == nil
		}
		less := func(x, y any) bool {
			e := &plan.Compare{Op: plan.LT, A: &plan.Const{K: k.Kind(), Value: x}, B: &plan.Const{K: k.Kind(), Value: y}}
			ok, err := expression.Holds(e, expression.Values{})
			require.NoError(t, err)
			return ok
		}
		if less(a[i], b[i]) || less(b[i], a[i]) {
			return less(a[i], b[i])
		}
	}
	return false
}

func (s suite) operators(t *testing.T) {
	f, ok := s.p.(property.Filterer)
	require.True(t, ok || len(s.Operators) == 0)
	if !ok {
		return
	}
	declared := f.Operators()
	require.ElementsMatch(t, s.Operators, declared)
	require.Contains(t, declared, f.DefaultOperator())
	g := s.generator(t, 3)
	at := property.FilterContext{Zone: Shanghai, Now: time.Date(2026, 3, 1, 0, 0, 0, 0, Shanghai)}
	for _, op := range plan.Ops {
		positive, negative := op.Positive()
		if negative {
			require.False(t, slices.Contains(declared, op) && !slices.Contains(declared, positive), "%s without %s", op, positive)
			continue
		}
		if !slices.Contains(declared, op) {
			_, err := f.Filter(op, "a", s.fields(), at)
			requireCode(t, fault.OperatorNotAllowed, err, op)
			continue
		}
		if op == plan.OpIsNull {
			e, err := f.Filter(op, nil, s.fields(), at)
			require.NoError(t, err)
			require.Equal(t, plan.Bool, e.Kind())
			continue
		}
		for _, missing := range []any{nil, "", []any{}, map[string]any{}} {
			_, err := f.Filter(op, missing, s.fields(), at)
			requireCode(t, fault.FilterValue, err, op)
		}
		if len(s.Pool) == 0 && len(s.p.Columns()) > 0 {
			s.compareWithModel(t, g, f, op, at)
		}
	}
}

func (s suite) fields() func(string) plan.Expr { return Fields(s.p) }

func requireCode(t *testing.T, code fault.Code, err error, about any) {
	t.Helper()
	var refusal *property.ValueError
	require.ErrorAs(t, err, &refusal, "%v", about)
	require.Equal(t, code, fault.Code(refusal.Code), "%v", about)
}

func (s suite) compareWithModel(t *testing.T, g *Generator, f property.Filterer, op plan.Op, at property.FilterContext) {
	selected := 0
	for range randomRounds / 20 {
		operand := g.Operand(op)
		e, err := f.Filter(op, operand, s.fields(), at)
		require.NoError(t, err, "%s %v", op, operand)
		for range 20 {
			v := g.Value()
			got, err := expression.Holds(e, Record(s.p, v, s.Names))
			require.NoError(t, err)
			require.Equal(t, g.Fits(op, v, operand), got, "%v %s %v", v, op, operand)
			if got {
				selected++
			}
		}
	}
	require.NotZero(t, selected, "%s never selects anything", op)
}

func (s suite) filters(t *testing.T) {
	at := property.FilterContext{Zone: Shanghai}
	for _, c := range s.Filters {
		f, ok := s.p.(property.Filterer)
		require.True(t, ok)
		e, err := f.Filter(c.Op, Decode(t, c.Operand), s.fields(), at)
		if c.Code != 0 {
			requireCode(t, c.Code, err, c.Operand)
			continue
		}
		require.NoError(t, err, "%s %s", c.Op, c.Operand)
		check := func(values []string, want bool) {
			for _, text := range values {
				v, err := s.p.Parse(Decode(t, text))
				require.NoError(t, err, text)
				got, err := expression.Holds(e, Record(s.p, v, s.Names))
				require.NoError(t, err)
				require.Equal(t, want, got, "%s %s %s", text, c.Op, c.Operand)
			}
		}
		check(c.Selects, true)
		check(c.Leaves, false)
	}
}
