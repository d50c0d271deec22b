package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

const (
	groupSize = 64                    // callers that share a commit
	groupTime = 20 * time.Millisecond // after which a group takes no further caller
)

var errClosed = errors.New("the database is closed")

// group is the writer of SQLite. Callers that wait at the same time share one transaction: each runs in a savepoint of its
// own, one after the other on its own goroutine, and all wait for the one commit and its fsync.
type group struct {
	pool    *sql.DB // one connection
	mu      sync.Mutex
	queue   []*member
	running bool
	closed  bool
	idle    sync.WaitGroup
}

// member is one caller of write.
type member struct {
	turn  chan *batch // its turn has come; nil batch.tx when there was no transaction to be had
	done  chan bool   // it has finished; false: undone
	alone bool        // it wants the connection, not a transaction
}

// batch is one transaction of several members.
type batch struct {
	tx        *sql.Tx
	grams     gramWrites
	err       error // why the transaction is lost; set before committed is closed
	committed chan struct{}
}

func newGroup(pool *sql.DB) *group { return &group{pool: pool} }

func (g *group) close() error {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.idle.Wait()
	return nil
}

func (g *group) write(ctx context.Context, f func(conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m := &member{turn: make(chan *batch, 1), done: make(chan bool, 1)}
	b, err := g.wait(ctx, m)
	if err != nil {
		return err
	}
	if b.tx == nil {
		return b.err
	}
	if err := b.run(ctx, m, f); err != nil {
		return err
	}
	<-b.committed
	return b.err
}

// alone runs f while nobody else has the connection.
func (g *group) alone(ctx context.Context, f func() error) error {
	m := &member{turn: make(chan *batch, 1), done: make(chan bool, 1), alone: true}
	if _, err := g.wait(ctx, m); err != nil {
		return err
	}
	defer func() { m.done <- true }()
	return f()
}

// wait queues until the member's turn or the end of the context.
func (g *group) wait(ctx context.Context, m *member) (*batch, error) {
	if err := g.enter(m); err != nil {
		return nil, err
	}
	select {
	case b := <-m.turn:
		return b, nil
	case <-ctx.Done():
	}
	if g.leave(m) {
		return nil, ctx.Err()
	}
	return <-m.turn, nil // it came at the same moment
}

func (g *group) enter(m *member) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return errClosed
	}
	g.queue = append(g.queue, m)
	if !g.running {
		g.running = true
		g.idle.Go(g.serve)
	}
	return nil
}

// leave takes a member out of the queue; false when its turn has come.
func (g *group) leave(m *member) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.queue, m)
	if i < 0 {
		return false
	}
	g.queue = slices.Delete(g.queue, i, i+1)
	return true
}

// next takes the first of the queue, for a new batch or to join one. serve ends when there is none for a new batch.
func (g *group) next(join bool) *member {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.queue) == 0 {
		g.running = join
		return nil
	}
	if join && g.queue[0].alone {
		return nil
	}
	m := g.queue[0]
	g.queue = slices.Delete(g.queue, 0, 1)
	return m
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

func (g *group) batch(m *member) {
	b := &batch{committed: make(chan struct{})}
	defer close(b.committed)
	tx, err := g.pool.BeginTx(context.Background(), nil)
	if err != nil {
		b.err = fmt.Errorf("begin: %w", err)
		for ; m != nil; m = g.next(true) { // it took long to find out: those behind it shall not each try anew
			m.turn <- b
		}
		return
	}
	b.tx = tx
	work := false
	begun := time.Now()
	for n := 1; m != nil; n++ {
		m.turn <- b
		work = <-m.done || work
		if b.err != nil || n == groupSize || time.Since(begun) > groupTime {
			break
		}
		m = g.next(true)
	}
	switch {
	case b.err != nil:
		tx.Rollback()
	case !work:
		b.err = tx.Rollback()
	default:
		b.err = b.commit()
	}
}

func (b *batch) commit() error {
	if err := b.grams.flush(context.Background(), b.tx); err != nil {
		return errors.Join(err, b.tx.Rollback())
	}
	if err := b.tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// run is a member's turn. It ends also when f panics or leaves its goroutine.
func (b *batch) run(ctx context.Context, m *member, f func(conn) error) (failed error) {
	c := groupConn{b.tx, &b.grams}
	begun := b.grams.mark()
	if _, err := c.ExecContext(ctx, "SAVEPOINT member"); err != nil {
		m.done <- false
		return err
	}
	kept := false
	defer func() {
		if !kept {
			if _, err := b.tx.Exec("ROLLBACK TO member; RELEASE member"); err != nil {
				b.err = fmt.Errorf("the transaction was lost: %w", errors.Join(failed, err)) // a full disk, for one, ends it
			}
			b.grams.back(begun)
		}
		m.done <- kept
	}()
	if err := f(c); err != nil {
		return err
	}
	if _, err := b.tx.Exec("RELEASE member"); err != nil {
		return err
	}
	kept = true
	return nil
}

// groupConn runs statements to their end even when the caller's context ends meanwhile: an interrupted statement would
// take the work of the whole group with it. The context is looked at before each.
type groupConn struct {
	*sql.Tx
	grams *gramWrites
}

// ready tells whether a statement may run, and says to the search index what the statement may ask of it.
func (c groupConn) ready(ctx context.Context, statement string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.grams.before(context.WithoutCancel(ctx), c.Tx, statement)
}

func (c groupConn) PrepareContext(ctx context.Context, q string) (*sql.Stmt, error) {
	if err := c.ready(ctx, q); err != nil {
		return nil, err
	}
	return c.Tx.PrepareContext(context.WithoutCancel(ctx), q)
}

func (c groupConn) ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error) {
	if err := c.ready(ctx, q); err != nil {
		return nil, err
	}
	return c.Tx.ExecContext(context.WithoutCancel(ctx), q, args...)
}

func (c groupConn) QueryContext(ctx context.Context, q string, args ...any) (*sql.Rows, error) {
	if err := c.ready(ctx, q); err != nil {
		return nil, err
	}
	return c.Tx.QueryContext(context.WithoutCancel(ctx), q, args...)
}

// QueryRowContext cannot say that the search index failed: the batch will.
func (c groupConn) QueryRowContext(ctx context.Context, q string, args ...any) *sql.Row {
	_ = c.ready(ctx, q)
	return c.Tx.QueryRowContext(context.WithoutCancel(ctx), q, args...)
}
