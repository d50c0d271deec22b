package store

import (
	"context"
	"fmt"
)

// GatheringStatistics is the kind of Work that tells the database's planner of a table.
const GatheringStatistics = "statistics"

// largeTable is from which size on, in bytes, the planner has to know a table.
const largeTable = 4 << 20

// tend makes the planner know large tables of which it knows nothing: they were filled or rewritten at once, after which a database
// may wait long before it looks by itself. Until then it counts and skips rows by reading whole tables.
func (db *DB) tend(ctx context.Context) error {
	var names []string
	s := db.schema.Load().storage
	for _, t := range s.Tables {
		names = append(names, physical(t.Name))
		for _, c := range links(t) {
			names = append(names, physical(LinkTable(t.Name, c.Name)))
		}
	}
	tables, err := db.d.unknown(ctx, names, largeTable)
	if err != nil {
		return fmt.Errorf("look for tables without statistics: %w", err)
	}
	for _, t := range tables {
		gently := mannerOf(ctx) == yielding
		err := db.Work(ctx, GatheringStatistics, t, 0, func(ctx context.Context, _ *Work) error { return db.d.gather(ctx, t, gently) })
		if err != nil {
			return fmt.Errorf("gather statistics of %s: %w", t, err)
		}
	}
	return nil
}
