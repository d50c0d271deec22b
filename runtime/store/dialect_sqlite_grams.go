package store

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/plan"
)

// GramTokens is a text's grams as the full text table holds them and MATCH wants them: hexadecimal words, so that no
// tokenizer sees letters, marks or spaces.
func GramTokens(text string) string {
	runes := []rune(Fold(text))
	if len(runes) == 0 {
		return ""
	}
	size := min(len(runes), 2)
	out := make([]byte, 0, len(runes)*13) // two characters of three bytes and a space
	var known map[[2]rune]bool
	if len(runes) > fewRunes {
		known = make(map[[2]rune]bool, len(runes))
	}
	for i := 0; i+size <= len(runes); i++ {
		if known == nil && repeats(runes[:i+size]) {
			continue
		}
		if known != nil {
			g := [2]rune{runes[i], runes[i+1]}
			if known[g] {
				continue
			}
			known[g] = true
		}
		if len(out) > 0 {
			out = append(out, ' ')
		}
		var gram [2 * utf8.UTFMax]byte
		bytes := gram[:0]
		for _, r := range runes[i : i+size] {
			bytes = utf8.AppendRune(bytes, r)
		}
		out = hex.AppendEncode(out, bytes)
	}
	return string(out)
}

// longSearch is the number of characters from which every second gram of a text is asked for: all of them together are as rare, and each costs
// a walk through all rows that have it.
const longSearch = 10

// gramQuery is what MATCH is asked for a text. What it finds is compared with the text itself afterwards.
func gramQuery(text string) string {
	runes := []rune(Fold(text))
	if len(runes) < longSearch {
		return GramTokens(text)
	}
	out := make([]string, 0, len(runes)/2+1)
	for i := 0; i < len(runes); i += 2 {
		i = min(i, len(runes)-2)
		out = append(out, GramTokens(string(runes[i:i+2])))
	}
	return strings.Join(out, " ")
}

// fewRunes is how many are looked through faster than a map of their pairs is made.
const fewRunes = 64

// repeats reports whether the last two of some runes stood there before.
func repeats(runes []rune) bool {
	if len(runes) < 3 {
		return false
	}
	a, b := runes[len(runes)-2], runes[len(runes)-1]
	for i := 0; i+2 < len(runes); i++ {
		if runes[i] == a && runes[i+1] == b {
			return true
		}
	}
	return false
}

func (d *sqliteDialect) build(ctx context.Context, i index) error {
	if i.kind == gramIndex {
		return nil // its table was made by the apply
	}
	return d.group.write(ctx, false, func(c conn) error {
		_, err := c.ExecContext(ctx, d.createIndex(i).text)
		return err
	})
}

// unknown is nothing: what is chosen here by weight is counted first.
func (*sqliteDialect) unknown(context.Context, []string, int64) ([]string, error) { return nil, nil }

func (*sqliteDialect) gather(context.Context, string, bool) error { return nil }

// rowsAtOnce: a prepared statement of one row is faster than longer ones.
func (*sqliteDialect) rowsAtOnce() int { return 1 }

func (d *sqliteDialect) deferIndex(ctx context.Context, tx *Tx, i index) (string, error) {
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

// fill says the grams of many records in one statement: what a record that was saved since has said goes before.
func (d *sqliteDialect) fill(ctx context.Context, tx *Tx, i index, after string, n int) (string, error) {
	table, column, grams := Ident(i.table), Ident(i.columns[0]), quote(i.name)
	last := ""
	for _, end := range []string{`SELECT "id" FROM ` + table + ` WHERE "id" > $1 ORDER BY "id" LIMIT 1 OFFSET $2`, `SELECT max("id") FROM ` + table + ` WHERE "id" > $1 AND $2 > 0`} {
		err := tx.each(ctx, end, []any{tx.id(after), int64(n - 1)}, []plan.Kind{plan.ID}, func(row []any) error {
			last, _ = row[0].(string)
			return nil
		})
		if err != nil {
			return "", err
		}
		if last != "" {
			break
		}
	}
	if last == "" {
		return "", nil
	}
	chunk := " FROM " + table + ` WHERE "id" > $1 AND "id" <= $2`
	for _, text := range []string{
		"DELETE FROM " + grams + ` WHERE rowid IN (SELECT "rid"` + chunk + ")",
		"INSERT INTO " + grams + ` (rowid, grams) SELECT "rid", gram_tokens(` + column + ")" + chunk + " AND " + column + ` <> '' ORDER BY "rid"`,
	} {
		if _, err := tx.c.ExecContext(ctx, text, tx.id(after), tx.id(last)); err != nil {
			return "", tx.fail(err)
		}
	}
	return last, nil
}

// putGrams makes the gram table say what a record's text is now; nil when it has none. What is said of it already goes, which
// costs more than the new grams: nothing is said of a fresh record. In a batch it is said at its end.
func (d *sqliteDialect) putGrams(ctx context.Context, tx *Tx, table, column string, rid int64, text *string, fresh bool) error {
	w := gramWrite{table: Ident(GramTable(table, column)), rid: rid, text: text, fresh: fresh}
	if c, ok := tx.c.(groupConn); ok {
		c.grams.all = append(c.grams.all, w)
		return nil
	}
	return tx.fail(w.run(func(text string, args ...any) error {
		_, err := tx.c.ExecContext(ctx, text, args...)
		return err
	}))
}

// gramWrite is what a gram table shall say of one record.
type gramWrite struct {
	table string // quoted
	rid   int64
	text  *string
	fresh bool
}

func (w gramWrite) run(exec func(text string, args ...any) error) error {
	if !w.fresh {
		if err := exec("DELETE FROM "+w.table+" WHERE rowid = $1", w.rid); err != nil {
			return err
		}
	}
	if w.text == nil || *w.text == "" {
		return nil
	}
	return exec("INSERT INTO "+w.table+" (rowid, grams) VALUES ($1, $2)", w.rid, GramTokens(*w.text))
}

// gramWrites are what a batch has to say to gram tables. A full text table writes all it has down when a savepoint begins,
// and merges what it wrote down; said at the end of a batch, the words of all its members are written down once. Before a
// statement that reads a gram table everything is said.
type gramWrites struct {
	all  []gramWrite
	done int   // of all, from the first on
	err  error // what could not be said; the batch is lost
}

// gramMark is a state of gramWrites that a savepoint can come back to.
type gramMark struct{ all, done int }

func (g *gramWrites) mark() gramMark { return gramMark{len(g.all), g.done} }

// back takes back what came after a mark. What other members wanted to say and was said since has been undone with the
// savepoint, and is to be said again.
func (g *gramWrites) back(m gramMark) {
	if g.done >= m.all { // what could not be said goes with the savepoint
		g.err = nil
	}
	g.all, g.done = g.all[:m.all], m.done
}

func (g *gramWrites) flush(c groupConn) error {
	exec := func(text string, args ...any) error {
		_, err := c.exec(text, args...)
		return err
	}
	for ; g.err == nil && g.done < len(g.all); g.done++ {
		if err := g.all[g.done].run(exec); err != nil {
			g.err = fmt.Errorf("search index: %w", err)
		}
	}
	return g.err
}

// before says everything to the gram tables when a statement names one.
func (g *gramWrites) before(c groupConn, statement string) error {
	if g.done == len(g.all) || !strings.Contains(statement, `"`+gramPrefix) {
		return nil
	}
	return g.flush(c)
}
