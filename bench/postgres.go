package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/jackc/pgx/v5"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// measurePostgres compares the pages on PostgreSQL: on the server of --server, which keeps the rows, or on one that lives as
// long as this process.
func measurePostgres(ctx context.Context, o options, t *table) error {
	url := o.server
	if url == "" {
		var err error
		if url, err = storetest.Server(ctx); err != nil {
			t.add("PostgreSQL", "left out: "+err.Error(), "-", 0, "")
			return nil
		}
	}
	p, err := prepare(ctx, o, place{dir: filepath.Join(o.dir, "postgres"), url: url}, o.postgres)
	if err != nil {
		return err
	}
	if err := vacuum(ctx, url); err != nil {
		return err
	}
	t.where = fmt.Sprintf("PostgreSQL, %d rows: ", o.postgres)
	defer func() { t.where = "" }()
	if o.reports {
		return measureReports(ctx, o, t, p)
	}
	if o.exports > 0 {
		return measureExports(ctx, o, t, p)
	}
	if o.imports > 0 {
		return measureImports(ctx, o, t, p)
	}
	if o.create {
		return measureCreate(ctx, o, t, p)
	}
	cold, busy, product, err := coldStart(ctx, o, p)
	if err != nil {
		return err
	}
	defer product.stop()
	t.add("cold start to the first list answer", ms(cold), "-", 0, "< 400 ms")
	t.add("server CPU until then", ms(busy), "-", 0, "")
	bare, err := start(ctx, o, "floor", p)
	if err != nil {
		return err
	}
	defer bare.stop()
	m := &comparison{o: o, t: t, product: product, floor: bare, token: p.reader}
	if err := m.pages(ctx, o.postgres); err != nil || o.server != "" || o.first { // a server of one's own keeps its rows
		return err
	}
	return measureCreate(ctx, o, t, p)
}

// vacuum does what autovacuum does soon after so many rows: the planner's statistics, and which pages an index need not look up.
// The throw-away server has none.
func vacuum(ctx context.Context, url string) error {
	db, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = db.Exec(ctx, "VACUUM (ANALYZE)")
	return errors.Join(err, db.Close(ctx))
}
