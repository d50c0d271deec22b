package store

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// unknown finds tables of which no page is known to be visible to all, as after a vacuum some are.
func (d *postgresDialect) unknown(ctx context.Context, tables []string, bytes int64) (out []string, err error) {
	rows, err := d.pool.Query(ctx, `SELECT c.relname::text FROM pg_class AS c WHERE c.relkind = 'r' AND c.relallvisible = 0 AND c.relname = ANY($1)
		AND c.relnamespace = to_regnamespace(current_schema()) AND pg_relation_size(c.oid) >= $2 ORDER BY 1`, tables, bytes)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		out = append(out, name)
	}
	return out, rows.Err()
}

// gather runs VACUUM, with autovacuum's pauses where it is to be gentle.
func (d *postgresDialect) gather(ctx context.Context, table string, gently bool) error {
	return d.pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		if gently {
			if _, err := c.Exec(ctx, "SET vacuum_cost_delay = '2ms'"); err != nil {
				return err
			}
			defer c.Conn().Close(context.WithoutCancel(ctx)) // the pauses end with it
		}
		_, err := c.Exec(ctx, "VACUUM (ANALYZE) "+quote(table))
		return err
	})
}
