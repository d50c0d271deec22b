package expression

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/plan"
)

// Contradiction tells that a condition can be true for no record: it folds constants and looks, within each conjunction, for
// comparisons of one name with constants that exclude each other. false means "not known".
func Contradiction(e plan.Expr) bool {
	if e == nil {
		return false
	}
	return never(plan.Rewrite(e, fold))
}

func never(e plan.Expr) bool {
	switch x := e.(type) {
	case *plan.Const:
		return x.Value != true
	case *plan.Or:
		return !slices.ContainsFunc(x.Of, func(o plan.Expr) bool { return !never(o) })
	case *plan.And:
		known := map[string]*bounds{}
		return slices.ContainsFunc(x.Of, func(o plan.Expr) bool { return never(o) || !add(known, o, true) })
	case *plan.AnyRow:
		return never(x.Where)
	case *plan.Compare, *plan.InSet:
		return !add(map[string]*bounds{}, x, true)
	}
	return false
}

// bounds is what a conjunction says of one name so far.
type bounds struct {
	low, high         any
	openLow, openHigh bool
	oneOf             []string
	limited           bool // oneOf counts
	null, present     bool
	not               []any
}

// add takes a part of a conjunction into account; false means that nothing is left.
func add(known map[string]*bounds, e plan.Expr, positive bool) bool {
	switch x := e.(type) {
	case *plan.Not:
		return add(known, x.X, !positive)
	case *plan.IsNull:
		b := of(known, x.X)
		if positive {
			b.null = true
		} else {
			b.present = true
		}
		return b.possible()
	case *plan.InSet:
		g, ok := x.G.(*plan.Const)
		set, isSet := constValue(g, ok).([]string)
		if !positive || !isSet || x.Op != plan.SetWithin || x.F.Kind() == plan.Set {
			return true
		}
		b := of(known, x.F)
		b.present = true
		b.restrict(set)
		return b.possible()
	case *plan.Compare:
		return addCompare(known, x, positive)
	}
	return true
}

func constValue(k *plan.Const, ok bool) any {
	if !ok {
		return nil
	}
	return k.Value
}

func addCompare(known map[string]*bounds, c *plan.Compare, positive bool) bool {
	x, op := c.A, c.Op
	k, ok := c.B.(*plan.Const)
	if !ok {
		x, op = c.B, mirror(op)
		k, ok = c.A.(*plan.Const)
	}
	if !ok || k.Value == nil {
		return true
	}
	b := of(known, x)
	if !positive {
		if op == plan.EQ {
			b.not = append(b.not, k.Value)
		}
		return b.possible()
	}
	b.present = true
	if op == plan.EQ || op == plan.GT || op == plan.GE {
		b.raise(k.Value, op == plan.GT)
	}
	if op == plan.EQ || op == plan.LT || op == plan.LE {
		b.lower(k.Value, op == plan.LT)
	}
	return b.possible()
}

// of finds the bounds of a name. An expression that is not a name gets bounds of its own.
func of(known map[string]*bounds, e plan.Expr) *bounds {
	key := string(JSON(e))
	if _, ok := e.(*plan.Field); !ok {
		if _, ok := e.(*plan.Var); !ok {
			return &bounds{}
		}
	}
	if known[key] == nil {
		known[key] = &bounds{}
	}
	return known[key]
}

func (b *bounds) raise(v any, open bool) {
	if n, err := order(v, b.low); b.low == nil || err == nil && (n > 0 || n == 0 && open) {
		b.low, b.openLow = v, open
	}
}

func (b *bounds) lower(v any, open bool) {
	if n, err := order(v, b.high); b.high == nil || err == nil && (n < 0 || n == 0 && open) {
		b.high, b.openHigh = v, open
	}
}

func (b *bounds) restrict(set []string) {
	if b.limited {
		set = slices.DeleteFunc(slices.Clone(set), func(s string) bool { return !slices.Contains(b.oneOf, s) })
	}
	b.oneOf, b.limited = set, true
}

func (b *bounds) possible() bool {
	if b.null && b.present {
		return false
	}
	if b.limited && !slices.ContainsFunc(b.oneOf, func(s string) bool { return b.allows(s) }) {
		return false
	}
	if b.low == nil || b.high == nil {
		return true
	}
	n, err := order(b.low, b.high)
	if err != nil {
		return true
	}
	return n < 0 || n == 0 && !b.openLow && !b.openHigh && !b.excluded(b.low)
}

func (b *bounds) allows(v any) bool {
	if b.excluded(v) {
		return false
	}
	if n, err := order(v, b.low); b.low != nil && err == nil && (n < 0 || n == 0 && b.openLow) {
		return false
	}
	n, err := order(v, b.high)
	return b.high == nil || err != nil || n < 0 || n == 0 && !b.openHigh
}

func (b *bounds) excluded(v any) bool {
	return slices.ContainsFunc(b.not, func(o any) bool { n, err := order(o, v); return err == nil && n == 0 })
}
