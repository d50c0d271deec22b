package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
)

// warned are the codes of the warnings that the list of documents shows, by path.
func warned(t *testing.T, a *app.App) map[string]string {
	t.Helper()
	all, err := a.DocumentList(t.Context(), rightsOf(a, "administrator"))
	require.NoError(t, err)
	out := map[string]string{}
	for _, d := range all {
		for _, w := range d.Warnings {
			out[d.Path] += w.Code
		}
	}
	return out
}

// publishIn publishes a text of a file, whatever it was.
func publishIn(t *testing.T, a *app.App, pack, path, text string) {
	t.Helper()
	in := app.Change{Pack: pack, Path: path, Text: &text}
	if now, err := a.DocumentText(t.Context(), rightsOf(a, "administrator"), pack, path, 0); err == nil {
		in.Seen = now.Seen
	}
	set := app.Changeset{Files: []app.Change{in}}
	seen, err := a.Look(t.Context(), rightsOf(a, "administrator"), set)
	require.NoError(t, err)
	_, err = a.Publish(t.Context(), rightsOf(a, "administrator"), set, app.Confirmation{Steps: seen.Digest})
	require.NoError(t, err, "%s: %v", path, seen.Diagnostics)
}

// Where a site and its pack changed one document, what both changed stays the site's and the rest of the pack's change is taken. Two changes that
// contradict each other leave the site's text as it was published.
func TestMergeOfPublished(t *testing.T) {
	t.Parallel()
	cfg := twoApplications(t, store.Options{Dir: publishing.SQLite(t)})
	size := func(name, limits string) string {
		return strings.Replace(nameOnly, `}]}`, `}, {"code": "size", "propertyType": "Number", "name": "`+name+`"`+limits+`}]}`, 1)
	}
	put := func(text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(cfg.Dirs[1], "models/rightThing.json"), []byte(text), 0o600))
	}
	labels := func(a *app.App) string {
		m := a.State().Catalog.Model("rightThing")
		return m.Label.Zh + " " + m.Field("size").Label.Zh
	}
	put(size("大小", `, "min": "0", "max": "10"`))
	during(t, cfg, func(a *app.App) {
		publishIn(t, a, "right", "models/rightThing.json", size("尺寸", `, "min": "8", "max": "10"`))
	})

	put(strings.Replace(size("规格", `, "min": "0", "max": "10"`), "物", "东西", 1))
	during(t, cfg, func(a *app.App) {
		require.Equal(t, "东西 尺寸", labels(a), "the pack's, and the site's")
		require.Equal(t, map[string]string{"models/rightThing.json": "PUB009"}, warned(t, a))
	})

	put(strings.Replace(size("大小", `, "min": "0", "max": "5"`), "物", "东西", 1))
	for range 2 {
		during(t, cfg, func(a *app.App) {
			require.Equal(t, "物 尺寸", labels(a), "as it was published")
			require.Equal(t, map[string]string{"models/rightThing.json": "PUB010"}, warned(t, a))
			publishIn(t, a, "left", "lists/other.json", `{"schemaCode": "leftThing", "name": "其他", "name_i18n": {"en": "Other"}, "queryColumns": ["name"]}`)
			require.Equal(t, map[string]string{"models/rightThing.json": "PUB010"}, warned(t, a), "others go on publishing")
		})
	}
	during(t, cfg, func(a *app.App) {
		publishIn(t, a, "right", "models/rightThing.json", size("尺寸", `, "min": "3", "max": "5"`))
		require.Empty(t, warned(t, a))
	})
}

// A publication that makes a merged document fail is refused, and leaves it merged. Where a pack's next version makes it fail, merged and alone, the
// pack's change is kept and what fails goes.
func TestMergedThatFail(t *testing.T) {
	t.Parallel()
	cfg := twoApplications(t, store.Options{Dir: publishing.SQLite(t)})
	put := func(name, text string) {
		t.Helper()
		name = filepath.Join(cfg.Dirs[1], name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	list := func(label, columns string) string {
		return `{"schemaCode": "rightThing", "name": "` + label + `", "name_i18n": {"en": "List"}, "queryColumns": [` + columns + `]}`
	}
	menu := func(app, more string) string {
		return `{"name": "` + app + `", "name_i18n": {"en": "App"}, "menu": [{"code": "m", "type": "BizModel", "schemaCode": "rightThing"}` + more + `]}`
	}
	color := strings.Replace(nameOnly, `}]}`, `}, {"code": "color", "propertyType": "ShortText", "name": "色", "name_i18n": {"en": "Color"}}]}`, 1)
	put("lists/plain.json", list("平", `"name"`))
	put("lists/other.json", list("他", `"name"`))
	during(t, cfg, func(a *app.App) {
		publishIn(t, a, "right", "models/rightThing.json", color)
		publishIn(t, a, "right", "lists/plain.json", list("列", `"name"`))
		publishIn(t, a, "right", "app.json", menu("应用", `, {"code": "o", "type": "BizModel", "schemaCode": "rightThing", "queryCode": "other", "name": "他", "name_i18n": {"en": "Other"}}`))
	})
	put("lists/plain.json", list("平", `"name", "color"`))
	during(t, cfg, func(a *app.App) {
		require.Len(t, a.State().Catalog.List("plain").Columns, 2)
		require.Equal(t, "PUB002", warned(t, a)["lists/plain.json"])
		now, err := a.DocumentText(t.Context(), rightsOf(a, "administrator"), "right", "models/rightThing.json", 0)
		require.NoError(t, err)
		less := nameOnly
		set := app.Changeset{Files: []app.Change{{Pack: "right", Path: "models/rightThing.json", Text: &less, Seen: now.Seen}}}
		_, err = a.Publish(t.Context(), rightsOf(a, "administrator"), set, app.Confirmation{AllowDestructive: true})
		require.Equal(t, fault.PublishFaulty, fault.Of(err), "%v", err)
	})

	require.NoError(t, os.Remove(filepath.Join(cfg.Dirs[1], "lists/other.json")))
	put("app.json", menu("软件", ""))
	during(t, cfg, func(a *app.App) {
		of := a.State().Catalog.App("right")
		require.Equal(t, "软件", of.Label.Zh, "the pack's")
		require.Len(t, of.Menu, 1, "what fails goes")
		require.Equal(t, "PUB002PUB008", warned(t, a)["app.json"])
	})
}
