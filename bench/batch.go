package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
)

// batchPages are the sizes of the batches whose memory is compared.
var batchPages = []int{1_000, 5_000, 10_000}

// measureBatch prints many records by a job of the server, and looks at the memory of its process: it does not grow with the pages.
func measureBatch(ctx context.Context, o options, t *table) (err error) {
	dir, err := os.MkdirTemp(o.dir, "paper-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	p := place{dir: dir, packs: filepath.Join(o.dir, "packs")}
	a, err := open(ctx, p, true)
	if err != nil {
		return err
	}
	token, ids, err := fillPaper(ctx, a, batchPages[len(batchPages)-1])
	if err := errors.Join(err, a.Close()); err != nil {
		return err
	}
	server, err := start(ctx, o, "product", p)
	if err != nil {
		return err
	}
	defer server.stop()
	idle, err := server.rss()
	if err != nil {
		return err
	}
	for _, n := range batchPages {
		which := `"allObjectId": true`
		if n < batchPages[len(batchPages)-1] {
			which = fmt.Sprintf(`"objectIds": [%s]`, ids(n))
		}
		took, peak, size, err := server.makes(ctx, token, "/api/runtime/print/batch", fmt.Sprintf(`{"schemaCode": "wide", "queryCode": "wide", %s}`, which))
		if err != nil {
			return err
		}
		t.add(fmt.Sprintf("batch of %d records, a page each, as one PDF by a job", n), fmt.Sprintf("%.0f pages/s", float64(n)/took.Seconds()), "-", 0, "")
		t.add("  memory of the server above idle at its highest", fmt.Sprintf("%.0f MiB", peak-idle), "-", 0, "flat")
		t.add("  size of the file", fmt.Sprintf("%.1f MiB, %.1f KiB a page", float64(size)/(1<<20), float64(size)/float64(n)/1024), "-", 0, "")
	}
	return nil
}

// paperToken is how long the token of the measurement is good.
const paperToken = 24 * time.Hour

// fillPaper makes an account that prints and the records. ids are those of some of them, as JSON.
func fillPaper(ctx context.Context, a *app.App, rows int) (token string, ids func(n int) string, err error) {
	const name = "bench.printer"
	if _, err := a.AddUser(ctx, name, name, []string{"benchImports"}); err != nil {
		return "", nil, err
	}
	person, _ := a.People().PersonByName(ctx, name)
	if token, err = a.Auth().ScriptToken(ctx, person.ID, "bench", paperToken); err != nil {
		return "", nil, err
	}
	c := a.State().Catalog
	m := c.Model("wide")
	if err := fillWide(ctx, a.Store(), m, rows, person.ID); err != nil {
		return "", nil, err
	}
	var all []string
	id := &plan.Field{Column: catalog.ID, K: plan.ID}
	err = a.Store().Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Query(ctx, c, &plan.Query{Model: m.Code, Select: []plan.Expr{id}, Order: []plan.Order{{By: id}}}, func(row []any) error {
			all = append(all, fmt.Sprintf("%q", row[0]))
			return nil
		})
	})
	return token, func(n int) string { return strings.Join(all[:n], ",") }, err
}
