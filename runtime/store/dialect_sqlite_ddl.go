package store

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

func (*sqliteDialect) columnType(k plan.Kind) string {
	switch k {
	case plan.Number, plan.ID:
		return "BLOB"
	case plan.Bool, plan.Int:
		return "INTEGER"
	}
	return "TEXT"
}

// ownType is the declared type of a column of a table of the engine: the driver reads a DATETIME back as a time.
func (d *sqliteDialect) ownType(c plan.Column) string {
	switch c.Kind {
	case plan.None: // of a column that some other program made
		return ""
	case plan.Instant:
		return "DATETIME"
	case plan.Bytes:
		return "BLOB"
	case plan.ID: // held as a text
		return "uuid"
	}
	return d.columnType(c.Kind)
}

func (*sqliteDialect) literal(c plan.Column) (string, error) {
	text := fmt.Sprint(c.Default)
	switch c.Kind {
	case plan.Number:
		d, err := decimal.NewFromString(text)
		if err != nil {
			return "", fmt.Errorf("default of %s: %w", c.Name, err)
		}
		b, err := EncodeDecimal(d)
		return "x'" + hex.EncodeToString(b) + "'", err
	case plan.ID:
		if id, ok := packID(text); ok {
			return "x'" + hex.EncodeToString(id[:]) + "'", nil
		}
	case plan.Bool:
		if text == "true" {
			return "1", nil
		}
		return "0", nil
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'", nil
}

func (*sqliteDialect) converted(c plan.Conversion, to plan.Kind, column string) string {
	switch {
	case c.Split:
		return "set_pack(words_split(" + column + ", " + wordsText(c) + ", 0))"
	case c.Words != nil:
		return wordsOf(c, column)
	case c.Names != "":
		return nameOf(c, column)
	case c.From == plan.Set:
		return "set_one(" + column + ")"
	case c.From == plan.Bool && to == plan.Text:
		return "CASE WHEN " + column + " THEN '是' WHEN NOT " + column + " THEN '否' END"
	case c.From == plan.Text && to == plan.Bool:
		return "bool_parse(" + column + ")"
	case c.From == plan.Text && to == plan.Clock:
		return "clock_parse(" + column + ")"
	case c.From == plan.Text && to == plan.Instant:
		return "instant_parse(" + column + ")"
	case c.From == plan.Instant && to == plan.Date:
		return "day_of(" + column + ", " + literals([]string{c.Zone}) + ")"
	case c.From == plan.Number && to == plan.Text:
		return "dec_text(" + column + ")"
	case c.From == plan.Date && to == plan.Instant:
		return "day_start(" + column + ", " + literals([]string{c.Zone}) + ")"
	case c.From == plan.Text && to == plan.Number:
		return "dec_parse(" + column + ")"
	case c.From == plan.Text && to == plan.Date:
		return "day_parse(" + column + ")"
	}
	return column
}

// wordsText are the words of a conversion as an argument of words_split.
func wordsText(c plan.Conversion) string {
	text, _ := json.Marshal(c.Words) // a map of texts
	return literals([]string{string(text)})
}

func (*sqliteDialect) hasOthers(set string, than []string) string {
	text, _ := json.Marshal(than)
	return "set_others(" + set + ", " + literals([]string{string(text)}) + ")"
}

func (*sqliteDialect) shown(k plan.Kind, value string) string {
	switch k {
	case plan.Number:
		return "dec_text(" + value + ")"
	case plan.ID:
		return "id_text(" + value + ")"
	case plan.Bool:
		return "CASE WHEN " + value + " THEN 'true' ELSE 'false' END"
	}
	return "CAST(" + value + " AS TEXT)"
}

// memberLiterals: one that looks like an id is kept as ids are.
func (*sqliteDialect) memberLiterals(codes []string) string {
	out := make([]string, len(codes))
	for i, code := range codes {
		if id, ok := packID(code); ok {
			out[i] = "x'" + hex.EncodeToString(id[:]) + "'"
		} else {
			out[i] = literals(codes[i : i+1])
		}
	}
	return strings.Join(out, ", ")
}

func (*sqliteDialect) packedSet(texts string) string { return "set_pack(" + texts + ")" }

func (*sqliteDialect) finer(column string, scale int) string {
	return fmt.Sprintf("%s <> dec_round(%s, %d)", column, column, scale)
}

// script: SQLite renames, adds and drops columns by itself where no constraint is concerned; otherwise the table is made
// again and its rows copied, with foreign keys off.
func (d *sqliteDialect) script(x *storageDiff) (s script, pending []string, err error) {
	d.drop(&s, x)
	aside := d.rename(&s, x)
	for _, t := range x.tables {
		switch {
		case t.have == nil:
			d.createTable(&s, x.want, *t.want, t.want.Name)
			for _, c := range links(*t.want) {
				d.createLink(&s, x.want, *t.want, c, LinkTable(t.want.Name, c.Name))
			}
		case t.want != nil:
			if err := d.alter(&s, x, t, aside[t.want.Name]); err != nil {
				return nil, nil, err
			}
		}
	}
	x.renameOptions(d, &s)
	for _, t := range x.tables {
		if t.want == nil {
			continue
		}
		pending = append(pending, d.makeIndexes(&s, x, t)...)
	}
	return s, pending, nil
}

// drop makes room: it drops the indexes that go or change their name, and the tables that go with their link and gram tables.
func (d *sqliteDialect) drop(s *script, x *storageDiff) {
	for _, t := range slices.Backward(x.tables) {
		if t.have == nil {
			continue
		}
		for _, i := range t.gone {
			switch {
			case i.kind == gramIndex:
				s.add("DROP TABLE ", quote(i.name))
			case t.want != nil:
				s.add("DROP INDEX IF EXISTS ", quote(i.name))
			}
		}
		if t.want == nil {
			for _, c := range links(*t.have) {
				s.add("DROP TABLE ", Ident(LinkTable(t.have.Name, c.Name)))
			}
			s.add("DROP TABLE ", Ident(t.have.Name))
			continue
		}
		for _, p := range t.kept {
			if p.have.name != p.want.name && p.have.kind != gramIndex {
				s.add("DROP INDEX IF EXISTS ", quote(p.have.name))
			}
		}
		for _, l := range x.linksKept(t) {
			if l.from != l.to {
				s.add("DROP INDEX IF EXISTS ", quote(objectName("i", l.from, idColumn)))
			}
		}
		for _, l := range x.linksLost(t) {
			s.add("DROP TABLE ", Ident(l))
		}
	}
}

// rename renames tables, link tables, gram tables and columns. aside tells, for each table, where columns that still have to
// go went out of the way.
func (*sqliteDialect) rename(s *script, x *storageDiff) (aside map[string]map[string]string) {
	tables := x.tableRenames()
	for _, t := range x.tables {
		for _, p := range t.kept {
			if p.have.kind == gramIndex {
				tables = append(tables, rename{p.have.name, p.want.name})
			}
		}
	}
	ordered, _ := inOrder(tables, nil)
	for _, r := range ordered {
		s.add("ALTER TABLE ", quote(r.from), " RENAME TO ", quote(r.to))
	}
	aside = map[string]map[string]string{}
	for _, t := range x.tables {
		if t.have == nil || t.want == nil {
			continue
		}
		ordered, aside[t.want.Name] = inOrder(x.columnRenames(t))
		for _, r := range ordered {
			s.add("ALTER TABLE ", Ident(t.want.Name), " RENAME COLUMN ", quote(r.from), " TO ", quote(r.to))
		}
	}
	return aside
}

func (d *sqliteDialect) createTable(s *script, st plan.Storage, t plan.Table, name string) {
	if own(t) {
		s.add(createOwn(d, t, name))
		return
	}
	keys := foreignKeys(st, t)
	parts := []string{`"rid" INTEGER PRIMARY KEY`}
	for _, c := range columns(t) {
		parts = append(parts, d.column(keys, t, c))
	}
	s.add("CREATE TABLE ", Ident(name), " (", strings.Join(parts, ", "), ")")
}

func (d *sqliteDialect) column(keys []foreign, t plan.Table, c plan.Column) string {
	if own(t) {
		return ownColumn(d, c)
	}
	text := Ident(c.Name) + " " + d.columnType(c.Kind)
	if c.NotNull {
		text += " NOT NULL"
	}
	if c.Name == idColumn {
		text += " UNIQUE"
	}
	if f, ok := foreignOf(keys, t.Name, c.Name); ok {
		text += f.clause()
	}
	return text
}

func (d *sqliteDialect) createLink(s *script, st plan.Storage, t plan.Table, c plan.Column, name string) {
	keys, link := foreignKeys(st, t), LinkTable(t.Name, c.Name)
	of := func(column string) string {
		if f, ok := foreignOf(keys, link, column); ok {
			return f.clause()
		}
		return ""
	}
	s.add("CREATE TABLE ", Ident(name), ` ("v" BLOB NOT NULL`, of("v"), `, "id" BLOB NOT NULL`, of(idColumn),
		`, "ordinal" INTEGER NOT NULL, PRIMARY KEY ("v", "id")) WITHOUT ROWID`)
	if name == link {
		d.linkIndex(s, link)
	}
}

func (*sqliteDialect) linkIndex(s *script, link string) {
	s.add("CREATE INDEX ", quote(objectName("i", link, idColumn)), " ON ", Ident(link), ` ("id")`)
}

// rebuilds reports whether ADD and DROP COLUMN are not enough for a table that stays.
func (d *sqliteDialect) rebuilds(x *storageDiff, t tableDiff) bool {
	return x.repack || slices.ContainsFunc(t.columns, func(c columnDiff) bool {
		keyed := c.have != nil && referenced(x.have, *c.have) != "" && c.have.Kind != plan.Set
		switch {
		case c.have == nil:
			return c.want.NotNull && !(own(*t.want) && c.want.Default != nil)
		case c.want == nil:
			return keyed
		case changesDefault(t, c):
			return true
		case c.retyped(x):
			return c.want.NotNull || keyed
		case c.remade(x):
			return true
		}
		return c.have.NotNull != c.want.NotNull || c.want.Kind != plan.Set && x.keyChanged(t, c)
	})
}

// alter brings an existing table, whose names are the wanted ones by now, to its wanted columns.
func (d *sqliteDialect) alter(s *script, x *storageDiff, t tableDiff, aside map[string]string) error {
	for _, c := range t.columns {
		d.alterLink(s, x, t, c)
	}
	if d.rebuilds(x, t) {
		return d.rebuild(s, x, t)
	}
	keys := foreignKeys(x.want, *t.want)
	for _, c := range t.columns {
		if c.have != nil && (c.want == nil || c.retyped(x)) {
			s.add("ALTER TABLE ", Ident(t.want.Name), " DROP COLUMN ", asideOf(aside, c.have.Name))
		}
	}
	for _, c := range t.columns {
		if c.want != nil && (c.have == nil || c.retyped(x)) {
			s.add("ALTER TABLE ", Ident(t.want.Name), " ADD COLUMN ", d.column(keys, *t.want, *c.want))
		}
	}
	return nil
}

func (d *sqliteDialect) alterLink(s *script, x *storageDiff, t tableDiff, c columnDiff) {
	if c.want == nil || c.want.Kind != plan.Set {
		return
	}
	link := LinkTable(t.want.Name, c.want.Name)
	cv, moves := c.moves(x)
	switch {
	case c.have == nil || c.retyped(x):
		d.createLink(s, x.want, *t.want, *c.want, link)
	case moves:
		d.createLink(s, x.want, *t.want, *c.want, link)
		value := Ident
		if x.repack { // the table has its texts still
			value = func(column string) string { return "id_pack(" + Ident(column) + ")" }
		}
		if cv.Split {
			record := Ident(t.want.Name) + "." + Ident(idColumn)
			if x.repack {
				record = "id_pack(" + record + ")"
			}
			parts := "json_each(words_split(" + Ident(t.want.Name) + "." + Ident(c.want.Name) + ", " + wordsText(cv) + ", 1)) AS part"
			s.add("INSERT INTO ", Ident(link), ` ("v", "id", "ordinal") SELECT `, record, `, id_pack(part."value"), part."key" FROM `, Ident(t.want.Name), ", ", parts)
			return
		}
		s.add(linkOnes(*t.want, *c.want, value))
	case x.repack || x.keyChanged(t, c):
		where := ""
		if f, ok := foreignOf(foreignKeys(x.want, *t.want), link, idColumn); ok && !x.repack {
			where = ` WHERE "id" IN (SELECT "id" FROM ` + Ident(f.target) + ")"
		}
		record, member := `"v"`, `"id"`
		if x.repack {
			record, member = `id_pack("v")`, `id_pack("id")`
		}
		d.createLink(s, x.want, *t.want, *c.want, "rebuild_"+link)
		s.add("INSERT INTO ", Ident("rebuild_"+link), " SELECT ", record, ", ", member, `, "ordinal" FROM `, Ident(link), where)
		s.add("DROP TABLE ", Ident(link))
		s.add("ALTER TABLE ", Ident("rebuild_"+link), " RENAME TO ", Ident(link))
		d.linkIndex(s, link)
	case LinkTable(t.have.Name, c.have.Name) != link:
		d.linkIndex(s, link)
	}
}

// rebuild copies a table into a new one of the wanted form, rid included: the gram tables are keyed by it.
func (d *sqliteDialect) rebuild(s *script, x *storageDiff, t tableDiff) error {
	name, keys := "rebuild_"+t.want.Name, foreignKeys(x.want, *t.want)
	d.createTable(s, x.want, *t.want, name)
	into, from := []string{`"rid"`}, []string{`"rid"`}
	if own(*t.want) {
		into, from = nil, nil
	}
	for _, c := range t.columns {
		if c.want == nil {
			continue
		}
		value := "NULL"
		if c.have != nil && !c.retyped(x) {
			value = Ident(c.want.Name)
			if cv, ok := c.moves(x); ok {
				cv.Names = x.newName(cv.Names)
				value = d.converted(cv, c.want.Kind, Ident(t.want.Name)+"."+value)
			}
		}
		switch {
		case x.repack && c.want.Kind == plan.ID:
			value = "id_pack(" + value + ")"
		case x.repack && c.want.Kind == plan.Set:
			value = "set_pack(" + value + ")"
		}
		if f, ok := foreignOf(keys, t.want.Name, c.want.Name); ok && value != "NULL" && x.keyChanged(t, c) {
			value = "(SELECT \"id\" FROM " + Ident(f.target) + " AS target WHERE target.\"id\" = " + Ident(t.want.Name) + "." + Ident(c.want.Name) + ")"
		}
		if c.want.NotNull && c.want.Default != nil {
			literal, err := d.literal(*c.want)
			if err != nil {
				return err
			}
			value = "COALESCE(" + value + ", " + literal + ")"
		}
		into, from = append(into, Ident(c.want.Name)), append(from, value)
	}
	s.add("INSERT INTO ", Ident(name), " (", strings.Join(into, ", "), ") SELECT ", strings.Join(from, ", "), " FROM ", Ident(t.want.Name))
	s.add("DROP TABLE ", Ident(t.want.Name))
	s.add("ALTER TABLE ", Ident(name), " RENAME TO ", Ident(t.want.Name))
	return nil
}

// makeIndexes makes unique indexes and those of new tables at once, and returns what is left for EnsureIndexes. A renamed
// index was dropped, and a rebuilt table has lost all of its; gram tables are tables of their own and stay.
func (d *sqliteDialect) makeIndexes(s *script, x *storageDiff, t tableDiff) (pending []string) {
	fresh, lost := t.have == nil, t.have != nil && d.rebuilds(x, t)
	for _, i := range indexes(x.want, *t.want) {
		j := slices.IndexFunc(t.kept, func(p indexPair) bool { return p.want.name == i.name })
		switch {
		case i.kind == gramIndex:
			if j >= 0 {
				continue
			}
			s.add("CREATE VIRTUAL TABLE ", quote(i.name), " USING fts5(grams, content='', contentless_delete=1, detail=none, tokenize='ascii')")
			if !fresh {
				pending = append(pending, i.name)
			}
		case j >= 0 && !lost && t.kept[j].have.name == i.name:
		case fresh || i.kind == uniqueIndex:
			*s = append(*s, d.createIndex(i))
		default:
			pending = append(pending, i.name)
		}
	}
	return pending
}

// createIndex makes an index of all rows: SQLite uses one with a condition only for a query that has it word for word.
func (*sqliteDialect) createIndex(i index) statement {
	parts := make([]string, len(i.columns))
	for n, c := range i.columns {
		parts[n] = Ident(c)
		if n < len(i.desc) && i.desc[n] {
			parts[n] += " DESC"
		}
	}
	unique := ""
	if i.kind == uniqueIndex {
		unique = "UNIQUE "
	}
	return statement{text: "CREATE " + unique + "INDEX IF NOT EXISTS " + quote(i.name) + " ON " + Ident(i.table) + " (" + strings.Join(parts, ", ") + ")"}
}
