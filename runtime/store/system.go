package store

import (
	"context"
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
		if _, err := tx.c.ExecContext(ctx, text, args...); err != nil {
			return tx.fail(tx.explain(ctx, target{}, err))
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

// countKinds is the one column of a count.
var countKinds = []plan.Kind{plan.Int}
