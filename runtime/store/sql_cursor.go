package store

import (
	"cmp"
	"reflect"
	"time"

	"github.com/shopspring/decimal"
	"github.com/sluice-platform/sluice/engine/plan"
)

// border is a sort key with the cursor's value of it; at is its place among the keys.
type border struct {
	plan.Order
	value any
	at    int
}

func borders(keys []plan.Order, values []any) []border {
	out := make([]border, len(keys))
	for i, k := range keys {
		out[i] = border{k, values[i], i}
	}
	return out
}

func (b *builder) borderArg(dst []byte, k border) []byte {
	return b.pageArg(dst, k.By.Kind(), k.value, k.at)
}

// binding tells which argument of a statement another page of the same query has another value of.
type binding struct {
	arg  int // place in the arguments
	kind plan.Kind
	from int // place among the sort keys, or offsetArg
}

const offsetArg = -1

// pageArg binds a value of the page.
func (b *builder) pageArg(dst []byte, k plan.Kind, v any, from int) []byte {
	dst = b.arg(dst, k, v)
	b.bound = append(b.bound, binding{len(b.args) - 1, k, from})
	return dst
}

// where is the query's condition for a segment of a page. What lies behind the cursor in its first key keeps every bound that
// the cursor's own row keeps: such a bound is left out, for a database that has two bounds of an index column seeks by one of
// them, and with the wrong one walks from the first page to the cursor.
func (r *reader) where(segment int) plan.Expr {
	if segment != 0 || len(r.seek) == 0 || r.seek[0] == nil {
		return r.q.Where
	}
	return r.unbounded(r.q.Where)
}

func (r *reader) unbounded(e plan.Expr) plan.Expr {
	switch x := e.(type) {
	case *plan.And:
		of := make([]plan.Expr, len(x.Of))
		for i, part := range x.Of {
			of[i] = r.unbounded(part)
		}
		return plan.AllOf(of...)
	case *plan.Compare:
		if r.implied(x) {
			return plan.True
		}
	}
	return e
}

// bounds are the conditions that unbounded may leave out.
func bounds(e plan.Expr) (out []*plan.Compare) {
	switch x := e.(type) {
	case *plan.And:
		for _, part := range x.Of {
			out = append(out, bounds(part)...)
		}
	case *plan.Compare:
		out = append(out, x)
	}
	return out
}

// implied reports whether the cursor's value and all behind it keep a bound.
func (r *reader) implied(x *plan.Compare) bool {
	bound, ok := x.B.(*plan.Const)
	if !ok || bound.K != x.A.Kind() || !reflect.DeepEqual(x.A, r.keys[0].By) {
		return false
	}
	n, ok := compareValues(r.seek[0], bound.Value)
	if !ok {
		return false
	}
	switch x.Op {
	case plan.LE:
		return r.keys[0].Descending && n <= 0
	case plan.LT:
		return r.keys[0].Descending && n < 0
	case plan.GE:
		return !r.keys[0].Descending && n >= 0
	case plan.GT:
		return !r.keys[0].Descending && n > 0
	}
	return false
}

// compareValues orders two values as both databases order their column; not ok for values whose order is not a simple one.
func compareValues(a, b any) (n int, ok bool) {
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		return cmp.Compare(x, y), ok
	case int64:
		y, ok := b.(int64)
		return cmp.Compare(x, y), ok
	case decimal.Decimal:
		if y, ok := b.(decimal.Decimal); ok {
			return x.Cmp(y), true
		}
	case time.Time:
		if y, ok := b.(time.Time); ok {
			return x.Compare(y), true
		}
	}
	return 0, false
}
