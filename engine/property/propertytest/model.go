package propertytest

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/shopspring/decimal"
	"github.com/sluice-platform/sluice/engine/plan"
	"golang.org/x/text/unicode/norm"
)

// Fits is a model of the operators (docs/authoring.md, Operators): whether a value satisfies a positive operator. Operands are those that
// Generator makes.
func (g *Generator) Fits(op plan.Op, v, operand any) bool {
	switch {
	case op == plan.OpIsNull:
		return v == nil
	case v == nil:
		return false
	case g.many():
		return setFits(op, list(v), given(operand))
	case op == plan.Between:
		from, to := ends(operand)
		return (from == "" || g.fits(plan.GreaterThanOrEqual, v, from)) && (to == "" || g.fits(plan.LessThanOrEqual, v, to))
	}
	return g.fits(op, v, fmt.Sprint(operand))
}

func (g *Generator) fits(op plan.Op, v any, word string) bool {
	switch x := v.(type) {
	case decimal.Decimal:
		return ordered(op, x.Cmp(decimal.RequireFromString(word)))
	case bool:
		return x == (word == "true")
	case time.Time:
		return g.momentFits(op, x, word)
	case string:
		if op == plan.Contains {
			return strings.Contains(folded(x), folded(norm.NFC.String(word)))
		}
		return ordered(op, strings.Compare(x, norm.NFC.String(word)))
	}
	panic(fmt.Sprintf("the model knows no %T", v))
}

// momentFits compares days of the zone when the operand is a plain day.
func (g *Generator) momentFits(op plan.Op, v time.Time, word string) bool {
	if len(word) == len(time.DateOnly) {
		return ordered(op, strings.Compare(v.In(g.zone).Format(time.DateOnly), word))
	}
	t, err := time.Parse(time.RFC3339Nano, word)
	if err != nil {
		panic(err)
	}
	return ordered(op, v.Compare(t.Truncate(time.Millisecond)))
}

func ordered(op plan.Op, order int) bool {
	switch op {
	case plan.Equal:
		return order == 0
	case plan.GreaterThan:
		return order > 0
	case plan.LessThan:
		return order < 0
	case plan.GreaterThanOrEqual:
		return order >= 0
	case plan.LessThanOrEqual:
		return order <= 0
	}
	panic("the model knows no " + string(op))
}

func setFits(op plan.Op, f, g []string) bool {
	in := func(of []string) func(string) bool {
		return func(s string) bool { return slices.Contains(of, s) }
	}
	all := func(of []string, ok func(string) bool) bool {
		return !slices.ContainsFunc(of, func(s string) bool { return !ok(s) })
	}
	switch op {
	case plan.Equal:
		return all(f, in(g)) && all(g, in(f))
	case plan.Contains:
		return slices.ContainsFunc(f, in(g))
	case plan.Have:
		return all(g, in(f))
	case plan.In:
		return all(f, in(g))
	case plan.Of:
		return slices.ContainsFunc(f, func(id string) bool {
			return slices.ContainsFunc(g, func(d string) bool { return Belongs(id, d) })
		})
	}
	panic("the model knows no " + string(op))
}

// folded is the folding of Contains, letter by letter (engine/expression: Fold).
func folded(s string) string { return strings.Map(unicode.ToLower, s) }

func list(v any) []string {
	if s, ok := v.(string); ok {
		return []string{s}
	}
	return v.([]string)
}

func given(operand any) []string {
	if s, ok := operand.(string); ok {
		return strings.Split(s, ";")
	}
	var out []string
	for _, e := range operand.([]any) {
		out = append(out, fmt.Sprint(e))
	}
	return out
}

func ends(operand any) (from, to string) {
	if s, ok := operand.(string); ok {
		from, to, _ = strings.Cut(s, ";")
		return from, to
	}
	of := operand.([]any)
	return fmt.Sprint(of[0]), fmt.Sprint(of[1])
}
