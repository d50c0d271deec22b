package store

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// ErrStale is returned where what is in memory could not be read again in time.
var ErrStale = errors.New("what is kept in memory is not up to date")

const (
	mirrorWait  = time.Second     // for which a caller waits for what is new
	mirrorTime  = 2 * time.Second // for which it is read, doubled each time that this was too short
	mirrorSpell = time.Minute     // the longest that it becomes
)

// Moment says what a mirror has to show: changes up to a number of DB.Versions, through definitions.
type Moment struct {
	Version uint64
	Catalog any
}

// shows reports whether what was made for one moment does for another.
func (m Moment) shows(wanted Moment) bool {
	return m.Version >= wanted.Version && m.Catalog == wanted.Catalog
}

// Mirror keeps in memory what is made of tables, and reads it again after they have changed. It reads on a connection of its own, once for
// all who wait, so that nobody who holds another connection holds it up. It is safe for concurrent use.
type Mirror[V any] struct {
	db   *DB
	at   func() Moment
	read func(ctx context.Context, tx *Tx, at Moment, before V) (V, error)

	now   atomic.Pointer[mirrored[V]]
	mu    sync.Mutex
	under *reread
	limit time.Duration
}

type mirrored[V any] struct {
	at    Moment
	value V
}

// reread is a reading for which callers wait.
type reread struct {
	done chan struct{}
	err  error
}

// NewMirror makes a Mirror, which has read nothing. at tells what it should show by now; read makes the value, and may use the one before,
// the zero value at first.
func NewMirror[V any](db *DB, at func() Moment, read func(ctx context.Context, tx *Tx, at Moment, before V) (V, error)) *Mirror[V] {
	m := &Mirror[V]{db: db, at: at, read: read, limit: mirrorTime}
	db.mirrors.add(m)
	return m
}

// mirrors are those of a database.
type mirrors struct {
	mu     sync.Mutex
	all    atomic.Pointer[[]beginner]
	closed bool
	under  sync.WaitGroup // readings, each with a connection
}

// enter begins a reading, which calls under.Done; false when the database is being closed.
func (m *mirrors) enter() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false
	}
	m.under.Add(1)
	return true
}

// close waits for the readings that are under way.
func (m *mirrors) close() {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.under.Wait()
}

type beginner interface{ begin(ctx context.Context) }

func (m *mirrors) add(one beginner) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []beginner
	if old := m.all.Load(); old != nil {
		all = slices.Clone(*old)
	}
	all = append(all, one)
	m.all.Store(&all)
}

// begin is called before a transaction takes its connection: in it, mirrors show at least what was stored before, unless that takes longer
// than a second.
func (db *DB) begin(ctx context.Context) {
	all := db.mirrors.all.Load()
	if all == nil || db.Inside(ctx) {
		return
	}
	for _, m := range *all {
		m.begin(ctx)
	}
}

func (m *Mirror[V]) begin(ctx context.Context) {
	if now := m.now.Load(); now != nil && !now.at.shows(m.at()) {
		_, _ = m.Now(ctx)
	}
}

// Now returns the value as it is by now. Who is in a transaction gets the one that is there, unless there is none yet; everybody else waits
// for a new one, at most a second, and gets the one before with ErrStale then.
func (m *Mirror[V]) Now(ctx context.Context) (V, error) {
	wanted := m.at()
	now := m.now.Load()
	if now != nil && now.at.shows(wanted) {
		return now.value, nil
	}
	if now != nil && m.db.Inside(ctx) {
		m.again()
		return now.value, nil
	}
	end := time.NewTimer(mirrorWait)
	defer end.Stop()
	for {
		wanted.Catalog = m.at().Catalog // who waits for definitions that were replaced meanwhile would wait for ever
		under := m.again()
		select {
		case <-under.done:
		case <-ctx.Done():
			return m.latest(), errors.Join(ErrStale, ctx.Err())
		case <-end.C:
			return m.latest(), ErrStale
		}
		if now = m.now.Load(); now != nil && now.at.shows(wanted) {
			return now.value, nil
		}
		if under.err != nil {
			return m.latest(), errors.Join(ErrStale, under.err)
		}
	}
}

// In returns the value as a transaction sees it, which is kept for nobody else.
func (m *Mirror[V]) In(ctx context.Context, tx *Tx) (V, error) {
	wanted := m.at()
	if now := m.now.Load(); now != nil && now.at.shows(wanted) {
		return now.value, nil
	}
	m.again()
	return m.read(ctx, tx, wanted, m.latest())
}

// Refresh makes the value from nothing, also of what no news of other processes has come about yet.
func (m *Mirror[V]) Refresh(ctx context.Context) error {
	var none V
	return m.load(ctx, none)
}

// latest returns the value that was read last.
func (m *Mirror[V]) latest() (none V) {
	if now := m.now.Load(); now != nil {
		return now.value
	}
	return none
}

// again begins to read unless somebody does.
func (m *Mirror[V]) again() *reread {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.under != nil {
		return m.under
	}
	under := &reread{done: make(chan struct{})}
	if !m.db.mirrors.enter() {
		under.err = errors.New("the database is closed")
		close(under.done)
		return under
	}
	m.under = under
	limit := m.limit
	go func() {
		defer m.db.mirrors.under.Done()
		ctx, cancel := context.WithTimeout(m.db.run, limit)
		under.err = m.load(ctx, m.latest())
		late := ctx.Err() != nil
		cancel()
		m.mu.Lock()
		m.under = nil
		switch {
		case late:
			m.limit = min(2*limit, mirrorSpell)
		case under.err == nil:
			m.limit = mirrorTime
		}
		m.mu.Unlock()
		close(under.done)
	}()
	return under
}

func (m *Mirror[V]) load(ctx context.Context, before V) error {
	at := m.at() // before anything is read
	return m.db.read(ctx, look{one: true, aside: true}, func(ctx context.Context, tx *Tx) error {
		value, err := m.read(ctx, tx, at, before)
		if err != nil {
			return err
		}
		m.keep(&mirrored[V]{at, value})
		return nil
	})
}

// keep puts a value in place of an older one: a Refresh may end before a reading that began earlier.
func (m *Mirror[V]) keep(made *mirrored[V]) {
	for {
		now := m.now.Load()
		if now != nil && now.at.Catalog == made.at.Catalog && now.at.Version > made.at.Version || m.now.CompareAndSwap(now, made) {
			return
		}
	}
}
