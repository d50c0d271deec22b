package home_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/home"
	"github.com/sluice-platform/sluice/runtime/store"
)

var embedded = apptest.Of(plugintest.Register)

type world struct {
	a   *app.App
	mu  sync.Mutex
	now time.Time
}

// TestHome runs every test on one world of each kind of database.
func TestHome(t *testing.T) {
	embedded.Each(t, func(t *testing.T, o store.Options) {
		set := &pack.Set{}
		require.NoError(t, plugintest.Register(set))
		set.Freeze()
		w := &world{now: time.Date(2026, 11, 23, 1, 0, 0, 0, time.UTC)}
		clock := func() time.Time {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.now
		}
		a, err := app.Open(t.Context(), app.Config{Documents: app.Documents{Set: set, Dirs: append(smallApps(t), "../../examples/ship-lock"), Zone: time.UTC},
			URL: o.URL, Dir: o.Dir, Version: apptest.Version, Clock: clock, Log: slog.New(slog.DiscardHandler), Idle: true})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()) })
		w.a = a
		for name, test := range map[string]func(*world, *testing.T){"places": (*world).places, "rights": (*world).rights, "limits": (*world).limits, "branding": (*world).branding,
			"projects": (*world).projects, "recent": (*world).recent, "steps": (*world).steps} {
			t.Run(name, func(t *testing.T) { test(w, t) })
		}
	})
}

// smallApps writes five packs a01 to a05, each with an application of one model.
func smallApps(t *testing.T) (dirs []string) {
	t.Helper()
	for i := range 5 {
		code := fmt.Sprintf("a%02d", i+1)
		dir := filepath.Join(t.TempDir(), code)
		for name, text := range map[string]string{
			"pack.json":             `{"code": "CODE", "name": "甲", "version": "1.0.0", "requires": ["organisation"]}`,
			"app.json":              `{"name": "甲", "menu": [{"code": "CODEthing", "type": "BizModel"}]}`,
			"models/CODEthing.json": `{"name": "物", "properties": [{"code": "name", "propertyType": "ShortText", "name": "名称"}]}`,
			"lists/CODEthing.json":  `{"schemaCode": "CODEthing", "name": "物", "queryColumns": ["name"]}`,
		} {
			path := filepath.Join(dir, strings.ReplaceAll(name, "CODE", code))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
			require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "CODE", code)), 0o600))
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// recent: at most four applications, the last opened first.
func (w *world) recent(t *testing.T) {
	boss := w.as("p9", "administrator")
	for i := range 5 {
		code := fmt.Sprintf("a%02d", i+1)
		w.visit(t, boss, home.Page, code, code+"thing")
	}
	require.Equal(t, []string{"a05", "a04", "a03", "a02"}, w.of(t, boss).RecentApps)
}

func (w *world) later() {
	w.mu.Lock()
	w.now = w.now.Add(2 * time.Minute)
	w.mu.Unlock()
}

func (w *world) as(user string, roles ...string) *authz.View {
	return w.a.State().Policy.View(principal.Principal{UserID: user, Name: user, Roles: roles, Locale: "zh"}, w.a.Now(), w.a.Zone())
}

func (w *world) visit(t *testing.T, view *authz.View, kind home.Kind, place, code string) {
	t.Helper()
	require.NoError(t, w.a.Home().Visit(t.Context(), view, home.Place{Kind: kind, Place: place, Code: code}))
	w.later()
}

func (w *world) of(t *testing.T, view *authz.View) *home.Places {
	t.Helper()
	p, err := w.a.Home().Places(t.Context(), view)
	require.NoError(t, err)
	return p
}

func codes(of []home.Entry) []string {
	out := []string{}
	for _, e := range of {
		out = append(out, e.Code)
	}
	return out
}

// record is some record of a model.
func (w *world) records(t *testing.T, model string) (ids []string) {
	t.Helper()
	all, err := w.a.Reader().Forest(t.Context(), w.as("root", "administrator"), model, 100)
	require.NoError(t, err)
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	return ids
}

// places: what a person opened last comes first, once; another person has their own.
func (w *world) places(t *testing.T) {
	anna, boris := w.as("anna", "viewer"), w.as("boris", "viewer")
	contracts := w.records(t, "contract")
	menu, err := w.a.Reader().Menu(anna, "shiplock", false)
	require.NoError(t, err)
	var pages []string
	for _, n := range menu {
		for _, c := range append(n.Children, n) {
			if c.Type == "BizModel" {
				pages = append(pages, c.Code)
			}
		}
	}
	w.visit(t, anna, home.Page, "shiplock", pages[0])
	w.visit(t, anna, home.Page, "shiplock", pages[1])
	w.visit(t, anna, home.Page, "shiplock", pages[0])
	w.visit(t, anna, home.Record, "contract", contracts[0])
	got := w.of(t, anna)
	require.Equal(t, []string{pages[0], pages[1]}, codes(got.Pages))
	require.Equal(t, []string{"shiplock"}, got.RecentApps)
	require.Equal(t, contracts[:1], codes(got.Records))
	require.NotEmpty(t, got.Records[0].Name)
	require.Equal(t, "Contract", got.Records[0].ModelNameI18n["en"])
	require.Empty(t, w.of(t, boris).Pages)

	is, err := w.a.Home().Favor(t.Context(), anna, home.Place{Kind: home.Page, Place: "shiplock", Code: pages[1]}, true)
	require.NoError(t, err)
	require.True(t, is)
	require.Equal(t, []string{pages[1]}, codes(w.of(t, anna).Favorites))
	require.Equal(t, []string{pages[0], pages[1]}, codes(w.of(t, anna).Pages), "a mark is no visit")
	is, err = w.a.Home().Favor(t.Context(), anna, home.Place{Kind: home.Page, Place: "shiplock", Code: pages[1]}, false)
	require.NoError(t, err)
	require.False(t, is)
	require.Empty(t, w.of(t, anna).Favorites)
}

// rights: a place that the person may not see is refused, and one that they may see no more disappears with its name.
func (w *world) rights(t *testing.T) {
	boss, clerk := w.as("p1", "administrator"), w.as("p1", "viewer")
	site := w.records(t, "site")[0]
	w.visit(t, boss, home.Record, "site", site)
	w.visit(t, boss, home.Page, "organisation", "user")
	_, err := w.a.Home().Favor(t.Context(), boss, home.Place{Kind: home.Record, Place: "site", Code: site}, true)
	require.NoError(t, err)
	require.Equal(t, []string{site}, codes(w.of(t, boss).Favorites))
	lost := w.of(t, clerk)
	require.Empty(t, lost.Records)
	require.Empty(t, lost.Pages)
	require.Empty(t, lost.Favorites)
	require.Empty(t, lost.RecentApps)
	for place, want := range map[home.Place]fault.Code{
		{Kind: home.Record, Place: "site", Code: site}:         fault.ModelNotFound,
		{Kind: home.Record, Place: "contract", Code: "none"}:   fault.RecordNotFound,
		{Kind: home.Page, Place: "organisation", Code: "user"}: fault.AppNotFound,
		{Kind: home.Page, Place: "shiplock", Code: "none"}:     fault.BadParameter,
		{Kind: "else", Place: "shiplock", Code: "none"}:        fault.BadParameter,
	} {
		require.Equal(t, want, fault.Of(w.a.Home().Visit(t.Context(), clerk, place)), "%v", place)
		_, err := w.a.Home().Favor(t.Context(), clerk, place, true)
		require.Equal(t, want, fault.Of(err), "%v", place)
	}
}

// limits: old visits are forgotten, favorites stay, and no more than fifty of them, also when they come at once.
func (w *world) limits(t *testing.T) {
	me := w.as("limits", "administrator")
	ids := w.records(t, "inspection")
	require.Greater(t, len(ids), 60)
	first := home.Place{Kind: home.Record, Place: "inspection", Code: ids[0]}
	is, err := w.a.Home().Favor(t.Context(), me, first, true)
	require.NoError(t, err)
	require.True(t, is)
	for _, id := range ids[1:40] {
		w.visit(t, me, home.Record, "inspection", id)
	}
	got := w.of(t, me)
	require.Len(t, got.Records, 6)
	require.Equal(t, ids[39], got.Records[0].Code)
	require.Equal(t, ids[:1], codes(got.Favorites))
	var many sync.WaitGroup
	for _, id := range ids[1:60] {
		many.Go(func() {
			_, err := w.a.Home().Favor(t.Context(), me, home.Place{Kind: home.Record, Place: "inspection", Code: id}, true)
			if err != nil {
				t.Error(err)
			}
		})
	}
	many.Wait()
	require.Len(t, w.of(t, me).Favorites, home.MaxFavorites)
	is, err = w.a.Home().Favor(t.Context(), me, first, true)
	require.NoError(t, err)
	require.True(t, is, "one that is a favorite already")
}

const picture = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// branding: those who look after the installation set its look, which holds for everybody and is in the log.
func (w *world) branding(t *testing.T) {
	ctx, root := t.Context(), w.as("root", "administrator")
	good := app.BrandingChange{Theme: "green", Outward: "dark", Name: " 船闸平台 ", NameI18n: map[string]string{"en": "Locks"}}
	require.Equal(t, fault.Forbidden, fault.Of(w.a.SetBranding(ctx, w.as("x", "viewer"), good)))
	require.NoError(t, w.a.SetBranding(ctx, root, good))
	b := w.a.Branding()
	require.Equal(t, "船闸平台", b.Name)
	require.Equal(t, "dark", b.Chosen().Outward)
	config := w.a.SystemConfig(false, nil)
	require.Equal(t, "船闸平台", config["name"])
	logo := picture
	with := good
	with.Theme, with.Logo = app.DefaultTheme, &logo
	require.NoError(t, w.a.SetBranding(ctx, root, with))
	require.True(t, w.a.Branding().HasLogo())
	require.Equal(t, "light", w.a.Branding().Chosen().Outward, "the default color is always light")
	require.NoError(t, w.a.SetBranding(ctx, root, good))
	require.True(t, w.a.Branding().HasLogo(), "what is missing stays")
	text := func(s string) *string { return &s }
	for name, change := range map[string]func(*app.BrandingChange){
		"theme": func(c *app.BrandingChange) { c.Theme = "pink" }, "outward": func(c *app.BrandingChange) { c.Outward = "grey" },
		"long": func(c *app.BrandingChange) { c.Name = fmt.Sprintf("%041d", 1) }, "lines": func(c *app.BrandingChange) { c.Name = "a\nb" },
		"locale": func(c *app.BrandingChange) { c.NameI18n = map[string]string{"fr": "x"} },
		"svg":    func(c *app.BrandingChange) { c.Logo = text("data:image/svg+xml;base64,PHN2Zy8+") },
		"other":  func(c *app.BrandingChange) { c.Logo = text("data:image/jpeg;base64," + picture[22:]) },
		"cut":    func(c *app.BrandingChange) { c.Logo = text(picture[:60]) },
		"link":   func(c *app.BrandingChange) { c.Logo = text("https://example.com/x.png") },
		"big":    func(c *app.BrandingChange) { c.Logo = text("data:image/png;base64," + fmt.Sprintf("%0100000d", 0)) },
	} {
		bad := good
		change(&bad)
		require.Error(t, w.a.SetBranding(ctx, root, bad), name)
	}
	none := good
	none.Name, none.NameI18n, none.Logo = "", nil, text("")
	require.NoError(t, w.a.SetBranding(ctx, root, none))
	require.Equal(t, "Sluice", w.a.SystemConfig(false, nil)["name"])
	require.Nil(t, w.a.SystemConfig(false, nil)["logoUrl"])
}

// projects: the selector has what its reader may see, as a tree.
func (w *world) projects(t *testing.T) {
	ctx, root := t.Context(), w.as("root", "administrator")
	single, err := w.a.ProjectConfig(ctx, "default")
	require.NoError(t, err)
	require.False(t, single.Multi)
	require.True(t, single.Single)
	require.NoError(t, w.a.SetProjectConfig(ctx, root, "locks", app.ProjectConfig{Title: "工程", Multi: true, TreeModel: "qbs"}))
	tree, err := w.a.ProjectTree(ctx, root, "locks")
	require.NoError(t, err)
	require.NotEmpty(t, tree)
	require.NotEmpty(t, tree[0].Title)
	require.NotEmpty(t, tree[0].Children)
	require.NoError(t, w.a.SetProjectConfig(ctx, root, "sites", app.ProjectConfig{Multi: true, TreeModel: "site"}))
	hidden, err := w.a.ProjectTree(ctx, w.as("x", "viewer"), "sites")
	require.NoError(t, err)
	require.Empty(t, hidden)
	require.Equal(t, fault.Forbidden, fault.Of(w.a.SetProjectConfig(ctx, w.as("x", "viewer"), "sites", app.ProjectConfig{})))
	require.Equal(t, fault.ModelNotFound, fault.Of(w.a.SetProjectConfig(ctx, root, "sites", app.ProjectConfig{TreeModel: "none"})))
	require.Equal(t, fault.EmptyParameter, fault.Of(w.a.SetProjectConfig(ctx, root, "sites", app.ProjectConfig{Multi: true})))
}

// steps: they are those that a person has the rights for, until they are dismissed.
func (w *world) steps(t *testing.T) {
	at := func(view *authz.View) []app.Step {
		start, err := w.a.StartOf(t.Context(), view)
		require.NoError(t, err)
		return start.Steps
	}
	root := w.as("stepper", "administrator")
	require.Len(t, at(root), 4)
	require.Empty(t, at(w.as("x", "viewer")))
	w.visit(t, root, home.Steps, "", "")
	require.Empty(t, at(root))
}
