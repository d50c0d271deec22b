package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	tailEvery  = 250 * time.Millisecond
	notifyMost = 20 * time.Millisecond // one notification a node in this time
	keepChange = time.Hour
	channel    = "sluice_change"
)

// changeTable holds one row for each table that a transaction touched. It is not a gorm model: its default is the transaction's
// own number.
const changeTable = `CREATE TABLE IF NOT EXISTS sl_change (
	xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
	tbl text COLLATE "C" NOT NULL,
	node text COLLATE "C" NOT NULL DEFAULT '',
	at timestamptz NOT NULL DEFAULT now());
CREATE INDEX IF NOT EXISTS sl_change_xid ON sl_change (xid);`

const recordChanges = `INSERT INTO sl_change (tbl, node) SELECT unnest($1::text[]), $2`

func (d *postgresDialect) changed(ctx context.Context, c conn, tables []string) error {
	if b, ok := c.(*postgresBatch); ok {
		b.touch(tables)
		return nil
	}
	if _, err := c.ExecContext(ctx, recordChanges, tables, d.node); err != nil {
		return fmt.Errorf("record changes: %w", err)
	}
	return nil
}

// tailer follows sl_change. Transactions become visible in another order than their numbers; so it reads from the oldest one
// that ran at its last look (the horizon) and skips what it has seen since, and what this process wrote, which it knows.
type tailer struct {
	pool    *pgxpool.Pool
	node    string
	db      *DB
	horizon uint64
	seen    map[uint64]bool
}

// look has nothing to do: changes are told when they happen.
func (*postgresDialect) look(context.Context, *DB) error { return nil }

func (d *postgresDialect) tail(ctx context.Context, db *DB) (func(context.Context), error) {
	t := &tailer{pool: d.pool, node: d.node, db: db, seen: map[uint64]bool{}}
	if _, err := t.read(ctx); err != nil {
		return nil, err
	}
	return func(ctx context.Context) {
		heard := make(chan struct{}, 1)
		db.wg.Go(func() { d.listen(ctx, heard) })
		db.wg.Go(func() { d.notify(ctx) })
		tick := time.NewTicker(tailEvery)
		defer tick.Stop()
		for cleaned := time.Now(); ; {
			select {
			case <-ctx.Done():
				return
			case <-heard:
			case <-tick.C:
			}
			tables, err := t.read(ctx)
			if err != nil {
				continue // the database is away; what it missed is still there when it is back
			}
			db.heard(tables)
			if time.Since(cleaned) > keepChange/4 {
				cleaned = time.Now()
				t.clean(ctx)
			}
		}
	}, nil
}

// read returns the tables of transactions that became visible since the last call.
func (t *tailer) read(ctx context.Context) ([]string, error) {
	var xmin uint64
	var tables []string
	now := map[uint64]bool{}
	err := pgx.BeginTxFunc(ctx, t.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint`).Scan(&xmin); err != nil {
			return err
		}
		if t.horizon == 0 { // the first look only learns where it is
			t.horizon = xmin
		}
		rows, err := tx.Query(ctx, `SELECT xid::text::bigint, tbl FROM sl_change WHERE xid >= $1::text::xid8 AND node <> $2`, fmt.Sprint(t.horizon), t.node)
		if err != nil {
			return err
		}
		defer rows.Close()
		unique := map[string]bool{}
		for rows.Next() {
			var xid uint64
			var table string
			if err := rows.Scan(&xid, &table); err != nil {
				return err
			}
			if xid >= xmin {
				now[xid] = true
			}
			if !t.seen[xid] && !unique[table] {
				unique[table] = true
				tables = append(tables, table)
			}
		}
		return rows.Err()
	})
	if err != nil {
		return nil, err
	}
	t.horizon, t.seen = xmin, now
	return tables, nil
}

func (t *tailer) clean(ctx context.Context) {
	_, err := t.pool.Exec(ctx, `DELETE FROM sl_change WHERE xid < $1::text::xid8 AND at < now() - make_interval(secs => $2)`,
		fmt.Sprint(t.horizon), keepChange.Seconds())
	if err != nil && ctx.Err() == nil {
		t.db.log.Warn("clean sl_change", "error", err)
	}
}

// listen wakes the tailer when another node has written; without it the tailer looks every 250 ms.
func (d *postgresDialect) listen(ctx context.Context, heard chan<- struct{}) {
	for ctx.Err() == nil {
		err := d.pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
			defer c.Conn().Close(context.WithoutCancel(ctx)) // it must not go back to the pool as a listener
			if _, err := c.Exec(ctx, "LISTEN "+channel); err != nil {
				return err
			}
			for {
				n, err := c.Conn().WaitForNotification(ctx)
				if err != nil {
					return err
				}
				if n.Payload == d.node { // of what this process wrote there is nothing to learn
					continue
				}
				select {
				case heard <- struct{}{}:
				default:
				}
			}
		})
		if err != nil && ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
}

// notify tells other nodes to look. It is not a part of the writes: NOTIFY inside a transaction takes a lock on the whole
// database at commit and would make all writers wait for one another.
func (d *postgresDialect) notify(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wake:
		}
		_, _ = d.pool.Exec(ctx, "SELECT pg_notify($1, $2)", channel, d.node) // lost ones are made up by the tick
		select {
		case <-ctx.Done():
			return
		case <-time.After(notifyMost):
		}
	}
}
