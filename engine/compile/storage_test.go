package compile_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sluice-platform/sluice/engine/plan"
)

// testdata/storage.txtar holds documents and the tables that they need, a line a column or index.
func TestStorage(t *testing.T) {
	const file = "testdata/storage.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c, problems := compileArchive(t, archive.Files)
	if problems.HasErrors() {
		t.Fatal(problems[0])
	}
	var got strings.Builder
	for _, table := range c.Storage.Tables {
		if table.Name != "d_user" && table.Name != "d_department" {
			writeTable(&got, table)
		}
	}
	if *update {
		rewrite(t, file, archive, map[string]string{"want.storage": got.String()})
		return
	}
	for _, f := range archive.Files {
		if f.Name == "want.storage" {
			if diff := cmp.Diff(string(f.Data), got.String()); diff != "" {
				t.Error(diff)
			}
		}
	}
}

func writeTable(b *strings.Builder, t plan.Table) {
	fmt.Fprintf(b, "table %s of %s", t.Name, t.Model)
	if t.Parent != "" {
		fmt.Fprintf(b, " in %s", t.Parent)
	}
	if len(t.RenamedFrom) > 0 {
		fmt.Fprintf(b, " was %s", strings.Join(t.RenamedFrom, ", "))
	}
	if t.MinRows+t.MaxRows > 0 {
		fmt.Fprintf(b, " rows %d to %d", t.MinRows, t.MaxRows)
	}
	fmt.Fprintf(b, " (%s)\n", t.At)
	for _, c := range t.Columns {
		c2 := c
		c2.Name, c2.At, c2.Kind = "", "", 0
		rest, _ := json.Marshal(c2)
		fmt.Fprintf(b, "  %s %s %s (%s)\n", c.Name, c.Kind, strings.Replace(string(rest), `"name":"","property":`, `"property":`, 1), c.At)
	}
	for _, x := range t.Unique {
		fmt.Fprintf(b, "  unique %s (%s)\n", indexText(x), x.At)
	}
	for _, x := range t.Indexes {
		fmt.Fprintf(b, "  index %s (%s)\n", indexText(x), x.At)
	}
}

func indexText(x plan.Index) string {
	var words []string
	for i, c := range x.Columns {
		if i < len(x.Desc) && x.Desc[i] {
			c += " desc"
		}
		words = append(words, c)
	}
	return strings.Join(words, ", ")
}

func TestStorageNamesItsPlaces(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/storage.txtar")
	if err != nil {
		t.Fatal(err)
	}
	c, _ := compileArchive(t, archive.Files)
	for _, table := range c.Storage.Tables {
		for _, x := range append(table.Unique, table.Indexes...) {
			for _, name := range x.Columns {
				found := false
				for _, col := range table.Columns {
					found = found || col.Name == name
				}
				if !found || x.At == "" {
					t.Errorf("%s: index %v (%s) names a column that is not there, or no place", table.Name, x.Columns, x.At)
				}
			}
		}
	}
}
