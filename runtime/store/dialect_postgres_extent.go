package store

import "context"

func (d *postgresDialect) extent(ctx context.Context) (out Extent, err error) {
	err = d.db.QueryRowContext(ctx, `SELECT pg_database_size(current_database())`).Scan(&out.Bytes)
	if err != nil {
		return out, err
	}
	out.Tables, err = tableSizes(d.db.QueryContext(ctx, `SELECT relname::text, pg_total_relation_size(oid), reltuples::bigint FROM pg_class
		WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema()) ORDER BY 2 DESC, 1 LIMIT $1`, mostTables))
	return out, err
}
