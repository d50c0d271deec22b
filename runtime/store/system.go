package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
)

// Note adds rows to a fixed sl_* table: what System does with less work, for what every write leaves behind. Values are strings,
// numbers and points in time.
func (tx *Tx) Note(ctx context.Context, table string, columns []string, rows ...[]any) error {
	if tx.failed != nil {
		return tx.failed
	}
	n := max(1, min(tx.db.d.rowsAtOnce(), maxArguments/len(columns)))
	head := "INSERT INTO " + quote(table) + ` ("` + strings.Join(columns, `", "`) + `") VALUES `
	text, of := "", 0
	for begin := 0; begin < len(rows); begin += n {
		part := rows[begin:min(begin+n, len(rows))]
		args := make([]any, 0, len(part)*len(columns))
		for _, row := range part {
			args = append(args, row...)
		}
		if len(part) != of { // the same text again for every full part
			text, of = head+places(len(part), len(columns)), len(part)
		}
		if tx.later(table, text, args) {
			continue
		}
		if _, err := tx.change(ctx, text, args...); err != nil {
			return err
		}
	}
	return nil
}

// places are the placeholders of rows: "($1, $2), ($3, $4)".
func places(rows, columns int) string {
	out := make([]byte, 0, rows*columns*5)
	for i := range rows * columns {
		switch {
		case i == 0:
			out = append(out, '(')
		case i%columns == 0:
			out = append(out, "), ("...)
		default:
			out = append(out, ", "...)
		}
		out = strconv.AppendInt(append(out, '$'), int64(i+1), 10)
	}
	return string(append(out, ')'))
}

// Number runs a statement on fixed sl_* tables that answers one whole number; arguments are written $1, $2.
func (tx *Tx) Number(ctx context.Context, text string, args ...any) (n int64, err error) {
	err = tx.each(ctx, text, args, countKinds, func(row []any) error {
		n, _ = row[0].(int64)
		return nil
	})
	return n, err
}

// change runs a statement that changes rows of fixed tables and tells how many.
func (tx *Tx) change(ctx context.Context, text string, args ...any) (int64, error) {
	if tx.failed != nil {
		return 0, tx.failed
	}
	tx.writes++
	res, err := tx.c.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, tx.fail(tx.explain(ctx, target{}, err))
	}
	return res.RowsAffected()
}

// Raise adds to a number in a fixed sl_* table, in the row with these keys, which is made where there is none, and returns what the
// number is now. Nobody else changes it before the end of the transaction.
func (tx *Tx) Raise(ctx context.Context, table, number string, by int64, keys []string, values ...any) (int64, error) {
	tx.writes++
	at, args := equals(keys), append(slices.Clone(values), by)
	last := "$" + strconv.Itoa(len(args))
	insert := "INSERT INTO " + quote(table) + ` ("` + strings.Join(keys, `", "`) + `", ` + quote(number) + ") VALUES " + places(1, len(args))
	if tx.db.d.shared() {
		take := insert + ` ON CONFLICT ("` + strings.Join(keys, `", "`) + `") DO UPDATE SET ` + quote(number) + " = " + quote(table) + "." + quote(number) + " + " + last +
			" RETURNING " + quote(number)
		if b, ok := tx.c.(*postgresBatch); ok && tx.failed == nil {
			n, err := b.raise(ctx, table, number, by, keys, values, take)
			if err != nil {
				err = tx.fail(err)
			}
			return n, err
		}
		return tx.Number(ctx, take, args...)
	}
	// There is one writer, and what RETURNING answers is a table of its own to SQLite.
	n, err := tx.change(ctx, "UPDATE "+quote(table)+" SET "+quote(number)+" = "+quote(number)+" + "+last+" WHERE "+at, args...)
	if err == nil && n == 0 {
		_, err = tx.change(ctx, insert, args...)
	}
	if err != nil {
		return 0, err
	}
	return tx.Number(ctx, "SELECT "+quote(number)+" FROM "+quote(table)+" WHERE "+at, values...)
}

// equals is the condition that columns have the first values.
func equals(columns []string) string {
	at := ""
	for i, c := range columns {
		at += " AND " + quote(c) + " = $" + strconv.Itoa(i+1)
	}
	return strings.TrimPrefix(at, " AND ")
}

// countKinds is the one column of a count.
var countKinds = []plan.Kind{plan.Int}
