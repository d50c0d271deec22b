package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
)

func (*postgresDialect) columnType(k plan.Kind) string {
	switch k {
	case plan.Number:
		return "numeric(24,8)"
	case plan.Date:
		return "date"
	case plan.Instant:
		return "timestamptz(3)"
	case plan.Bool:
		return "boolean"
	case plan.Int:
		return "bigint"
	case plan.ID:
		return "uuid"
	}
	return `text COLLATE "C"`
}

// ownType is the type of a column of a table of the engine. Texts have the database's own order there, and times its own precision.
func (d *postgresDialect) ownType(c plan.Column) string {
	switch {
	case c.Kind == plan.Text && c.MaxLength > 0:
		return fmt.Sprintf("character varying(%d)", c.MaxLength)
	case c.Kind == plan.Text:
		return "text"
	case c.Kind == plan.Instant:
		return "timestamp with time zone"
	case c.Kind == plan.Bytes:
		return "bytea"
	}
	return d.columnType(c.Kind)
}

// script: keys that change go first and come last, so that the order of tables does not matter between.
func (d *postgresDialect) script(x *storageDiff) (s script, pending []string, err error) {
	for _, t := range x.tables {
		if t.have != nil {
			for _, f := range t.keysGone {
				s.add("ALTER TABLE ", Ident(f.table), " DROP CONSTRAINT IF EXISTS ", quote(f.name()))
			}
		}
	}
	d.drop(&s, x)
	aside := d.rename(&s, x)
	for _, t := range x.tables {
		switch {
		case t.have == nil:
			d.createTable(&s, *t.want)
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
		for _, f := range t.keysCome {
			d.createKey(&s, x, t, f)
		}
		for _, i := range t.come {
			switch {
			case t.have == nil || i.kind == uniqueIndex:
				s = append(s, d.createIndex(i, ""))
			default:
				pending = append(pending, i.name)
			}
		}
	}
	return s, pending, nil
}

// drop makes room: indexes, gram columns, link tables and tables that go.
func (*postgresDialect) drop(s *script, x *storageDiff) {
	var tables []string
	for _, t := range x.tables {
		switch {
		case t.have == nil:
			continue
		case t.want == nil:
			for _, c := range links(*t.have) {
				tables = append(tables, LinkTable(t.have.Name, c.Name))
			}
			tables = append(tables, t.have.Name)
			continue
		}
		for _, i := range t.gone {
			s.add("DROP INDEX IF EXISTS ", quote(i.name))
			if i.kind == gramIndex {
				s.add("ALTER TABLE ", Ident(t.have.Name), " DROP COLUMN ", Ident(GramColumn(i.columns[0])))
			}
		}
		tables = append(tables, x.linksLost(t)...)
	}
	if len(tables) > 0 {
		s.add("DROP TABLE ", idents(tables))
	}
}

// rename gives tables, primary keys, indexes and columns their new names. aside tells, for each table, where columns that
// still have to go went out of the way.
func (*postgresDialect) rename(s *script, x *storageDiff) (aside map[string]map[string]string) {
	ordered, _ := inOrder(x.tableRenames(), nil)
	for _, r := range ordered {
		s.add("ALTER TABLE ", quote(r.from), " RENAME TO ", quote(r.to))
	}
	ordered, _ = inOrder(x.indexRenames(), nil)
	for _, r := range ordered { // that of a primary key's index renames the constraint
		s.add("ALTER INDEX IF EXISTS ", quote(r.from), " RENAME TO ", quote(r.to))
	}
	aside = map[string]map[string]string{}
	for _, t := range x.tables {
		if t.have == nil || t.want == nil {
			continue
		}
		renames, leaving := x.columnRenames(t)
		for _, p := range t.kept {
			if p.have.kind == gramIndex {
				renames = append(renames, rename{physical(GramColumn(p.have.columns[0])), physical(GramColumn(p.want.columns[0]))})
			}
		}
		ordered, aside[t.want.Name] = inOrder(renames, leaving)
		for _, r := range ordered {
			s.add("ALTER TABLE ", Ident(t.want.Name), " RENAME COLUMN ", quote(r.from), " TO ", quote(r.to))
		}
	}
	return aside
}

// indexRenames are the new names of what has its own name beside tables: indexes that stay and those of primary keys.
func (x *storageDiff) indexRenames() []rename {
	var out []rename
	for _, t := range x.tables {
		if t.have == nil || t.want == nil {
			continue
		}
		out = append(out, rename{primaryKey(t.have.Name), primaryKey(t.want.Name)})
		for _, l := range x.linksKept(t) {
			out = append(out, rename{primaryKey(l.from), primaryKey(l.to)}, rename{objectName("i", l.from, idColumn), objectName("i", l.to, idColumn)})
		}
		for _, p := range t.kept {
			out = append(out, rename{p.have.name, p.want.name})
		}
	}
	return out
}

func (d *postgresDialect) createTable(s *script, t plan.Table) {
	if own(t) {
		s.add(createOwn(d, t, t.Name))
		return
	}
	var parts []string
	for _, c := range columns(t) {
		text := Ident(c.Name) + " " + d.columnType(c.Kind)
		if c.NotNull {
			text += " NOT NULL"
		}
		parts = append(parts, text)
	}
	for _, c := range t.Columns {
		if c.Search && c.Kind == plan.Text {
			parts = append(parts, d.gramColumn(c.Name))
		}
	}
	parts = append(parts, "CONSTRAINT "+quote(primaryKey(t.Name))+` PRIMARY KEY ("id")`)
	s.add("CREATE TABLE ", Ident(t.Name), " (", strings.Join(parts, ", "), ")")
	for _, c := range links(t) {
		d.createLink(s, LinkTable(t.Name, c.Name), c)
	}
}

func (*postgresDialect) gramColumn(column string) string {
	return Ident(GramColumn(column)) + ` text[] COLLATE "C"`
}

func (d *postgresDialect) createLink(s *script, link string, c plan.Column) {
	member := d.columnType(postgresGrammar{}.member(c))
	s.add("CREATE TABLE ", Ident(link), ` ("v" uuid NOT NULL, "id" `, member, ` NOT NULL, "ordinal" bigint NOT NULL, CONSTRAINT `,
		quote(primaryKey(link)), ` PRIMARY KEY ("v", "id"))`)
	s.add("CREATE INDEX ", quote(objectName("i", link, idColumn)), " ON ", Ident(link), ` ("id", "v")`)
}

func (d *postgresDialect) alter(s *script, x *storageDiff, t tableDiff, aside map[string]string) error {
	table := "ALTER TABLE " + Ident(t.want.Name)
	if x.repack {
		d.repack(s, *t.want)
	}
	for _, c := range t.columns {
		if c.have != nil && (c.want == nil || c.retyped(x)) {
			s.add(table, " DROP COLUMN ", asideOf(aside, c.have.Name))
		}
	}
	for _, i := range t.come {
		if i.kind == gramIndex {
			s.add(table, " ADD COLUMN ", d.gramColumn(i.columns[0]))
		}
	}
	for _, c := range t.columns {
		if c.want == nil {
			continue
		}
		fill := ""
		if c.want.NotNull && c.want.Default != nil {
			literal, err := d.literal(*c.want)
			if err != nil {
				return err
			}
			fill = literal
		}
		col := Ident(c.want.Name)
		if own(*t.want) {
			d.alterOwn(s, x, t, c, fill)
			continue
		}
		if c.have == nil || c.retyped(x) {
			text := table + " ADD COLUMN " + col + " " + d.columnType(c.want.Kind)
			if c.want.NotNull {
				text += " NOT NULL"
			}
			if fill != "" {
				text += " DEFAULT " + fill
			}
			s.add(text)
			if fill != "" {
				s.add(table, " ALTER COLUMN ", col, " DROP DEFAULT")
			}
			if c.want.Kind == plan.Set {
				d.createLink(s, LinkTable(t.want.Name, c.want.Name), *c.want)
			}
			continue
		}
		cv, moves := c.moves(x)
		switch {
		case moves && c.want.Kind == plan.Set:
			link := LinkTable(t.want.Name, c.want.Name)
			d.createLink(s, link, *c.want)
			if !cv.Split {
				s.add(linkOnes(*t.want, *c.want, Ident))
			}
			s.add(table, " ALTER COLUMN ", col, " TYPE ", d.columnType(c.want.Kind), " USING ", col, "::text")
			if cv.Split { // a change of type has no queries
				s.add("UPDATE ", Ident(t.want.Name), " SET ", col, " = ", d.converted(cv, c.want.Kind, Ident(t.want.Name)+"."+col), " WHERE ", col, " IS NOT NULL")
				s.add("INSERT INTO ", Ident(link), ` ("v", "id", "ordinal") SELECT "id", m, n - 1 FROM `, Ident(t.want.Name), ", unnest(string_to_array(", col,
					", ';')) WITH ORDINALITY AS members(m, n)")
			}
		case moves && cv.Names != "": // a change of type asks no other table
			cv.Names = x.newName(cv.Names)
			s.add(table, " ALTER COLUMN ", col, " TYPE ", d.columnType(c.want.Kind), " USING ", col, "::text")
			s.add("UPDATE ", Ident(t.want.Name), " SET ", col, " = ", nameOf(cv, Ident(t.want.Name)+"."+col+"::uuid"), " WHERE ", col, " IS NOT NULL")
		case moves:
			s.add(table, " ALTER COLUMN ", col, " TYPE ", d.columnType(c.want.Kind), " USING ", d.converted(cv, c.want.Kind, col))
		case c.want.Kind == plan.Set:
			d.members(s, *c.have, *c.want, LinkTable(t.want.Name, c.want.Name))
		}
		d.alterNull(s, t, c, fill)
	}
	return nil
}

// alterNull fills what is empty, before a column must not be.
func (*postgresDialect) alterNull(s *script, t tableDiff, c columnDiff, fill string) {
	table, col := Ident(t.want.Name), Ident(c.want.Name)
	switch {
	case c.want.NotNull && !c.have.NotNull:
		if fill != "" {
			s.add("UPDATE ", table, " SET ", col, " = ", fill, " WHERE ", col, " IS NULL")
		}
		s.add("ALTER TABLE ", table, " ALTER COLUMN ", col, " SET NOT NULL")
	case c.have.NotNull && !c.want.NotNull:
		s.add("ALTER TABLE ", table, " ALTER COLUMN ", col, " DROP NOT NULL")
	}
}

// alterOwn brings a column of a table of the engine to its wanted form. A text that is longer than its new type fails, it is not cut.
func (d *postgresDialect) alterOwn(s *script, x *storageDiff, t tableDiff, c columnDiff, fill string) {
	table, col := "ALTER TABLE "+Ident(t.want.Name), Ident(c.want.Name)
	if c.have == nil || c.retyped(x) {
		s.add(table, " ADD COLUMN ", ownColumn(d, *c.want))
		return
	}
	if to := d.ownType(*c.want); to != d.ownType(*c.have) {
		s.add(table, " ALTER COLUMN ", col, " TYPE ", to)
	}
	if changesDefault(t, c) {
		how := " DROP DEFAULT"
		if c.want.Default != nil {
			how = " SET DEFAULT " + ownDefault(*c.want)
		}
		s.add(table, " ALTER COLUMN ", col, how)
	}
	d.alterNull(s, t, c, fill)
}

// members turns what a link table holds into ids, or into texts, when a set begins or ends to refer to records. What is not an id refers
// to nothing.
func (d *postgresDialect) members(s *script, have, want plan.Column, link string) {
	from, to := postgresGrammar{}.member(have), postgresGrammar{}.member(want)
	if from == to {
		return
	}
	if to == plan.ID {
		s.add("DELETE FROM ", Ident(link), ` WHERE "id" !~ '`, uuidPattern, "'")
	}
	kind := d.columnType(to)
	bare, _, _ := strings.Cut(kind, " ")
	s.add("ALTER TABLE ", Ident(link), ` ALTER COLUMN "id" TYPE `, kind, ` USING "id"::`, bare)
}

// repack turns ids from texts into uuids. PostgreSQL writes each table and its indexes again.
func (d *postgresDialect) repack(s *script, t plan.Table) {
	change := func(column string) string {
		return "ALTER COLUMN " + Ident(column) + " TYPE uuid USING " + Ident(column) + "::uuid"
	}
	var parts []string
	for _, c := range columns(t) {
		if c.Kind == plan.ID {
			parts = append(parts, change(c.Name))
		}
		if c.Kind != plan.Set {
			continue
		}
		members := []string{change(linkRecord)}
		if (postgresGrammar{}).member(c) == plan.ID {
			members = append(members, change(linkValue))
		}
		s.add("ALTER TABLE ", Ident(LinkTable(t.Name, c.Name)), " ", strings.Join(members, ", "))
	}
	s.add("ALTER TABLE ", Ident(t.Name), " ", strings.Join(parts, ", "))
}

// createKey clears what refers to nothing, where a key is new on an old column, and adds the key.
func (d *postgresDialect) createKey(s *script, x *storageDiff, t tableDiff, f foreign) {
	for _, c := range t.columns {
		if !c.stays() || c.retyped(x) || !x.keyChanged(t, c) {
			continue
		}
		missing := " NOT IN (SELECT \"id\" FROM " + Ident(f.target) + ")"
		switch {
		case c.want.Kind == plan.Set && f.table == LinkTable(t.want.Name, c.want.Name) && f.column == idColumn:
			s.add("DELETE FROM ", Ident(f.table), ` WHERE "id"`, missing)
		case f.table == t.want.Name && f.column == c.want.Name:
			s.add("UPDATE ", Ident(f.table), " SET ", Ident(f.column), " = NULL WHERE ", Ident(f.column), missing)
		}
	}
	s.add("ALTER TABLE ", Ident(f.table), " ADD CONSTRAINT ", quote(f.name()), " FOREIGN KEY (", Ident(f.column), ")", f.clause())
}

// createIndex puts empty values first ascending and last descending, as SQLite does and lists want it.
func (*postgresDialect) createIndex(i index, how string) statement {
	if i.kind == gramIndex {
		return statement{text: "CREATE INDEX " + how + quote(i.name) + " ON " + Ident(i.table) + " USING gin (" + Ident(GramColumn(i.columns[0])) + ")"}
	}
	parts := make([]string, len(i.columns))
	for n, c := range i.columns {
		parts[n] = Ident(c) + " NULLS FIRST"
		if i.own {
			parts[n] = Ident(c) // gorm sorts without a word on empty values
		}
		if n < len(i.desc) && i.desc[n] {
			parts[n] = Ident(c) + " DESC NULLS LAST"
		}
	}
	unique := ""
	if i.kind == uniqueIndex {
		unique = "UNIQUE "
	}
	where := ""
	if i.where != "" {
		where = " WHERE " + i.where
	}
	return statement{text: "CREATE " + unique + "INDEX " + how + quote(i.name) + " ON " + Ident(i.table) + " (" + strings.Join(parts, ", ") + ")" + where}
}

// apply waits for all writes to end and holds off new ones. It does not wait long for readers of a table: those behind it in
// the queue would wait with it.
func (d *postgresDialect) apply(ctx context.Context, same bool, f func(conn) error, committing func()) error {
	err := inTx(ctx, d.db, nil, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", lockSchema); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "SET LOCAL lock_timeout = '30s'"); err != nil {
			return err
		}
		if err := f(tx); err != nil {
			return err
		}
		if err := d.changed(ctx, tx, []string{SchemaTable}); err != nil {
			return err
		}
		committing()
		return nil
	})
	if err != nil {
		return err
	}
	if !same {
		d.asides.Reset()
		d.pool.Reset() // statements that connections keep prepared may answer columns of another type now
	}
	select {
	case d.wake <- struct{}{}:
	default:
	}
	return nil
}
