package bpmn_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/bpmn"
	"github.com/sluice-platform/sluice/engine/diag"
)

var update = flag.Bool("update", false, "write the golden files")

// options are those for a file that goes into the pack of the tests.
func options(name string) bpmn.Options {
	return bpmn.Options{File: name, Code: "imported", Model: "request", Roles: []string{"management", "accounting"}, Workflows: []string{"payment"},
		Properties: []string{"amount", "days", "reason", "urgent", "dueDate", "checkers", "items"}}
}

// into imports a file and compiles it with the pack until it compiles, as the command line and the calls do.
func (s system) into(t testing.TB, name string, file []byte) *bpmn.Result {
	t.Helper()
	got, err := bpmn.Import(bytes.NewReader(file), options(name))
	require.NoError(t, err)
	for range 3 {
		if got.Document == nil || !got.Compiled(s.found(t, got.Document)) {
			break
		}
	}
	return got
}

func (s system) found(t testing.TB, document []byte) (out diag.List) {
	t.Helper()
	files := archive(t, "testdata/pack.txtar")
	files["workflows/imported.json"] = &fstest.MapFile{Data: []byte(s.canonical(t, document))}
	_, found := s.compile(files)
	for _, d := range found {
		if d.File == "workflows/imported.json" {
			out = append(out, d)
		}
	}
	return out
}

func reportText(t testing.TB, r bpmn.Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, diag.WriteText(&b, r.List(), "en"))
	require.NoError(t, diag.WriteText(&b, r.List(), "zh"))
	return b.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "go test ./engine/bpmn -update")
}

// Files in the dialects of other programs become documents that compile, come out again in every dialect, and go in once more unchanged.
func TestFixtures(t *testing.T) {
	s := newSystem(t)
	files, err := filepath.Glob("testdata/*.bpmn*")
	require.NoError(t, err)
	files = slices.DeleteFunc(files, func(name string) bool { return filepath.Ext(name) == ".json" || filepath.Ext(name) == ".txt" })
	require.Len(t, files, 6)
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			got := s.into(t, filepath.Base(name), text)
			require.NotNil(t, got.Document, got.Report.List())
			document := s.canonical(t, got.Document)
			golden(t, name+".json", document)
			golden(t, name+".txt", reportText(t, got.Report))
			found := s.found(t, got.Document)
			require.False(t, found.HasErrors(), "%v\n%s", found, document)
			for _, dialect := range bpmn.Dialects {
				file, _, err := bpmn.Export([]byte(document), bpmn.ExportOptions{Code: "imported", For: dialect})
				require.NoError(t, err)
				again, err := bpmn.Import(bytes.NewReader(file), options("again"))
				require.NoError(t, err)
				require.NotNil(t, again.Document, "%v\n%s", again.Report.List(), file)
				require.Equal(t, document, s.canonical(t, again.Document), "%s\n%s", dialect, file)
			}
		})
	}
}

func fixtures(t testing.TB) (out [][]byte) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.bpmn*")
	require.NoError(t, err)
	for _, name := range files {
		if ext := filepath.Ext(name); ext != ".bpmn" && ext != ".xml" {
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		out = append(out, text)
	}
	return out
}
