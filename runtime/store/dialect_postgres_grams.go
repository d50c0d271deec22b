package store

import (
	"context"
	"fmt"
)

// build runs CREATE INDEX CONCURRENTLY, after dropping what a stopped attempt may have left: an index that is not valid.
func (d *postgresDialect) build(ctx context.Context, i index) error {
	var valid bool
	err := d.pool.QueryRow(ctx, `SELECT COALESCE(bool_and(indisvalid), false) FROM pg_index WHERE indexrelid = to_regclass($1)`, quote(i.name)).Scan(&valid)
	if err != nil || valid {
		return err
	}
	if _, err := d.pool.Exec(ctx, "DROP INDEX CONCURRENTLY IF EXISTS "+quote(i.name)); err != nil {
		return err
	}
	_, err = d.pool.Exec(ctx, d.createIndex(i, "CONCURRENTLY ").text)
	return err
}

func (*postgresDialect) rowsAtOnce() int { return 500 }

// deferIndex drops the index; the grams themselves stand in a column of each row, so that nothing is left to fill.
func (d *postgresDialect) deferIndex(ctx context.Context, tx *Tx, i index) (string, error) {
	_, err := tx.c.ExecContext(ctx, "DROP INDEX IF EXISTS "+quote(i.name))
	return lastID, err
}

// lastID is behind every id, and none itself; databases from before ids were uuids have "~".
const lastID = "ffffffff-ffff-ffff-ffff-ffffffffffff"

// noID is what a text that is not an id is compared as: it equals none.
const noID = lastID

// idAfter is the id behind which filling goes on.
func idAfter(after string) string {
	switch after {
	case "":
		return "00000000-0000-0000-0000-000000000000"
	case "~":
		return lastID
	}
	return after
}

// alone takes an advisory lock on a connection of its own; the lock ends with the connection, also when the process dies.
// It asks again and again instead of waiting in the database: CONCURRENTLY waits for statements that run. Callers of this process
// wait for one another before they take that connection: what f does needs further ones, and those who only wait could hold them all.
func (d *postgresDialect) alone(ctx context.Context, f func(context.Context) error) error {
	select {
	case d.building <- struct{}{}:
		defer func() { <-d.building }()
	case <-ctx.Done():
		return ctx.Err()
	}
	c, err := d.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer c.Release()
	for got := false; !got; {
		if err := c.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", lockIndexes).Scan(&got); err != nil {
			return err
		}
		if !got {
			if err := sleep(ctx, tailEvery); err != nil {
				return err
			}
		}
	}
	defer func() {
		if _, err := c.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", lockIndexes); err != nil {
			c.Conn().Close(context.WithoutCancel(ctx))
		}
	}()
	return f(ctx)
}

func (d *postgresDialect) fill(ctx context.Context, tx *Tx, i index, after string, n int) (string, error) {
	column, grams := Ident(i.columns[0]), Ident(GramColumn(i.columns[0]))
	rows, err := tx.query(ctx, `SELECT "id", `+column+` FROM `+Ident(i.table)+` WHERE "id" > $1 ORDER BY "id" LIMIT $2 FOR UPDATE`, idAfter(after), n)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var ids, values []string
	last := ""
	for rows.Next() {
		var text *string
		if err := rows.Scan(&last, &text); err != nil {
			return "", err
		}
		if text != nil {
			ids, values = append(ids, last), append(values, *text)
		}
	}
	if err := rows.Err(); err != nil {
		return "", err
	}
	update := "UPDATE " + Ident(i.table) + " SET " + grams + ` = $1 WHERE "id" = $2`
	for k, id := range ids {
		if _, err := tx.c.ExecContext(ctx, update, Grams(values[k]), id); err != nil {
			return "", tx.fail(fmt.Errorf("grams of %s: %w", i.table, err))
		}
	}
	return last, nil
}
