package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// apply runs f in a transaction of its own with foreign keys off, which SQLite allows only outside transactions, and checks
// all of them before the commit.
func (d *sqliteDialect) apply(ctx context.Context, same bool, f func(conn) error, committing func()) error {
	if same { // like any other writer
		return d.write(ctx, sharing{}, func(c conn) error {
			err := f(c)
			if err == nil {
				committing()
			}
			return err
		})
	}
	return d.group.alone(ctx, func() error {
		c, err := d.writer.Conn(ctx)
		if err != nil {
			return err
		}
		defer c.Close()
		if _, err := c.ExecContext(ctx, "PRAGMA foreign_keys = OFF; PRAGMA busy_timeout = 0"); err != nil {
			return err
		}
		defer c.ExecContext(context.WithoutCancel(ctx), fmt.Sprintf("PRAGMA foreign_keys = ON; PRAGMA busy_timeout = %d", d.busy.Milliseconds()))
		tx, err := squeezeIn(ctx, c)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := f(tx); err != nil {
			return err
		}
		if err := checkForeignKeys(ctx, tx); err != nil {
			return err
		}
		committing()
		return tx.Commit()
	})
}

// squeezeIn begins a transaction between those of a busy process. SQLite's own waiting sleeps up to 100 ms between tries and
// never meets the moment at which the other's lock is free.
func squeezeIn(ctx context.Context, c *sql.Conn) (*sql.Tx, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		tx, err := c.BeginTx(context.WithoutCancel(ctx), nil)
		var e *sqlite.Error
		if !errors.As(err, &e) || e.Code()&0xff != sqlite3.SQLITE_BUSY {
			return tx, err
		}
		if sleep(ctx, 50*time.Microsecond) != nil {
			return nil, fmt.Errorf("another process keeps writing: %w", err)
		}
	}
}

func checkForeignKeys(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, "PRAGMA foreign_key_check")
	if err != nil {
		return fmt.Errorf("check foreign keys: %w", err)
	}
	defer rows.Close()
	if rows.Next() {
		var table, parent string
		var rowid sql.NullInt64
		var key int
		if err := rows.Scan(&table, &rowid, &parent, &key); err != nil {
			return err
		}
		return fmt.Errorf("a row of %s refers to a missing row of %s", table, parent)
	}
	return rows.Err()
}
