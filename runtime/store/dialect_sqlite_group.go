package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/plan"
)

const (
	groupSize = 64                    // callers that share a commit
	groupTime = 20 * time.Millisecond // after which a group takes no further caller
)

var (
	errClosed = errors.New("the database is closed")
	errUndone = errors.New("another writer with the same commit was undone")
)

// careful is how long members have savepoints after one of them undid others, so that at most one group in this time is undone.
const careful = time.Second

// group is the writer of SQLite. Callers that wait at the same time share one transaction, one after the other on its own goroutine,
// and all wait for the one commit and its fsync. What one of them has to undo is undone alone where another's work cannot be done again:
// then it runs in a savepoint, for which SQLite copies each page that it changes. Where all come again, none has one; when one of them
// fails after it wrote, the transaction is undone, the others come again, and for a while all have savepoints.
type group struct {
	line[batch]
	pool *sql.DB // one connection

	undone   time.Time     // when a member undid others
	patience time.Duration // with another process that writes
	hurry    time.Duration // groupTime
	careful  time.Duration
	log      *slog.Logger
}

// batch is one transaction of several members.
type batch struct {
	conn      groupConn // without tx there is none
	wrote     bool      // the member whose turn it is changed something
	kept      int       // members whose work is kept
	fixed     bool      // one of them does not come again
	over      bool      // it ends without a commit
	stamp     stamp     // of the database, once a member has looked
	grams     gramWrites
	err       error // why the transaction is lost; set before committed is closed
	committed chan struct{}
}

func newGroup(pool *sql.DB) *group { return &group{pool: pool, hurry: groupTime, careful: careful} }

func (g *group) write(ctx context.Context, again bool, f func(conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m := newMember[batch]()
	b, err := g.wait(ctx, m, g.serve)
	if err != nil {
		return err
	}
	if b.conn.tx == nil {
		return b.err
	}
	if err := g.run(ctx, b, m, again, f); err != nil {
		return err
	}
	<-b.committed
	return b.err
}

// waits is false: all writers have their turn one after the other, and what one of them reads in it nobody changes.
func (*sqliteDialect) waits(string) bool { return false }

// alone runs f while nobody else has the connection.
func (g *group) alone(ctx context.Context, f func() error) error {
	m := newMember[batch]()
	m.alone = true
	if _, err := g.wait(ctx, m, g.serve); err != nil {
		return err
	}
	defer func() { m.done <- struct{}{} }()
	return f()
}

// serve runs batches until the queue is empty.
func (g *group) serve() {
	for m := g.next(false); m != nil; m = g.next(false) {
		if m.alone {
			m.turn <- &batch{}
			<-m.done
			continue
		}
		g.batch(m)
	}
}

func (g *group) batch(m *member[batch]) {
	b := &batch{committed: make(chan struct{})}
	defer close(b.committed)
	c, err := g.begin()
	if err != nil {
		b.err = fmt.Errorf("begin: %w", err)
		for ; m != nil; m = g.next(true) { // it took long to find out: those behind it shall not each try again
			m.turn <- b
		}
		return
	}
	defer c.pool.Close()
	c.grams, c.stamp, c.wrote = &b.grams, &b.stamp, &b.wrote
	b.conn = c
	begun := time.Now()
	for n := 1; m != nil; n++ {
		m.turn <- b
		<-m.done
		if b.err != nil || b.over || n == groupSize || time.Since(begun) > g.hurry {
			break
		}
		m = g.next(true)
	}
	switch {
	case b.err != nil:
		c.tx.Rollback()
	case b.over:
		b.err = errors.Join(errUndone, c.tx.Rollback())
	case b.kept == 0:
		b.err = c.tx.Rollback()
	default:
		b.err = b.commit()
	}
}

// begin waits for another process that writes: for as long as SQLite does, and after that says so and goes on waiting.
func (g *group) begin() (groupConn, error) {
	ctx := context.Background()
	pool, err := g.pool.Conn(ctx)
	if err != nil {
		return groupConn{}, err
	}
	c := groupConn{pool: pool}
	if err := pool.Raw(func(x any) error { c.own = x.(*cachingConn); return nil }); err != nil {
		return groupConn{}, errors.Join(err, pool.Close())
	}
	for begun, said := time.Now(), false; ; said = true {
		if c.tx, err = pool.BeginTx(ctx, nil); err == nil {
			return c, nil
		}
		if !locked(err) || time.Since(begun) >= g.patience || g.ended() {
			return groupConn{}, errors.Join(err, pool.Close())
		}
		if !said {
			g.log.Warn("waiting for another process that writes into the database")
		}
	}
}

func (b *batch) commit() error {
	if err := b.grams.flush(b.conn); err != nil {
		return errors.Join(err, b.conn.tx.Rollback())
	}
	if err := b.conn.tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// run is a member's turn. It ends also when f panics or leaves its goroutine.
func (g *group) run(ctx context.Context, b *batch, m *member[batch], again bool, f func(conn) error) (failed error) {
	c, begun, kept := b.conn, b.grams.mark(), false
	defer func() { m.done <- struct{}{} }()
	saved := b.kept > 0 && (b.fixed || time.Since(g.undone) < g.careful)
	if saved {
		if _, err := c.ExecContext(ctx, "SAVEPOINT member"); err != nil {
			return err
		}
	}
	b.wrote = false
	defer func() {
		switch {
		case kept:
			b.kept++
			b.fixed = b.fixed || !again
			return
		case saved:
			if _, err := c.exec("ROLLBACK TO member; RELEASE member"); err != nil {
				b.err = fmt.Errorf("the transaction was lost: %w", errors.Join(failed, err)) // a full disk, for one, ends it
			}
			b.grams.back(begun)
		case b.wrote:
			b.over = true
			if b.kept > 0 {
				g.undone = time.Now()
			}
		}
	}()
	if err := f(c); err != nil {
		return err
	}
	if saved {
		if _, err := c.exec("RELEASE member"); err != nil {
			return err
		}
	}
	kept = true
	return nil
}

// groupConn runs statements to their end even when the caller's context ends meanwhile: an interrupted statement would
// take the work of the whole group with it. The context is looked at before each. Nobody else has the connection, so statements and
// rows pass below database/sql where they can: of a transaction's queries it would watch each with a goroutine.
type groupConn struct {
	pool *sql.Conn
	own  *cachingConn
	tx   *sql.Tx

	grams *gramWrites
	stamp *stamp
	wrote *bool
}

// ready reports whether a statement may run, and says to the search index what the statement may ask of it.
func (c groupConn) ready(ctx context.Context, statement string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	*c.wrote = *c.wrote || !strings.HasPrefix(statement, "SELECT ")
	return c.grams.before(c, statement)
}

func (c groupConn) PrepareContext(ctx context.Context, q string) (*sql.Stmt, error) {
	if err := c.ready(ctx, q); err != nil {
		return nil, err
	}
	return c.tx.PrepareContext(context.WithoutCancel(ctx), q)
}

func (c groupConn) ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error) {
	if err := c.ready(ctx, q); err != nil {
		return nil, err
	}
	return c.exec(q, args...)
}

func (c groupConn) exec(q string, args ...any) (sql.Result, error) {
	named, err := c.own.namedValues(args)
	if err != nil {
		return nil, err
	}
	return c.own.ExecContext(context.Background(), q, named)
}

func (c groupConn) QueryContext(ctx context.Context, q string, args ...any) (*sql.Rows, error) {
	if err := c.ready(ctx, q); err != nil {
		return nil, err
	}
	return c.pool.QueryContext(context.WithoutCancel(ctx), q, args...)
}

// QueryRowContext cannot say that the search index failed: the batch will.
func (c groupConn) QueryRowContext(ctx context.Context, q string, args ...any) *sql.Row {
	_ = c.ready(ctx, q)
	return c.pool.QueryRowContext(context.WithoutCancel(ctx), q, args...)
}

// each implements rowSource.
func (c groupConn) each(ctx context.Context, text string, args []any, kinds []plan.Kind, f func([]any) error) error {
	if err := c.ready(ctx, text); err != nil {
		return err
	}
	return c.own.each(context.Background(), text, args, kinds, f)
}
