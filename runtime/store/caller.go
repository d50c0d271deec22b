package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Caller is who makes the calls of a context. Figures that are remembered may be seconds old; a caller's own writes are in
// their own figures at once.
type Caller struct {
	ID string

	// Elsewhere tells that the caller wrote a moment ago on another node, of which this one may not know yet.
	Elsewhere bool

	// ReadOnly refuses all writes of the caller (ErrReadOnly).
	ReadOnly bool

	wrote atomic.Bool
}

// Wrote reports whether the caller has written, in this context.
func (c *Caller) Wrote() bool { return c.wrote.Load() }

// ErrReadOnly refuses a write of a caller who may only read.
var ErrReadOnly = errors.New("the caller may only read")

type callerKey struct{}

// WithCaller makes the calls of a context those of a caller.
func WithCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

func callerOf(ctx context.Context) *Caller {
	c, _ := ctx.Value(callerKey{}).(*Caller)
	return c
}

// ownWrites keeps, for as long as figures may be old, the version that each caller's last write gave a table.
type ownWrites struct {
	mu   sync.RWMutex
	last map[ownTable]ownWrite
	n    atomic.Int64 // entries: nothing is looked up while nobody writes
}

type ownTable struct{ caller, table string }

type ownWrite struct {
	version uint64
	at      time.Time
}

const mostOwn = 4096 // entries, before those that no figure can be older than are removed

func (o *ownWrites) note(c *Caller, tables []string, version uint64) {
	if c == nil || len(tables) == 0 {
		return
	}
	c.wrote.Store(true)
	now := time.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last == nil {
		o.last = map[ownTable]ownWrite{}
	}
	if len(o.last) >= mostOwn {
		for k, w := range o.last {
			if now.Sub(w.at) > longestRest+recount {
				delete(o.last, k)
			}
		}
	}
	for _, t := range tables {
		o.last[ownTable{c.ID, t}] = ownWrite{version, now}
	}
	o.n.Store(int64(len(o.last)))
}

// version is the least that figures of these tables must have for the caller.
func (o *ownWrites) version(c *Caller, tables []string) (v uint64) {
	if c == nil || o.n.Load() == 0 {
		return 0
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	for _, t := range tables {
		v = max(v, o.last[ownTable{c.ID, t}].version)
	}
	return v
}
