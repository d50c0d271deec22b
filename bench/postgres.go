package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// measurePostgres compares the list page on a PostgreSQL server that lives as long as this process.
func measurePostgres(ctx context.Context, o options, t *table) error {
	url, err := storetest.Server(ctx)
	if err != nil {
		t.add("PostgreSQL", "left out: "+err.Error(), "-", 0, "")
		return nil
	}
	p, err := prepare(ctx, o, place{url: url}, o.postgres)
	if err != nil {
		return err
	}
	if err := analyze(ctx, url); err != nil {
		return err
	}
	product, err := start(ctx, o, "product", p)
	if err != nil {
		return err
	}
	defer product.stop()
	bare, err := start(ctx, o, "floor", p)
	if err != nil {
		return err
	}
	defer bare.stop()
	m := &comparison{o: o, t: t, product: product, floor: bare, token: p.reader}
	out, err := m.both(ctx, productList(0, "", dates(from, to)), floorBody(floorRequest{From: from, To: to}))
	if err != nil {
		return err
	}
	t.figures(fmt.Sprintf("PostgreSQL, %d rows: list page, total from memory", o.postgres), out, "1.5")
	return nil
}

// analyze gathers the planner's statistics: the throw-away server has no autovacuum that would.
func analyze(ctx context.Context, url string) error {
	db, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = db.Exec(ctx, "ANALYZE")
	return errors.Join(err, db.Close(ctx))
}
