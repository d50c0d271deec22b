package portal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

const workbench = "defaultPortalDashboard"

// lot is a record as the test knows it.
type lot struct{ id, owner, day, until, result, place string }

type world struct {
	testing.TB
	app  *app.App
	ids  map[string]string
	lots []lot
	now  time.Time
}

var demo = apptest.Installation{Register: plugintest.Register, Dirs: []string{"testdata/demo"}, Zone: time.UTC,
	People: map[string]string{"all": "all", "own": "own", "none": "none", "outsider": "outsider", "root": "administrator"}}.Template()

func each(t *testing.T, f func(w *world)) {
	t.Parallel()
	demo.Each(t, func(t *testing.T, o store.Options) {
		w := &world{TB: t, ids: map[string]string{}, now: time.Date(2026, 11, 26, 2, 0, 0, 0, time.UTC)}
		set := &pack.Set{}
		require.NoError(t, plugintest.Register(set))
		set.Freeze()
		a, err := app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"testdata/demo"}, Zone: time.UTC}, Dir: o.Dir, URL: o.URL, Version: apptest.Version,
			Clock: func() time.Time { return w.now }, Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()) })
		w.app = a
		for _, name := range []string{"all", "own", "none", "outsider", "root"} {
			w.ids[name] = apptest.Person(t.Context(), a, name)
		}
		f(w)
	})
}

func (w *world) as(name string) *authz.View {
	person, ok := w.app.People().Person(w.Context(), w.ids[name])
	require.True(w, ok)
	p := authn.Principal(w.Context(), w.app.People(), person, "")
	p.Locale = "zh"
	return w.app.State().Policy.View(p, w.now, time.UTC)
}

func (w *world) save(name, model string, data map[string]any) string {
	set := map[string]json.RawMessage{}
	for k, v := range data {
		text, err := json.Marshal(v)
		require.NoError(w, err)
		set[k] = text
	}
	saved, err := w.app.Writer().Save(w.Context(), w.as(name), record.Change{Model: model, Set: set})
	require.NoError(w, err)
	return saved.ID
}

// fill makes records, some of them without days.
func (w *world) fill(n int) {
	r := rand.New(rand.NewPCG(7, 8))
	day := func() string {
		return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, r.IntN(40)).Format(time.DateOnly)
	}
	for i := range n {
		l := lot{owner: []string{"all", "own"}[r.IntN(2)], result: []string{"OK", "BAD"}[r.IntN(2)], place: fmt.Sprint("p", i)}
		data := map[string]any{"result": l.result, "place": l.place}
		if r.IntN(5) > 0 {
			l.day = day()
			data["day"] = l.day
			if r.IntN(2) > 0 {
				l.until = max(l.day, day())
				data["until"] = l.until
			}
		}
		if l.owner == "all" {
			data["amount"] = "12.5"
		}
		l.id = w.save(l.owner, "lot", data)
		w.lots = append(w.lots, l)
	}
}

func (w *world) get(name, code string) *portal.Page {
	p, err := w.app.Portals().Get(w.Context(), w.as(name), code)
	require.NoError(w, err)
	return p
}

func ids(in []portal.Widget) (out []string) {
	for _, one := range in {
		out = append(out, one.ID)
		out = append(out, ids(one.Widgets)...)
	}
	return out
}

func titles(entries any, key string) (out []string) {
	for _, one := range entries.([]any) {
		out = append(out, fmt.Sprint(one.(map[string]any)[key]))
	}
	return out
}

// What a page shows is what its reader may open: widgets, entries and tabs of all else are not in the answer, and no condition is.
func TestPageIsForItsReader(t *testing.T) {
	each(t, func(w *world) {
		all := w.get("all", workbench)
		require.Equal(w, []string{"menu", "bad", "tabs", "sites", "days", "secret", "siteChart", "lots", "forAll", "when", "10", "layout", "11.0", "text", "11.1", "inner", "good"}, ids(all.Widgets))
		require.Equal(w, []string{"检验", "工点", "天气", "领导", "演示"}, titles(all.Widgets[0].Options["navigator"], "title"))
		entry := all.Widgets[0].Options["navigator"].([]any)[0].(map[string]any)
		require.Equal(w, "/application/demo/application-list/lot?code=lots&queryCode=lot", *entry["to"].(*string))
		require.Contains(w, entry, "targetIcon", "that of its menu")
		app := all.Widgets[0].Options["navigator"].([]any)[4].(map[string]any)
		require.Equal(w, "/application/demo", app["to"])
		require.Contains(w, app, "logoSrc")
		require.Equal(w, "https://weather.example.com", all.Widgets[0].Options["navigator"].([]any)[2].(map[string]any)["to"])
		require.Equal(w, true, all.Widgets[0].Options["navigator"].([]any)[2].(map[string]any)["external"])
		require.Equal(w, "unknown", *all.Widgets[10].Problem)
		require.Empty(w, all.Widgets[10].Options)

		own := w.get("own", workbench)
		require.Equal(w, []string{"menu", "bad", "tabs", "days", "lots", "10", "layout", "11.0", "text"}, ids(own.Widgets), "no sites, no secret, no figures of sites")
		require.Equal(w, []string{"检验", "天气", "演示"}, titles(own.Widgets[0].Options["navigator"], "title"))
		require.Equal(w, []string{"合格", "待办"}, titles(own.Widgets[2].Options["tabs"], "title"))
		require.Equal(w, 1, own.Widgets[2].Options["tabs"].([]any)[0].(map[string]any)["tab"], "as its rows are asked for")

		none := w.get("none", workbench)
		require.Equal(w, []string{"menu", "tabs", "10", "layout", "11.0", "text"}, ids(none.Widgets))
		require.Equal(w, []string{"待办"}, titles(none.Widgets[1].Options["tabs"], "title"))
		for _, name := range []string{"all", "own", "none"} {
			text, err := json.Marshal(w.get(name, workbench))
			require.NoError(w, err)
			require.NotContains(w, string(text), "condition")
			require.NotContains(w, string(text), "user.roles")
		}

		listed := func(name string) (out []string) {
			for _, one := range w.app.Portals().List(w.as(name), "") {
				out = append(out, fmt.Sprint(one.Code, one.Published))
			}
			slices.Sort(out)
			return out
		}
		require.Equal(w, []string{"first1", "leaders1", "news1", "styled1", "welcome1"}, slices.DeleteFunc(listed("all"), func(code string) bool { return code == workbench+"1" }))
		require.Equal(w, []string{"first1", "news1", "styled1", "welcome1"}, slices.DeleteFunc(listed("none"), func(code string) bool { return code == workbench+"1" }))
		require.Contains(w, listed("root"), "draft0", "who may edit a page knows of its draft")
		require.Equal(w, "text", w.get("all", "leaders").Widgets[0].ID)
		for _, name := range []string{"own", "none"} {
			_, err := w.app.Portals().Get(w.Context(), w.as(name), "leaders")
			require.Equal(w, fault.PortalNotFound, fault.Of(err))
		}
		draft := w.get("none", "draft")
		require.True(w, draft.Fallback)
		require.NotContains(w, fmt.Sprint(draft.Widgets), "secret draft")
		// The built-in page, and what pages and widgets have where their documents say nothing.
		require.Equal(w, []string{"navigation", "pictures", "applications", "tasks", "recent"}, ids(draft.Widgets))
		var types, places []string
		for _, one := range draft.Widgets {
			types, places = append(types, one.Type), append(places, fmt.Sprint(one.X, one.Y, one.Width, one.Height))
		}
		require.Equal(w, []string{"RowMenu", "Carousel", "MyApplication", "MyUnfinished", "ShortcutList"}, types)
		require.Equal(w, []string{"0 0 12 9", "0 9 6 27", "6 9 6 27", "0 36 6 30", "6 36 6 30"}, places)
		require.Equal(w, []string{"/portal-page/defaultPortalDashboard", "/workflow-center", "/app-list/applications"}, titles(draft.Widgets[0].Options["navigator"], "to"))
		require.Equal(w, map[string]any{"backgroundColor": nil, "backgroundImg": nil, "backgroundImgSrc": nil, "borderRadius": "medium", "borderStyle": "none", "borderThickness": 1, "borderColor": nil,
			"textColor": nil, "textThickness": "normal"}, draft.Widgets[0].Style)
		require.Equal(w, map[string]any{"size": "fluid", "width": 1200, "padding": 16, "fill": false, "backgroundColor": nil, "backgroundImg": nil, "backgroundImgSrc": nil, "overflow": "auto", "onEnter": nil, "onLeave": nil}, draft.Page)
	})
}

// TestReaders: a page is for the roles that its document names; where it names none, for who may open its application, and a page of no
// application or a public one for everybody. Its designers open it whatever it says, and nobody else a draft.
func TestReaders(t *testing.T) {
	each(t, func(w *world) {
		s := w.app.Portals()
		readers := func(code string) (out []string) {
			for _, name := range []string{"all", "own", "none", "outsider", "root"} {
				reads := s.Reads(w.as(name), code)
				if _, err := s.Get(w.Context(), w.as(name), code); (err == nil) != reads {
					w.Errorf("%s of %s: reads %v, and is answered %v", code, name, reads, err)
				}
				if reads {
					out = append(out, name)
				}
			}
			return out
		}
		require.Equal(w, []string{"all", "own", "none", "root"}, readers("first"), "of an application")
		require.Equal(w, []string{"outsider", "root"}, readers("forOutsiders"), "for a role that may not open the application")
		require.Equal(w, []string{"all", "root"}, readers("leaders"), "for a role, of no application")
		require.Equal(w, []string{"all", "own", "none", "outsider", "root"}, readers("news"), "public, of no application")
		require.Equal(w, []string{"all", "own", "none", "outsider", "root"}, readers("welcome"), "public, of an application")
		for _, code := range []string{"draft", "nothing"} {
			for _, name := range []string{"all", "outsider"} {
				require.False(w, s.Reads(w.as(name), code), code)
			}
		}
	})
}

// TestStyledPage: what its author sets is in the answer, beside what holds otherwise. A page whose condition does not hold for its reader shows them
// nothing, and lists nothing for them either.
func TestStyledPage(t *testing.T) {
	each(t, func(w *world) {
		w.save("all", "news", map[string]any{"title": "开工", "shown": true})
		page := w.get("all", "styled")
		require.Equal(w, []string{"news"}, ids(page.Widgets))
		require.Equal(w, map[string]any{"backgroundColor": nil, "backgroundImg": nil, "backgroundImgSrc": nil, "borderRadius": "medium", "borderStyle": "solid", "borderThickness": json.Number("2"), "borderColor": "#E4E7EE",
			"textColor": nil, "textThickness": "bold"}, page.Widgets[0].Style)
		require.Equal(w, []any{"#FFFFFF", "fixed"}, []any{page.Page["backgroundColor"], page.Page["size"]})
		require.Equal(w, "/application/demo/application-list/news?code=news&queryCode=news", *page.Widgets[0].Options["moreTo"].(*string), "a model without a list has one that is made")
		rows := func(name string) (*portal.Rows, error) {
			return w.app.Portals().Rows(w.Context(), w.as(name), portal.RowsRequest{Portal: "styled", Widget: "news", Size: 5})
		}
		listed, err := rows("all")
		require.NoError(w, err)
		require.Equal(w, 1, listed.Len())
		require.Empty(w, w.get("root", "styled").Widgets)
		_, err = rows("root")
		require.Equal(w, fault.WidgetNotFound, fault.Of(err))
		require.Empty(w, w.get("none", "styled").Widgets)
		_, err = rows("none")
		require.Equal(w, fault.WidgetNotFound, fault.Of(err))
		_, err = w.app.Portals().Get(w.Context(), w.as("own"), "styled")
		require.Equal(w, fault.PortalNotFound, fault.Of(err))
	})
}

// Records of widgets are those that the list shows to the reader, with the widget's condition, in its order.
func TestRowsOfWidgets(t *testing.T) {
	each(t, func(w *world) {
		w.fill(120)
		read := func(name string, req portal.RowsRequest) (out []string, columns []string) {
			req.Portal, req.Size = workbench, 25
			for {
				rows, err := w.app.Portals().Rows(w.Context(), w.as(name), req)
				require.NoError(w, err)
				columns = nil
				for _, c := range rows.Columns() {
					columns = append(columns, c.Code)
				}
				for i := range rows.Len() {
					out = append(out, rows.ID(i))
				}
				if !rows.More {
					return out, columns
				}
				req.Page++
			}
		}
		want := func(name string, keep func(lot) bool) (out []string) {
			for _, l := range w.lots {
				if (name == "all" || l.owner == name) && keep(l) {
					out = append(out, l.id)
				}
			}
			return out
		}
		day := map[string]string{}
		for _, l := range w.lots {
			day[l.id] = l.day
		}
		for _, name := range []string{"all", "own"} {
			got, columns := read(name, portal.RowsRequest{Widget: "bad"})
			require.ElementsMatch(w, want(name, func(l lot) bool { return l.result == "BAD" }), got)
			require.Equal(w, name == "all", slices.Contains(columns, "amount"), "a property that the reader may not see is no column")
			require.True(w, slices.IsSortedFunc(got, func(a, b string) int { return strings.Compare(day[b], day[a]) }), "the latest first")
			got, _ = read("all", portal.RowsRequest{Widget: "good"})
			require.ElementsMatch(w, want("all", func(l lot) bool { return l.result == "OK" }), got, "alike but for its condition")
			got, _ = read(name, portal.RowsRequest{Widget: "tabs", Tab: 1})
			require.ElementsMatch(w, want(name, func(l lot) bool { return l.result == "OK" }), got)
			for _, span := range [][2]string{{"2026-11-01", "2026-12-01"}, {"2026-11-10", "2026-11-11"}, {"2026-12-05", "2027-01-01"}} {
				got, _ = read(name, portal.RowsRequest{Widget: "days", From: span[0], To: span[1]})
				require.ElementsMatch(w, want(name, func(l lot) bool { return l.day != "" && l.day < span[1] && max(l.day, l.until) >= span[0] }), got, span)
			}
		}
		got, _ := read("all", portal.RowsRequest{Widget: "bad", Keyword: "p7"})
		require.ElementsMatch(w, want("all", func(l lot) bool { return l.result == "BAD" && strings.Contains(l.place, "p7") }), got)

		for _, c := range []struct {
			who, widget string
			tab         int
		}{{"own", "sites", 0}, {"none", "bad", 0}, {"none", "days", 0}, {"own", "tabs", 0}, {"all", "menu", 0}, {"all", "none", 0}, {"own", "inner", 0}, {"own", "good", 0}, {"all", "tabs", 2}, {"all", "tabs", -1}} {
			_, err := w.app.Portals().Rows(w.Context(), w.as(c.who), portal.RowsRequest{Portal: workbench, Widget: c.widget, Tab: c.tab, Size: 5})
			require.Equal(w, fault.WidgetNotFound, fault.Of(err), "%+v", c)
		}
		_, err := w.app.Portals().Rows(w.Context(), w.as("all"), portal.RowsRequest{Portal: workbench, Widget: "days", Size: 5, From: "2026-11-31", To: "2026-12-01"})
		require.Equal(w, fault.BadParameter, fault.Of(err))
	})
}

// A person's arrangement is theirs alone, survives what the author adds, and goes when it is taken back.
func TestArrangement(t *testing.T) {
	each(t, func(w *world) {
		s := w.app.Portals()
		before := w.get("all", workbench).Widgets
		require.NoError(w, s.Arrange(w.Context(), w.as("all"), workbench, []portal.Place{{ID: "bad", X: 6, Y: 90, Width: 6, Height: 12, Hidden: true}, {ID: "gone", Width: 1, Height: 1}}, w.now))
		page := w.get("all", workbench)
		require.True(w, page.Arranged)
		require.Equal(w, [5]any{6, 90, 6, 12, true}, [5]any{page.Widgets[1].X, page.Widgets[1].Y, page.Widgets[1].Width, page.Widgets[1].Height, page.Widgets[1].Hidden})
		require.Equal(w, before[0], page.Widgets[0])
		require.False(w, w.get("own", workbench).Arranged)
		require.NoError(w, s.Arrange(w.Context(), w.as("all"), workbench, nil, w.now))
		require.False(w, w.get("all", workbench).Arranged)
		require.Equal(w, before, w.get("all", workbench).Widgets)
		require.Equal(w, fault.Forbidden, fault.Of(s.Arrange(w.Context(), w.as("all"), "leaders", nil, w.now)), "its author does not allow it")
		arrange := func(places ...portal.Place) error {
			return s.Arrange(w.Context(), w.as("all"), workbench, places, w.now)
		}
		for _, fits := range []portal.Place{{X: 0, Y: 0, Width: 1, Height: 1}, {X: 11, Y: 10_000, Width: 1, Height: 1000}, {X: 0, Y: 10_000, Width: 12, Height: 1}, {X: 6, Width: 6, Height: 1}} {
			fits.ID = "bad"
			require.NoError(w, arrange(fits))
			at := w.get("all", workbench).Widgets[1]
			require.Equal(w, fits, portal.Place{ID: at.ID, X: at.X, Y: at.Y, Width: at.Width, Height: at.Height})
		}
		kept := w.get("all", workbench).Widgets
		for _, beyond := range []portal.Place{{X: 7, Width: 6, Height: 1}, {X: -1, Width: 2, Height: 1}, {Y: -1, Width: 1, Height: 1}, {Width: 0, Height: 1}, {Width: 1, Height: 0}, {X: 12, Width: 1, Height: 1},
			{Width: 13, Height: 1}, {Y: 10_001, Width: 1, Height: 1}, {Width: 1, Height: 1001}} {
			beyond.ID = "bad"
			require.Equal(w, fault.BadParameter, fault.Of(arrange(portal.Place{ID: "menu", Width: 1, Height: 1}, beyond)), "%+v", beyond)
		}
		many := make([]portal.Place, 201)
		for i := range many {
			many[i] = portal.Place{ID: fmt.Sprint("gone", i), Width: 1, Height: 1}
		}
		require.Equal(w, fault.BadParameter, fault.Of(arrange(many...)))
		require.Equal(w, kept, w.get("all", workbench).Widgets, "what is refused changes nothing")
		require.NoError(w, arrange(many[:200]...))
		require.Equal(w, before, w.get("all", workbench).Widgets, "of widgets that are gone nothing is kept")
		require.True(w, w.get("all", workbench).Arranged)
		require.Equal(w, fault.PortalNotFound, fault.Of(s.Arrange(w.Context(), w.as("none"), "leaders", nil, w.now)), "a page that they may not open")
	})
}

// A visitor without an account gets a page that its author made public, and of its records what the role that it names may see. Texts come escaped.
func TestPublicPages(t *testing.T) {
	each(t, func(w *world) {
		s := w.app.Portals()
		news := func(title, kind string, shown bool) string {
			return w.save("all", "news", map[string]any{"title": title, "kind": kind, "shown": shown, "body": "<script>alert(1)</script>\n\n" + title + "\nb & c", "internal": "not for visitors"})
		}
		open, hidden, other := news("开工", "news", true), news("秘密", "news", false), news("别的", "other", true)
		w.fill(5)

		page, err := portal.PublicPage(w.app.State().Catalog, "")
		require.NoError(w, err)
		require.Equal(w, "news", page.Code)
		for _, code := range []string{workbench, "leaders", "draft", "none"} {
			_, err := portal.PublicPage(w.app.State().Catalog, code)
			require.Equal(w, fault.PortalNotFound, fault.Of(err), code)
		}
		view := w.app.State().Policy.View(portal.Visitor(page, "zh"), w.now, time.UTC)
		drawn := s.Public(view, page)
		require.Equal(w, []string{"menu", "tabs", "photos"}, ids(drawn.Widgets))
		require.Len(w, portal.Menus(drawn), 1)
		require.Equal(w, []string{"新闻"}, titles(drawn.Widgets[1].Options["tabs"], "title"))
		require.Equal(w, "/open/picture?portalCode=news&refId=6f1f5c1e-1d1b-4c3a-9a52-000000000001", portal.Photos(drawn)[0].ImageURL)

		rows, err := s.PublicRows(w.Context(), view, page, "tabs/1", 0, 10)
		require.NoError(w, err)
		require.Equal(w, 1, rows.Len())
		require.Equal(w, open, rows.ID(0))
		for _, code := range []string{"tabs/0", "lots", "menu", "x", "tabs/x"} {
			_, err := s.PublicRows(w.Context(), view, page, code, 0, 10)
			require.Equal(w, fault.WidgetNotFound, fault.Of(err), code)
		}

		document, err := s.PublicDocument(w.Context(), view, page, "tabs/1/"+open)
		require.NoError(w, err)
		require.Equal(w, "开工", document.Title)
		require.Equal(w, "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p><p>开工<br>b &amp; c</p>", document.HTML)
		for _, id := range []string{hidden, other, w.lots[0].id, "x"} {
			_, err := s.PublicDocument(w.Context(), view, page, "tabs/1/"+id)
			require.Contains(w, []fault.Code{fault.RecordNotFound, fault.BadParameter}, fault.Of(err), id)
		}
		_, err = s.PublicDocument(w.Context(), view, page, "lots/"+w.lots[0].id)
		require.Equal(w, fault.WidgetNotFound, fault.Of(err))
		_, err = s.PublicDocument(w.Context(), view, page, "tabs/x/"+open)
		require.Equal(w, fault.WidgetNotFound, fault.Of(err))
		require.Empty(w, document.Files)

		// Its files, in their order, and a text of several lines.
		file := func(name string) string {
			f, err := w.app.Files().Put(w.Context(), blob.Upload{Name: name, By: w.ids["all"], Most: 1 << 20, Bytes: strings.NewReader("words")})
			require.NoError(w, err)
			return f.ID
		}
		filed := w.save("all", "news", map[string]any{"title": "附件", "kind": "news", "shown": true, "body": " one\r\ntwo\n\n\n\nthree \n", "files": []string{file("a.txt"), file("b.txt")}})
		document, err = s.PublicDocument(w.Context(), view, page, "tabs/1/"+filed)
		require.NoError(w, err)
		require.Equal(w, "tabs/1/"+filed, document.ID)
		require.Equal(w, "<p>one<br>two</p><p>three</p>", document.HTML)
		require.Len(w, document.Files, 2)
		require.Contains(w, string(document.Files[0]), "a.txt")
		require.Contains(w, string(document.Files[1]), "b.txt")
	})
}
