package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// measureExports compares the export of a list with reading the same rows without names and rights, and with writing a file of as many
// cells, and looks at the memory of the process that exports.
func measureExports(ctx context.Context, o options, t *table, p place) error {
	a, err := open(ctx, p, true)
	if err != nil {
		return err
	}
	const name = "bench.exporter"
	person, ok := a.People().PersonByName(ctx, name)
	if !ok {
		if _, err := a.AddUser(ctx, name, name, []string{"benchImports"}); err != nil {
			return errors.Join(err, a.Close())
		}
		person, _ = a.People().PersonByName(ctx, name)
	}
	token, err := a.Auth().ScriptToken(ctx, person.ID, "bench", 24*time.Hour)
	if err != nil {
		return errors.Join(err, a.Close())
	}
	c := a.State().Catalog
	if err := fillWide(ctx, a.Store(), c.Model("wide"), o.exports, person.ID); err != nil {
		return errors.Join(err, a.Close())
	}
	read, err := bareRows(ctx, a.Store(), c)
	if err := errors.Join(err, a.Close()); err != nil {
		return err
	}
	begun := time.Now()
	if err := wideFile(filepath.Join(o.dir, "bare.xlsx"), o.exports, name, "质量部"); err != nil {
		return err
	}
	write := time.Since(begun)
	server, err := start(ctx, o, "product", p)
	if err != nil {
		return err
	}
	defer server.stop()
	rate := func(d time.Duration) string { return fmt.Sprintf("%.0f/s", float64(o.exports)/d.Seconds()) }
	for _, kind := range []string{"xlsx", "csv"} {
		idle, err := server.rss()
		if err != nil {
			return err
		}
		took, peak, size, err := server.exports(ctx, token, kind)
		if err != nil {
			return err
		}
		floor, against := read+write, "reading the rows and writing the file"
		if kind == "csv" {
			floor, against = read, "reading the rows"
		}
		t.add(fmt.Sprintf("export of %d x %d cells as %s, against %s", o.exports, len(wideColumns), kind, against), rate(took), rate(floor), took.Seconds()/floor.Seconds(), "2")
		t.add("  memory above idle at its highest", fmt.Sprintf("%.0f MiB", peak-idle), "-", 0, "64 MiB")
		t.add("  size of the file", fmt.Sprintf("%.1f MiB", float64(size)/(1<<20)), "-", 0, "")
	}
	t.add("  reading the rows alone", "-", rate(read), 0, "")
	t.add("  writing the file alone", "-", rate(write), 0, "")
	return nil
}

// fillWide gives the model as many rows, with a value in each column.
func fillWide(ctx context.Context, db *store.DB, m *catalog.Model, rows int, person string) error {
	columns := append([]string{"id", "version", "name", "owner"}, wideColumns[:len(wideColumns)-1]...)
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	number := decimal.RequireFromString
	for from := 0; from < rows; from += 500 {
		var values [][]any
		for i := from; i < min(rows, from+500); i++ {
			n := strconv.Itoa(i)
			d := day.AddDate(0, 0, i%700)
			values = append(values, []any{uuid.Must(uuid.NewV7()).String(), int64(1), "row " + n, person, "row " + n, "part " + n, "混凝土 " + n, "a", "b",
				"a longer text of the row with the number " + n, number(n), number("1.5"), number("300.25"), number("12"), d.Format(time.DateOnly),
				d.AddDate(0, 1, 0).Format(time.DateOnly), d.Add(510 * time.Minute), "08:30:00", true, "A", "B", person, person})
		}
		if err := db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.InsertRows(ctx, m, columns, values) }); err != nil {
			return err
		}
	}
	return nil
}

// bareRows reads the rows through the store, and does nothing with them.
func bareRows(ctx context.Context, db *store.DB, c *catalog.Catalog) (time.Duration, error) {
	m := c.Model("wide")
	q := &plan.Query{Model: m.Code, Order: []plan.Order{{By: &plan.Field{Column: catalog.ID, K: plan.ID}}}}
	for _, code := range wideColumns {
		for _, column := range m.Field(code).Property.Columns() {
			q.Select = append(q.Select, &plan.Field{Column: column.Name, K: column.Kind})
		}
	}
	begun := time.Now()
	err := db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Query(ctx, c, q, func([]any) error { return nil })
	})
	return time.Since(begun), err
}

// exports writes all rows of the list into a file.
func (p *process) exports(ctx context.Context, token, kind string) (took time.Duration, peak float64, size int64, err error) {
	columns := make([]string, len(wideColumns))
	for i, code := range wideColumns {
		columns[i] = fmt.Sprintf(`{"propertyCode": %q}`, code)
	}
	return p.makes(ctx, token, "/api/runtime/export/start", fmt.Sprintf(`{"schemaCode": "wide", "queryCode": "wide", "allObjectId": true, "fileType": %q, "columns": [%s]}`, kind, strings.Join(columns, ",")))
}

// makes has a job make a file: the time that it took, the highest memory in MiB, and the file's bytes.
func (p *process) makes(ctx context.Context, token, path, body string) (took time.Duration, peak float64, size int64, err error) {
	var started struct{ Data struct{ ID string } }
	begun := time.Now()
	if err := p.json(ctx, http.MethodPost, path, token, "application/json", strings.NewReader(body), &started); err != nil {
		return 0, 0, 0, err
	}
	for {
		var now struct {
			Data struct {
				TaskStatus         string
				ExportResultStatus *string
				FileSize           int64
			}
		}
		if err := p.json(ctx, http.MethodGet, "/api/runtime/export/progress?id="+started.Data.ID, token, "", nil, &now); err != nil {
			return 0, 0, 0, err
		}
		memory, err := p.rss()
		if err != nil {
			return 0, 0, 0, err
		}
		peak = max(peak, memory)
		switch {
		case now.Data.TaskStatus == "END":
			return time.Since(begun), peak, now.Data.FileSize, nil
		case now.Data.ExportResultStatus != nil:
			return 0, 0, 0, fmt.Errorf("the file ended as %s", now.Data.TaskStatus)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// exportsBeside measures on a copy of the database.
func exportsBeside(ctx context.Context, o options, t *table, p place) error {
	p, err := p.copied("exports")
	if err != nil {
		return err
	}
	return errors.Join(measureExports(ctx, o, t, p), os.RemoveAll(p.dir))
}
