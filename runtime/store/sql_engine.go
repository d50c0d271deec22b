package store

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// engineRowsOf finds the rows of the engine that a condition on records of a model names: by their code, or by the code of a field with
// files. nil = it names a sub-table.
func engineRowsOf(m *catalog.Model, code string) *catalog.EngineRows {
	if f := m.Field(code); f != nil {
		if _, files := f.Property.(property.FileTaker); files {
			return catalog.EngineRowsNamed(catalog.FileRows)
		}
		return nil
	}
	if rows := catalog.EngineRowsNamed(code); rows != nil && rows.Record != "" {
		return rows
	}
	return nil
}

// engineLeading are the columns of the engine's rows that an index begins with; none for sub-tables.
func engineLeading(code string) map[string]bool {
	out := map[string]bool{}
	if rows := catalog.EngineRowsNamed(code); rows != nil {
		for _, c := range rows.Columns {
			out[c.Column] = c.Leads
		}
	}
	return out
}

// anyEngineRow writes that a record is among those of the rows that satisfy x.Where. The database chooses whether it collects the records
// first or asks for each.
func (s *scope) anyEngineRow(dst []byte, rows *catalog.EngineRows, x *plan.AnyRow, yes bool) []byte {
	in := &scope{builder: s.builder, model: &catalog.Model{Code: rows.Code, Table: rows.Table, Parent: s.model}, name: s.next("r"), path: "\x00", outer: s, rows: rows}
	where := in.cond(nil, plan.AllOf(rows.Where, fixedIDs(x.Where)), true)
	return predicate(dst, yes, func(dst []byte) []byte {
		dst = append(append(dst, s.name...), `."id" IN (SELECT `...)
		return append(s.engineRecords(dst, in, x.Sheet, where), ')')
	})
}

// engineRecords writes the ids of the records to which rows belong, from what follows SELECT.
func (s *scope) engineRecords(dst []byte, in *scope, code string, where []byte) []byte {
	rows := in.rows
	named := in.name // the alias whose columns name the record
	if rows.Via != "" {
		named = s.next("v")
	}
	var from []byte
	if rows.Record == "" {
		l := s.next("l")
		f := s.model.Field(code).Column()
		dst = append(dst, l+`."`+linkRecord+`"`...)
		from = append(append(link(from, s.model, f.Column), " AS "+l+" JOIN "...), ident(nil, rows.Table)...)
		from = s.member(append(from, " AS "+in.name+" ON "+in.name+`."id" = `...), []byte(l+`."`+linkValue+`"`), s.memberKind(s.model, f.Column), plan.Text)
	} else {
		dst = s.w.asID(dst, ident([]byte(named+"."), rows.Record))
		from = append(ident(from, rows.Table), " AS "+in.name...)
	}
	if rows.Via != "" {
		from = append(ident(append(from, " JOIN "...), rows.Via), " AS "+named+" ON "+named+`."id" = `+in.name+"."...)
		from = ident(from, rows.From)
	}
	dst = append(append(append(append(dst, " FROM "...), from...), in.from...), " WHERE "...)
	if rows.Model != "" {
		dst = append(ident(append(dst, named+"."...), rows.Model), " = "...)
		dst = append(s.arg(dst, plan.Text, s.model.Code), " AND "...)
	}
	return append(dst, where...)
}

// fixedIDs makes the ids of a row texts, which they are in the tables of the engine.
func fixedIDs(e plan.Expr) plan.Expr {
	if e == nil {
		return nil
	}
	return plan.Rewrite(e, func(x plan.Expr) plan.Expr {
		if f, ok := x.(*plan.Field); ok && f.K == plan.ID && !f.Outer && len(f.Path) == 0 {
			return &plan.Field{Column: f.Column, K: plan.Text}
		}
		return x
	})
}

// engineColumn writes a column of the engine's rows as models hold values of its kind.
func (s *scope) engineColumn(dst []byte, alias, name string) []byte {
	raw := ident([]byte(alias+"."), name)
	c := s.rows.Column(name)
	switch {
	case c != nil && c.Kind == plan.Instant:
		return s.w.fixedInstant(dst, raw)
	case c != nil && c.Blank:
		return append(append(append(dst, "NULLIF("...), raw...), ", '')"...)
	}
	return append(dst, raw...)
}
