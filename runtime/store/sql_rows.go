package store

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// The tables of the reserved models, and the link table that says which departments a person belongs to.
const (
	peopleTable       = "d_user"
	peopleDepartments = "d_user__departments"
	departmentTable   = "d_department"
)

// belongs: the departments of the constant are expanded downwards already.
func (s *scope) belongs(dst []byte, x *plan.Belongs, yes bool) []byte {
	if conds, in := unguard(x.X); len(conds) > 0 {
		return s.cond(dst, plan.AllOf(append(conds, &plan.Belongs{X: in, Departments: x.Departments})...), yes)
	}
	c, ok := x.Departments.(*plan.Const)
	if !ok {
		s.fail("the departments of Belongs are %T, not a constant", x.Departments)
		return dst
	}
	departments := s.constants(c)
	if len(departments) == 0 {
		return constant(dst, !yes)
	}
	member := s.memberOf(x.X, departments)
	f := s.setOf(x.X)
	if f.link != nil {
		return s.linksTo(dst, f, yes, func(dst, value []byte) []byte { return member(dst, value, f.k) })
	}
	if f.constant {
		s.fail("Belongs of a constant")
		return dst
	}
	return predicate(dst, yes, func(dst []byte) []byte { return member(dst, f.column, f.k) })
}

// memberOf writes that an id of column e is one of the departments, or of a person of one.
func (s *scope) memberOf(e plan.Expr, departments []string) func(dst, id []byte, k plan.Kind) []byte {
	people, units := s.memberKinds(e)
	return func(dst, id []byte, k plan.Kind) []byte {
		if !people {
			return s.oneOf(dst, id, k, departments)
		}
		dst = append(dst, '(')
		if units {
			dst = append(s.oneOf(dst, id, k, departments), " OR "...)
		}
		l := s.next("l")
		dst = append(append(dst, id...), " IN (SELECT "...)
		dst = append(s.member(dst, []byte(l+`."`+linkRecord+`"`), plan.ID, k), ` FROM "`+peopleDepartments+`" AS `+l+" WHERE "...)
		return append(s.oneOf(dst, []byte(l+`."`+linkValue+`"`), s.departmentKind(), departments), "))"...)
	}
}

// departmentKind is how the link table of people's departments holds them.
func (b *builder) departmentKind() plan.Kind {
	storage := b.storage
	if storage == nil && b.c != nil {
		storage = &b.c.Storage
	}
	if storage == nil {
		return plan.ID
	}
	for _, t := range storage.Tables {
		for _, c := range t.Columns {
			if t.Name == peopleTable && LinkTable(t.Name, c.Name) == peopleDepartments {
				return b.w.member(c)
			}
		}
	}
	return plan.ID
}

// memberKinds reports whether a column may hold people, and whether departments: an index serves one of them better.
func (s *scope) memberKinds(e plan.Expr) (people, departments bool) {
	if f, ok := e.(*plan.Field); ok {
		_, m, _ := s.at(f)
		if of := m.Field(f.Column); of != nil && of.Target != nil {
			switch of.Target.Table {
			case peopleTable:
				return true, false
			case departmentTable:
				return false, true
			}
		}
	}
	return true, true
}

func (s *scope) linkText(dst []byte, x *plan.LinkText, yes bool) []byte {
	if conds, in := unguard(x.X); len(conds) > 0 {
		e := *x
		e.X = in
		return s.cond(dst, plan.AllOf(append(conds, &e)...), yes)
	}
	pattern, ok := x.Pattern.(*plan.Const)
	f := s.setOf(x.X)
	if !ok || f.constant {
		s.fail("LinkText needs a column and a constant pattern")
		return dst
	}
	if x.Whole {
		return s.linkTexts(dst, x, f, s.constants(pattern), yes)
	}
	text, _ := pattern.Value.(string)
	if text == "" {
		return constant(dst, !yes)
	}
	if !yes {
		dst = append(dst, "NOT "...)
	}
	dst, target := s.linkedRows(append(dst, "EXISTS (SELECT 1 "...), x, f)
	return append(s.contains(append(dst, " AND "...), target(x.Column), text), ')')
}

// linkTexts writes that the texts of the rows that f refers to are exactly the given ones: each is there, and no other.
func (s *scope) linkTexts(dst []byte, x *plan.LinkText, f set, given []string, yes bool) []byte {
	if len(given) == 0 {
		return constant(dst, !yes)
	}
	return predicate(dst, yes, func(dst []byte) []byte {
		count := len(dst) + len("((SELECT count(DISTINCT ")
		dst, target := s.linkedRows(append(dst, "((SELECT count(DISTINCT ) "...), x, f)
		dst = slices.Insert(dst, count, target(x.Column)...)
		dst = s.oneOf(append(dst, " AND "...), target(x.Column), plan.Text, given)
		dst = append(dst, ") = "+strconv.Itoa(len(given))+" AND "...)
		dst, target = s.linkedRows(append(dst, "NOT EXISTS (SELECT 1 "...), x, f)
		return append(s.oneOf(append(dst, " AND NOT ("...), target(x.Column), plan.Text, given), ")))"...)
	})
}

// linkedRows writes FROM and WHERE of the rows of x.Table that f refers to, and returns how their columns are written.
func (s *scope) linkedRows(dst []byte, x *plan.LinkText, f set) ([]byte, func(column string) []byte) {
	r := s.next("f")
	dst = append(dst, "FROM "...)
	own, k := []byte(r+`."id"`), plan.ID // of a model's table; those of the engine have texts
	if !strings.HasPrefix(x.Table, tablePrefix) {
		k = plan.Text
	}
	if f.link != nil {
		l := s.next("l")
		dst = append(append(dst, f.link...), " AS "+l+" JOIN "...)
		dst = append(append(append(ident(dst, x.Table), " AS "+r+" ON "...), own...), " = "...)
		dst = s.member(dst, []byte(l+`."`+linkValue+`"`), f.k, k)
		dst = append(dst, " WHERE "+l+`."`+linkRecord+`" = `...)
		dst = append(dst, f.record...)
	} else {
		dst = append(append(append(ident(dst, x.Table), " AS "+r+" WHERE "...), own...), " = "...)
		dst = s.member(dst, f.column, f.k, k)
	}
	return dst, func(column string) []byte { return ident(append([]byte(r), '.'), column) }
}

// sheetOf finds a sub-table by the code of its property or of its model.
func sheetOf(m *catalog.Model, code string) *catalog.Model {
	if f := m.Field(code); f != nil && f.Sheet != nil {
		return f.Sheet
	}
	for _, s := range m.Sheets {
		if strings.EqualFold(s.Code, code) || strings.EqualFold(s.Code, m.Code+"."+code) {
			return s
		}
	}
	return nil
}

// sheetCode is the code of a sub-table's property, as keys of Query.Joins begin with.
func sheetCode(code string) string { return code[strings.LastIndexByte(code, '.')+1:] }

func (s *scope) anyRow(dst []byte, x *plan.AnyRow, yes bool) []byte {
	if rows := engineRowsOf(s.model, x.Sheet); rows != nil {
		return s.anyEngineRow(dst, rows, x, yes)
	}
	m := sheetOf(s.model, x.Sheet)
	if m == nil {
		s.fail("model %s has no sub-table %q", s.model.Code, x.Sheet)
		return dst
	}
	in := &scope{builder: s.builder, model: m, name: s.next("r"), path: s.path + sheetCode(x.Sheet) + ".", outer: s}
	where := in.cond(nil, x.Where, true)
	parent := in.name + `."` + catalog.SheetParent + `"`
	if !yes {
		dst = append(dst, "NOT "...)
	}
	dst = append(append(dst, "EXISTS (SELECT 1 FROM "...), table(nil, m)...)
	dst = append(append(dst, " AS "+in.name...), in.from...)
	dst = append(dst, " WHERE "+parent+" = "+s.name+`."id" AND `...)
	return append(append(dst, where...), ')')
}
