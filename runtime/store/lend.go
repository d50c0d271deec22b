package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Pool is the pool that writes, for a library that keeps tables of its own beside ours (runtime/job). On SQLite it is the
// one writing connection: nothing inside Write may wait for it, and through it nobody else's writes look like another
// process's.
func (db *DB) Pool() *sql.DB { return db.d.writing() }

// Shared reports whether other processes may serve the same database.
func (db *DB) Shared() bool { return db.d.shared() }

// Lend gives the transaction to such a library. A failure of f counts as one of the transaction. f's context does not end
// with the caller's: a statement that is broken off would take the work of a whole group with it.
func (tx *Tx) Lend(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if tx.failed != nil {
		return tx.failed
	}
	var inner *sql.Tx
	switch c := tx.c.(type) {
	case *sql.Tx:
		inner = c
	case *postgresWriter:
		if err := c.flush(ctx); err != nil {
			return tx.fail(err)
		}
		inner = c.Tx
	case groupConn:
		inner, *c.wrote = c.tx, true
	case *postgresBatch:
		c.alone = true
		return tx.fail(errApart)
	default:
		return fmt.Errorf("a transaction of %T cannot be lent", tx.c)
	}
	tx.writes++
	if err := f(context.WithoutCancel(ctx), inner); err != nil {
		return tx.fail(err)
	}
	return nil
}
