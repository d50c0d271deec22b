package plugins_test

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "format the documents of all packs")

func product(t *testing.T) (*pack.Set, *schema.Schemas) {
	t.Helper()
	set := &pack.Set{}
	require.NoError(t, plugins.Register(set))
	require.NoError(t, plugins.With("quality")(set)) // as packs that require it find it
	s, err := compile.Schemas(set)
	require.NoError(t, err)
	return set, s
}

// The packs of the product and of the examples, in both languages, give no error and no warning.
func TestPacksHaveNoDiagnostics(t *testing.T) {
	set, s := product(t)
	zone := time.FixedZone("Asia/Shanghai", 8*60*60)
	var base []*def.Pack
	for _, f := range set.Folders() {
		p, out := compile.Load(f.FS, f.Path, compile.Kinds(set), s)
		require.Empty(t, text(out))
		base = append(base, p)
	}
	_, out := compile.Compile(set, base, compile.Options{Zone: zone})
	require.Empty(t, text(out), "the product")

	examples, err := filepath.Glob("../examples/*/pack.json")
	require.NoError(t, err)
	for _, file := range examples {
		dir := filepath.Dir(file)
		if ofItsOwn(dir) {
			continue
		}
		all := slices.Clone(base)
		for _, one := range []string{dir, "../examples/ship-lock"} { // which others require
			p, out := compile.Load(os.DirFS(one), filepath.ToSlash(one), compile.Kinds(set), s)
			require.Empty(t, text(out))
			all = append(all, p)
			if !slices.ContainsFunc(p.Requires, func(r def.Required) bool { return r.Code == "shiplock" }) {
				break
			}
		}
		_, out = compile.Compile(set, all, compile.Options{Zone: zone})
		require.Empty(t, text(out), dir)
	}
}

// ofItsOwn reports whether a pack is a Go module: only its own program knows what its documents may hold, and its own tests check them.
func ofItsOwn(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func text(l diag.List) string {
	var b strings.Builder
	if diag.WriteText(&b, l, "en") != nil {
		return "cannot be written"
	}
	return b.String()
}

// Every document is as `sluice fmt` writes it, and formatting it again changes nothing.
func TestDocumentsAreFormatted(t *testing.T) {
	set, s := product(t)
	kinds := compile.Kinds(set)
	for _, pattern := range []string{"*", "../examples/*"} {
		roots, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, root := range roots {
			if _, err := os.Stat(filepath.Join(root, "pack.json")); err != nil || ofItsOwn(root) {
				continue
			}
			require.NoError(t, filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() || filepath.Ext(file) != ".json" {
					return err
				}
				if kind, ok := kinds.OfFile(filepath.ToSlash(file)); ok {
					formatted(t, file, s.Layout(kind.Code))
				}
				return nil
			}))
		}
	}
}

func formatted(t *testing.T, file string, l source.Layout) {
	t.Helper()
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	root, out := source.Parse(file, have)
	require.Empty(t, text(out))
	want := source.Format(root, l)
	if *update {
		require.NoError(t, os.WriteFile(file, want, 0o644))
		return
	}
	if !bytes.Equal(have, want) {
		t.Errorf("%s is not formatted; want\n%s", file, want)
	}
}
