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
	}
	return `text COLLATE "C"`
}

func (d *postgresDialect) literal(c plan.Column) (string, error) {
	text := strings.ReplaceAll(fmt.Sprint(c.Default), "'", "''")
	kind, _, _ := strings.Cut(d.columnType(c.Kind), " ")
	return "'" + text + "'::" + kind, nil
}

func (*postgresDialect) finer(column string, scale int) string {
	return fmt.Sprintf("%s <> round(%s, %d)", column, column, scale)
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
	for _, t := range x.tables {
		if t.have != nil && t.want != nil {
			d.rename(&s, x, t)
		}
	}
	for _, t := range x.tables {
		switch {
		case t.have == nil:
			d.createTable(&s, *t.want)
		case t.want != nil:
			if err := d.alter(&s, x, t); err != nil {
				return nil, nil, err
			}
		}
	}
	var gone []string
	for _, t := range x.tables {
		if t.want == nil {
			for _, c := range links(*t.have) {
				gone = append(gone, LinkTable(t.have.Name, c.Name))
			}
			gone = append(gone, t.have.Name)
		}
	}
	if len(gone) > 0 {
		s.add("DROP TABLE ", idents(gone))
	}
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

// rename drops the indexes that go and gives tables, columns, indexes and primary keys their new names.
func (d *postgresDialect) rename(s *script, x *storageDiff, t tableDiff) {
	for _, i := range t.gone {
		s.add("DROP INDEX IF EXISTS ", quote(i.name))
		if i.kind == gramIndex {
			s.add("ALTER TABLE ", Ident(t.have.Name), " DROP COLUMN ", Ident(GramColumn(i.columns[0])))
		}
	}
	d.renameTable(s, t.have.Name, t.want.Name)
	for _, c := range t.columns {
		if !c.stays() || c.retyped(x) {
			continue
		}
		if c.want.Kind == plan.Set {
			from, to := LinkTable(t.have.Name, c.have.Name), LinkTable(t.want.Name, c.want.Name)
			d.renameTable(s, from, to)
			if from != to {
				s.add("ALTER INDEX ", quote(objectName("i", from, idColumn)), " RENAME TO ", quote(objectName("i", to, idColumn)))
			}
		}
		if c.renamed() {
			s.add("ALTER TABLE ", Ident(t.want.Name), " RENAME COLUMN ", Ident(c.have.Name), " TO ", Ident(c.want.Name))
		}
	}
	for _, p := range t.kept {
		if p.have.name != p.want.name {
			s.add("ALTER INDEX IF EXISTS ", quote(p.have.name), " RENAME TO ", quote(p.want.name))
		}
		if from, to := p.have.columns[0], p.want.columns[0]; p.have.kind == gramIndex && from != to {
			s.add("ALTER TABLE ", Ident(t.want.Name), " RENAME COLUMN ", Ident(GramColumn(from)), " TO ", Ident(GramColumn(to)))
		}
	}
}

func (*postgresDialect) renameTable(s *script, from, to string) {
	if from != to {
		s.add("ALTER TABLE ", Ident(from), " RENAME TO ", Ident(to))
		s.add("ALTER TABLE ", Ident(to), " RENAME CONSTRAINT ", quote(primaryKey(from)), " TO ", quote(primaryKey(to)))
	}
}

func (d *postgresDialect) createTable(s *script, t plan.Table) {
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
		d.createLink(s, LinkTable(t.Name, c.Name))
	}
}

func (*postgresDialect) gramColumn(column string) string {
	return Ident(GramColumn(column)) + ` text[] COLLATE "C"`
}

func (*postgresDialect) createLink(s *script, link string) {
	s.add("CREATE TABLE ", Ident(link), ` ("v" text COLLATE "C" NOT NULL, "id" text COLLATE "C" NOT NULL, "ordinal" bigint NOT NULL, CONSTRAINT `,
		quote(primaryKey(link)), ` PRIMARY KEY ("v", "id"))`)
	s.add("CREATE INDEX ", quote(objectName("i", link, idColumn)), " ON ", Ident(link), ` ("id", "v")`)
}

func (d *postgresDialect) alter(s *script, x *storageDiff, t tableDiff) error {
	table := "ALTER TABLE " + Ident(t.want.Name)
	for _, c := range t.columns {
		if c.have != nil && (c.want == nil || c.retyped(x)) {
			if c.have.Kind == plan.Set {
				s.add("DROP TABLE ", Ident(LinkTable(t.have.Name, c.have.Name)))
			}
			s.add(table, " DROP COLUMN ", Ident(c.have.Name))
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
		switch {
		case c.have == nil || c.retyped(x):
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
				d.createLink(s, LinkTable(t.want.Name, c.want.Name))
			}
		case c.want.NotNull && !c.have.NotNull:
			if fill != "" {
				s.add("UPDATE ", Ident(t.want.Name), " SET ", col, " = ", fill, " WHERE ", col, " IS NULL")
			}
			s.add(table, " ALTER COLUMN ", col, " SET NOT NULL")
		case c.have.NotNull && !c.want.NotNull:
			s.add(table, " ALTER COLUMN ", col, " DROP NOT NULL")
		}
	}
	return nil
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
		if n < len(i.desc) && i.desc[n] {
			parts[n] = Ident(c) + " DESC NULLS LAST"
		}
	}
	unique := ""
	if i.kind == uniqueIndex {
		unique = "UNIQUE "
	}
	return statement{text: "CREATE " + unique + "INDEX " + how + quote(i.name) + " ON " + Ident(i.table) + " (" + strings.Join(parts, ", ") + ")"}
}

// apply waits for all writes to end and holds off new ones. It does not wait long for readers of a table: those behind it in
// the queue would wait with it.
func (d *postgresDialect) apply(ctx context.Context, f func(conn) error, committing func()) error {
	return inTx(ctx, d.db, nil, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", lockSchema); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "SET LOCAL lock_timeout = '30s'"); err != nil {
			return err
		}
		if err := f(tx); err != nil {
			return err
		}
		committing()
		return nil
	})
}
