package store

import (
	"context"
	"encoding/hex"
	"strings"
)

// GramTokens is a text's grams as the full text table holds them and MATCH wants them: hexadecimal words, so that no
// tokenizer sees letters, marks or spaces.
func GramTokens(text string) string {
	grams := Grams(text)
	for i, g := range grams {
		grams[i] = hex.EncodeToString([]byte(g))
	}
	return strings.Join(grams, " ")
}

func (d *sqliteDialect) build(ctx context.Context, i index) error {
	if i.kind == gramIndex {
		return nil // its table was made by the apply
	}
	return d.group.write(ctx, func(c conn) error {
		_, err := c.ExecContext(ctx, d.createIndex(i).text)
		return err
	})
}

// rowsAtOnce: a prepared statement of one row is faster than longer ones.
func (*sqliteDialect) rowsAtOnce() int { return 1 }

func (d *sqliteDialect) putOff(ctx context.Context, tx *Tx, i index) (string, error) {
	text := "DROP INDEX IF EXISTS " + quote(i.name)
	if i.kind == gramIndex {
		text = "INSERT INTO " + quote(i.name) + " (" + quote(i.name) + ") VALUES ('delete-all')"
	}
	_, err := tx.c.ExecContext(ctx, text)
	return "", err
}

// alone needs no lock: what two processes build at once is built once, as each step looks first.
func (d *sqliteDialect) alone(ctx context.Context, f func(context.Context) error) error {
	return f(ctx)
}

func (d *sqliteDialect) fill(ctx context.Context, tx *Tx, i index, after string, n int) (string, error) {
	column := Ident(i.columns[0])
	rows, err := tx.query(ctx, `SELECT "rid", "id", `+column+` FROM `+Ident(i.table)+` WHERE "id" > $1 ORDER BY "id" LIMIT $2`, after, n)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	type entry struct {
		rid  int64
		text *string
	}
	var entries []entry
	last := ""
	for rows.Next() {
		var e entry
		if err := rows.Scan(&e.rid, &last, &e.text); err != nil {
			return "", err
		}
		entries = append(entries, e)
	}
	if err := rows.Err(); err != nil {
		return "", err
	}
	for _, e := range entries {
		if err := d.putGrams(ctx, tx, i.table, i.columns[0], e.rid, e.text, false); err != nil {
			return "", err
		}
	}
	return last, nil
}

// putGrams makes the gram table say what a record's text is now; nil when it has none. What is said of it already goes, which
// costs more than the new grams: nothing is said of a fresh record.
func (d *sqliteDialect) putGrams(ctx context.Context, tx *Tx, table, column string, rid int64, text *string, fresh bool) error {
	name := Ident(GramTable(table, column))
	if !fresh {
		if _, err := tx.c.ExecContext(ctx, "DELETE FROM "+name+" WHERE rowid = $1", rid); err != nil {
			return tx.fail(err)
		}
	}
	if text == nil || *text == "" {
		return nil
	}
	if _, err := tx.c.ExecContext(ctx, "INSERT INTO "+name+" (rowid, grams) VALUES ($1, $2)", rid, GramTokens(*text)); err != nil {
		return tx.fail(err)
	}
	return nil
}
