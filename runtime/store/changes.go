package store

import (
	"context"
	"sync"
)

// changes numbers the commits that are known of and keeps, for each table, the last one that touched it; caches keep the
// number with what they computed.
type changes struct {
	mu        sync.RWMutex
	seq       uint64 // the last number given
	all       uint64 // touched every table: after a gap in what is known of other nodes
	versions  map[string]uint64
	noted     map[string]*noted // by table, of those whose rows are noted
	listeners []func(tables []string)
}

// Look takes over what other processes have written: at once, where it would be noticed within a quarter of a second.
func (db *DB) Look(ctx context.Context) error { return db.d.look(ctx, db) }

// Versions is a number that grows whenever a transaction that touched one of the tables commits, on any node: at once for
// this process's own, within a quarter of a second for others.
func (db *DB) Versions(tables ...string) uint64 {
	c := &db.changes
	c.mu.RLock()
	defer c.mu.RUnlock()
	n := c.all
	for _, t := range tables {
		n = max(n, c.versions[t])
	}
	return n
}

// now is a number that every later change exceeds.
func (c *changes) now() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.seq
}

// OnChange calls f after commits that touched tables, with their names; nil means that any table may have changed. f must
// return soon, and may be called by several goroutines.
func (db *DB) OnChange(f func(tables []string)) {
	c := &db.changes
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners = append(c.listeners, f)
}

// bump gives the tables the next version and returns it. rows are those that changed, by table; of a table that is not among them it may be any.
func (c *changes) bump(tables []string, rows map[string]*changedRows) (version uint64) {
	if len(tables) == 0 {
		return 0
	}
	c.mu.Lock()
	if c.versions == nil {
		c.versions = map[string]uint64{}
	}
	c.seq++
	for _, t := range tables {
		c.versions[t] = c.seq
		if n := c.noted[t]; n != nil {
			n.add(c.seq, rows[t])
		}
	}
	version = c.seq
	listeners := c.listeners
	c.mu.Unlock()
	for _, f := range listeners {
		f(tables)
	}
	return version
}

func (c *changes) bumpAll() {
	c.mu.Lock()
	c.seq++
	c.all = c.seq
	for _, n := range c.noted {
		n.add(c.seq, nil)
	}
	listeners := c.listeners
	c.mu.Unlock()
	for _, f := range listeners {
		f(nil)
	}
}
