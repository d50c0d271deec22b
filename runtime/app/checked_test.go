package app_test

import (
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestStartsAgain: a start over documents that the database knows serves the same, and whatever changed in them since is
// checked and written as at the first one.
func TestStartsAgain(t *testing.T) {
	t.Parallel()
	embedded.Each(t, func(t *testing.T, o store.Options) {
		dir := desk(t, name)
		write := func(file, text string) {
			t.Helper()
			file = filepath.Join(dir, file)
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		}
		tickets := func(a *app.App) (n int64) {
			t.Helper()
			require.NoError(t, a.Store().Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
				return tx.System().Table(a.State().Catalog.Model("ticket").Table).Count(&n).Error
			}))
			return n
		}
		write("data/ticket.json", `{"key": ["name"], "rows": [{"name": "一"}]}`)
		var digest string
		during(t, config(t, o, dir), func(a *app.App) {
			digest = a.State().Catalog.Digest
			require.EqualValues(t, 1, tickets(a))
		})
		for range 2 {
			during(t, config(t, o, dir), func(a *app.App) {
				require.Equal(t, digest, a.State().Catalog.Digest)
				require.EqualValues(t, 1, tickets(a))
			})
		}
		write("data/ticket.json", `{"key": ["name"], "rows": [{"name": "一"}, {"name": "二"}]}`)
		for range 2 {
			during(t, config(t, o, dir), func(a *app.App) {
				require.NotEqual(t, digest, a.State().Catalog.Digest)
				require.EqualValues(t, 2, tickets(a))
			})
		}
		for file, text := range map[string]string{
			"data/ticket.json":   `{"key": ["name"], "rows": [{"nam": "三"}]}`,
			"models/ticket.json": `{"name": "工单", "properties": [` + name + `], "colour": "red"}`,
		} {
			good, err := os.ReadFile(filepath.Join(dir, file))
			require.NoError(t, err)
			write(file, text)
			_, err = app.Open(t.Context(), config(t, o, dir))
			var faulty *app.Faulty
			require.ErrorAs(t, err, &faulty, file)
			write(file, string(good))
		}
		during(t, config(t, o, dir), func(a *app.App) { require.EqualValues(t, 2, tickets(a)) })
	})
}

// A link that leads out of its pack is refused and not read, whether it is a document, a folder or a pack among packs; one that
// stays inside is followed.
func TestLinksStayInThePack(t *testing.T) {
	dir := t.TempDir()
	outside, packs := filepath.Join(dir, "outside"), filepath.Join(dir, "packs")
	write := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	link := func(target, name string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.Symlink(target, name))
	}
	manifest := `{"code": "desk", "name": "工单", "name_i18n": {"en": "Desk"}, "version": "1.0.0"}`
	write(filepath.Join(packs, "desk", "pack.json"), manifest)
	write(filepath.Join(packs, "desk", "..data", "ticket.json"), planned["models/site.json"])
	link("../..data/ticket.json", filepath.Join(packs, "desk", "models", "site.json"))
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	compiled := func() ([]string, string) {
		t.Helper()
		c, list, err := app.Documents{Set: set, Dirs: []string{packs}, NoEmbedded: true, Zone: time.UTC}.Compile()
		require.NoError(t, err)
		var codes []string
		for _, d := range list {
			require.NotContains(t, d.En+d.Zh+d.Repair.En, "SECRET")
			if d.Severity == diag.Error {
				codes = append(codes, d.Code+" "+strings.TrimPrefix(d.File, packs+"/"))
			}
		}
		if c == nil {
			return codes, ""
		}
		return codes, c.Model("site").Code
	}
	codes, code := compiled()
	require.Empty(t, codes)
	require.Equal(t, "site", code)

	write(filepath.Join(outside, "model.json"), `{"SECRET": 1`)
	write(filepath.Join(outside, "lists", "a.json"), `{"SECRET": 1`)
	write(filepath.Join(outside, "whole", "pack.json"), `{"code": "SECRET"`)
	link(filepath.Join(outside, "model.json"), filepath.Join(packs, "desk", "models", "out.json"))
	link(filepath.Join(outside, "lists"), filepath.Join(packs, "desk", "lists"))
	link(filepath.Join(outside, "whole"), filepath.Join(packs, "whole"))
	link("../../outside/model.json", filepath.Join(packs, "desk", "app.json"))
	codes, _ = compiled()
	require.Equal(t, []string{"DOC015 desk/app.json", "DOC015 desk/lists", "DOC015 desk/models/out.json", "DOC015 whole"}, codes)
	h := sha256.New()
	require.NoError(t, compile.Sum(os.DirFS(packs), h), "a start looks at the same files")
	before := h.Sum(nil)
	write(filepath.Join(outside, "model.json"), `{"SECRET": 2`)
	h = sha256.New()
	require.NoError(t, compile.Sum(os.DirFS(packs), h))
	require.Equal(t, before, h.Sum(nil))
}

// A folder that is not there, and one that is a file, are told in words.
func TestMissingFolder(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	for name, want := range map[string]string{"gone": "packs: there is no folder " + filepath.Join(dir, "gone"),
		"file": "packs: " + filepath.Join(dir, "file") + " is a file; name the folder of the pack"} {
		_, _, err := app.Documents{Set: &pack.Set{}, Dirs: []string{filepath.Join(dir, name)}, Zone: time.UTC}.Compile()
		require.EqualError(t, err, want)
	}
}
