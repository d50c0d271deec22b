package store

import (
	"context"
	"database/sql"
	"fmt"
)

// TableSize is the room that a table takes with its indexes.
type TableSize struct {
	Table string
	Bytes int64
	Rows  int64 // as the database last counted; -1 = it has not
}

// Extent is the room that a database takes.
type Extent struct {
	Bytes  int64
	Free   int64       // of Bytes: what new rows will use first
	Tables []TableSize // the largest first; nil where finding out would take long
}

// mostTables is how many tables an Extent lists.
const mostTables = 50

// Extent asks the database how large it is.
func (db *DB) Extent(ctx context.Context) (Extent, error) {
	out, err := db.d.extent(ctx)
	if err != nil {
		return Extent{}, db.told(ctx, fmt.Errorf("ask for the size of the database: %w", err))
	}
	return out, nil
}

// tableSizes reads rows of name, bytes and rows.
func tableSizes(rows *sql.Rows, err error) ([]TableSize, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []TableSize
	for rows.Next() {
		var t TableSize
		if err := rows.Scan(&t.Table, &t.Bytes, &t.Rows); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, rows.Err()
}
