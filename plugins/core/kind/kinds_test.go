// Package kind_test checks the kinds of definitions of the pack core with documents, good and wrong.
package kind_test

import (
	"bytes"
	"errors"
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
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Each file of <kind>/testdata is a pack with documents of the kind and what is said about them in both languages. Documents whose
// name begins with good stand there as `sluice fmt` writes them.
func TestDiagnostics(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, errors.Join(base.Register(set), plugintest.Measuring(set)))
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

// Schemas know every key of every object, let authors write a note there, and describe each key in both languages.
func TestSchemasAreClosedAndDescribed(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, base.Register(set))
	schemas, err := compile.Schemas(set)
	require.NoError(t, err)
	for _, code := range set.Kinds.Names() {
		root, out := source.Parse(code, schemas.JSON(def.Kind(code)))
		require.Empty(t, out)
		closed(t, root)
		described(t, root, root)
	}
}

// closed looks at each schema of an object that represents itself; parts that others refer to are closed by those.
func closed(t *testing.T, n *source.Node) {
	t.Helper()
	properties, types := n.Get("properties"), n.Get("type")
	if properties != nil && types != nil && strings.Contains(string(types.Raw()), `"object"`) && !inside(n, "if") {
		if n.Get("additionalProperties").Text() != "false" && n.Get("unevaluatedProperties").Text() != "false" {
			t.Errorf("%s: %s knows no end of keys", n.File(), n.Pointer())
		}
		if properties.Get("description") == nil && properties.Get("formula") == nil {
			t.Errorf("%s: %s takes no note", n.File(), n.Pointer())
		}
	}
	for _, m := range n.Members {
		closed(t, m)
	}
}

func described(t *testing.T, root, n *source.Node) {
	t.Helper()
	for _, p := range n.Get("properties").Entries() {
		if inside(p, "if") || p.Kind != source.Object {
			continue
		}
		words := ""
		for at := p; at != nil && words == ""; {
			words = at.Get("description").Text()
			ref, _ := strings.CutPrefix(at.Get("$ref").Text(), "#/")
			if at = nil; ref != "" {
				at = root.At(strings.Split(ref, "/")...)
			}
		}
		if !strings.Contains(words, " / ") {
			t.Errorf("%s: %s is described by %q", p.File(), p.Pointer(), words)
		}
	}
	for _, m := range n.Members {
		described(t, root, m)
	}
}

func inside(n *source.Node, key string) bool {
	for ; n != nil; n = n.Parent {
		if n.Key == key {
			return true
		}
	}
	return false
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
