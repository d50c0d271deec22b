package expression

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// Scope gives an expression the values of one record, in the Go forms of plan.Kind; nil is empty.
type Scope interface {
	// Column is a column of the record, of a related record (Path) or of the record before the change (Old). Outer never
	// comes here.
	Column(f *plan.Field) any
	// Var is what plan.Var names; Times and principals give them.
	Var(name string) any
	// Rows are the rows of a sub-table.
	Rows(sheet string) []Scope
	// Records are the records of another model that plan.Records names, with all columns that the formula reads of them.
	Records(of *plan.Records) []Scope
	// Belongs reports whether one of the people or departments belongs to one of the departments (plan.Belongs).
	Belongs(ids, departments []string) bool
	// LinkTexts are the texts of a column of the rows that the ids refer to (plan.LinkText).
	LinkTexts(table, column string, ids []string) []string
}

// ErrOverflow: a number has more than 24 integer digits.
var ErrOverflow = errors.New("number out of range")

// fractionDigits that a product keeps; quotients keep 8 (plan.Arith).
const (
	fractionDigits = 16
	integerDigits  = 24
)

var limit = decimal.New(1, integerDigits)

// fit rounds a number to what expressions hold and refuses what is too large.
func fit(d decimal.Decimal) (decimal.Decimal, error) {
	if d.Exponent() < -fractionDigits {
		d = d.Round(fractionDigits)
	}
	if d.Abs().GreaterThanOrEqual(limit) {
		return decimal.Decimal{}, ErrOverflow
	}
	return d, nil
}

// Row is the scope of a sub-table's row: Outer fields mean the record above.
func Row(row, outer Scope) Scope { return rowScope{row, outer} }

type rowScope struct {
	Scope
	outer Scope
}

func (r rowScope) Column(f *plan.Field) any {
	if !f.Outer {
		return r.Scope.Column(f)
	}
	g := *f
	g.Outer = false
	return r.outer.Column(&g)
}

func (r rowScope) Var(name string) any { return r.outer.Var(name) }

// Eval computes an expression. Errors are ErrOverflow, ErrArgument and values of the wrong Go type.
func Eval(e plan.Expr, s Scope) (any, error) {
	ev := evaluator{s}
	return ev.value(e)
}

// Holds reports whether a condition is true; nil is true.
func Holds(e plan.Expr, s Scope) (bool, error) {
	if e == nil {
		return true, nil
	}
	return evaluator{s}.holds(e)
}

type evaluator struct{ s Scope }

func (v evaluator) holds(e plan.Expr) (bool, error) {
	x, err := v.value(e)
	return x == true, err
}

func (v evaluator) value(e plan.Expr) (any, error) {
	switch x := e.(type) {
	case *plan.Const:
		return x.Value, nil
	case *plan.Field:
		return typed(x.K, v.s.Column(x), x.Column)
	case *plan.Var:
		return typed(x.K, v.s.Var(x.Name), x.Name)
	case *plan.And:
		return v.all(x.Of, false)
	case *plan.Or:
		return v.all(x.Of, true)
	case *plan.Not:
		t, err := v.holds(x.X)
		return !t, err
	case *plan.Compare:
		return v.compare(x)
	case *plan.IsNull:
		t, err := v.value(x.X)
		return t == nil, err
	case *plan.Match:
		return v.match(x)
	case *plan.InSet:
		return v.inSet(x)
	case *plan.Guarded:
		if t, err := v.holds(x.Cond); err != nil || !t {
			return nil, err
		}
		return v.value(x.X)
	case *plan.Rank:
		return v.rank(x)
	case *plan.If:
		t, err := v.holds(x.Cond)
		if err != nil {
			return nil, err
		}
		if t {
			return v.value(x.Then)
		}
		return v.value(x.Else)
	case *plan.Arith:
		return v.arith(x)
	case *plan.Call:
		return v.call(x)
	}
	return v.outside(e)
}

// outside are the nodes that ask for more than the record's own columns.
func (v evaluator) outside(e plan.Expr) (any, error) {
	switch x := e.(type) {
	case *plan.Belongs:
		ids, departments, err := v.two(x.X, x.Departments)
		if err != nil || len(ids) == 0 || len(departments) == 0 {
			return false, err
		}
		return v.s.Belongs(ids, departments), nil
	case *plan.LinkText:
		return v.linkText(x)
	case *plan.AnyRow:
		for _, r := range v.s.Rows(x.Sheet) {
			t, err := Holds(x.Where, Row(r, v.s))
			if err != nil || t {
				return t, err
			}
		}
		return false, nil
	case *plan.Aggregate:
		return v.aggregate(x)
	}
	return nil, fmt.Errorf("expression %T cannot be evaluated", e)
}

func (v evaluator) all(of []plan.Expr, stop bool) (any, error) {
	for _, e := range of {
		t, err := v.holds(e)
		if err != nil {
			return nil, err
		}
		if t == stop {
			return stop, nil
		}
	}
	return !stop, nil
}

func (v evaluator) pair(a, b plan.Expr) (any, any, error) {
	x, err := v.value(a)
	if err != nil {
		return nil, nil, err
	}
	y, err := v.value(b)
	return x, y, err
}

func (v evaluator) compare(c *plan.Compare) (any, error) {
	a, b, err := v.pair(c.A, c.B)
	if err != nil || a == nil || b == nil {
		return false, err
	}
	n, err := order(a, b)
	if err != nil {
		return nil, err
	}
	switch c.Op {
	case plan.EQ:
		return n == 0, nil
	case plan.LT:
		return n < 0, nil
	case plan.LE:
		return n <= 0, nil
	case plan.GT:
		return n > 0, nil
	case plan.GE:
		return n >= 0, nil
	}
	return nil, fmt.Errorf("comparison %q", c.Op)
}

func (v evaluator) match(m *plan.Match) (any, error) {
	a, b, err := v.pair(m.X, m.Pattern)
	x, okX := a.(string)
	pattern, okP := b.(string)
	if err != nil || !okX || !okP {
		return false, err
	}
	if m.Prefix {
		return strings.HasPrefix(x, pattern), nil
	}
	return strings.Contains(Fold(x), Fold(pattern)), nil
}

func (v evaluator) rank(r *plan.Rank) (any, error) {
	x, err := v.value(r.X)
	if err != nil {
		return nil, err
	}
	for i, code := range r.Codes {
		if x == any(code) {
			return int64(i), nil
		}
	}
	return nil, nil
}

func (v evaluator) two(a, b plan.Expr) ([]string, []string, error) {
	x, y, err := v.pair(a, b)
	if err != nil {
		return nil, nil, err
	}
	s, err := members(x)
	if err != nil {
		return nil, nil, err
	}
	t, err := members(y)
	return s, t, err
}

// inSet: an empty side satisfies only SetEqual with another empty side.
func (v evaluator) inSet(x *plan.InSet) (any, error) {
	f, g, err := v.two(x.F, x.G)
	if err != nil {
		return nil, err
	}
	if len(f) == 0 || len(g) == 0 {
		return x.Op == plan.SetEqual && len(f) == len(g), nil
	}
	switch x.Op {
	case plan.SetEqual:
		return within(f, g) && within(g, f), nil
	case plan.SetHas:
		return within(g, f), nil
	case plan.SetWithin:
		return within(f, g), nil
	}
	for _, s := range f {
		if contains(g, s) {
			return true, nil
		}
	}
	return false, nil
}

func (v evaluator) linkText(x *plan.LinkText) (any, error) {
	ids, patterns, err := v.two(x.X, x.Pattern)
	if err != nil || len(ids) == 0 || len(patterns) == 0 {
		return false, err
	}
	if x.Whole {
		texts := v.s.LinkTexts(x.Table, x.Column, ids)
		return covered(texts, patterns) && covered(patterns, texts), nil
	}
	if len(patterns) != 1 {
		return false, nil
	}
	for _, t := range v.s.LinkTexts(x.Table, x.Column, ids) {
		if strings.Contains(Fold(t), Fold(patterns[0])) {
			return true, nil
		}
	}
	return false, nil
}

// covered reports whether every one of a is in b.
func covered(a, b []string) bool {
	return !slices.ContainsFunc(a, func(t string) bool { return !slices.Contains(b, t) })
}

func (v evaluator) arith(x *plan.Arith) (any, error) {
	a, b, err := v.pair(x.A, x.B)
	if err != nil || a == nil || b == nil {
		return nil, err
	}
	m, okA := decimalOf(a)
	n, okB := decimalOf(b)
	if !okA || !okB {
		return nil, fmt.Errorf("arithmetic on %T and %T", a, b)
	}
	var out decimal.Decimal
	switch x.Op {
	case '+':
		out = m.Add(n)
	case '-':
		out = m.Sub(n)
	case '*':
		out = m.Mul(n)
	case '/':
		if n.IsZero() {
			return nil, nil
		}
		out = m.DivRound(n, 8)
	default:
		return nil, fmt.Errorf("operator %q", x.Op)
	}
	if out, err = fit(out); err != nil {
		return nil, err
	}
	return out, nil
}
