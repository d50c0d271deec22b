package store

import (
	"strconv"

	"github.com/sluice-platform/sluice/engine/plan"
)

var compareSQL = map[plan.CompareOp]string{plan.EQ: " = ", plan.LT: " < ", plan.LE: " <= ", plan.GT: " > ", plan.GE: " >= "}

// cond writes a condition: e when yes, otherwise its exact complement. What it writes is true exactly where the condition
// holds; elsewhere it may be false or NULL, which And, Or, WHERE and CASE treat alike. Complements are pushed down to the
// predicates, and there become "IS NOT TRUE".
func (s *scope) cond(dst []byte, e plan.Expr, yes bool) []byte {
	switch x := e.(type) {
	case nil:
		return constant(dst, yes)
	case *plan.Const:
		return constant(dst, (x.Value == true) == yes)
	case *plan.Not:
		return s.cond(dst, x.X, !yes)
	case *plan.And:
		return s.all(dst, x.Of, yes, yes)
	case *plan.Or:
		return s.all(dst, x.Of, !yes, yes)
	case *plan.Compare:
		return s.compare(dst, x, yes)
	case *plan.IsNull:
		return s.isNull(dst, x.X, yes)
	case *plan.Match:
		return s.match(dst, x, yes)
	case *plan.InSet:
		return s.inSet(dst, x, yes)
	case *plan.Belongs:
		return s.belongs(dst, x, yes)
	case *plan.LinkText:
		return s.linkText(dst, x, yes)
	case *plan.AnyRow:
		return s.anyRow(dst, x, yes)
	case *plan.Guarded:
		return s.cond(dst, &plan.And{Of: []plan.Expr{x.Cond, x.X}}, yes)
	case *plan.Rule:
		return predicate(dst, yes, func(dst []byte) []byte { return s.within(dst, s.model, s.name, x.X) })
	}
	if x, ok := e.(*plan.Call); ok && (x.Fn == "among" || x.Fn == "between") {
		return s.cond(dst, comparisons(x), yes)
	}
	// A column or function that is a truth value.
	if e.Kind() != plan.Bool {
		s.fail("%T of kind %s is no condition", e, e.Kind())
		return dst
	}
	dst = s.value(append(dst, '('), e)
	if yes {
		return append(dst, " = TRUE)"...)
	}
	return append(dst, ") IS NOT TRUE"...)
}

func constant(dst []byte, v bool) []byte {
	if v {
		return append(dst, "TRUE"...)
	}
	return append(dst, "FALSE"...)
}

// all joins conditions with AND, or with OR.
func (s *scope) all(dst []byte, of []plan.Expr, and, yes bool) []byte {
	if len(of) == 0 {
		return constant(dst, and)
	}
	if len(of) == 1 {
		return s.cond(dst, of[0], yes)
	}
	dst = append(dst, '(')
	for i, e := range of {
		if i > 0 && and {
			dst = append(dst, " AND "...)
		} else if i > 0 {
			dst = append(dst, " OR "...)
		}
		dst = s.cond(dst, e, yes)
	}
	return append(dst, ')')
}

// predicate writes what f writes, or its complement.
func predicate(dst []byte, yes bool, f func([]byte) []byte) []byte {
	if yes {
		return f(dst)
	}
	return append(f(append(dst, '(')), ") IS NOT TRUE"...)
}

// unguard takes the guards off an operand: a predicate on a guarded value that no empty value satisfies is the predicate
// on the value, and the guard; so that the value's index can be used.
func unguard(e plan.Expr) ([]plan.Expr, plan.Expr) {
	var conds []plan.Expr
	for {
		g, ok := e.(*plan.Guarded)
		if !ok {
			return conds, e
		}
		conds, e = append(conds, g.Cond), g.X
	}
}

// empty reports whether an operand is the constant empty value.
func empty(e plan.Expr) bool {
	c, ok := e.(*plan.Const)
	if !ok {
		return false
	}
	switch v := c.Value.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []string:
		return len(v) == 0
	}
	return false
}

func (s *scope) compare(dst []byte, x *plan.Compare, yes bool) []byte {
	if empty(x.A) || empty(x.B) {
		return constant(dst, !yes)
	}
	ca, a := unguard(x.A)
	cb, b := unguard(x.B)
	if len(ca)+len(cb) > 0 {
		of := append(append(ca, cb...), &plan.Compare{Op: x.Op, A: a, B: b})
		return s.cond(dst, &plan.And{Of: of}, yes)
	}
	op, ok := compareSQL[x.Op]
	if !ok || !comparable(a.Kind(), b.Kind()) {
		s.fail("cannot compare %s %s %s", a.Kind(), x.Op, b.Kind())
		return dst
	}
	return predicate(dst, yes, func(dst []byte) []byte {
		if k, other := a.Kind(), b.Kind(); k != other && (k == plan.ID || other == plan.ID) {
			return s.idAndText(dst, a, b, op)
		}
		dst = s.operand(dst, a, b.Kind())
		if x.Op != plan.EQ && a.Kind() == plan.Text && !isField(a) && !isField(b) {
			dst = append(dst, s.w.collate()...)
		}
		return s.operand(append(dst, op...), b, a.Kind())
	})
}

// idAndText compares an id with a text: a constant takes the form of the other side, otherwise both are texts.
func (s *scope) idAndText(dst []byte, a, b plan.Expr, op string) []byte {
	k := plan.Text
	if isConst(a) {
		k = b.Kind()
	} else if isConst(b) {
		k = a.Kind()
	}
	return s.as(append(s.as(dst, a, k), op...), b, k)
}

// as writes a value of kind ID or Text as one of the other kind.
func (s *scope) as(dst []byte, e plan.Expr, k plan.Kind) []byte {
	c, constant := e.(*plan.Const)
	switch have := e.Kind(); {
	case have == k || empty(e) || have != plan.ID && have != plan.Text:
		return s.value(dst, e)
	case constant:
		return s.arg(dst, k, c.Value)
	case k == plan.ID:
		return s.w.asID(dst, s.value(nil, e))
	}
	return s.w.asText(dst, s.value(nil, e))
}

func isConst(e plan.Expr) bool { _, ok := e.(*plan.Const); return ok }

// operand writes a value that is compared with one of kind other: whole numbers beside decimals become decimals.
func (s *scope) operand(dst []byte, e plan.Expr, other plan.Kind) []byte {
	if e.Kind() == plan.Int && other == plan.Number {
		return s.number(dst, e)
	}
	return s.value(dst, e)
}

func comparable(a, b plan.Kind) bool {
	if a == b {
		return a != plan.Set && a != plan.Rows && a != plan.None
	}
	numeric := func(k plan.Kind) bool { return k == plan.Number || k == plan.Int }
	text := func(k plan.Kind) bool { return k == plan.Text || k == plan.ID }
	return numeric(a) && numeric(b) || text(a) && text(b)
}

func isField(e plan.Expr) bool { _, ok := e.(*plan.Field); return ok }

func (s *scope) isNull(dst []byte, e plan.Expr, yes bool) []byte {
	if conds, x := unguard(e); len(conds) > 0 {
		hidden := &plan.Not{X: plan.AllOf(conds...)}
		return s.cond(dst, &plan.Or{Of: []plan.Expr{hidden, &plan.IsNull{X: x}}}, yes)
	}
	switch x := e.(type) {
	case *plan.Const:
		return constant(dst, empty(x) == yes)
	case *plan.Field:
		if x.K == plan.Rows {
			return s.anyRow(dst, &plan.AnyRow{Sheet: x.Column, Where: plan.True}, !yes)
		}
	case *plan.Visible:
		return nullness(dst, s.visible(x).column, yes)
	}
	dst = s.value(append(dst, '('), e)
	if yes {
		return append(dst, " IS NULL)"...)
	}
	return append(dst, " IS NOT NULL)"...)
}

// value writes a scalar. The column of a set is its joined text.
func (s *scope) value(dst []byte, e plan.Expr) []byte {
	switch x := e.(type) {
	case *plan.Const:
		if empty(x) {
			return append(dst, s.w.null(x.K)...)
		}
		return s.arg(dst, x.K, x.Value)
	case *plan.Field:
		at, m, name := s.at(x)
		return at.column(dst, m, name, x.Column)
	case *plan.Guarded:
		dst = s.cond(append(dst, "CASE WHEN "...), x.Cond, true)
		dst = s.value(append(dst, " THEN "...), x.X)
		return append(dst, " END"...)
	case *plan.If:
		dst = s.cond(append(dst, "CASE WHEN "...), x.Cond, true)
		dst = s.value(append(dst, " THEN "...), x.Then)
		dst = s.as(append(dst, " ELSE "...), x.Else, x.Then.Kind())
		return append(dst, " END"...)
	case *plan.Rank:
		return s.rank(dst, x)
	case *plan.Arith:
		return s.w.arith(s, dst, x)
	case *plan.Call:
		return s.call(dst, x)
	case *plan.And, *plan.Or, *plan.Not, *plan.Compare, *plan.IsNull, *plan.Match, *plan.InSet, *plan.Belongs,
		*plan.LinkText, *plan.AnyRow, *plan.Rule:
		dst = s.cond(append(dst, "(("...), e, true)
		return append(dst, ") IS TRUE)"...)
	case *plan.Var:
		s.fail("variable %s is not bound", x.Name)
	default:
		s.fail("%T cannot run as SQL", e)
	}
	return dst
}

func (s *scope) rank(dst []byte, x *plan.Rank) []byte {
	if len(x.Codes) == 0 {
		return append(dst, "NULL"...)
	}
	k := plan.Text
	if x.X.Kind() == plan.ID {
		k = plan.ID
	}
	dst = s.value(append(dst, "CASE "...), x.X)
	for i, code := range x.Codes {
		dst = s.arg(append(dst, " WHEN "...), k, code)
		dst = strconv.AppendInt(append(dst, " THEN "...), int64(i), 10)
	}
	return append(dst, " END"...)
}
