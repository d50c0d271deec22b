package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sluice-platform/sluice/engine/plan"
)

// batchTime is how long a batch waits for the database at most, all its statements together.
const batchTime = 30 * time.Second

// postgresBatch is one transaction of several members, and the connection that they see.
type postgresBatch struct {
	writer postgresReader // in the transaction
	reader postgresReader // beside it, for tables in which no member has written; it may be missing
	stamp  stamp
	begun  bool

	pending []later          // of the member whose turn it is
	sent    pgx.BatchResults // whose answers have not been read
	written map[string]bool  // tables
	touched map[string]bool  // tables of members that are kept

	counters map[string]*counter
	kept     int  // members
	alone    bool // the member wants what cannot be shared
	parted   bool // some of what the member wrote has been sent before it was done
	asked    bool // the commit has been sent
	slot     bool

	err       error // why the transaction is lost; set before committed is closed
	committed chan struct{}
}

// later is a statement whose answer nobody waits for.
type later struct {
	text string
	args []any
}

// begin takes the connections, begins the transaction, holds off an apply, reads the stamp and takes the counter that the
// members will ask for.
func (b *postgresBatch) begin(g *postgresGroup) (err error) {
	if g.keepApart() {
		return errApart
	}
	select {
	case g.d.slots <- struct{}{}:
		b.slot = true
	default: // groups never take all connections
		return errApart
	}
	ctx, cancel := context.WithTimeout(context.Background(), batchTime)
	defer cancel()
	if b.writer, err = g.d.lent(ctx); err != nil {
		return err
	}
	if cap(g.d.slots) > 1 {
		if b.reader, err = g.d.lent(ctx); err != nil {
			return err
		}
	}
	q := &pgx.Batch{}
	q.Queue("BEGIN")
	q.Queue("SELECT pg_advisory_xact_lock_shared($1)", lockSchema)
	q.Queue(selectStamp).QueryRow(func(row pgx.Row) error {
		if err := row.Scan(&b.stamp.digest, &b.stamp.version, &b.stamp.names); !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return nil
	})
	if g.usual != nil {
		c := &counter{name: g.usual.name, take: g.usual.take, store: g.usual.store, keys: g.usual.keys}
		q.Queue(c.take, c.with(0)...).QueryRow(func(row pgx.Row) error { return row.Scan(&c.now) })
		b.counters = map[string]*counter{c.name: c}
	}
	if err := b.writer.own.SendBatch(context.Background(), q).Close(); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	for _, c := range b.counters {
		c.stored = c.now
	}
	b.begun = true
	return nil
}

// lent is a connection whose waits end after batchTime.
func (d *postgresDialect) lent(ctx context.Context) (postgresReader, error) {
	c, err := d.db.Conn(ctx)
	if err != nil {
		return postgresReader{}, err
	}
	r := postgresReader{Conn: c}
	if r.own, err = pgxOf(c); err != nil {
		return postgresReader{}, errors.Join(err, c.Close())
	}
	return r, r.own.PgConn().Conn().SetDeadline(time.Now().Add(batchTime))
}

// end gives it back.
func (r postgresReader) end() error {
	if r.own == nil {
		return nil
	}
	if !r.own.IsClosed() {
		_ = r.own.PgConn().Conn().SetDeadline(time.Time{}) // one that cannot is closed by the person who uses it next
	}
	return r.Close()
}

// release ends the batch.
func (b *postgresBatch) release(d *postgresDialect) {
	if own := b.writer.own; own != nil && !own.IsClosed() && own.PgConn().TxStatus() != 'I' {
		if _, err := own.Exec(context.Background(), "ROLLBACK"); err != nil {
			_ = own.Close(context.Background())
		}
	}
	_, _ = b.writer.end(), b.reader.end()
	if b.slot {
		<-d.slots
	}
}

// lose ends the transaction: its members come again, as long as it is certain that nothing of it stays.
func (b *postgresBatch) lose(err error) {
	switch {
	case b.err != nil:
	case b.asked && b.writer.own.IsClosed():
		b.err = fmt.Errorf("commit: %w", err)
	default:
		b.err = errors.Join(errUndone, err)
	}
}

// settle reads the answers to what was sent.
func (b *postgresBatch) settle() error {
	if b.err == nil && b.sent != nil {
		if err := b.sent.Close(); err != nil {
			b.lose(err)
		}
		b.sent = nil
	}
	return b.err
}

// send sends what waits to be.
func (b *postgresBatch) send() {
	if b.settle() != nil || len(b.pending) == 0 {
		return
	}
	q := &pgx.Batch{QueuedQueries: make([]*pgx.QueuedQuery, 0, len(b.pending))}
	for _, l := range b.pending {
		q.Queue(l.text, l.args...)
	}
	b.pending = b.pending[:0]
	b.sent = b.writer.own.SendBatch(context.Background(), q)
}

// later implements collector: the member goes on as if the insert were done.
func (b *postgresBatch) later(table, text string, args []any) bool {
	if b.written == nil {
		b.written = map[string]bool{}
	}
	b.written[table] = true
	b.pending = append(b.pending, later{text, args})
	return true
}

func (b *postgresBatch) touch(tables []string) {
	if b.touched == nil {
		b.touched = map[string]bool{}
	}
	for _, t := range tables {
		b.touched[t] = true
	}
}

// commit sends what is left, says which tables were changed, and waits for the commit.
func (b *postgresBatch) commit(d *postgresDialect) {
	for _, name := range slices.Sorted(maps.Keys(b.counters)) {
		if c := b.counters[name]; c.now != c.stored {
			b.pending = append(b.pending, later{c.store, c.with(c.now)})
		}
	}
	if len(b.touched) > 0 {
		b.pending = append(b.pending, later{recordChanges, []any{slices.Sorted(maps.Keys(b.touched)), d.node}})
	}
	b.pending = append(b.pending, later{text: "COMMIT"})
	if b.settle() != nil {
		return
	}
	b.asked = true
	b.send()
	_ = b.settle()
}

// source is the connection that a statement reads on. Others than reads are not shared.
func (b *postgresBatch) source(ctx context.Context, text string) (postgresReader, error) {
	if err := ctx.Err(); err != nil {
		return postgresReader{}, err
	}
	if b.err != nil {
		return postgresReader{}, b.err
	}
	if !strings.HasPrefix(text, "SELECT ") || strings.Contains(text, " FOR ") || strings.Contains(text, "pg_advisory") {
		b.alone = true
	}
	if b.alone {
		return postgresReader{}, errApart
	}
	if b.reader.own != nil && !b.reader.own.IsClosed() && !b.mentions(text) {
		return b.reader, nil
	}
	if len(b.pending) > 0 {
		b.parted = true
		b.send()
	}
	return b.writer, b.settle()
}

// mentions reports whether a statement may read what a member has written.
func (b *postgresBatch) mentions(text string) bool {
	for table := range b.written {
		if strings.Contains(text, table) {
			return true
		}
	}
	return false
}

// each implements rowSource.
func (b *postgresBatch) each(ctx context.Context, text string, args []any, kinds []plan.Kind, f func([]any) error) error {
	c, err := b.source(ctx, text)
	if err != nil {
		return err
	}
	err = c.each(context.Background(), text, args, kinds, f)
	b.survived(c, err)
	return err
}

// survived notes when a failed read took the transaction with it.
func (b *postgresBatch) survived(c postgresReader, err error) {
	if err != nil && c.own == b.writer.own && c.own.PgConn().TxStatus() != 'T' {
		b.lose(err)
	}
}

// QueryContext implements conn.
func (b *postgresBatch) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	c, err := b.source(ctx, text)
	if err != nil {
		return nil, err
	}
	rows, err := c.QueryContext(context.Background(), text, args...)
	b.survived(c, err)
	return rows, err
}

// QueryRowContext implements conn.
func (b *postgresBatch) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	c, err := b.source(ctx, text)
	if err != nil {
		over, cancel := context.WithCancel(ctx)
		cancel()
		return b.writer.QueryRowContext(over, text, args...)
	}
	return c.QueryRowContext(context.Background(), text, args...)
}

// ExecContext implements conn: what changes rows, and waits to hear how many, is not shared.
func (b *postgresBatch) ExecContext(context.Context, string, ...any) (sql.Result, error) {
	b.alone = true
	return nil, errApart
}

// PrepareContext implements conn.
func (b *postgresBatch) PrepareContext(context.Context, string) (*sql.Stmt, error) {
	b.alone = true
	return nil, errApart
}
