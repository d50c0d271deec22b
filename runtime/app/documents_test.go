package app

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
)

// TestKeptDocuments: what was read of documents before gives the same catalog as reading them again, also after it was compiled; a changed file is read.
func TestKeptDocuments(t *testing.T) {
	t.Parallel()
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	d := Documents{Set: set, Dirs: []string{"../../examples/ship-lock"}, Zone: time.UTC}
	schemas, err := d.schemas()
	require.NoError(t, err)
	folders, _, err := d.Folders()
	require.NoError(t, err)
	kinds := compile.Kinds(set)
	load := func(c *compile.Cache) (packs []*def.Pack, found diag.List) {
		for _, f := range folders {
			p, list := c.Load(f.FS, f.Dir, kinds, schemas)
			packs, found = append(packs, p), append(found, list...)
		}
		return packs, found
	}
	compiled := func(c *compile.Cache) (*catalog.Catalog, diag.List) {
		packs, found := load(c)
		cat, list := compile.Compile(set, packs, compile.Options{Zone: time.FixedZone("UTC", 0), Cache: c}) // a zone of its own: everything is compiled
		return cat, found.With(list)
	}
	fresh, want := compiled(nil)
	c := &compile.Cache{}
	for range 3 {
		got, found := compiled(c)
		require.Equal(t, want, found)
		require.Equal(t, fresh.Digest, got.Digest)
		require.Equal(t, fresh.Storage, got.Storage)
		for i, d := range fresh.Documents {
			if text, err := json.Marshal(d.Value); err == nil {
				again, err := json.Marshal(got.Documents[i].Value)
				require.NoError(t, err)
				require.Equal(t, string(text), string(again), d.Code)
			}
		}
	}
}

// TestKeptRows: what was found in rows before is what checking them again finds, whatever document changed in between.
func TestKeptRows(t *testing.T) {
	t.Parallel()
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	d := Documents{Set: set, NoEmbedded: true, Zone: time.UTC}
	schemas, err := d.schemas()
	require.NoError(t, err)
	folders, _, err := d.Folders()
	require.NoError(t, err)
	own := fstest.MapFS{}
	folders = append(folders, Folder{Folder: compile.Folder{Code: "shop", Dir: "shop", FS: own}})
	kinds, kept := compile.Kinds(set), &compile.Cache{}
	found := func(c *compile.Cache) diag.List {
		var packs []*def.Pack
		var out diag.List
		for _, f := range folders {
			p, list := c.Load(f.FS, f.Dir, kinds, schemas)
			packs, out = append(packs, p), append(out, list...)
		}
		_, list := compile.Compile(set, packs, compile.Options{Zone: time.UTC, Cache: c})
		return out.With(list).Sorted()
	}
	const item = `{"name": "货物", "name_i18n": {"en": "Item"}, "properties": [{"code": "code", "propertyType": "ShortText", "name": "编号", "name_i18n": {"en": "Code"}, "unique": true},
		{"code": "price", "propertyType": "%s", "name": "价格", "name_i18n": {"en": "Price"}}, {"code": "kind", "propertyType": "Dropdown", "name": "类别", "name_i18n": {"en": "Kind"}, "options": [{"code": "a", "name": "甲", "name_i18n": {"en": "A"}}, {"code": "%s", "name": "乙", "name_i18n": {"en": "B"}}]}]}`
	const role = `{"name": "某角色", "name_i18n": {"en": "Some role"}, "models": [{"schemaCode": "item", "actions": ["view"], "rows": "%s"}]}`
	write := func(name, text string, args ...any) {
		own[name] = &fstest.MapFile{Data: fmt.Appendf(nil, text, args...)}
	}
	write("pack.json", `{"code": "shop", "name": "店", "name_i18n": {"en": "Shop"}, "requires": ["core", "organisation"]}`)
	steps := []struct {
		name   string
		change func()
		want   string // a code that is reported
	}{
		{"at first", func() {
			write("models/item.json", item, "Number", "b")
			write("data/item.json", `{"key": ["code"], "rows": [{"code": "1", "price": 3, "kind": "b"}]}`)
			write("data/user.json", `{"key": ["username"], "rows": [{"username": "li", "name": "李", "roles": ["clerk"]}]}`)
			write("access/clerk.json", role, "all")
		}, ""},
		{"a role", func() { write("access/clerk.json", role, "price > 3") }, ""},
		{"a role with a fault", func() { write("access/clerk.json", role, "prize > 3") }, "EXPR"},
		{"a role again", func() { write("access/clerk.json", role, "price > 3") }, ""},
		{"an option that rows have", func() { write("models/item.json", item, "Number", "c") }, "PACK025"},
		{"the same once more", func() {}, "PACK025"},
		{"a type", func() { write("access/clerk.json", role, "all"); write("models/item.json", item, "Date", "b") }, "PACK014"},
		{"back", func() { write("models/item.json", item, "Number", "b") }, ""},
		{"a row", func() { write("data/item.json", `{"key": ["code"], "rows": [{"code": "1", "colour": 3}]}`) }, "PACK009"},
		{"a value, and a role with a fault", func() {
			write("data/item.json", `{"key": ["code"], "rows": [{"code": "1", "price": "much"}]}`)
			write("access/clerk.json", role, "prize > 3")
		}, "EXPR"},
		{"the role again", func() { write("access/clerk.json", role, "all") }, "PACK014"},
		{"a role that a row names goes", func() { delete(own, "access/clerk.json"); write("access/other.json", role, "all") }, "PACK021"},
	}
	for _, s := range steps {
		s.change()
		want := found(nil)
		require.Equal(t, want, found(kept), s.name)
		require.Equal(t, want, found(kept), "%s, twice", s.name)
		if s.want != "" {
			require.True(t, slices.ContainsFunc(want, func(p diag.Diagnostic) bool { return strings.HasPrefix(p.Code, s.want) }), "%s: %s", s.name, spoken(want))
		} else {
			require.False(t, want.HasErrors(), "%s: %s", s.name, spoken(want))
		}
	}
}

func spoken(list diag.List) (out []string) {
	for _, p := range list {
		out = append(out, p.Code+" "+p.En)
	}
	return out
}

// TestPacksOnDisk: a folder on disk takes the place of the embedded pack of its name, also in a set without the other embedded packs.
func TestPacksOnDisk(t *testing.T) {
	t.Parallel()
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	const mine = "yard"
	set.AddFolder("plugins/yard", fstest.MapFS{"pack.json": {Data: []byte(`{"code": "yard", "name": "堆场"}`)}})
	set.Freeze()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "Yard"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "Yard", "pack.json"), []byte(`{"code": "Yard", "name": "堆场"}`), 0o600))
	for _, one := range []struct {
		d    Documents
		want map[string]bool // whether the pack of that name is embedded
	}{
		{Documents{Set: set}, map[string]bool{"core": true, "organisation": true, mine: true}},
		{Documents{Set: set, NoEmbedded: true}, map[string]bool{"core": true, "organisation": true}},
		{Documents{Set: set, Dirs: []string{dir}}, map[string]bool{"core": true, "organisation": true, mine: false}},
		{Documents{Set: set, Dirs: []string{dir}, NoEmbedded: true}, map[string]bool{"core": true, "organisation": true, mine: false}},
	} {
		folders, found, err := one.d.Folders()
		require.NoError(t, err)
		require.Empty(t, found)
		got := map[string]bool{}
		for _, f := range folders {
			code := strings.ToLower(f.Code)
			require.NotContains(t, got, code, "loaded twice")
			got[code] = f.Embedded
		}
		for code := range got {
			if code != mine && code != "core" && code != "organisation" {
				delete(got, code)
			}
		}
		require.Equal(t, one.want, got)
	}
}
