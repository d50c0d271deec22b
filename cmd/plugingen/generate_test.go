package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

func TestListIsFresh(t *testing.T) {
	texts, err := generate(root)
	require.NoError(t, err)
	require.Len(t, texts, 2)
	for name, want := range texts {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), name+" is stale: run `go run ./cmd/plugingen`")
	}
}

// TestOneFolderRule adds a property type, an action and a pack to a copy of the module, each in a folder of its own, runs
// the generator and uses all three in a Set. Nothing else of the copy is edited.
func TestOneFolderRule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	dir := t.TempDir()
	for _, part := range []string{"go.mod", "go.sum", "engine", "plugins"} {
		copyTree(t, filepath.Join(root, part), filepath.Join(dir, part))
	}
	copyTree(t, filepath.Join("testdata", "added"), dir)
	require.NoError(t, run(dir))

	text, err := os.ReadFile(filepath.Join(dir, "plugins", "base", "base_gen.go"))
	require.NoError(t, err)
	for _, folder := range []string{"plugins/core/property/rating", "plugins/core/action/stamp"} {
		require.Contains(t, string(text), `{"`+folder+`", `)
	}
	text, err = os.ReadFile(filepath.Join(dir, "plugins", "plugins_gen.go"))
	require.NoError(t, err)
	require.Contains(t, string(text), `{Path: "plugins/harbour", Register: harbour.Register}`)
	require.NotContains(t, string(text), "plugins/papers", "a pack of documents alone has nothing to register")

	cmd := exec.Command("go", "test", "./plugins/harbour/")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

func TestFolderWithoutRegister(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.test/m\n")
	write(t, dir, "plugins/core/property/lost/lost.go", "package lost\n")
	_, err := generate(dir)
	require.EqualError(t, err, "plugins/core/property/lost has Go files but no func Register(*pack.Set) error")
}

func TestOrderAndNames(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.test/m\n\ngo 1.26\n")
	register := "package x\n\nfunc Register() {}\n"
	for _, f := range []string{
		"plugins/bim/pack.go", "plugins/bim/action/open-view/a.go", "plugins/core/core.go", "plugins/core/action/add/a.go",
		"plugins/base/base_gen.go", "plugins/core/property/rating/r.go", "plugins/core/property/internal/help/h.go",
		"plugins/core/property/rating/testdata/x.go",
	} {
		write(t, dir, f, register)
	}
	texts, err := generate(dir)
	require.NoError(t, err)
	var got []string
	for line := range strings.Lines(string(texts["plugins/base/base_gen.go"]) + string(texts["plugins/plugins_gen.go"])) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, `{"`) || strings.HasPrefix(line, "{Path: ") && strings.Contains(line, "Register:") {
			got = append(got, line)
		}
	}
	require.Equal(t, []string{
		`{"plugins/core/property/rating", core_property_rating.Register},`,
		`{"plugins/core/action/add", core_action_add.Register},`,
		`{"plugins/core", core.Register},`,
		`{Path: "plugins/bim/action/open-view", Register: bim_action_open_view.Register},`,
		`{Path: "plugins/bim", Register: bim.Register},`,
	}, got)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if e.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o644)
	}))
}
