package httpapi

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
)

// complaints are a pack with a form that is open to external links, and one that is not.
var complaints = map[string]string{
	"pack.json": `{"code": "complaints", "name": "投诉", "version": "1.0.0"}`,
	"models/complaint.json": `{"name": "投诉", "properties": [
		{"code": "text", "propertyType": "ShortText", "name": "内容", "required": true, "maxLength": 100},
		{"code": "grade", "propertyType": "ShortText", "name": "级别", "defaultValue": "\"new\""},
		{"code": "person", "propertyType": "StaffSingle", "name": "处理人"},
		{"code": "photo", "propertyType": "Attachment", "name": "照片"},
		{"code": "days", "propertyType": "Number", "name": "天数"},
		{"code": "hours", "propertyType": "Number", "name": "小时", "computeFormula": "days * 24"},
		{"code": "about", "propertyType": "RelevanceForm", "name": "前一件", "relativeCode": "complaint", "relativePropertyCode": "text"}]}`,
	"forms/complaint.json": `{"schemaCode": "complaint", "name": "投诉", "externalLink": true, "items": ["text", "person", "photo", "about"], "actions": ["save"]}`,
	"forms/inside.json":    `{"schemaCode": "complaint", "name": "内部", "items": ["text", "grade"], "actions": ["save"]}`,
	"forms/notice.json":    `{"schemaCode": "complaint", "name": "告知", "items": ["text", "grade", "hours", "person", "photo", "about", "owner", "createdTime"], "actions": ["save", "external_link"]}`,
	"access/desk.json":     `{"name": "受理", "includes": ["staff"], "models": [{"schemaCode": "complaint", "actions": ["view", "add", "external_link"], "rows": "all"}]}`,
	"access/author.json":   `{"name": "经办", "includes": ["staff"], "models": [{"schemaCode": "complaint", "actions": ["view"], "rows": "all"}, {"schemaCode": "complaint", "actions": ["view", "external_link"], "rows": "grade == 'open'"}]}`,
	"access/clerk.json":    `{"name": "文员", "includes": ["staff"], "models": [{"schemaCode": "complaint", "actions": ["view", "add"], "rows": "all"}]}`,
}

func openComplaints(t *testing.T, o store.Options) *world {
	t.Helper()
	dir := t.TempDir()
	for name, text := range complaints {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	w, err := openWorldWith(app.Config{URL: o.URL, Dir: max(o.Dir, t.TempDir()), Documents: app.Documents{Dirs: []string{dir}}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.app.Close() })
	require.NoError(t, w.addAdministrator(t.Context()))
	for _, name := range []string{"desk", "clerk", "author"} {
		_, err := w.app.AddUser(t.Context(), name, name, []string{name})
		require.NoError(t, err)
		_, err = w.app.SetPassword(t.Context(), name, "Morning-1", false)
		require.NoError(t, err)
	}
	return w
}

// linkText makes a link as who is signed in in a browser and returns its text.
func linkText(t *testing.T, b *browser, days, most int) string {
	t.Helper()
	var out struct{ Address string }
	b.call("POST", linkPath+"links", map[string]any{"form": "complaint", "label": "门口的二维码", "days": days, "most": most}).into(t, &out)
	at, text, found := strings.Cut(out.Address, "#")
	require.True(t, found)
	require.True(t, strings.HasSuffix(at, "/external-link/complaint"), "the text is in no part that browsers send: %s", at)
	return text
}

// TestExternalLinks: a link adds records through its form until it ends, and does nothing else.
func TestExternalLinks(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openComplaints(t, o)
		desk, clerk, anyone := newBrowserOf(t, w), newBrowserOf(t, w), newBrowserOf(t, w)
		require.Zero(t, desk.signIn("desk", "Morning-1").Errcode)
		require.Zero(t, clerk.signIn("clerk", "Morning-1").Errcode)
		made := func(b *browser, form string, days int) fault.Code {
			return b.call("POST", linkPath+"links", map[string]any{"form": form, "label": "x", "days": days}).Errcode
		}
		require.Equal(t, fault.Forbidden, made(clerk, "complaint", 1), "who may add records may not open the form to the world")
		require.Equal(t, fault.FormNotFound, made(desk, "inside", 1), "a form that its document does not open")
		require.Equal(t, fault.BadParameter, made(desk, "complaint", 0))
		require.Equal(t, fault.BadParameter, made(desk, "complaint", 367))
		text := linkText(t, desk, 7, 2)

		open := func(b *browser, form, text string) fault.Code {
			return b.call("POST", linkPath+"open", map[string]string{"form": form, "text": text}).Errcode
		}
		submit := func(b *browser, data map[string]any) reply {
			return b.call("POST", linkPath+"submit", map[string]any{"data": data})
		}
		require.Equal(t, fault.LinkGone, submit(anyone, map[string]any{"text": "x"}).Errcode)
		require.Equal(t, fault.LinkGone, open(anyone, "complaint", "forged"))
		require.Equal(t, fault.LinkGone, open(anyone, "inside", text), "it is for another form")
		require.Zero(t, open(anyone, "complaint", text))
		require.Equal(t, linkPath, anyone.cookies[linkCookie].Path)
		require.NotEqual(t, text, anyone.cookies[linkCookie].Value)
		load := anyone.call("GET", linkPath+"form", nil)
		require.Zero(t, load.Errcode, "%s", load.Body)
		require.Contains(t, string(load.Data), `"text"`)
		for _, hidden := range []string{"person", "photo", `"about"`, "grade"} {
			require.NotContains(t, string(load.Data), hidden)
		}
		for _, data := range []map[string]any{{"text": "x", "grade": "high"}, {"text": "x", "person": w.id(t, "desk")}, {"text": "x", "about": "x"}, {"text": "x", "owner": "x"},
			{"text": "x", "photo": []string{"x"}}, {}} {
			require.NotZero(t, submit(anyone, data).Errcode, "%v", data)
		}
		got := submit(anyone, map[string]any{"text": "闸门异响"})
		require.Zero(t, got.Errcode, "%s", got.Body)
		require.Equal(t, "null", string(got.Data))
		rows := w.rows(t, administrator, "complaint")
		require.Len(t, rows, 1)
		require.Contains(t, string(w.get(t, administrator, "/api/runtime/form/load?schemaCode=complaint&sheetCode=inside&objectId="+rows[0]).Data), `"grade":"new"`)

		// Its cookie opens no other call, with none of the ways to send it.
		require.Zero(t, open(anyone, "complaint", text))
		session := anyone.cookies[linkCookie].Value
		for _, r := range w.routes {
			if r.access != signedIn || r.stream {
				continue
			}
			path := strings.NewReplacer("{", "", "}", "").Replace(r.path)
			for _, headers := range []map[string]string{{"Cookie": linkCookie + "=" + session}, {"Cookie": cookieName + "=" + session}, {"Authorization": "Bearer " + session}} {
				got := w.send(t, call{method: r.method, path: path, headers: headers})
				require.Equal(t, fault.Unauthenticated, got.Errcode, "%s %s", r.method, r.path)
			}
		}
		require.Equal(t, fault.LinkGone, desk.call("GET", linkPath+"form", nil).Errcode, "and who is signed in has no link")

		require.Zero(t, submit(anyone, map[string]any{"text": "两件"}).Errcode)
		require.Equal(t, fault.LinkGone, submit(anyone, map[string]any{"text": "三件"}).Errcode, "two records were allowed")
		require.Equal(t, fault.LinkGone, open(newBrowserOf(t, w), "complaint", text))

		// Withdrawn, it ends at once, also where it is open.
		text = linkText(t, desk, 7, 0)
		require.Zero(t, open(anyone, "complaint", text))
		var list struct {
			Content []struct {
				ID, Label string
				Used      int
			}
		}
		desk.call("GET", linkPath+"links?form=complaint", nil).into(t, &list)
		require.Len(t, list.Content, 2)
		type formOf struct {
			Code, ModelName string
			Open            int
			Adds            bool
		}
		var forms struct{ Content []formOf }
		desk.call("GET", linkPath+"forms", nil).into(t, &forms)
		require.Equal(t, []formOf{{"complaint", "投诉", 2, true}, {"notice", "投诉", 0, false}}, forms.Content, "the form inside is closed")
		forms.Content = nil
		clerk.call("GET", linkPath+"forms", nil).into(t, &forms)
		require.Empty(t, forms.Content)
		for b, want := range map[*browser]bool{desk: true, clerk: false} {
			var me struct{ ExternalLinks bool }
			b.call("GET", "/api/organization/user/info", nil).into(t, &me)
			require.Equal(t, want, me.ExternalLinks)
		}
		require.Equal(t, 2, list.Content[0].Used)
		require.Equal(t, fault.Forbidden, clerk.call("POST", linkPath+"links/withdraw", map[string]string{"form": "complaint", "id": list.Content[1].ID}).Errcode)
		require.Zero(t, desk.call("POST", linkPath+"links/withdraw", map[string]string{"form": "complaint", "id": list.Content[1].ID}).Errcode)
		require.Equal(t, fault.LinkGone, anyone.call("GET", linkPath+"form", nil).Errcode)
		require.Equal(t, fault.LinkGone, submit(anyone, map[string]any{"text": "x"}).Errcode)
		require.Equal(t, fault.LinkGone, open(newBrowserOf(t, w), "complaint", text))

		// So it does by its time.
		text = linkText(t, desk, 1, 0)
		require.Zero(t, open(anyone, "complaint", text))
		later := time.Now().Add(25 * time.Hour)
		w.frozen.Store(&later)
		require.Equal(t, fault.LinkGone, anyone.call("GET", linkPath+"form", nil).Errcode)
		require.Equal(t, fault.LinkGone, open(newBrowserOf(t, w), "complaint", text))
		require.Len(t, w.rows(t, administrator, "complaint"), 2)
		require.NotContains(t, w.log.String(), text)
	})
}

// TestExternalLinkRepeats: a form that is sent again under the same key, because its answer was lost, counts once, also when it was the
// last that the link allowed; and what is refused does not count.
func TestExternalLinkRepeats(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openComplaints(t, o)
		desk, anyone := newBrowserOf(t, w), newBrowserOf(t, w)
		require.Zero(t, desk.signIn("desk", "Morning-1").Errcode)
		text := linkText(t, desk, 7, 2)
		require.Zero(t, anyone.call("POST", linkPath+"open", map[string]string{"form": "complaint", "text": text}).Errcode)
		submit := func(key, text string) fault.Code {
			anyone.header = http.Header{"Idempotency-Key": {key}}
			return anyone.call("POST", linkPath+"submit", map[string]any{"data": map[string]string{"text": text}}).Errcode
		}
		used := func() int {
			var list struct{ Content []struct{ Used int } }
			desk.call("GET", linkPath+"links?form=complaint", nil).into(t, &list)
			return list.Content[0].Used
		}
		require.NotZero(t, submit("none", ""))
		require.Zero(t, used())
		for range 3 {
			require.Zero(t, submit("first", "一"))
			require.Equal(t, 1, used())
		}
		for range 3 {
			require.Zero(t, submit("second", "二"), "the last that was allowed")
		}
		require.Equal(t, 2, used())
		require.Equal(t, fault.LinkGone, submit("third", "三"))
		require.Equal(t, fault.RepeatSubmit, submit("second", "三"), "a known key for something else")
		require.Len(t, w.rows(t, administrator, "complaint"), 2)
	})
}

// TestExternalRecord: a link to a record shows it through its form, to read, and nothing else of anything.
func TestExternalRecord(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openComplaints(t, o)
		desk, clerk, anyone := newBrowserOf(t, w), newBrowserOf(t, w), newBrowserOf(t, w)
		require.Zero(t, desk.signIn("desk", "Morning-1").Errcode)
		require.Zero(t, clerk.signIn("clerk", "Morning-1").Errcode)
		save := func(data map[string]any) (out struct{ ID string }) {
			desk.call("POST", "/api/runtime/form/save", map[string]any{"schemaCode": "complaint", "sheetCode": "inside", "data": data}).into(t, &out)
			return out
		}
		first := save(map[string]any{"text": "闸门异响", "grade": "high"})
		save(map[string]any{"text": "别的事"})
		link := func(b *browser, form, id string, more map[string]any) reply {
			in := map[string]any{"form": form, "objectId": id, "label": "给邻居", "days": 7}
			maps.Copy(in, more)
			return b.call("POST", linkPath+"links", in)
		}
		require.Equal(t, fault.FormNotFound, link(desk, "inside", first.ID, nil).Errcode, "a form that its document does not open")
		require.Equal(t, fault.FormNotFound, link(desk, "complaint", first.ID, nil).Errcode, "a form that adds shows nothing")
		require.Equal(t, fault.FormNotFound, link(desk, "notice", "", nil).Errcode, "a form that shows adds nothing")
		require.Equal(t, fault.Forbidden, link(clerk, "notice", first.ID, nil).Errcode)
		author := newBrowserOf(t, w)
		require.Zero(t, author.signIn("author", "Morning-1").Errcode)
		require.Equal(t, fault.Forbidden, link(author, "notice", first.ID, nil).Errcode, "the right is on other records")
		require.Zero(t, link(author, "notice", save(map[string]any{"text": "公开", "grade": "open"}).ID, nil).Errcode)
		require.Equal(t, fault.RecordNotFound, link(desk, "notice", "0198c0de-0000-7000-8000-000000000000", nil).Errcode)
		require.Equal(t, fault.BadParameter, link(desk, "notice", first.ID, map[string]any{"most": 2}).Errcode)

		var out struct{ Address string }
		link(desk, "notice", first.ID, nil).into(t, &out)
		at, text, _ := strings.Cut(out.Address, "#")
		require.True(t, strings.HasSuffix(at, "/external-link/notice"))
		require.Zero(t, anyone.call("POST", linkPath+"open", map[string]string{"form": "notice", "text": text}).Errcode)
		load := anyone.call("GET", linkPath+"form", nil)
		require.Zero(t, load.Errcode, "%s", load.Body)
		for _, shown := range []string{`"text":"闸门异响"`, `"grade":"high"`, `"hours"`, `"actions":[]`, first.ID} {
			require.Contains(t, string(load.Data), shown)
		}
		for _, hidden := range []string{"person", "photo", `"about"`, "别的事", `"days"`, "owner", "desk"} {
			require.NotContains(t, string(load.Data), hidden)
		}
		require.NotContains(t, string(load.Data), `"write":true`)
		submit := func() fault.Code {
			return anyone.call("POST", linkPath+"submit", map[string]any{"data": map[string]any{"text": "x"}}).Errcode
		}
		require.Equal(t, fault.LinkGone, submit(), "it adds nothing")
		anyone.header = http.Header{"Idempotency-Key": {"a"}}
		require.Equal(t, fault.LinkGone, submit())
		require.Len(t, w.rows(t, administrator, "complaint"), 3)

		var list struct {
			Content []struct {
				ObjectID, ObjectName *string
				Used                 int
			}
		}
		desk.call("GET", linkPath+"links?form=notice", nil).into(t, &list)
		require.Len(t, list.Content, 2)
		require.Equal(t, first.ID, *list.Content[1].ObjectID)
		require.Equal(t, 1, list.Content[1].Used, "it was opened once")

		// The record as it is now, until it is gone.
		require.Zero(t, w.post(t, administrator, "/api/runtime/form/save", `{"schemaCode": "complaint", "sheetCode": "inside", "id": "`+first.ID+`", "version": 1, "data": {"text": "已处理"}}`).Errcode)
		require.Contains(t, string(anyone.call("GET", linkPath+"form", nil).Data), "已处理")
		require.Zero(t, w.post(t, administrator, "/api/runtime/query/delete", `{"schemaCode": "complaint", "ids": ["`+first.ID+`"]}`).Errcode)
		require.Equal(t, fault.LinkGone, anyone.call("GET", linkPath+"form", nil).Errcode)
		require.Len(t, w.rows(t, administrator, "complaint"), 2)
	})
}

// TestLinksOfTheDisabled: a link answers as withdrawn from the moment on at which its maker is disabled, also in a browser that has opened it, and goes on
// when the maker is enabled or somebody else has it.
func TestLinksOfTheDisabled(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openComplaints(t, o)
		desk, anyone, other := newBrowserOf(t, w), newBrowserOf(t, w), newBrowserOf(t, w)
		require.Zero(t, desk.signIn("desk", "Morning-1").Errcode)
		text := linkText(t, desk, 7, 0)
		open := func(b *browser) fault.Code {
			return b.call("POST", linkPath+"open", map[string]string{"form": "complaint", "text": text}).Errcode
		}
		submit := func() fault.Code {
			return anyone.call("POST", linkPath+"submit", map[string]any{"data": map[string]any{"text": "x"}}).Errcode
		}
		press := func(action string) {
			t.Helper()
			got := w.post(t, administrator, "/api/runtime/query/run_action", `{"schemaCode": "user", "queryCode": "user", "actionCode": "`+action+`", "objectIds": ["`+w.id(t, "desk")+`"]}`)
			require.Zero(t, got.Errcode, "%s", got.Body)
		}
		require.Zero(t, open(anyone))
		require.Zero(t, submit())
		press("disableUser")
		require.Equal(t, fault.LinkGone, submit(), "in a browser that has opened it")
		require.Equal(t, fault.LinkGone, anyone.call("GET", linkPath+"form", nil).Errcode)
		require.Equal(t, fault.LinkGone, open(other))
		press("enableUser")
		require.Zero(t, submit())
		press("disableUser")
		got := w.post(t, administrator, "/api/runtime/form/save", `{"schemaCode": "handover", "sheetCode": "handover", "data": {"source": "`+w.id(t, "desk")+`", "target": "`+w.id(t, "author")+`", "things": true}}`)
		require.Zero(t, got.Errcode, "%s", got.Body)
		require.Zero(t, submit(), "somebody else has it")
		require.Len(t, w.rows(t, administrator, "complaint"), 3)
	})
}
