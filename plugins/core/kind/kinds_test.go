// Package kind_test checks the kinds of definitions of the pack core with documents, good and wrong.
package kind_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Each file of <kind>/testdata is a pack with documents of the kind and what is said about them in both languages. Documents whose
// name begins with good stand there as `sluice fmt` writes them.
func TestDiagnostics(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, plugins.Register(set))
	set.Freeze()
	kinds := compile.Kinds(set)
	schemas, err := compile.Schemas(set)
	require.NoError(t, err)
	cases, err := filepath.Glob("*/testdata/*.txtar")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(cases), 4)
	for _, file := range cases {
		t.Run(filepath.ToSlash(file), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			files := fstest.MapFS{"pack.json": {Data: []byte(`{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}}`)}}
			want := map[string]string{}
			for i, f := range archive.Files {
				if strings.HasPrefix(f.Name, "want.") {
					want[f.Name] = string(f.Data)
					continue
				}
				if k, ok := kinds.OfFile(f.Name); ok && strings.HasPrefix(filepath.Base(f.Name), "good") {
					root, out := source.Parse(f.Name, f.Data)
					require.Empty(t, out)
					tidy := source.Format(root, schemas.Layout(k.Code))
					if *update {
						archive.Files[i].Data, f.Data = tidy, tidy
					}
					require.Equal(t, string(tidy), string(f.Data), f.Name)
				}
				files[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			p, found := compile.Load(files, "", kinds, schemas)
			_, more := compile.Compile(set, []*def.Pack{p}, compile.Options{})
			found = append(found, more...).Sorted()
			got := map[string]string{"want.en": text(t, found, "en"), "want.zh": text(t, found, "zh")}
			if *update {
				rewrite(t, file, archive, got)
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func text(t *testing.T, l diag.List, locale string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, diag.WriteText(&b, l, locale))
	return b.String()
}

func rewrite(t *testing.T, file string, a *txtar.Archive, want map[string]string) {
	t.Helper()
	kept := a.Files[:0]
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "want.") {
			kept = append(kept, f)
		}
	}
	for _, name := range []string{"want.en", "want.zh"} {
		kept = append(kept, txtar.File{Name: name, Data: []byte(want[name])})
	}
	a.Files = kept
	require.NoError(t, os.WriteFile(file, txtar.Format(a), 0o644))
}
