package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// The pack of the measurements with spreadsheets: a model of 20 columns, a list that imports and exports, and a role for them.
var wideDocuments = map[string]string{
	"models/wide.json": `{"name": "宽表", "name_i18n": {"en": "Wide"}, "name_plural_i18n": {"en": "Wide"}, "digest": "{t1}", "properties": [
  {"code": "t1", "propertyType": "ShortText", "name": "T1", "required": true}, {"code": "t2", "propertyType": "ShortText", "name": "T2"},
  {"code": "t3", "propertyType": "ShortText", "name": "T3"}, {"code": "t4", "propertyType": "ShortText", "name": "T4"},
  {"code": "t5", "propertyType": "ShortText", "name": "T5"}, {"code": "t6", "propertyType": "LongText", "name": "T6"},
  {"code": "n1", "propertyType": "Number", "name": "N1"}, {"code": "n2", "propertyType": "Number", "name": "N2"}, {"code": "n3", "propertyType": "Number", "name": "N3"},
  {"code": "n4", "propertyType": "Number", "name": "N4"}, {"code": "d1", "propertyType": "Date", "name": "D1"}, {"code": "d2", "propertyType": "Date", "name": "D2"},
  {"code": "m1", "propertyType": "Date", "name": "M1", "displayFormat": "yyyy-MM-dd HH:mm"}, {"code": "c1", "propertyType": "Time", "name": "C1"},
  {"code": "l1", "propertyType": "Logic", "name": "L1"}, {"code": "o1", "propertyType": "Dropdown", "name": "O1", "options": ["A", "B", "C"]},
  {"code": "o2", "propertyType": "Radio", "name": "O2", "options": ["A", "B"]}, {"code": "s1", "propertyType": "StaffSingle", "name": "S1"},
  {"code": "s2", "propertyType": "StaffSingle", "name": "S2"}, {"code": "p1", "propertyType": "DeptSingle", "name": "P1"}]}`,
	"lists/wide.json": `{"schemaCode": "wide", "name": "宽表", "name_i18n": {"en": "Wide"}, "queryColumns": ["t1", "t2", "t3", "t4", "t5", "t6", "n1", "n2", "n3", "n4", "d1", "d2",
  "m1", "c1", "l1", "o1", "o2", "s1", "s2", "p1"], "queryActions": ["import", "export", "print"]}`,
	"access/benchImports.json": `{"name": "导入", "includes": ["staff"], "models": [{"schemaCode": "wide", "actions": ["view", "add", "edit", "import", "export", "print"], "rows": "all"},
  {"schemaCode": "inspection", "actions": ["view"], "rows": "all"}]}`,
}

var wideColumns = []string{"t1", "t2", "t3", "t4", "t5", "t6", "n1", "n2", "n3", "n4", "d1", "d2", "m1", "c1", "l1", "o1", "o2", "s1", "s2", "p1"}

// widePrint is an A4 page of a record: its columns in frames twice, and a code.
func widePrint() string {
	var elements []string
	for i := range 2 * len(wideColumns) {
		elements = append(elements, fmt.Sprintf(`{"eleType": "column", "left": %d, "top": %d, "widthValue": 88, "heightValue": 8, "propertyCode": %q, "leftKey": {"widthValue": 26, "borderType": "solid"}, "rightValue": {"borderType": "solid"}}`,
			i%2*88, 20+i/2*8, wideColumns[i%len(wideColumns)]))
	}
	return fmt.Sprintf(`{"schemaCode": "wide", "name": "宽表", "name_i18n": {"en": "Wide"}, "pages": [{"elements": [{"eleType": "qrCode", "left": 158, "top": 0, "widthValue": 18}, %s]}]}`, strings.Join(elements, ", "))
}

// writeWide adds the pack's documents to those of the measurements.
func writeWide(dir string) error {
	documents := maps.Clone(wideDocuments)
	documents["prints/wide.json"] = widePrint()
	for name, text := range documents {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// wideFile writes the workbook that is imported.
func wideFile(path string, rows int, person, department string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := workbook.NewWriter(f, workbook.Options{})
	w.Sheet(workbook.SheetOptions{Name: "wide", Rows: rows + 1})
	text := func(s string) workbook.Out {
		return workbook.Out{Cell: property.Cell{Kind: property.CellText, Text: s}}
	}
	number := func(s string) workbook.Out {
		return workbook.Out{Cell: property.Cell{Kind: property.CellNumber, Text: s}}
	}
	at := func(t time.Time, format string) workbook.Out {
		return workbook.Out{Cell: property.Cell{Kind: property.CellTime, Time: t, Format: format}}
	}
	head := make([]workbook.Out, len(wideColumns))
	for i, code := range wideColumns {
		head[i] = text(strings.ToUpper(code))
	}
	err = w.Row(head, 0)
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := 0; i < rows && err == nil; i++ {
		n := strconv.Itoa(i)
		d := day.AddDate(0, 0, i%700)
		err = w.Row([]workbook.Out{text("row " + n), text("part " + n), text("混凝土 " + n), text("a"), text("b"), text("a longer text of the row with the number " + n), number(n), number("1.5"),
			number("300.25"), number("12"), at(d, "yyyy-mm-dd"), at(d.AddDate(0, 1, 0), "yyyy-mm-dd"), at(d.Add(510*time.Minute), "yyyy-mm-dd hh:mm"), text("08:30"), text("是"), text("A"), text("B"),
			text(person), text(person), text(department)}, 0)
	}
	return errors.Join(err, w.Close(), f.Close())
}

// measureImports compares the import of a file with reading it and inserting its rows, and looks how a list page answers meanwhile.
func measureImports(ctx context.Context, o options, t *table, p place) error {
	a, err := open(ctx, p, true)
	if err != nil {
		return err
	}
	const name = "bench.importer"
	person, ok := a.People().PersonByName(ctx, name)
	if !ok {
		if _, err := a.AddUser(ctx, name, name, []string{"benchImports"}); err != nil {
			return err
		}
		person, _ = a.People().PersonByName(ctx, name)
	}
	token, err := a.Auth().ScriptToken(ctx, person.ID, "bench", 24*time.Hour)
	if err != nil {
		return errors.Join(err, a.Close())
	}
	file := filepath.Join(o.dir, "wide.xlsx")
	if err := wideFile(file, o.imports, name, "质量安全部"); err != nil {
		return errors.Join(err, a.Close())
	}
	read, err := bareRead(ctx, file)
	if err != nil {
		return errors.Join(err, a.Close())
	}
	insert, err := bareInsert(ctx, a.Store(), a.State().Catalog.Model("wide"), o.imports)
	if err := errors.Join(err, a.Close()); err != nil {
		return err
	}
	server, err := start(ctx, o, "product", p)
	if err != nil {
		return err
	}
	defer server.stop()
	page := asking{"/api/runtime/query/list", p.reader, constant(productList(0, "", ""))}
	before, _, err := server.single(ctx, page, o.each)
	if err != nil {
		return err
	}
	idle, err := server.rss()
	if err != nil {
		return err
	}
	alone, _, _, err := server.imports(ctx, file, "wide", token, nil)
	if err != nil {
		return err
	}
	took, beside, peak, err := server.imports(ctx, file, "wide", token, &page)
	if err != nil {
		return err
	}
	rate := func(d time.Duration) string { return fmt.Sprintf("%.0f/s", float64(o.imports)/d.Seconds()) }
	against := func(what string, took time.Duration) {
		t.add(what, rate(took), rate(read+insert), took.Seconds()/(read+insert).Seconds(), "2")
	}
	against(fmt.Sprintf("import of %d x %d cells, against reading the file and inserting bare rows", o.imports, len(wideColumns)), alone)
	against("  the same, while somebody asks for a list page four times a second", took)
	t.add("  reading the file alone", "-", rate(read), 0, "")
	t.add("  inserting bare rows alone", "-", rate(insert), 0, "")
	t.add("  memory above idle at its highest", fmt.Sprintf("%.0f MiB", peak-idle), "-", 0, "128 MiB")
	t.add("  list page meanwhile, against before", ms(beside), ms(before), beside.Seconds()/before.Seconds(), "2")
	return nil
}

// bareRead reads every cell of a workbook.
func bareRead(ctx context.Context, path string) (time.Duration, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	book, err := workbook.Open(ctx, path, f, info.Size(), workbook.Usual)
	if err != nil {
		return 0, err
	}
	err = book.Rows(ctx, 0, 1, func(workbook.Row) bool { return true })
	return time.Since(begun), errors.Join(err, book.Close())
}

// bareInsert puts as many rows into the model's table, many a statement, without history, rights or rules.
func bareInsert(ctx context.Context, db *store.DB, m *catalog.Model, rows int) (time.Duration, error) {
	columns := append([]string{"id", "version", "name"}, "t1", "t2", "t3", "t4", "t5", "t6", "c1", "l1", "o1", "o2", "d1", "d2")
	begun := time.Now()
	for from := 0; from < rows; from += 1000 {
		var values [][]any
		for i := from; i < min(rows, from+1000); i++ {
			n := strconv.Itoa(i)
			values = append(values, []any{uuid.Must(uuid.NewV7()).String(), int64(1), "bare " + n, "bare " + n, "part " + n, "混凝土 " + n, "a", "b", "a longer text of the row with the number " + n,
				"08:30:00", true, "A", "B", "2026-01-01", "2026-02-01"})
		}
		if err := db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.InsertRows(ctx, m, columns, values) }); err != nil {
			return 0, err
		}
	}
	return time.Since(begun), nil
}

// imports uploads a file, imports it into a model by the list of the same code, and asks for a page, where there is one, until it has ended: the time of the import, the median of the page, and
// the highest memory in MiB.
func (p *process) imports(ctx context.Context, path, model, token string, page *asking) (took, beside time.Duration, peak float64, err error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, 0, err
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", filepath.Base(path))
	if err != nil {
		return 0, 0, 0, err
	}
	if _, err := part.Write(content); err != nil {
		return 0, 0, 0, err
	}
	if err := form.Close(); err != nil {
		return 0, 0, 0, err
	}
	var up struct{ Data struct{ FileName string } }
	if err := p.json(ctx, http.MethodPost, "/api/runtime/import/upload", token, form.FormDataContentType(), &body, &up); err != nil {
		return 0, 0, 0, err
	}
	begun := time.Now()
	var result struct {
		Data struct {
			ID                       string
			ErrorType                *int
			ErrorMsg                 string
			SuccessCount, ErrorCount int
		}
	}
	ask := fmt.Sprintf(`{"fileName": %q, "originalFilename": %q, "schemaCode": %q, "queryCode": %q, "mode": "add"}`, up.Data.FileName, filepath.Base(path), model, model)
	if err := p.json(ctx, http.MethodPost, "/api/runtime/import/start", token, "application/json", strings.NewReader(ask), &result); err != nil {
		return 0, 0, 0, err
	}
	var pages []time.Duration
	for result.Data.ErrorType == nil {
		for range 4 { // somebody at work: a page each quarter of a second
			if page != nil {
				one := time.Now()
				if _, err := p.ask(ctx, *page); err != nil {
					return 0, 0, 0, err
				}
				pages = append(pages, time.Since(one))
			}
			time.Sleep(250 * time.Millisecond)
		}
		now, err := p.rss()
		if err != nil {
			return 0, 0, 0, err
		}
		peak = max(peak, now)
		if err := p.json(ctx, http.MethodGet, "/api/runtime/import/progress?id="+result.Data.ID, token, "", nil, &result); err != nil {
			return 0, 0, 0, err
		}
	}
	if result.Data.ErrorCount > 0 || *result.Data.ErrorType != 0 {
		return 0, 0, 0, fmt.Errorf("the import ended with %+v", result.Data)
	}
	if page == nil {
		return time.Since(begun), 0, peak, nil
	}
	return time.Since(begun), median(pages), peak, nil
}

// json sends a call and reads its answer.
func (p *process) json(ctx context.Context, method, path, token, kind string, body io.Reader, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, p.address+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(res.Body)
		return fmt.Errorf("%s: %s", path, text)
	}
	return json.NewDecoder(res.Body).Decode(into)
}
