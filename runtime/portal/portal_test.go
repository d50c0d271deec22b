package portal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
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
	"github.com/sluice-platform/sluice/runtime/httpapi"
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
	People: map[string]string{"all": "all", "own": "own", "none": "none", "root": "administrator"}}.Template()

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
		for _, name := range []string{"all", "own", "none", "root"} {
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
		require.Equal(w, map[string]any{"size": "fluid", "width": 1200, "padding": 16, "backgroundColor": nil, "backgroundImg": nil, "backgroundImgSrc": nil, "overflow": "auto", "onEnter": nil, "onLeave": nil}, draft.Page)
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
		require.Equal(w, before, w.get("all", workbench).Widgets)
		require.Equal(w, fault.Forbidden, fault.Of(s.Arrange(w.Context(), w.as("all"), "leaders", nil, w.now)), "its author does not allow it")
		require.Equal(w, fault.BadParameter, fault.Of(s.Arrange(w.Context(), w.as("all"), workbench, []portal.Place{{ID: "bad", X: 7, Width: 6, Height: 1}}, w.now)))
	})
}

// One person at a time has the edit lock; without it nothing is saved, and what was saved stays.
func TestEditLock(t *testing.T) {
	each(t, func(w *world) {
		const root = "root"
		lock := func(name string, over bool) app.PortalLock {
			l, err := w.app.LockPortal(w.Context(), w.as(name), "", workbench, over)
			require.NoError(w, err)
			return l
		}
		draft := func(text string) app.PortalDraft { return app.PortalDraft{Code: workbench, Text: text} }
		const page = `{"name": "新", "name_i18n": {"en": "New"}, "write": ["own"], "widgets": [{"type": "TextList", "code": "all", "dataSource": "bizModel", "schemaCode": "lot"}]}`

		for _, name := range []string{"all", "none"} {
			_, err := w.app.LockPortal(w.Context(), w.as(name), "", workbench, false)
			require.Equal(w, fault.Forbidden, fault.Of(err), "only the roles that it names and its administrators edit a page")
		}
		_, err := w.app.KeepPortal(w.Context(), w.as("own"), draft(page))
		require.Equal(w, fault.PortalLockLost, fault.Of(err))

		var both sync.WaitGroup
		mine := make([]bool, 2)
		for i, name := range []string{"own", root} {
			both.Go(func() { mine[i] = lock(name, false).Mine })
		}
		both.Wait()
		require.NotEqual(w, mine[0], mine[1], "one of two has it")
		lock("own", true)
		require.Equal(w, "own", *lock(root, false).OwnerName)
		require.Equal(w, 600, lock("own", false).ExpireIn)
		_, err = w.app.KeepPortal(w.Context(), w.as("own"), draft(page))
		require.NoError(w, err)

		require.True(w, lock(root, true).Mine)
		_, err = w.app.KeepPortal(w.Context(), w.as("own"), draft("{}"))
		require.Equal(w, fault.PortalLockLost, fault.Of(err))
		design, err := w.app.PortalDesign(w.Context(), w.as(root), "", workbench)
		require.NoError(w, err)
		require.Equal(w, page, design.Draft.Text, "the draft of the one before is there")
		require.Equal(w, "own", design.Draft.ByName)

		// A page that is begun and was never published is in the list of those who may edit it.
		listed := func(name, application string) (out []string) {
			all, err := w.app.DesignedPortals(w.Context(), w.as(name), application)
			require.NoError(w, err)
			for _, one := range all {
				if one.Code == "begun" {
					out = append(out, one.Label.In("en"), *one.DraftBy, fmt.Sprint(one.Published))
				}
			}
			return out
		}
		require.Empty(w, listed(root, ""))
		_, err = w.app.LockPortal(w.Context(), w.as(root), "demo", "begun", false)
		require.NoError(w, err)
		_, err = w.app.KeepPortal(w.Context(), w.as(root), app.PortalDraft{App: "demo", Code: "begun", New: true, Text: `{"name": "开始", "name_i18n": {"en": "Begun"}, "widgets": []}`})
		require.NoError(w, err)
		require.Equal(w, []string{"Begun", "root", "0"}, listed(root, "demo"))
		require.Equal(w, []string{"Begun", "root", "0"}, listed(root, ""))
		require.Empty(w, listed(root, "other"))
		begun, err := w.app.PortalPreview(w.Context(), w.as(root), "begun")
		require.NoError(w, err, "a page of an application that was never published has a preview")
		require.Equal(w, "开始", begun.Name)
		_, err = w.app.PortalPreview(w.Context(), w.as("own"), "begun")
		require.Equal(w, fault.Forbidden, fault.Of(err))
		require.Empty(w, listed("all", ""))

		w.now = w.now.Add(portal.LockKept + time.Second)
		require.True(w, lock("own", false).Mine, "a lock that is not renewed ends")

		check, err := w.app.CheckPortal(w.Context(), w.as("own"), draft(page))
		require.NoError(w, err)
		require.Equal(w, []string{"all"}, ids(check.Page.Widgets))
		w.fill(3)
		rows, err := w.app.DraftRows(w.Context(), w.as("own"), draft(page), portal.RowsRequest{Portal: workbench, Widget: "all", Size: 10})
		require.NoError(w, err)
		mineOnly := 0
		for _, l := range w.lots {
			if l.owner == "own" {
				mineOnly++
			}
		}
		require.Equal(w, mineOnly, rows.Len(), "a draft shows what its author may see")

		in := draft(page)
		in.Seen = design.Seen
		_, err = w.app.PublishPortal(w.Context(), w.as(root), in)
		require.Equal(w, fault.PortalLockLost, fault.Of(err))
		public := in
		public.Text = strings.Replace(page, `"write"`, `"public": true, "publicRole": "all", "write"`, 1)
		_, err = w.app.PublishPortal(w.Context(), w.as("own"), public)
		require.Equal(w, fault.Forbidden, fault.Of(err), "whose rights a public page has is decided by administrators")
		// A script that the page holds: that of a draft is for those who edit it, and only those who administer the platform publish one.
		scripted := in
		scripted.Text = strings.Replace(page, `"write"`, `"scriptText": "export default {\n  options: { version: '1.1' },\n  hooks: { onPageEnter(event, page) {} },\n}", "write"`, 1)
		_, err = w.app.PublishPortal(w.Context(), w.as("own"), scripted)
		require.Equal(w, fault.Forbidden, fault.Of(err))
		_, err = w.app.KeepPortal(w.Context(), w.as("own"), scripted)
		require.NoError(w, err)
		preview, err := w.app.PortalPreview(w.Context(), w.as("own"), workbench)
		require.NoError(w, err)
		address, err := url.Parse(*preview.Script)
		require.NoError(w, err)
		require.Equal(w, workbench, address.Query().Get("draft"))
		digest := address.Query().Get("digest")
		text, err := w.app.PreviewScript(w.Context(), w.as("own"), workbench, digest)
		require.NoError(w, err)
		require.Contains(w, text, "onPageEnter")
		_, err = w.app.PreviewScript(w.Context(), w.as("own"), workbench, "other")
		require.Equal(w, fault.PortalNotFound, fault.Of(err))
		_, err = w.app.PreviewScript(w.Context(), w.as("all"), workbench, digest)
		require.Equal(w, fault.Forbidden, fault.Of(err))
		_, err = w.app.Portals().Script(w.as("own"), digest)
		require.Equal(w, fault.PortalNotFound, fault.Of(err), "it is not served to readers")
		for name, may := range map[string]bool{"own": false, root: true} {
			design, err := w.app.PortalDesign(w.Context(), w.as(name), "", workbench)
			require.NoError(w, err)
			require.Equal(w, may, design.Scripts)
		}

		out, err := w.app.PublishPortal(w.Context(), w.as("own"), in)
		require.NoError(w, err)
		require.NotZero(w, out.Version)
		require.Equal(w, []string{"all"}, ids(w.get("all", workbench).Widgets))
		design, err = w.app.PortalDesign(w.Context(), w.as(root), "", workbench)
		require.NoError(w, err)
		require.Nil(w, design.Draft)
		history, err := w.app.PortalHistory(w.Context(), w.as("own"), "", workbench)
		require.NoError(w, err)
		require.Len(w, history, 1)
	})
}

// TestChoicesOfLists: what the designer offers to show in lists of texts, and to sort them by, is decided by the type of a property.
func TestChoicesOfLists(t *testing.T) {
	each(t, func(w *world) {
		m, err := w.app.PortalModel(w.Context(), w.as("root"), "demo", workbench, "every")
		require.NoError(w, err)
		require.Equal(w, "every", m.Lists[0].Code)
		var neither, shown, both []string
		for _, p := range m.Properties {
			code, own := strings.CutPrefix(p.Code, "of")
			switch {
			case !own:
			case p.Sort:
				require.True(w, p.Display, code)
				both = append(both, code)
			case p.Display:
				shown = append(shown, code)
			default:
				neither = append(neither, code)
			}
		}
		require.Equal(w, []string{"LongText", "Logic", "Attachment", "Address", "RelevanceForm", "RelevanceFormEx", "Sheet"}, neither)
		require.Equal(w, []string{"Radio", "Checkbox", "DropdownMulti", "StaffSingle", "StaffMulti", "DeptSingle", "DeptMulti", "StaffDeptMix", "ApprovalOpinion"}, shown)
		require.Equal(w, []string{"ShortText", "Number", "Date", "Time", "Dropdown"}, both)
		// What is offered can be shown, and is in the order of the page.
		w.save("root", "every", map[string]any{"ofShortText": "短", "ofRadio": "A", "ofStaffSingle": w.ids["own"]})
		display := `"ofShortText", "of` + strings.Join(shown, `", "of`) + `"`
		text := fmt.Sprintf(`{"widgets": [{"type": "TextList", "code": "all", "dataSource": "bizModel", "schemaCode": "every", "displayField": [%s], "sortField": "ofDropdown"}]}`, display)
		rows, err := w.app.DraftRows(w.Context(), w.as("root"), app.PortalDraft{App: "demo", Code: "kinds", New: true, Text: text}, portal.RowsRequest{Widget: "all", Size: 10})
		require.NoError(w, err)
		require.Equal(w, 1, rows.Len())
		require.Equal(w, []string{"短", "甲", "own"}, []string{rows.Text(0, 0), rows.Text(0, 1), rows.Text(0, 4)})
		require.Len(w, rows.Columns(), 10)
		_, err = w.app.PortalModel(w.Context(), w.as("all"), "demo", workbench, "every")
		require.Equal(w, fault.Forbidden, fault.Of(err))
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
	})
}

// A page shows only pictures within their limits, and only those that its author may read; a draft keeps them.
func TestPagePictures(t *testing.T) {
	each(t, func(w *world) {
		bring := func(by, name string, content []byte) string {
			f, err := w.app.Files().Put(w.Context(), blob.Upload{Name: name, By: w.ids[by], Most: 8 << 20, Bytes: bytes.NewReader(content)})
			require.NoError(w, err)
			return f.ID
		}
		var b bytes.Buffer
		require.NoError(w, png.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 20))))
		small := b.Bytes()
		large := append(bytes.Clone(small), make([]byte, 100<<10)...)
		page := func(icon, picture string) app.PortalDraft {
			return app.PortalDraft{Code: "shown", App: "demo", New: true, Text: fmt.Sprintf(`{"name": "图", "name_i18n": {"en": "Pictures"}, "read": ["all"], "write": ["own"], "widgets": [
				{"type": "Image", "code": "one", "picUrl": %q, "gotoType": "none"}, {"type": "GridNavigation", "code": "grid", "componentIcon": %q, "navigator": [{"title": "x", "actionType": "URL", "URL": "/home"}]}]}`, picture, icon)}
		}
		publish := func(in app.PortalDraft) error {
			_, err := w.app.PublishPortal(w.Context(), w.as("root"), in)
			return err
		}
		reads := func(name, id string) bool {
			_, err := w.app.Reader().File(w.Context(), w.as(name), id)
			return err == nil
		}
		for _, name := range []string{"root", "root"} { // the lock is theirs, and renewed
			_, err := w.app.LockPortal(w.Context(), w.as(name), "demo", "shown", false)
			require.NoError(w, err)
		}

		mine, wide, other := bring("root", "图标.png", small), bring("root", "photo.png", large), bring("own", "a.png", small)
		paper, torn := bring("root", "a.pdf", []byte("%PDF-1.4\n")), bring("root", "torn.png", append(bytes.Clone(small[:12]), "none"...))
		for name, refused := range map[string]struct {
			icon, picture string
			zh, en        string
		}{
			"an icon of more than 100 KB": {wide, mine, "页面中的图片“photo.png”不能使用：只接受不超过 100 KB 的 PNG, JPEG, GIF 图片", "The image “photo.png” on the page can't be used: only PNG, JPEG, GIF images of at most 100 KB are accepted"},
			"no picture":                  {mine, paper, "页面中的图片“a.pdf”不能使用：只接受不超过 2 MB 的 PNG, JPEG, GIF, WebP 图片", "The image “a.pdf” on the page can't be used: only PNG, JPEG, GIF, WebP images of at most 2 MB are accepted"},
			"what can't be drawn":         {mine, torn, "页面中的图片“torn.png”不能使用：只接受不超过 2 MB 的 PNG, JPEG, GIF, WebP 图片", "The image “torn.png” on the page can't be used: only PNG, JPEG, GIF, WebP images of at most 2 MB are accepted"},
			"somebody else's":             {mine, other, "页面中有一张图片已不存在，或您无权使用，请重新上传（" + other + "）", "An image on the page no longer exists, or you don't have access to it. Upload it again (" + other + ")."},
		} {
			err := publish(page(refused.icon, refused.picture))
			var told *fault.Error
			require.ErrorAs(w, err, &told, name)
			require.Equal(w, refused.zh, httpapi.Sentence(told, "zh"), name)
			require.Equal(w, refused.en, httpapi.Sentence(told, "en"), name)
		}
		_, err := w.app.KeepPortal(w.Context(), w.as("root"), page(mine, other))
		require.Equal(w, fault.PortalPictureGone, fault.Of(err), "a draft would show it to others")

		// Who may edit the page sees what its draft shows, and the picture stays as long as the draft.
		_, err = w.app.KeepPortal(w.Context(), w.as("root"), page(mine, wide))
		require.NoError(w, err)
		w.now = w.now.Add(25 * time.Hour)
		_, err = w.app.Files().Sweep(w.Context())
		require.NoError(w, err)
		require.Equal(w, []bool{true, true, false, false}, []bool{reads("root", mine), reads("root", wide), reads("own", mine), reads("all", mine)})
		require.False(w, reads("own", other), "nothing named that one")

		_, err = w.app.LockPortal(w.Context(), w.as("root"), "demo", "shown", true)
		require.NoError(w, err)
		require.NoError(w, publish(page(mine, wide)))
		require.Equal(w, []bool{true, true, false}, []bool{reads("own", mine), reads("all", wide), reads("none", wide)})

		// What the page shows already may stay for any author.
		design, err := w.app.PortalDesign(w.Context(), w.as("own"), "", "shown")
		require.NoError(w, err)
		_, err = w.app.LockPortal(w.Context(), w.as("own"), "", "shown", true)
		require.NoError(w, err)
		again := page(mine, wide)
		again.Text, again.New, again.Seen = strings.Replace(again.Text, "Pictures", "Images", 1), false, design.Seen
		_, err = w.app.PublishPortal(w.Context(), w.as("own"), again)
		require.NoError(w, err)
	})
}
