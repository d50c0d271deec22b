package store

import (
	"strconv"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// set is an operand of a comparison of sets: constant values, the link table of a column, or one scalar.
type set struct {
	constant bool
	values   []string
	k        plan.Kind // of the members where they are not constant: ID or Text
	link     []byte    // quoted link table
	record   []byte    // the record that has the links, as the link table names it
	key      []byte    // alias."id" of that record
	shared   bool      // the link table is fixed: it names records and members by texts
	column   []byte    // alias."column": the joined text, or the scalar
	walk     bool      // so many records link to the constants that each record is better asked
}

// setOf resolves an operand that has no guard.
func (s *scope) setOf(e plan.Expr) set {
	switch x := e.(type) {
	case *plan.Const:
		return set{constant: true, values: s.constants(x)}
	case *plan.Field:
		if x.K != plan.Set {
			break
		}
		at, m, name := s.at(x)
		key := append([]byte(name), `."id"`...)
		out := set{
			k:      s.memberKind(m, x.Column),
			link:   link(nil, m, x.Column),
			record: key,
			key:    key,
			column: at.column(nil, m, name, x.Column),
			walk:   s.walk[x],
		}
		if sharedLinks(m, x.Column) != "" {
			out.shared, out.record = true, s.w.sharedRecord(nil, key)
		}
		return out
	}
	if v, ok := e.(*plan.Visible); ok {
		return s.visible(v)
	}
	if k := e.Kind(); k != plan.Text && k != plan.ID {
		s.fail("%T of kind %s is no set", e, k)
	}
	return set{k: e.Kind(), column: s.value(nil, e)}
}

// visible is a set without the links to rows that the caller does not see.
func (s *scope) visible(x *plan.Visible) set {
	f, target := s.setOf(x.F), s.c.Model(x.Model)
	if f.link == nil || target == nil {
		s.fail("links to %q cannot be limited", x.Model)
		return f
	}
	l, y := s.next("l"), s.next("y")
	seen := append([]byte("(SELECT "+l+`."`+linkRecord+`", `+l+`."`+linkValue+`" FROM `), f.link...)
	seen = append(table(append(seen, " AS "+l+" JOIN "...), target), " AS "+y+" ON "+y+`."id" = `...)
	seen = append(s.member(seen, []byte(l+`."`+linkValue+`"`), f.k, plan.ID), " WHERE "...)
	seen = append(s.within(seen, target, y, x.Where), ')')
	e := s.next("e")
	first := s.w.aggregate([]byte("(SELECT "), plan.SumMinimum, f.k, []byte(e+`."`+linkValue+`"`))
	first = append(append(first, " FROM "...), seen...)
	first = append(first, " AS "+e+" WHERE "+e+`."`+linkRecord+`" = `...)
	return set{k: f.k, link: seen, record: f.record, key: f.key, shared: f.shared, column: append(append(first, f.record...), ')')}
}

// memberKind is the kind of what the link table of a column holds: ID or Text.
func (b *builder) memberKind(m *catalog.Model, column string) plan.Kind {
	if sharedLinks(m, column) != "" {
		return plan.Text
	}
	c, _ := b.columnNamed(m, column)
	return b.w.member(c)
}

// constants lists the values of a constant, each once.
func (s *scope) constants(c *plan.Const) []string {
	var in []string
	switch v := c.Value.(type) {
	case nil:
	case string:
		in = []string{v}
	case []string:
		in = v
	default:
		s.fail("%T is no set", v)
	}
	if len(in) > maxList {
		s.fail("%d values in a set, at most %d", len(in), maxList)
		return nil
	}
	seen := make(map[string]bool, len(in))
	out := make([]string, 0, len(in))
	for _, v := range in {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

func (s *scope) inSet(dst []byte, x *plan.InSet, yes bool) []byte {
	if conds, f := unguard(x.F); len(conds) > 0 {
		shown := plan.AllOf(conds...)
		e := plan.AllOf(shown, &plan.InSet{Op: x.Op, F: f, G: x.G})
		if x.Op == plan.SetEqual {
			e = plan.AnyOf(e, plan.AllOf(&plan.Not{X: shown}, &plan.IsNull{X: x.G}))
		}
		return s.cond(dst, e, yes)
	}
	if conds, g := unguard(x.G); len(conds) > 0 {
		shown := plan.AllOf(conds...)
		nothing := &plan.Const{K: plan.Set}
		return s.cond(dst, plan.AnyOf(
			plan.AllOf(shown, &plan.InSet{Op: x.Op, F: x.F, G: g}),
			plan.AllOf(&plan.Not{X: shown}, &plan.InSet{Op: x.Op, F: x.F, G: nothing}),
		), yes)
	}
	if never(x, s) { // before the operand binds values that nothing would use
		return constant(dst, !yes)
	}
	f, g := s.setOf(x.F), s.setOf(x.G)
	switch {
	case !g.constant || f.constant:
		return s.setsOfRows(dst, x.Op, f, g, yes)
	case f.link == nil:
		return s.scalarIn(dst, x.Op, f, g.values, yes)
	}
	return s.linked(dst, x.Op, f, g.values, yes)
}

// never reports whether a scalar can be no such set: an empty one that is to have members, or one that is to have several.
func never(x *plan.InSet, s *scope) bool {
	g, ok := x.G.(*plan.Const)
	if _, constant := x.F.(*plan.Const); !ok || constant || x.F.Kind() == plan.Set {
		return false
	}
	n := len(s.constants(g))
	return n == 0 && x.Op != plan.SetEqual || n > 1 && (x.Op == plan.SetEqual || x.Op == plan.SetHas)
}

// scalarIn compares a set of one with constants.
func (s *scope) scalarIn(dst []byte, op plan.SetOp, f set, g []string, yes bool) []byte {
	if len(g) == 0 {
		if op == plan.SetEqual {
			return nullness(dst, f.column, yes)
		}
		return constant(dst, !yes)
	}
	if len(g) > 1 && (op == plan.SetEqual || op == plan.SetHas) {
		return constant(dst, !yes)
	}
	return predicate(dst, yes, func(dst []byte) []byte { return s.oneOf(dst, f.column, f.k, g) })
}

func nullness(dst, x []byte, yes bool) []byte {
	if yes {
		return append(append(dst, x...), " IS NULL"...)
	}
	return append(append(dst, x...), " IS NOT NULL"...)
}

// oneOf writes that x is one of the constants; there is at least one.
func (s *scope) oneOf(dst, x []byte, k plan.Kind, values []string) []byte {
	dst = append(dst, x...)
	if len(values) == 1 {
		return s.arg(append(dst, " = "...), k, values[0])
	}
	return s.w.in(s.builder, dst, k, values)
}

// linked compares a column with a link table with constants. The positive forms start from the link table's index; the
// negative ones ask it once a row.
func (s *scope) linked(dst []byte, op plan.SetOp, f set, g []string, yes bool) []byte {
	if len(g) == 0 {
		if op == plan.SetEqual {
			return nullness(dst, f.column, yes)
		}
		return constant(dst, !yes)
	}
	switch op {
	case plan.SetIntersects:
		return s.linksTo(dst, f, yes, func(dst, value []byte) []byte { return s.oneOf(dst, value, f.k, g) })
	case plan.SetHas:
		return predicate(dst, yes, func(dst []byte) []byte { return s.hasAll(dst, f, g, yes) })
	case plan.SetWithin:
		return predicate(dst, yes, func(dst []byte) []byte {
			dst = nullness(append(dst, '('), f.column, false)
			dst = s.linksTo(append(dst, " AND "...), f, false, func(dst, value []byte) []byte {
				return append(s.oneOf(append(dst, "NOT ("...), value, f.k, g), ')')
			})
			return append(dst, ')')
		})
	case plan.SetEqual:
		return predicate(dst, yes, func(dst []byte) []byte {
			dst = s.hasAll(append(dst, '('), f, g, yes)
			dst = append(dst, " AND "...)
			return append(s.countLinks(dst, f, nil, len(g)), ')')
		})
	}
	s.fail("unknown comparison of sets %q", op)
	return dst
}

// linksTo writes that some link of the record satisfies where, or that none does.
func (s *scope) linksTo(dst []byte, f set, yes bool, where func(dst, value []byte) []byte) []byte {
	l := s.next("l")
	value := []byte(l + `."` + linkValue + `"`)
	if yes && !f.walk {
		dst = s.records(append(append(dst, f.key...), " IN (SELECT "...), f, l)
		dst = append(append(append(dst, " FROM "...), f.link...), " AS "+l+" WHERE "...)
		return append(where(dst, value), ')')
	}
	if !yes {
		dst = append(dst, "NOT "...)
	}
	dst = append(append(dst, "EXISTS (SELECT 1 FROM "...), f.link...)
	dst = append(dst, " AS "+l+" WHERE "+l+`."`+linkRecord+`" = `...)
	dst = append(append(dst, f.record...), " AND "...)
	return append(where(dst, value), ')')
}

// records writes the records of links, as ids.
func (s *scope) records(dst []byte, f set, l string) []byte {
	v := []byte(l + `."` + linkRecord + `"`)
	if f.shared {
		return s.w.sharedID(dst, v)
	}
	return append(dst, v...)
}

// hasAll writes that the record has links to all constants.
func (s *scope) hasAll(dst []byte, f set, g []string, driving bool) []byte {
	if len(g) == 1 {
		return s.linksTo(dst, f, true, func(dst, value []byte) []byte { return s.oneOf(dst, value, f.k, g) })
	}
	if !driving || f.walk {
		return s.countLinks(dst, f, g, len(g))
	}
	l := s.next("l")
	v := l + `."` + linkRecord + `"`
	dst = s.records(append(append(dst, f.key...), " IN (SELECT "...), f, l)
	dst = append(append(append(dst, " FROM "...), f.link...), " AS "+l+" WHERE "...)
	dst = s.oneOf(dst, []byte(l+`."`+linkValue+`"`), f.k, g)
	return append(dst, " GROUP BY "+v+" HAVING count(*) = "+strconv.Itoa(len(g))+")"...)
}

// countLinks writes that the record has n links, to those of g when given.
func (s *scope) countLinks(dst []byte, f set, g []string, n int) []byte {
	l := s.next("l")
	dst = append(append(dst, "(SELECT count(*) FROM "...), f.link...)
	dst = append(dst, " AS "+l+" WHERE "+l+`."`+linkRecord+`" = `...)
	dst = append(dst, f.record...)
	if g != nil {
		dst = s.oneOf(append(dst, " AND "...), []byte(l+`."`+linkValue+`"`), f.k, g)
	}
	return append(dst, ") = "+strconv.Itoa(n)...)
}

// setsOfRows compares sets of which the given one is not a constant: `owner in team`.
func (s *scope) setsOfRows(dst []byte, op plan.SetOp, f, g set, yes bool) []byte {
	return predicate(dst, yes, func(dst []byte) []byte {
		switch op {
		case plan.SetIntersects:
			return s.overlap(append(dst, "EXISTS "...), f, g, true)
		case plan.SetEqual:
			dst = s.overlap(append(dst, "(NOT EXISTS "...), f, g, false)
			return append(s.overlap(append(dst, " AND NOT EXISTS "...), g, f, false), ')')
		case plan.SetHas:
			dst = s.elements(append(dst, "(EXISTS "...), g, g.k, "x")
			return append(s.overlap(append(dst, " AND NOT EXISTS "...), g, f, false), ')')
		case plan.SetWithin:
			dst = s.elements(append(dst, "(EXISTS "...), f, f.k, "x")
			return append(s.overlap(append(dst, " AND NOT EXISTS "...), f, g, false), ')')
		}
		s.fail("unknown comparison of sets %q", op)
		return dst
	})
}

// overlap writes the elements of a that are, or are not, in b.
func (s *scope) overlap(dst []byte, a, b set, in bool) []byte {
	e, k := s.next("e"), together(a, b)
	dst = s.elements(append(dst, "(SELECT 1 FROM "...), a, k, "x")
	dst = append(dst, " AS "+e+" WHERE "+e+".x "...)
	if !in {
		dst = append(dst, "NOT "...)
	}
	return append(s.elements(append(dst, "IN "...), b, k, "x"), ')')
}

// together is the kind in which the members of two sets are compared.
func together(a, b set) plan.Kind {
	switch {
	case a.constant:
		return b.k
	case b.constant || a.k == b.k:
		return a.k
	}
	return plan.Text
}

// member writes x, a member of kind have, as one of kind want.
func (s *scope) member(dst, x []byte, have, want plan.Kind) []byte {
	switch {
	case have == plan.ID && want != plan.ID:
		return s.w.asText(dst, x)
	case have != plan.ID && want == plan.ID: // the other side's index on ids serves
		return s.w.asID(dst, x)
	}
	return append(dst, x...)
}

// elements writes a sub-select of a set's values, as members of a kind.
func (s *scope) elements(dst []byte, x set, k plan.Kind, as string) []byte {
	switch {
	case x.constant:
		return s.w.values(s.builder, dst, k, x.values, as)
	case x.link != nil:
		l := s.next("l")
		dst = s.member(append(dst, "(SELECT "...), []byte(l+`."`+linkValue+`"`), x.k, k)
		dst = append(append(dst, " AS "+as+" FROM "...), x.link...)
		dst = append(dst, " AS "+l+" WHERE "+l+`."`+linkRecord+`" = `...)
		return append(append(dst, x.record...), ')')
	}
	dst = s.member(append(dst, "(SELECT "...), x.column, x.k, k)
	dst = append(append(dst, " AS "+as+" WHERE "...), x.column...)
	return append(dst, " IS NOT NULL)"...)
}
