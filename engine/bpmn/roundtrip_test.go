package bpmn_test

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/bpmn"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/plugins/base"
)

// system compiles packs.
type system struct {
	set     *pack.Set
	kinds   kind.List
	schemas *schema.Schemas
}

func newSystem(t testing.TB) system {
	t.Helper()
	set := &pack.Set{}
	require.NoError(t, errors.Join(base.Register(set), plugintest.Measuring(set)))
	set.Freeze()
	schemas, err := compile.Schemas(set)
	require.NoError(t, err)
	return system{set, compile.Kinds(set), schemas}
}

// canonical is a document as `sluice fmt` writes it.
func (s system) canonical(t testing.TB, document []byte) string {
	t.Helper()
	root, found := source.Parse("", document)
	require.False(t, found.HasErrors(), found)
	return string(source.Format(root, s.schemas.Layout(catalog.KindWorkflow)))
}

func (s system) compile(files fs.FS) (*catalog.Catalog, diag.List) {
	p, found := compile.Load(files, "", s.kinds, s.schemas)
	cat, more := compile.Compile(s.set, []*def.Pack{p}, compile.Options{})
	return cat, append(found, more...)
}

func archive(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	a, err := txtar.ParseFile(name)
	require.NoError(t, err)
	out := fstest.MapFS{}
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "want.") {
			out[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return out
}

// workflows are the documents of the examples and of the compiler's tests that compile.
func workflows(t testing.TB, s system) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	packs := map[string]fs.FS{"good": archive(t, "../../plugins/core/kind/workflow/testdata/good.txtar"), "faults": archive(t, "../../plugins/core/kind/workflow/testdata/faults.txtar")}
	for _, example := range []string{"ship-lock"} {
		packs[example] = os.DirFS("../../examples/" + example)
	}
	for name, files := range packs {
		names, err := fs.Glob(files, "workflows/*.json")
		require.NoError(t, err)
		for _, file := range names {
			text, err := fs.ReadFile(files, file)
			require.NoError(t, err)
			root, found := source.Parse(file, text)
			if found.HasErrors() || s.schemas.Validate(catalog.KindWorkflow, root).HasErrors() {
				continue
			}
			out[name+"/"+path.Base(file)] = text
		}
	}
	return out
}

// What Export writes gives the same document again, in every dialect, and the same file.
func TestRoundTrip(t *testing.T) {
	s := newSystem(t)
	all := workflows(t, s)
	require.Greater(t, len(all), 60)
	exported := 0
	for name, text := range all {
		for _, dialect := range bpmn.Dialects {
			code := strings.TrimSuffix(path.Base(name), ".json")
			file, _, err := bpmn.Export(text, bpmn.ExportOptions{Code: code, For: dialect})
			if err != nil {
				require.Contains(t, name, "faults/", err)
				continue
			}
			exported++
			again, _, err := bpmn.Export(text, bpmn.ExportOptions{Code: code, For: dialect})
			require.NoError(t, err)
			require.Equal(t, string(file), string(again), "%s: the output is not the same twice", name)
			got, err := bpmn.Import(strings.NewReader(string(file)), bpmn.Options{File: name})
			require.NoError(t, err)
			require.NotNil(t, got.Document, "%s %s: %v\n%s", name, dialect, got.Report.List(), file)
			require.Equal(t, s.canonical(t, text), s.canonical(t, got.Document), "%s %s\n%s", name, dialect, file)
			require.Equal(t, code, got.Code)
			require.Empty(t, got.Report.List(), "%s %s", name, dialect)
		}
	}
	require.Greater(t, exported, 180)
}
