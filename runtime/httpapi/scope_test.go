package httpapi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/store"
)

// yards are two packs with an application each; a boat of the first belongs to a berth of the second.
var yards = map[string]string{
	"yard/pack.json": `{"code": "yard", "name": "船厂", "version": "1.0.0", "requires": [{"code": "harbor"}]}`,
	"yard/app.json":  `{"name": "船厂", "menu": [{"code": "boat", "type": "BizModel"}]}`,
	"yard/models/boat.json": `{"name": "船", "properties": [{"code": "label", "propertyType": "ShortText", "name": "名称"}, {"code": "berth", "propertyType": "RelevanceForm", "name": "泊位", "relativeCode": "berth", "relativePropertyCode": "label"},
		{"code": "papers", "propertyType": "Attachment", "name": "文件"}]}`,
	"yard/access/yardHand.json": `{"name": "船工", "includes": ["staff"], "apps": ["yard", "harbor"], "permissions": ["APP_MNG"], "models": [{"schemaCode": "boat", "actions": ["view", "add", "edit", "delete"], "rows": "all"}, {"schemaCode": "berth", "actions": ["view", "add", "edit", "delete"], "rows": "all"}]}`,
	"harbor/pack.json":          `{"code": "harbor", "name": "港口", "version": "1.0.0"}`,
	"harbor/app.json":           `{"name": "港口", "menu": [{"code": "berth", "type": "BizModel"}]}`,
	"harbor/models/berth.json":  `{"name": "泊位", "properties": [{"code": "label", "propertyType": "ShortText", "name": "名称"}]}`,
}

func openYards(t *testing.T, o store.Options) *world {
	t.Helper()
	dir := t.TempDir()
	for name, text := range yards {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	w, err := openWorldWith(app.Config{URL: o.URL, Dir: max(o.Dir, t.TempDir()), Documents: app.Documents{Dirs: []string{filepath.Join(dir, "harbor"), filepath.Join(dir, "yard")}}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.app.Close() })
	require.NoError(t, w.addAdministrator(t.Context()))
	_, err = w.app.AddUser(t.Context(), "hand", "船工", []string{"yardHand"})
	require.NoError(t, err)
	_, err = w.app.SetPassword(t.Context(), "hand", "Long-Enough-123", false)
	require.NoError(t, err)
	return w
}

// TestTokenScopes: a token for chosen applications reads and writes their records as its person may, nothing of other applications, and has
// none of the calls that go beyond records. What it may not see does not exist for it.
func TestTokenScopes(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openYards(t, o)
		b := newBrowserOf(t, w)
		require.Zero(t, b.signIn("hand", "Long-Enough-123").Errcode)
		const at, list, save = "/api/organization/user/", "/api/runtime/query/list", "/api/runtime/form/save"
		var berth, boat struct{ ID string }
		w.post(t, administrator, save, `{"schemaCode":"berth","data":{"label":"B-1"}}`).into(t, &berth)
		w.post(t, administrator, save, `{"schemaCode":"boat","data":{"label":"S-1","berth":"`+berth.ID+`"}}`).into(t, &boat)

		made := func(apps string, more string) string {
			got := b.call("POST", at+"tokens", json.RawMessage(`{"label":"x","days":1,"apps":`+apps+more+`}`))
			var out struct{ Token string }
			got.into(t, &out)
			return out.Token
		}
		with := func(token, method, path, body string) reply {
			return w.send(t, call{method: method, path: path, body: body, headers: map[string]string{"Authorization": "Bearer " + token}})
		}
		for apps, want := range map[string]fault.Code{
			`[]`: fault.BadParameter, `[{"appCode":"none","write":true}]`: fault.AppNotFound, `[{"appCode":"organisation","write":false}]`: fault.AppNotFound,
			`[{"appCode":"yard","write":true},{"appCode":"YARD","write":false}]`: fault.BadParameter,
		} {
			require.Equal(t, want, b.call("POST", at+"tokens", json.RawMessage(`{"label":"x","days":1,"apps":`+apps+`}`)).Errcode, apps)
		}
		writes := made(`[{"appCode":"yard","write":true}]`, "")
		reads := made(`[{"appCode":"yard","write":false}]`, "")
		mixed := made(`[{"appCode":"yard","write":false},{"appCode":"harbor","write":true}]`, "")
		held := made(`[{"appCode":"yard","write":true}]`, `,"readOnly":true`)

		edit := `{"schemaCode":"boat","id":"` + boat.ID + `","version":%,"data":{"label":"S-2"}}`
		version := func(n string) string { return strings.Replace(edit, "%", n, 1) }
		for name, token := range map[string]string{"writes": writes, "reads": reads, "mixed": mixed, "held": held} {
			var page struct{ Content []struct{ ID string } }
			with(token, "POST", list, `{"schemaCode":"boat"}`).into(t, &page)
			require.Len(t, page.Content, 1, name)
			require.Zero(t, with(token, "GET", "/api/runtime/form/load?schemaCode=boat&objectId="+boat.ID, "").Errcode, name)
			if name != "writes" {
				require.NotZero(t, with(token, "POST", save, version("1")).Errcode, name)
				require.NotZero(t, with(token, "POST", save, `{"schemaCode":"boat","data":{"label":"S-9"}}`).Errcode, name)
				with(token, "POST", "/api/runtime/query/delete", `{"schemaCode":"boat","ids":["`+boat.ID+`"]}`) // what it refuses is in its answer
				require.Len(t, w.rows(t, administrator, "boat"), 1, name)
			}
			if name != "mixed" {
				require.Equal(t, fault.ModelNotFound, with(token, "POST", list, `{"schemaCode":"berth"}`).Errcode, name)
				require.Equal(t, fault.ModelNotFound, with(token, "GET", "/api/runtime/form/load?schemaCode=berth&objectId="+berth.ID, "").Errcode, name)
				require.Equal(t, fault.ModelNotFound, with(token, "POST", save, `{"schemaCode":"berth","data":{"label":"B-9"}}`).Errcode, name)
			}
			require.Equal(t, fault.ModelNotFound, with(token, "POST", list, `{"schemaCode":"user"}`).Errcode, "%s: no application has people", name)
			var me struct{ Permissions []string }
			with(token, "GET", at+"info", "").into(t, &me)
			require.Empty(t, me.Permissions, "no permission of the platform goes along")
			var apps []struct{ Code string }
			with(token, "GET", packagePath+"list", "").into(t, &apps)
			require.Len(t, apps, map[bool]int{true: 2, false: 1}[name == "mixed"], name)
		}
		require.Zero(t, with(mixed, "POST", save, `{"schemaCode":"berth","data":{"label":"B-2"}}`).Errcode)
		require.Zero(t, with(writes, "POST", save, version("1")).Errcode)
		require.Equal(t, fault.Forbidden, with(mixed, "POST", save, version("2")).Errcode, "the right to change is not there")

		// Everything but the calls for it is closed, also to those who may do much.
		for _, r := range w.routes {
			if r.access != signedIn || r.scoped {
				continue
			}
			path := strings.NewReplacer("{", "", "}", "").Replace(r.path)
			require.Equal(t, fault.TokenScope, with(mixed, r.method, path, "").Errcode, "%s %s", r.method, r.path)
		}
		var sessions struct {
			Content []struct {
				ID       string
				ReadOnly bool
				Apps     []appScope
			}
		}
		b.call("GET", at+"sessions", nil).into(t, &sessions)
		require.Len(t, sessions.Content, 5)
		require.Nil(t, sessions.Content[0].Apps)
		require.Equal(t, []appScope{{"yard", true}}, sessions.Content[1].Apps)
		require.Equal(t, []bool{false, true, false, true}, []bool{sessions.Content[1].ReadOnly, sessions.Content[2].ReadOnly, sessions.Content[3].ReadOnly, sessions.Content[4].ReadOnly})

		// It is never more than its person: what they lose, it loses.
		person, ok := w.app.People().Person(t.Context(), w.id(t, "hand"))
		require.True(t, ok)
		stranger := w.app.State().Policy.View(principal.Principal{UserID: person.ID, Roles: []string{"staff"}, Apps: []principal.AppScope{{App: "yard", Write: true}}}, time.Now(), time.UTC)
		require.False(t, stranger.Can(stranger.Model("boat"), "view"))
		require.Zero(t, b.call("POST", at+"sessions/revoke", map[string]string{"id": sessions.Content[1].ID}).Errcode)
		require.Equal(t, fault.TokenExpired, with(writes, "POST", list, `{"schemaCode":"boat"}`).Errcode)
	})
}

// TestScopeOfGoneApplication: an application that is gone gives nothing, and does not lift the limit.
func TestScopeOfGoneApplication(t *testing.T) {
	w := openYards(t, store.Options{})
	token, err := w.app.Auth().MakeToken(t.Context(), w.id(t, "hand"), authn.TokenOf{Label: "x", Life: time.Hour, Apps: []principal.AppScope{{App: "gone"}}})
	require.NoError(t, err)
	got := w.send(t, call{method: "POST", path: "/api/runtime/query/list", body: `{"schemaCode":"boat"}`, headers: map[string]string{"Authorization": "Bearer " + token}})
	require.Equal(t, fault.ModelNotFound, got.Errcode)
}
