package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// measurePostgres compares the pages on PostgreSQL: on the server of --server, which keeps the rows, or on one that lives as
// long as this process.
func measurePostgres(ctx context.Context, o options, t *table) error {
	address := o.server
	if address == "" {
		var err error
		if address, err = durable(ctx, o.dir); err != nil {
			t.add("PostgreSQL", "left out: "+err.Error(), "-", 0, "")
			return nil
		}
	}
	p, err := prepare(ctx, o, place{dir: filepath.Join(o.dir, "postgres"), url: address}, o.postgres)
	if err != nil {
		return err
	}
	if err := vacuum(ctx, address); err != nil {
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

// durable starts a server whose files lie in the folder of the databases, so that a commit costs what it costs SQLite there.
func durable(ctx context.Context, dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.Setenv("TMPDIR", dir)); err != nil { // the server may run as somebody else
		return "", err
	}
	return storetest.Durable(ctx)
}

// databaseCPU is the CPU time of the PostgreSQL server with all its processes so far; zero for a server of somebody else's.
func databaseCPU(address string) (sum time.Duration, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Query().Get("host") == "" {
		return 0, err
	}
	text, err := os.ReadFile(filepath.Join(u.Query().Get("host"), "data", "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	found, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	for _, name := range found {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended; its parent has its time now
		}
		_, after, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(after)
		last := 13
		if filepath.Base(filepath.Dir(name)) == first {
			last = 15 // with those of its processes that have ended
		} else if fields[1] != first {
			continue
		}
		d, err := ticks(fields[11:last])
		if err != nil {
			return 0, err
		}
		sum += d
	}
	return sum, nil
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
