package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/seed"
)

// The account that reads has a row filter (accepted lots only); the one that writes may do everything.
const (
	readerName, readerRole = "bench.reader", "contractManager"
	writerName, writerRole = "bench.writer", "projectManager"
)

// benchList is the page that is measured: 21 columns, five of them names.
const benchList = `{
  "schemaCode": "inspection",
  "name": "基准",
  "name_i18n": {"en": "Benchmark"},
  "orderBy": [{"propertyCode": "checkDate", "direction": "descending"}],
  "queryConditions": ["part", "checkDate"],
  "queryColumns": ["lotNo", "part", "result", "qbs", "contract", "site", "unit", "inspector", "checkDate", "startTime", "pouredAt",
    "quantity", "price", "amount", "temperature", "hidden", "weather", "passRate", "creator", "createdTime", "modifiedTime"]
}
`

// writePacks copies the example and adds the list.
func writePacks(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS("examples/ship-lock")); err != nil {
		return fmt.Errorf("run from the folder of the repository: %w", err)
	}
	if err := writeWide(dir); err != nil {
		return err
	}
	if err := writeReport(dir); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "lists", "inspection_bench.json"), []byte(benchList), 0o644)
}

// place is a database, with the tokens of the two accounts.
type place struct {
	dir, url       string
	packs          string
	reader, writer string
}

// open opens a place as the server does, or, where it is prepared, without anything going on beside.
func open(ctx context.Context, p place, idle bool) (*app.App, error) {
	set := &pack.Set{}
	if err := plugins.Register(set); err != nil {
		return nil, err
	}
	set.Freeze()
	zone, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		return nil, err
	}
	return app.Open(ctx, app.Config{Documents: app.Documents{Set: set, Dirs: []string{p.packs}, Zone: zone}, Dir: p.dir, URL: p.url, Idle: idle, Workers: 2,
		Version: "bench", Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
}

// prepare seeds a database where it has not been, and makes its accounts and tokens.
func prepare(ctx context.Context, o options, p place, rows int) (place, error) {
	p.packs = filepath.Join(o.dir, "packs")
	a, err := open(ctx, p, true)
	if err != nil {
		return p, err
	}
	defer func() { _ = a.Close() }()
	// The few rows of the pack are computed before the many come, whose values the seed computes: no server has that to do later.
	if err := a.CatchUp(ctx); err != nil {
		return p, err
	}
	c := a.State().Catalog
	begun, first := time.Now(), -1
	err = seed.Fill(ctx, a.Store(), c, c.Model("inspection"), rows, func(done int) {
		if first < 0 {
			first = done
		}
		if done%50_000 == 0 {
			fmt.Fprintf(os.Stderr, "%d rows, %.0f s\n", done, time.Since(begun).Seconds())
		}
	})
	if err != nil {
		return p, err
	}
	if first >= 0 {
		fmt.Printf("seeded %d rows in %.0f s\n", rows, time.Since(begun).Seconds())
	}
	for _, one := range []struct {
		name, role string
		token      *string
	}{{readerName, readerRole, &p.reader}, {writerName, writerRole, &p.writer}} {
		person, ok := a.People().PersonByName(ctx, one.name)
		if !ok {
			if _, err := a.AddUser(ctx, one.name, one.name, []string{one.role}); err != nil {
				return p, err
			}
			if person, ok = a.People().PersonByName(ctx, one.name); !ok {
				return p, fmt.Errorf("no user %s", one.name)
			}
		}
		if *one.token, err = a.Auth().ScriptToken(ctx, person.ID, "bench", 24*time.Hour); err != nil {
			return p, err
		}
	}
	return p, nil
}

// copied is a copy of a SQLite place for measurements that write.
func (p place) copied(as string) (place, error) {
	to := p.dir + "-" + as
	if err := os.RemoveAll(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return p, err
	}
	from := p.dir
	p.dir = to
	return p, os.CopyFS(to, os.DirFS(from))
}
