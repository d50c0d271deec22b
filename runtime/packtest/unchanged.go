package packtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/seed"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Spreadsheet is a kind of file that lists are exported as.
type Spreadsheet struct {
	Type       string // xlsx or csv
	Locale     string // zh or en
	ClearEmpty bool   // empty cells empty the property when it comes back
}

// Spreadsheets are all kinds.
func Spreadsheets() (out []Spreadsheet) {
	for _, kind := range []string{"xlsx", "csv"} {
		for _, locale := range []string{"zh", "en"} {
			out = append(out, Spreadsheet{kind, locale, false}, Spreadsheet{kind, locale, true})
		}
	}
	return out
}

// Fill makes sure that each model with a list has some records: it adds generated ones to those of the packs until there are n.
func (s *System) Fill(t testing.TB, n int) {
	t.Helper()
	c := s.State().Catalog
	var done []*catalog.Model
	for _, l := range c.Lists {
		if slices.Contains(done, l.Model) {
			continue
		}
		done = append(done, l.Model)
		if err := seed.Fill(context.Background(), s.Store(), c, l.Model, n, func(int) {}); err != nil {
			t.Logf("no more records of %s: %v", l.Model.Code, err)
		}
	}
}

// RoundTrip is a list that a person can export and whose records they can import.
type RoundTrip struct {
	List *catalog.List
	Into *catalog.List // that takes the file: the list itself, or the first one of its model that offers imports
}

// RoundTrips are those of a person.
func (s *System) RoundTrips(who principal.Principal) (out []RoundTrip) {
	view := s.View(who)
	takes := func(l *catalog.List) bool {
		_, err := query.Offers(view, l.Model.Code, l.Code, importer.Right)
		return err == nil
	}
	for _, l := range view.Catalog.Lists {
		if _, err := s.Reader().ExtractFields(view, l.Model.Code, l.Code, exporter.Action); err != nil {
			continue
		}
		all := append([]*catalog.List{l}, view.Catalog.ListsOf(l.Model.Code)...)
		if i := slices.IndexFunc(all, takes); i >= 0 {
			out = append(out, RoundTrip{l, all[i]})
		}
	}
	return out
}

// Unchanged exports all columns of all records of a list and imports the file as it is. It fails where that would change, add or refuse
// something: what a list writes into a file it has to read back as what it was. It returns how many records the file had.
func (s *System) Unchanged(t testing.TB, who principal.Principal, r RoundTrip, f Spreadsheet) int64 {
	t.Helper()
	rows, content := s.exported(t, who, r.List, f)
	if rows == 0 {
		return 0
	}
	for _, check := range []bool{true, false} {
		out := s.imported(t, who, importer.Request{SchemaCode: r.Into.Model.Code, QueryCode: r.Into.Code, Mode: importer.Update, ClearEmpty: f.ClearEmpty, Language: f.Locale}, "a."+f.Type, content, check)
		if out.ErrorCode != 0 || out.Same != rows || out.Added+out.Changed+out.Errors+out.Removed > 0 {
			t.Errorf("list %s, %+v: %d of %d records unchanged, %d changed, %d refused, %d rows of sub-tables removed; fault %d %v\n%s",
				r.List.Code, f, out.Same, rows, out.Changed, out.Errors, out.Removed, out.ErrorCode, out.ErrorArgs, strings.Join(s.differences(t, who, out), "\n"))
			break
		}
	}
	return rows
}

// differences are the first cells that were refused, and those that a check would change.
func (s *System) differences(t testing.TB, who principal.Principal, out importer.Result) (said []string) {
	t.Helper()
	for _, row := range out.Rows[:min(len(out.Rows), 3)] {
		for _, e := range row.Errors {
			said = append(said, fmt.Sprintf("row %d, %s: %v in %s", row.Number, e.PropertyCode, fault.New(e.Code, e.Args...), row.Data))
		}
	}
	rows, _, err := s.Importer().Rows(context.Background(), s.View(who), out.ID, "changed", 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		said = append(said, fmt.Sprintf("row %d: %s", row.Number, row.Changes))
	}
	return said
}

// exported is a file with all columns of a list, and how many records it has.
func (s *System) exported(t testing.TB, who principal.Principal, l *catalog.List, f Spreadsheet) (rows int64, content []byte) {
	t.Helper()
	ctx := aside()
	fields, err := s.Reader().ExtractFields(s.View(who), l.Model.Code, l.Code, exporter.Action)
	if err != nil {
		t.Fatal(err)
	}
	req := exporter.Request{ListRequest: query.ListRequest{SchemaCode: l.Model.Code, QueryCode: l.Code}, All: true, FileType: f.Type, Language: f.Locale, WithID: true}
	for _, one := range fields {
		req.Columns = append(req.Columns, exporter.Column{PropertyCode: one.PropertyCode})
	}
	started, err := s.Exports().Start(ctx, s.View(who), req)
	if err != nil {
		t.Fatalf("export of %s: %v", l.Code, err)
	}
	var task exporter.Task
	eventually(t, "the export of "+l.Code, func() bool {
		if task, err = s.Exports().Progress(ctx, s.View(who), started.ID); err != nil {
			t.Fatal(err)
		}
		return task.Ended()
	})
	_, from, err := s.Exports().File(ctx, s.View(who), started.ID)
	if err != nil {
		t.Fatalf("export of %s: %s: %v", l.Code, task.State, err)
	}
	defer from.Close()
	if content, err = io.ReadAll(from); err != nil {
		t.Fatal(err)
	}
	return task.Rows, content
}

// imported brings a file and waits until it is in.
func (s *System) imported(t testing.TB, who principal.Principal, req importer.Request, name string, content []byte, check bool) (out importer.Result) {
	t.Helper()
	ctx := aside()
	up, err := s.Importer().Upload(ctx, s.View(who), name, bytes.NewReader(content), nil)
	if err != nil {
		t.Fatalf("%s: %v", req.QueryCode, err)
	}
	req.FileName, req.Original = up.FileName, name
	id, err := s.Importer().Start(ctx, s.View(who), req, check)
	if err != nil {
		t.Fatalf("%s: %v", req.QueryCode, err)
	}
	eventually(t, "the import of "+req.QueryCode, func() bool {
		if out, err = s.Importer().Result(ctx, s.View(who), id); err != nil {
			t.Fatal(err)
		}
		return out.ErrorType != nil
	})
	_ = s.Importer().DeleteUpload(ctx, s.View(who), up.FileName) // a person may have 500; an import that is done has let go of its own
	return out
}

// aside is the context of what a test asks while it waits: as a request it would make the jobs that it waits for pause each time.
func aside() context.Context { return store.Promptly(context.Background()) }

func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(pause / 4) {
		if done() {
			return
		}
	}
	t.Fatal(what + " has not ended")
}
