package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/sluice-platform/sluice/engine/plan"
)

// mostCollected is how many inserts wait to be sent together at most.
const mostCollected = 1000

// postgresWriter is a transaction of one caller. While it collects, inserts wait until its next statement of another kind and
// are sent with one trip.
type postgresWriter struct {
	*sql.Tx
	own        *pgx.Conn
	collecting bool
	pending    []later
}

// writeAlone runs f in a transaction of its own. The end of the context ends its statements one by one: rolled back from another
// goroutine, a connection could be in the middle of what was sent below database/sql.
func (d *postgresDialect) writeAlone(ctx context.Context, f func(conn) error) error {
	c, err := d.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	w := &postgresWriter{}
	if w.own, err = pgxOf(c); err != nil {
		return err
	}
	if w.Tx, err = c.BeginTx(context.WithoutCancel(ctx), nil); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer w.Tx.Rollback() // no effect after Commit
	if err := errors.Join(f(w), ctx.Err()); err != nil {
		return err
	}
	if err := w.flush(ctx); err != nil {
		return err
	}
	if err := w.Tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// later implements collector.
func (w *postgresWriter) later(_, text string, args []any) bool {
	if !w.collecting || len(w.pending) >= mostCollected {
		return false
	}
	w.pending = append(w.pending, later{text, args})
	return true
}

// flush sends what waits.
func (w *postgresWriter) flush(ctx context.Context) error {
	if len(w.pending) == 0 {
		return nil
	}
	q := &pgx.Batch{QueuedQueries: make([]*pgx.QueuedQuery, 0, len(w.pending))}
	for _, l := range w.pending {
		q.Queue(l.text, l.args...)
	}
	w.pending = w.pending[:0]
	return w.own.SendBatch(ctx, q).Close()
}

// each implements rowSource.
func (w *postgresWriter) each(ctx context.Context, text string, args []any, kinds []plan.Kind, f func([]any) error) error {
	if err := w.flush(ctx); err != nil {
		return err
	}
	return postgresReader{own: w.own}.each(ctx, text, args, kinds, f)
}

// ExecContext implements conn.
func (w *postgresWriter) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	if err := w.flush(ctx); err != nil {
		return nil, err
	}
	return w.Tx.ExecContext(ctx, text, args...)
}

// QueryContext implements conn.
func (w *postgresWriter) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if err := w.flush(ctx); err != nil {
		return nil, err
	}
	return w.Tx.QueryContext(ctx, text, args...)
}

// QueryRowContext implements conn. When what waited was refused, so is the statement: the transaction takes no other.
func (w *postgresWriter) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	_ = w.flush(ctx)
	return w.Tx.QueryRowContext(ctx, text, args...)
}

// PrepareContext implements conn.
func (w *postgresWriter) PrepareContext(ctx context.Context, text string) (*sql.Stmt, error) {
	if err := w.flush(ctx); err != nil {
		return nil, err
	}
	return w.Tx.PrepareContext(ctx, text)
}
