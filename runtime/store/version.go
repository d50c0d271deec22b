package store

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"
)

// SchemaTable is the system table that changes when tables of models do, or documents are published (OnChange).
const SchemaTable = "sl_schema"

// at is the version of the published documents that the calls of a context were prepared with.
type at struct {
	version atomic.Int64
	wrote   atomic.Bool
}

type atKey struct{}

// AtVersion makes the calls of a context depend on a version of the published documents. Once the database has another one they end
// with ErrSchemaMoved: writes before they begin, reads at their end. After something was stored, reads are no longer looked at: the
// caller cannot begin again.
func AtVersion(ctx context.Context, version int64) context.Context {
	a := &at{}
	a.version.Store(version)
	return context.WithValue(ctx, atKey{}, a)
}

// Published makes the calls of a context of AtVersion depend on the version that its caller has published.
func Published(ctx context.Context, version int64) {
	if a := atVersion(ctx); a != nil {
		a.version.Store(version)
		a.wrote.Store(true)
	}
}

// Stored reports whether a transaction of the context of AtVersion has been committed.
func Stored(ctx context.Context) bool {
	a := atVersion(ctx)
	return a != nil && a.wrote.Load()
}

func atVersion(ctx context.Context) *at {
	a, _ := ctx.Value(atKey{}).(*at)
	return a
}

// At ends a transaction that writes when the caller's definitions have another version than the database: for those who learn what they
// work with after it began.
func (tx *Tx) At(version int64) error {
	if tx.write && tx.version != version && tx.failed == nil {
		tx.failed = ErrSchemaMoved
	}
	return tx.failed
}

// Version is the one of the published documents.
func (tx *Tx) Version(ctx context.Context) (int64, error) {
	at, err := storedStamp(ctx, tx.c)
	return at.version, err
}

// Moved tells the version that the database has, and whether its definitions are others than this process works with.
func (db *DB) Moved(ctx context.Context) (version int64, moved bool, err error) {
	known := db.schema.Load().stamp
	err = db.ReadCommitted(ctx, func(ctx context.Context, tx *Tx) error {
		at, err := storedStamp(ctx, tx.c)
		version, moved = at.version, at != known
		return err
	})
	return version, moved, err
}

// reading is the version that a read transaction must end with; ok is false where that makes no difference.
func reading(ctx context.Context) (version int64, ok bool) {
	a := atVersion(ctx)
	if a == nil || a.wrote.Load() {
		return 0, false
	}
	return a.version.Load(), true
}

// outdated makes the failure of a read say so where it may come from tables that were changed meanwhile.
func (db *DB) outdated(ctx context.Context, err error) error {
	want, ok := reading(ctx)
	if err == nil || !ok || ctx.Err() != nil || errors.Is(err, ErrSchemaMoved) {
		return err
	}
	var now int64
	plain := context.WithValue(ctx, atKey{}, (*at)(nil))
	e := db.d.read(plain, look{}, func(c conn) error {
		return c.QueryRowContext(plain, selectVersion).Scan(&now)
	})
	if e == nil && now != want {
		return errors.Join(ErrSchemaMoved, err)
	}
	return err
}

// took makes this process work with a state of the tables.
func (db *DB) took(st *schemaState) {
	db.schema.Store(st)
	db.taken.Lock()
	defer db.taken.Unlock()
	if db.news != nil {
		close(db.news)
		db.news = nil
	}
}

// Follows tells that somebody takes over what other processes do to the tables: writes that meet a change wait for that.
func (db *DB) Follows() { db.follows.Store(true) }

// followTime is how long a write waits for this process to know the tables again.
const followTime = 5 * time.Second

// awaitSchema waits until this process works with another state of the tables than the given one.
func (db *DB) awaitSchema(ctx context.Context, known *schemaState) bool {
	if !db.follows.Load() {
		return false
	}
	late := time.After(followTime)
	for {
		db.taken.Lock()
		if db.schema.Load() != known {
			db.taken.Unlock()
			return true
		}
		if db.news == nil {
			db.news = make(chan struct{})
		}
		news := db.news
		db.taken.Unlock()
		select {
		case <-news:
		case <-ctx.Done():
			return false
		case <-late:
			return false
		}
	}
}

// heard passes on what other processes changed. New tables touch everything that was remembered.
func (db *DB) heard(tables []string) {
	if slices.Contains(tables, SchemaTable) {
		db.changes.bumpAll()
	}
	db.changes.bump(tables, nil)
}
