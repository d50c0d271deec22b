package app_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/design"
	"github.com/sluice-platform/sluice/runtime/manage"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/store"
)

// packOf writes a pack and returns its folder.
func packOf(t *testing.T, code string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), code)
	all := map[string]string{"pack.json": `{"code": "` + code + `", "name": "包", "name_i18n": {"en": "Pack"}, "version": "1.0.0"}`}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

const nameOnly = `{"name": "物", "name_i18n": {"en": "Thing"}, "properties": [{"code": "name", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Name"}}]}`

// Two applications, each with somebody who administers it alone.
func twoApplications(t *testing.T, o store.Options) app.Config {
	t.Helper()
	of := func(code string) string {
		return packOf(t, code, map[string]string{
			"app.json":                      `{"name": "应用", "name_i18n": {"en": "App"}, "menu": [{"code": "m", "type": "BizModel", "schemaCode": "` + code + `Thing"}]}`,
			"models/" + code + "Thing.json": nameOnly,
			"access/" + code + "Keeper.json": `{"name": "管理", "name_i18n": {"en": "Keeper"}, "permissions": ["APP_MNG"], "apps": ["` + code + `"],
				"models": [{"schemaCode": "` + code + `Thing", "actions": ["*"], "rows": "all"}]}`,
		})
	}
	return config(t, o, of("left"), of("right"))
}

// page publishes a page of an application and takes its lock on the way.
func page(t *testing.T, a *app.App, view *authz.View, application, code, text string) error {
	t.Helper()
	of := design.Name{Kind: catalog.KindPortal, App: application, Code: code}
	in := design.Draft{Name: of, New: true, Text: text}
	if _, err := a.Designs().Lock(t.Context(), view, of, true); err != nil {
		return err
	}
	if d, err := a.Designs().Document(t.Context(), view, of); err == nil {
		in.New, in.Seen = d.New, d.Seen
	}
	_, err := a.Designs().Publish(t.Context(), view, in)
	return err
}

const aPage = `{"name": "页", "name_i18n": {"en": "Page"}, "widgets": []}`

// A code belongs to one application, and those of the platform to nobody else's: who administers one application gets no other one's, on no way.
func TestOwnersOfCodes(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		a, err := app.Open(ctx, twoApplications(t, o))
		require.NoError(t, err)
		defer func() { require.NoError(t, a.Close()) }()
		left := func() *authz.View { return rightsOf(a, "leftKeeper") }
		right := func() *authz.View { return rightsOf(a, "rightKeeper") }
		admin := func() *authz.View { return rightsOf(a, "administrator") }
		refused := func(err error, what string) {
			t.Helper()
			require.Contains(t, []fault.Code{fault.CodeOwned, fault.Forbidden}, fault.Of(err), "%s: %v", what, err)
		}
		publish := func(view *authz.View, pack, path, text string) error {
			t.Helper()
			in := app.Change{Pack: pack, Path: path, Text: &text}
			if now, err := a.DocumentText(ctx, admin(), pack, path, 0); err == nil {
				in.Seen = now.Seen
			}
			_, err := a.Publish(ctx, view, app.Changeset{Files: []app.Change{in}}, app.Confirmation{})
			return err
		}
		gone := func(pack, path string) {
			t.Helper()
			now, err := a.DocumentText(ctx, admin(), pack, path, 0)
			require.NoError(t, err)
			_, err = a.Publish(ctx, admin(), app.Changeset{Files: []app.Change{{Pack: pack, Path: path, Seen: now.Seen}}}, app.Confirmation{})
			require.NoError(t, err)
		}

		// Codes of the platform.
		for _, code := range []string{catalog.DefaultPortal, "DEFAULTPORTALDASHBOARD", catalog.WorkflowCenterPage, catalog.ApplicationListPage, catalog.BuiltInPortal} {
			refused(page(t, a, left(), "left", code, aPage), code)
			require.Nil(t, a.State().Catalog.Portal(catalog.DefaultPortal))
		}
		require.NoError(t, page(t, a, admin(), "left", catalog.DefaultPortal, aPage), "the platform's administrators publish the workbench")
		refused(page(t, a, left(), "left", catalog.DefaultPortal, `{"name": "另", "widgets": []}`), "a workbench that is in the application's own pack")

		// The text names another application than the request.
		require.NoError(t, page(t, a, left(), "left", "leftFirst", aPage))
		for _, of := range []string{"right", "RIGHT"} {
			text := `{"name": "页", "name_i18n": {"en": "Page"}, "appCode": "` + of + `", "widgets": []}`
			refused(page(t, a, left(), "left", "leftFirst", text), "an own page that becomes the first of another application")
			refused(page(t, a, left(), "left", "leftOther", text), "a new page")
		}
		require.NoError(t, page(t, a, left(), "left", "leftFirst", `{"name": "页", "name_i18n": {"en": "Page"}, "appCode": "left", "widgets": []}`))

		// Lists and forms of another application's model take the place of its own.
		list := `{"schemaCode": "rightThing", "name": "列", "name_i18n": {"en": "List"}, "queryColumns": ["name"]}`
		form := `{"schemaCode": "RIGHTTHING", "name": "单", "name_i18n": {"en": "Form"}, "items": ["name"]}`
		refused(publish(left(), "left", "lists/aList.json", list), "a list of another application's model")
		refused(publish(left(), "left", "forms/aForm.json", form), "a form of another application's model")
		_, err = a.Look(ctx, left(), app.Changeset{Files: []app.Change{{Pack: "left", Path: "lists/aList.json", Text: &list}}})
		refused(err, "the look says the same")
		refused(publish(left(), "right", "lists/aList.json", list), "another pack")
		require.NoError(t, publish(left(), "left", "lists/ownList.json", `{"schemaCode": "leftThing", "name": "列", "name_i18n": {"en": "List"}, "queryColumns": ["name"]}`))

		// A code that is in use elsewhere, in another case too.
		require.NoError(t, publish(right(), "right", "lists/rightList.json", list))
		own := `{"schemaCode": "leftThing", "name": "列", "name_i18n": {"en": "List"}, "queryColumns": ["name"]}`
		for _, code := range []string{"rightList", "RIGHTLIST"} {
			require.NotZero(t, fault.Of(publish(left(), "left", "lists/"+code+".json", own)), code)
			require.Equal(t, "rightThing", a.State().Catalog.List("rightList").Model.Code)
		}

		// A code that another application had: saved filters, links and running workflows name it still.
		require.NoError(t, page(t, a, right(), "right", "news", aPage))
		gone("right", "lists/rightList.json")
		gone("right", "portals/news.json")
		refused(publish(left(), "left", "lists/RightList.json", own), "a list whose code was another application's")
		refused(page(t, a, left(), "left", "news", aPage), "a page whose code was another application's")
		require.NoError(t, page(t, a, right(), "right", "news", aPage), "who had it may have it again")

		// What an administrator of all gave the application stays editable, and comes back from a version by administrators of all alone.
		require.NoError(t, publish(admin(), "left", "lists/given.json", list))
		require.NoError(t, publish(left(), "left", "lists/given.json", `{"schemaCode": "rightThing", "name": "另列", "name_i18n": {"en": "List"}, "queryColumns": ["name"]}`))
		given := a.State().Catalog.Version
		gone("left", "lists/given.json")
		_, err = a.RestoreApp(ctx, left(), app.AppRestore{Code: "left", Version: given})
		refused(err, "an older version")
		refused(publish(left(), "left", "lists/given.json", list), "the same once more")
		require.Nil(t, a.State().Catalog.List("given"))

		// An application's menu is its own, whatever it opens; the other one's stays.
		refused(func() error {
			_, err := a.AddEntry(ctx, left(), app.NewEntry{App: "right", Code: "x", Type: "Folder", Names: app.Names{Name: "x"}})
			return err
		}(), "a menu item of another application")
		_, err = a.Designs().Keep(ctx, left(), design.Draft{Name: design.Name{Kind: catalog.KindPortal, App: "left", Code: catalog.WorkflowCenterPage}, New: true, Text: aPage})
		refused(err, "a draft")
	})
}

// A pack's later version brings codes that were published elsewhere meanwhile: the system starts, the published documents stay, it is told, and
// who looks after them resolves it in the browser.
func TestCodesThatPacksBringLater(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := store.Options{Dir: publishing.SQLite(t)}
	cfg := twoApplications(t, o)
	right := cfg.Dirs[1]
	put := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(right, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(right, name), []byte(text), 0o600))
	}
	admin := func(a *app.App) *authz.View { return rightsOf(a, "administrator") }
	change := func(a *app.App, pack, path string, text *string) error {
		in := app.Change{Pack: pack, Path: path, Text: text}
		if now, err := a.DocumentText(ctx, admin(a), pack, path, 0); err == nil {
			in.Seen = now.Seen
		}
		_, err := a.Publish(ctx, admin(a), app.Changeset{Files: []app.Change{in}}, app.Confirmation{})
		return err
	}
	mine := `{"schemaCode": "leftThing", "name": "我的", "name_i18n": {"en": "Mine"}, "queryColumns": ["name"]}`
	during(t, cfg, func(a *app.App) {
		require.NoError(t, change(a, "left", "lists/things.json", &mine))
		require.NoError(t, change(a, "left", "models/extra.json", new(nameOnly)))
	})

	put("lists/Things.json", `{"schemaCode": "rightThing", "name": "新的", "name_i18n": {"en": "New"}, "queryColumns": ["name"]}`)
	put("models/extra.json", `{"name": "另", "name_i18n": {"en": "Other"}, "properties": [{"code": "weight", "propertyType": "Number", "name": "重", "name_i18n": {"en": "Weight"}}]}`)
	put("lists/plain.json", `{"schemaCode": "rightThing", "name": "平", "name_i18n": {"en": "Plain"}, "queryColumns": ["color"]}`)
	put("models/rightThing.json", strings.Replace(nameOnly, `[{`, `[{"code": "color", "propertyType": "ShortText", "name": "色", "name_i18n": {"en": "Color"}}, {`, 1))
	put("lists/heavy.json", `{"schemaCode": "extra", "name": "重", "name_i18n": {"en": "Heavy"}, "queryColumns": ["weight"]}`)
	put("app.json", `{"name": "应用", "name_i18n": {"en": "App"}, "menu": [{"code": "m", "type": "BizModel", "schemaCode": "rightThing"}, {"code": "f", "type": "Folder", "name": "夹", "name_i18n": {"en": "Folder"},
		"children": [{"code": "n", "type": "BizModel", "schemaCode": "rightThing", "queryCode": "Things"}]}]}`)
	for range 2 { // and so does the next start
		during(t, cfg, func(a *app.App) {
			c := a.State().Catalog
			require.Equal(t, "leftThing", c.List("things").Model.Code, "the published list stays")
			require.NotNil(t, c.Model("extra").Field("name"), "the published model stays")
			require.Nil(t, c.List("heavy"), "what does not compile with it is set aside")
			require.Len(t, c.App("right").Menu, 2, "of the menu only the item is missing that leads to the new list")
			require.Empty(t, c.App("right").Menu[1].Children)
			require.NotNil(t, c.Role("rightKeeper"))
		})
	}
	var logged bytes.Buffer
	cfg.Log = slog.New(slog.NewTextHandler(&logged, nil))
	during(t, cfg, func(a *app.App) {
		for _, when := range []string{"after the start", "after a publication of something else"} {
			all, err := a.DocumentList(ctx, admin(a))
			require.NoError(t, err)
			told := map[string]string{}
			for _, d := range all {
				for _, w := range d.Warnings {
					told[d.Pack+"/"+d.Path] += w.Code
				}
			}
			require.Equal(t, map[string]string{"left/lists/things.json": "PUB005", "right/lists/Things.json": "PUB004", "left/models/extra.json": "PUB005", "right/models/extra.json": "PUB004",
				"right/lists/heavy.json": "PUB006", "right/app.json": "PUB006"}, told, when)
			require.Equal(t, 2, strings.Count(logged.String(), "code=PUB006"), "%s: each is logged once\n%s", when, &logged)
			if when == "after the start" {
				require.NoError(t, change(a, "left", "models/between.json", new(nameOnly)))
			}
		}

		// Nothing else hides what a pack has: a new document of a taken code is refused, and so is a change for which others fail.
		require.Equal(t, fault.PublishFaulty, fault.Of(change(a, "left", "models/rightThing.json", new(nameOnly))))
		require.Equal(t, fault.PublishFaulty, fault.Of(change(a, "right", "models/rightThing.json", new(nameOnly))))
		require.Equal(t, "leftThing", a.State().Catalog.List("things").Model.Code)

		// The published list gets another code, the published model goes: what was set aside is used, and the codes are the pack's from now on.
		_, err := a.Publish(ctx, admin(a), app.Changeset{Files: []app.Change{{Pack: "left", Path: "lists/things.json", Seen: app.DigestOf(&mine)}, {Pack: "left", Path: "lists/myThings.json", Text: &mine},
			{Pack: "left", Path: "models/extra.json", Seen: app.DigestOf(new(nameOnly))}}}, app.Confirmation{})
		require.NoError(t, err)
		c := a.State().Catalog
		require.Equal(t, []string{"rightThing", "leftThing", "extra"}, []string{c.List("things").Model.Code, c.List("myThings").Model.Code, c.List("heavy").Model.Code})
		require.Len(t, c.App("right").Menu[1].Children, 1)
		require.Equal(t, fault.PublishFaulty, fault.Of(change(a, "left", "lists/things.json", &mine)))
		all, err := a.DocumentList(ctx, admin(a))
		require.NoError(t, err)
		for _, d := range all {
			require.Empty(t, d.Warnings, d.Path)
		}
	})

	// A fault of the pack's own is its author's to mend, beside a conflict too.
	during(t, cfg, func(a *app.App) { require.NoError(t, change(a, "left", "lists/fresh.json", &mine)) })
	put("lists/fresh.json", `{"schemaCode": "rightThing", "name": "新的", "name_i18n": {"en": "New"}, "queryColumns": ["name"]}`)
	put("lists/wrong.json", `{"schemaCode": "rightThing", "name": "错", "name_i18n": {"en": "Wrong"}, "queryColumns": ["nothing"]}`)
	_, err := app.Open(ctx, cfg)
	var faulty *app.Faulty
	require.ErrorAs(t, err, &faulty)
}

// A code that an application brought with it stays its own after it is taken away, though no text of it was ever published.
func TestOwnersOfCodesOfPacks(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		cfg := twoApplications(t, o)
		list := filepath.Join(cfg.Dirs[1], "lists", "rightList.json")
		require.NoError(t, os.MkdirAll(filepath.Dir(list), 0o700))
		require.NoError(t, os.WriteFile(list, []byte(`{"schemaCode": "rightThing", "name": "列", "name_i18n": {"en": "List"}, "queryColumns": ["name"]}`), 0o600))
		a, err := app.Open(ctx, cfg)
		require.NoError(t, err)
		defer func() { require.NoError(t, a.Close()) }()
		now, err := a.DocumentText(ctx, rightsOf(a, "administrator"), "right", "lists/rightList.json", 0)
		require.NoError(t, err)
		_, err = a.Publish(ctx, rightsOf(a, "rightKeeper"), app.Changeset{Files: []app.Change{{Pack: "right", Path: "lists/rightList.json", Seen: now.Seen}}}, app.Confirmation{})
		require.NoError(t, err)
		require.Nil(t, a.State().Catalog.List("rightList"))

		own := `{"schemaCode": "leftThing", "name": "列", "name_i18n": {"en": "List"}, "queryColumns": ["name"]}`
		for _, file := range []string{"lists/rightList.json", "lists/RIGHTLIST.json"} {
			_, err = a.Publish(ctx, rightsOf(a, "leftKeeper"), app.Changeset{Files: []app.Change{{Pack: "left", Path: file, Text: &own}}}, app.Confirmation{})
			require.Equal(t, fault.CodeOwned, fault.Of(err), "%s: %v", file, err)
		}

		// Taking away what is not there keeps no code from others.
		_, err = a.Publish(ctx, rightsOf(a, "leftKeeper"), app.Changeset{Files: []app.Change{{Pack: "left", Path: "lists/wanted.json"}}}, app.Confirmation{})
		require.NoError(t, err)
		of := `{"schemaCode": "rightThing", "name": "列", "name_i18n": {"en": "List"}, "queryColumns": ["name"]}`
		_, err = a.Publish(ctx, rightsOf(a, "rightKeeper"), app.Changeset{Files: []app.Change{{Pack: "right", Path: "lists/wanted.json", Text: &of}}}, app.Confirmation{})
		require.NoError(t, err)
	})
}

// A pack's later version takes away what published documents name: the system starts, the pack's own are used where it has them, of a role only the
// entry goes, and it is told.
func TestPublishedThatFitNoMore(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := store.Options{Dir: publishing.SQLite(t)}
	cfg := twoApplications(t, o)
	right := cfg.Dirs[1]
	put := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(right, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(right, name), []byte(text), 0o600))
	}
	admin := func(a *app.App) *authz.View { return rightsOf(a, "administrator") }
	with := strings.Replace(nameOnly, `[{`, `[{"code": "color", "propertyType": "ShortText", "name": "色", "name_i18n": {"en": "Color"}}, {`, 1)
	put("models/rightThing.json", with)
	put("lists/plain.json", `{"schemaCode": "rightThing", "name": "平", "name_i18n": {"en": "Plain"}, "queryColumns": ["name"]}`)
	during(t, cfg, func(a *app.App) {
		for path, text := range map[string]string{
			"lists/plain.json":   `{"schemaCode": "rightThing", "name": "平", "name_i18n": {"en": "Plain"}, "queryColumns": ["name", "color"]}`,
			"lists/own.json":     `{"schemaCode": "rightThing", "name": "自", "name_i18n": {"en": "Own"}, "queryColumns": ["color"]}`,
			"access/looker.json": `{"name": "看", "name_i18n": {"en": "Looker"}, "models": [{"schemaCode": "rightThing", "actions": ["view"], "rows": "color == 'red'"}, {"schemaCode": "leftThing", "actions": ["view"], "rows": "all"}]}`,
		} {
			in := app.Change{Pack: "right", Path: path, Text: &text}
			if now, err := a.DocumentText(ctx, admin(a), "right", path, 0); err == nil {
				in.Seen = now.Seen
			}
			_, err := a.Publish(ctx, admin(a), app.Changeset{Files: []app.Change{in}}, app.Confirmation{})
			require.NoError(t, err, path)
		}
		require.Len(t, a.State().Catalog.List("plain").Columns, 2)
		name, filters := "Mine", []query.Filter{{PropertyCode: "name", PropertyValue: json.RawMessage(`"x"`)}}
		_, err := a.SavedFilters().Add(ctx, admin(a), "rightThing", "own", savedfilter.Change{Name: &name, Filters: &filters})
		require.NoError(t, err)
	})
	put("models/rightThing.json", nameOnly)
	_, err := app.Open(ctx, cfg)
	var blocked *app.Blocked
	require.ErrorAs(t, err, &blocked, "what is left is the column that would be lost: %v", err)
	require.NoError(t, applyTo(t, cfg, nil))
	during(t, cfg, func(a *app.App) {
		c := a.State().Catalog
		require.Len(t, c.List("plain").Columns, 1, "the pack's own")
		require.Nil(t, c.List("own"))
		all, err := a.DocumentList(ctx, admin(a))
		require.NoError(t, err)
		told := map[string]string{}
		for _, d := range all {
			for _, w := range d.Warnings {
				told[d.Path] += w.Code
			}
		}
		require.Equal(t, map[string]string{"lists/plain.json": "PUB008", "lists/own.json": "PUB008", "access/looker.json": "PUB008"}, told)
		require.Len(t, c.Role("looker").Grants, 1, "the entry that cannot be read grants nothing")
		text := `{"schemaCode": "leftThing", "name": "其他", "name_i18n": {"en": "Other"}, "queryColumns": ["name"]}`
		_, err = a.Publish(ctx, admin(a), app.Changeset{Files: []app.Change{{Pack: "left", Path: "lists/other.json", Text: &text}}}, app.Confirmation{})
		require.NoError(t, err, "and others go on publishing")

		// What is set aside has not gone: what people have of it is there when it is mended.
		now, err := a.DocumentText(ctx, admin(a), "right", "lists/own.json", 0)
		require.NoError(t, err)
		text = strings.Replace(*now.Text, "color", "name", 1)
		_, err = a.Publish(ctx, admin(a), app.Changeset{Files: []app.Change{{Pack: "right", Path: "lists/own.json", Text: &text, Seen: now.Seen}}}, app.Confirmation{})
		require.NoError(t, err)
		saved, err := a.SavedFilters().List(ctx, admin(a), "rightThing", "own")
		require.NoError(t, err)
		require.Len(t, saved.Content, 1)
	})
}

// A document of another application is not taken by a rename either, when its pack takes part no more.
func TestOwnersOfFormerCodes(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	cfg := twoApplications(t, store.Options{Dir: publishing.SQLite(t)})
	require.NoError(t, os.MkdirAll(filepath.Join(cfg.Dirs[1], "lists"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(cfg.Dirs[1], "lists/rightList.json"), []byte(`{"name": "列", "name_i18n": {"en": "List"}, "schemaCode": "rightThing", "queryColumns": ["name"]}`), 0o600))
	during(t, cfg, func(*app.App) {})
	cfg.Dirs = cfg.Dirs[:1]
	during(t, cfg, func(a *app.App) {
		publish := func(role, from string) error {
			text := `{"name": "列", "name_i18n": {"en": "List"}, "schemaCode": "leftThing", "queryColumns": ["name"], "renamedFrom": ` + from + `}`
			_, err := a.Publish(ctx, rightsOf(a, role), app.Changeset{Files: []app.Change{{Pack: "left", Path: "lists/grabbed.json", Text: &text}}}, app.Confirmation{})
			return err
		}
		require.Equal(t, fault.CodeOwned, fault.Of(publish("leftKeeper", `["other", "RightList"]`)))
		require.NoError(t, publish("leftKeeper", `"other"`))
	})
}

// What a document left behind that another application has removed is not taken by a rename.
func TestOwnersOfFormerCodesThatAreGone(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	during(t, twoApplications(t, store.Options{Dir: publishing.SQLite(t)}), func(a *app.App) {
		publish := func(role, pack, path string, text *string) error {
			seen := ""
			if now, err := a.DocumentText(ctx, rightsOf(a, "administrator"), pack, path, 0); err == nil {
				seen = now.Seen
			}
			set := app.Changeset{Files: []app.Change{{Pack: pack, Path: path, Text: text, Seen: seen}}}
			p, err := desks{a, t}.Look(ctx, rightsOf(a, role), set)
			if err == nil {
				_, err = a.Publish(ctx, rightsOf(a, role), set, app.Confirmation{Steps: p.Digest})
			}
			return err
		}
		list := func(model, from string) *string {
			text := `{"name": "列", "name_i18n": {"en": "List"}, "schemaCode": "` + model + `", "queryColumns": ["name"]` + from + `}`
			return &text
		}
		require.NoError(t, publish("administrator", "right", "lists/gone.json", list("rightThing", "")))
		require.NoError(t, publish("administrator", "right", "lists/gone.json", nil))
		require.Equal(t, fault.CodeOwned, fault.Of(publish("leftKeeper", "left", "lists/grabbed.json", list("leftThing", `, "renamedFrom": "Gone"`))))
		require.NoError(t, publish("administrator", "right", "lists/again.json", list("rightThing", `, "renamedFrom": "gone"`)))
	})
}

// What only a pack's files had stays nobody else's when a later version has it no more, or under another code: what people have of it, as the
// instances and tasks of a workflow, would be another application's.
func TestOwnersOfCodesOfFormerFiles(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	list := func(model, more string) string {
		return `{"name": "列", "name_i18n": {"en": "List"}, "schemaCode": "` + model + `", "queryColumns": ["name"]` + more + `}`
	}
	cfg := twoApplications(t, store.Options{Dir: publishing.SQLite(t)})
	for i, code := range []string{"left", "right"} {
		lists := filepath.Join(cfg.Dirs[i], "lists")
		require.NoError(t, os.MkdirAll(lists, 0o700))
		for _, name := range []string{"Gone", "Before"} {
			require.NoError(t, os.WriteFile(filepath.Join(lists, code+name+".json"), []byte(list(code+"Thing", "")), 0o600))
		}
	}
	during(t, cfg, func(*app.App) {})
	for i, code := range []string{"left", "right"} {
		lists := filepath.Join(cfg.Dirs[i], "lists")
		for _, name := range []string{"Gone", "Before"} {
			require.NoError(t, os.Remove(filepath.Join(lists, code+name+".json")))
		}
		text := list(code+"Thing", `, "renamedFrom": "`+code+`Before"`)
		require.NoError(t, os.WriteFile(filepath.Join(lists, code+"After.json"), []byte(text), 0o600))
	}
	cfg.Dev = true
	during(t, cfg, func(*app.App) {})
	after := filepath.Join(cfg.Dirs[1], "lists", "rightAfter.json") // which need not say for ever what it was
	require.NoError(t, os.WriteFile(after, []byte(list("rightThing", "")), 0o600))
	during(t, cfg, func(a *app.App) {
		publish := func(role, pack, code, more string) fault.Code {
			text := list(pack+"Thing", more)
			_, err := a.Publish(ctx, rightsOf(a, role), app.Changeset{Files: []app.Change{{Pack: pack, Path: "lists/" + code + ".json", Text: &text}}}, app.Confirmation{})
			if err != nil && fault.Of(err) == 0 {
				require.NoError(t, err)
			}
			return fault.Of(err)
		}
		require.Equal(t, fault.CodeOwned, publish("leftKeeper", "left", "rightGone", ""))
		require.Equal(t, fault.CodeOwned, publish("leftKeeper", "left", "RIGHTBEFORE", ""))
		require.Equal(t, fault.CodeOwned, publish("leftKeeper", "left", "grabbed", `, "renamedFrom": "rightGone"`))
		require.Equal(t, fault.CodeOwned, publish("leftKeeper", "left", "leftGone", ""), "nobody knows whose it was")
		require.Zero(t, publish("leftKeeper", "left", "other", ""))
		require.Zero(t, publish("administrator", "right", "rightGone", ""))
	})
}

// TestOwnersOfApplications: an application whose pack takes part no more is taken by nobody who administers another one. Its former code would be a
// renamedFrom in the app.json or pack.json of that one, and no call of theirs writes such a key.
func TestOwnersOfApplications(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	cfg := twoApplications(t, store.Options{Dir: publishing.SQLite(t)})
	during(t, cfg, func(*app.App) {})
	cfg.Dirs = cfg.Dirs[:1]
	during(t, cfg, func(a *app.App) {
		keeper := rightsOf(a, "leftKeeper")
		file := func(path string) *app.Document {
			out, err := a.DocumentText(ctx, rightsOf(a, "administrator"), "left", path, 0)
			require.NoError(t, err)
			return out
		}
		texts := map[string]string{}
		for _, path := range []string{"app.json", "pack.json"} {
			now := file(path)
			texts[path] = `{"renamedFrom": "right", ` + (*now.Text)[1:]
			set := app.Changeset{Files: []app.Change{{Pack: "left", Path: path, Text: new(texts[path]), Seen: now.Seen}}}
			_, err := a.Look(ctx, keeper, set)
			require.Equal(t, fault.Forbidden, fault.Of(err), path)
			_, err = a.Publish(ctx, keeper, set, app.Confirmation{})
			require.Equal(t, fault.Forbidden, fault.Of(err), path)
			_, err = a.Look(ctx, rightsOf(a, "administrator"), set)
			require.NoError(t, err, "%s: who administers all applications may", path)
		}
		for _, in := range []app.AppImport{{}, {Update: true}, {Intent: app.Intent{Check: true}}} {
			data, err := (&manage.Package{Code: "left", Name: "应用", Version: "1.0.1", Texts: texts}).Write()
			require.NoError(t, err)
			_, err = a.ImportApp(ctx, keeper, data, in)
			require.Equal(t, fault.AppImportForbidden, fault.Of(err))
		}
		_, err := a.AddApp(ctx, keeper, app.NewApp{Code: "right", Names: app.Names{Name: "应用", NameI18n: map[string]string{"en": "App"}}})
		require.Equal(t, fault.Forbidden, fault.Of(err))
		_, err = a.Recode(ctx, keeper, app.NewCode{App: "left", Kind: "app", Name: "left", Code: "right"})
		require.Equal(t, fault.NameOfPack, fault.Of(err))
	})
	during(t, cfg, func(a *app.App) { // what they may write of the document, it holds as it is meant
		keeper := rightsOf(a, "leftKeeper")
		var looks app.AppChange
		require.NoError(t, json.Unmarshal([]byte(`{"code": "left", "color": "#123456", "renamedFrom": "right"}`), &looks))
		_, err := a.UpdateApp(ctx, keeper, looks)
		require.NoError(t, err)
		var item app.NewEntry
		require.NoError(t, json.Unmarshal([]byte(`{"appCode": "left", "code": "renamedFrom", "type": "Folder", "name": "夹", "name_i18n": {"en": "Folder"}, "renamedFrom": "right"}`), &item))
		_, err = a.AddEntry(ctx, keeper, item)
		require.NoError(t, err)
		now, err := a.DocumentText(ctx, rightsOf(a, "administrator"), "left", "app.json", 0)
		require.NoError(t, err)
		require.Contains(t, *now.Text, "#123456")
		require.NotContains(t, *now.Text, `"renamedFrom":`)
	})
}

// What was published in a pack goes along when the pack is renamed.
func TestPublishedOfARenamedPack(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	cfg := twoApplications(t, store.Options{Dir: publishing.SQLite(t)})
	during(t, cfg, func(a *app.App) {
		text := `{"schemaCode": "rightThing", "name": "自", "name_i18n": {"en": "Own"}, "queryColumns": ["name"]}`
		_, err := a.Publish(ctx, rightsOf(a, "administrator"), app.Changeset{Files: []app.Change{{Pack: "right", Path: "lists/own.json", Text: &text}}}, app.Confirmation{})
		require.NoError(t, err)
		name, filters := "Mine", []query.Filter{{PropertyCode: "name", PropertyValue: json.RawMessage(`"x"`)}}
		_, err = a.SavedFilters().Add(ctx, rightsOf(a, "administrator"), "rightThing", "own", savedfilter.Change{Name: &name, Filters: &filters})
		require.NoError(t, err)
	})
	for name, change := range map[string][2]string{"pack.json": {`"code": "right"`, `"code": "rite", "renamedFrom": "right"`}, "access/rightKeeper.json": {`["right"]`, `["rite"]`}} {
		file := filepath.Join(cfg.Dirs[1], name)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), change[0], change[1], 1)), 0o600))
	}
	for range 2 {
		during(t, cfg, func(a *app.App) {
			require.NotNil(t, a.State().Catalog.List("own"))
			saved, err := a.SavedFilters().List(ctx, rightsOf(a, "administrator"), "rightThing", "own")
			require.NoError(t, err)
			require.Len(t, saved.Content, 1)
		})
	}
}
