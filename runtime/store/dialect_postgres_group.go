package store

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// errApart: what the caller does needs a transaction of its own.
var errApart = errors.New("this write shares no transaction")

// How long the writers of a name have transactions of their own after one of them undid others, and after one of them did what
// cannot be shared.
const (
	apartUndone = careful
	apartAlways = 10 * time.Second
)

// postgresGroup is the writer of callers that name the same thing, as a rule the model of which they make records, whose numbers
// they would take one after the other anyway. They share one transaction with one commit, one after the other. What they write is
// sent without waiting for the answers, and what they read is read beside it.
//
// Only those who read and insert share one. Anyone who locks or changes a row would hold it until all are done, in an order that others do
// not keep, so they come again with a transaction of their own. As nothing is sent before its member is done, members that fail
// undo nobody; when the database refuses a row, all come again.
type postgresGroup struct {
	line[postgresBatch]
	d     *postgresDialect
	apart atomic.Int64 // until then, in nanoseconds, its writers have transactions of their own
	usual *counter     // that the last batch took: the next one takes it as it begins
}

// group finds the group of a name; nil while its writers have transactions of their own.
func (d *postgresDialect) group(name string) *postgresGroup {
	if name == "" {
		return nil
	}
	g, ok := d.groups.Load(name)
	if !ok {
		g, _ = d.groups.LoadOrStore(name, &postgresGroup{d: d})
	}
	if own := g.(*postgresGroup); !own.keepApart() {
		return own
	}
	return nil
}

func (d *postgresDialect) waits(name string) bool {
	g := d.group(name)
	return g != nil && g.busy()
}

func (g *postgresGroup) keepApart() bool { return time.Now().UnixNano() < g.apart.Load() }

func (g *postgresGroup) part(how time.Duration) {
	g.apart.Store(max(g.apart.Load(), time.Now().Add(how).UnixNano()))
}

func (g *postgresGroup) write(ctx context.Context, f func(conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m := newMember[postgresBatch]()
	b, err := g.wait(ctx, m, g.serve)
	if err != nil {
		return err
	}
	if !b.begun {
		return b.err
	}
	if err := g.run(b, m, f); err != nil {
		return err
	}
	<-b.committed
	return b.err
}

// serve runs batches until nobody waits. It begins each before somebody's turn comes: who waits for an apply can still leave.
func (g *postgresGroup) serve() {
	for g.more() {
		b := &postgresBatch{committed: make(chan struct{})}
		if err := b.begin(g); err != nil {
			b.err = err
		}
		g.batch(b)
	}
}

func (g *postgresGroup) batch(b *postgresBatch) {
	defer close(b.committed)
	defer b.release(g.d)
	if !b.begun {
		for m := g.next(true); m != nil; m = g.next(true) {
			m.turn <- b
		}
		return
	}
	begun := time.Now()
	for n := 0; b.err == nil && n < groupSize && time.Since(begun) < g.d.hurry; n++ {
		m := g.next(true)
		if m == nil {
			break
		}
		m.turn <- b
		<-m.done
	}
	if b.err == nil && b.kept > 0 {
		b.commit(g.d)
		for _, c := range b.counters {
			if c.used {
				g.usual = c
			}
		}
	}
	if b.err != nil && b.kept > 0 {
		g.part(apartUndone)
	}
}

// run is a member's turn. It ends also when f panics or leaves its goroutine.
func (g *postgresGroup) run(b *postgresBatch, m *member[postgresBatch], f func(conn) error) error {
	defer func() { m.done <- struct{}{} }()
	kept := false
	b.enter()
	defer func() {
		switch {
		case kept:
			b.kept++
		case b.err == nil:
			b.back()
		}
	}()
	err := f(b)
	switch {
	case b.err != nil: // of what others have sent, or with it
		return errors.Join(b.err, err)
	case b.alone:
		g.part(apartAlways)
		return errApart
	case err != nil:
		return err
	}
	if b.send(); b.err != nil {
		return b.err
	}
	kept = true
	return nil
}

// counter is a number in a system table that the members of a batch raise one after the other; nobody else does before the commit.
type counter struct {
	name   string
	take   string // adds to it and answers what it is then
	store  string
	keys   []any
	now    int64
	before int64 // the turn
	stored int64
	used   bool
}

// raise is Tx.Raise: the first member takes the counter, the others count on.
func (b *postgresBatch) raise(ctx context.Context, table, number string, by int64, keys []string, values []any, take string) (int64, error) {
	name := fmt.Sprint(table, number, values)
	c := b.counters[name]
	if c == nil {
		if err := b.settle(); err != nil {
			return 0, err
		}
		c = &counter{name: name, take: take, keys: values, store: "UPDATE " + quote(table) + " SET " + quote(number) + " = $" + fmt.Sprint(len(keys)+1) + " WHERE " + equals(keys)}
		// Others may hold it for long, so this is the one wait that ends with its caller, and the batch with it.
		err := b.writer.each(ctx, take, c.with(by), countKinds, func(row []any) error {
			c.now, _ = row[0].(int64)
			return nil
		})
		if err != nil {
			b.lose(err)
			return 0, err
		}
		c.before, c.stored = c.now-by, c.now
		if b.counters == nil {
			b.counters = map[string]*counter{}
		}
		b.counters[name], c.used = c, true
		return c.now, nil
	}
	c.now, c.used = c.now+by, true
	return c.now, nil
}

// with are the arguments of its statements.
func (c *counter) with(n int64) []any { return append(c.keys[:len(c.keys):len(c.keys)], n) }

// enter begins a turn.
func (b *postgresBatch) enter() {
	b.pending, b.alone, b.parted = b.pending[:0], false, false
	for _, c := range b.counters {
		c.before = c.now
	}
}

// back undoes a turn: of most nothing has been sent.
func (b *postgresBatch) back() {
	if b.parted {
		b.lose(nil)
		return
	}
	b.pending = b.pending[:0]
	for _, c := range b.counters {
		c.now = c.before
	}
}
