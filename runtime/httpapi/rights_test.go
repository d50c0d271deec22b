package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
)

// TestSeeAs: an administrator looks at the product as somebody else: with their rights, writing nothing, with a pass that is of use in this
// session alone.
func TestSeeAs(t *testing.T) {
	w := shared
	session := func(name, password string) string {
		var tokens struct {
			Access string `json:"access_token"`
		}
		newBrowser(t).signIn(name, password).into(t, &tokens)
		return tokens.Access
	}
	w.account(t, "looked.at", "Looked-At-1", false)
	_, err := w.app.AddUser(t.Context(), "keeper", "keeper", []string{"administrator"})
	require.NoError(t, err)
	_, err = w.app.SetPassword(t.Context(), "keeper", "Keeper-Of-All-1", false)
	require.NoError(t, err)
	keeper, viewerSession := session("keeper", "Keeper-Of-All-1"), session("looked.at", "Looked-At-1")
	ask := func(token, pass, method, path, body string) reply {
		headers := map[string]string{"Authorization": "Bearer " + token}
		if pass != "" {
			headers[passHeader] = pass
		}
		return w.send(t, call{method: method, path: path, body: body, headers: headers, actor: anonymous})
	}
	var made struct {
		Pass string
		User rightsPerson
	}
	ask(keeper, "", "POST", "/api/system/see_as", `{"userId":"`+w.id(t, "looked.at")+`"}`).into(t, &made)
	require.Equal(t, "looked.at", made.User.Name)

	var info struct {
		Username    string
		Permissions []string
		SeenBy      *rightsPerson
	}
	got := ask(keeper, made.Pass, "GET", "/api/organization/user/info", "")
	w.matches(t, "GET", "/api/organization/user/info", got)
	got.into(t, &info)
	require.Equal(t, "looked.at", info.Username)
	require.Empty(t, info.Permissions)
	require.Equal(t, "keeper", info.SeenBy.Name)

	// What the person sees, no more and no less.
	list := `{"schemaCode":"inspection","queryCode":"inspection","page":0,"size":5}`
	theirs, seen := ask(viewerSession, "", "POST", "/api/runtime/query/list", list), ask(keeper, made.Pass, "POST", "/api/runtime/query/list", list)
	require.JSONEq(t, string(theirs.Data), string(seen.Data))
	require.NotEqual(t, string(theirs.Data), string(ask(keeper, "", "POST", "/api/runtime/query/list", list).Data))
	require.Equal(t, fault.Forbidden, ask(keeper, made.Pass, "GET", "/api/system/rights/roles", "").Errcode)

	// Nothing is written, whatever the person may do; nor are their sign-ins told.
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/api/runtime/form/save", `{"schemaCode":"inspection","data":{"part":"x"}}`},
		{"PUT", "/api/message/updateReadStateAll", `{"messageType":"STATION"}`},
		{"POST", "/api/organization/user/tokens", `{"label":"x","days":1}`},
		{"GET", "/api/organization/user/sessions", ""},
		{"POST", "/api/system/see_as", `{"userId":"` + w.id(t, viewer) + `"}`},
	} {
		code := ask(keeper, made.Pass, c.method, c.path, c.body).Errcode
		require.Contains(t, []fault.Code{fault.SeeAsReadOnly, fault.Forbidden, fault.NoAddPermission}, code, "%s %s", c.method, c.path)
	}
	require.Equal(t, fault.SeeAsReadOnly, ask(keeper, made.Pass, "PUT", "/api/message/updateReadStateAll", `{"messageType":"STATION"}`).Errcode)

	// The pass is of no use elsewhere: in another session, without one, of another person, changed, as an access token.
	require.Equal(t, fault.SeeAsEnded, ask(session("keeper", "Keeper-Of-All-1"), made.Pass, "GET", "/api/organization/user/info", "").Errcode)
	require.Equal(t, fault.SeeAsEnded, ask(viewerSession, made.Pass, "GET", "/api/organization/user/info", "").Errcode)
	require.Equal(t, fault.SeeAsEnded, ask(w.token(t, "keeper"), made.Pass, "GET", "/api/organization/user/info", "").Errcode)
	require.Equal(t, fault.SeeAsEnded, ask(keeper, made.Pass+"x", "GET", "/api/organization/user/info", "").Errcode)
	require.Equal(t, fault.SeeAsEnded, ask(keeper, keeper, "GET", "/api/organization/user/info", "").Errcode)
	require.Equal(t, fault.Unauthenticated, ask(made.Pass, "", "GET", "/api/organization/user/info", "").Errcode)

	// In addresses for files alone.
	param := "?" + passParameter + "=" + made.Pass
	ask(keeper, "", "GET", "/api/organization/user/info"+param, "").into(t, &info)
	require.Equal(t, "looked.at", info.Username)
	require.Zero(t, ask(keeper, "", "POST", "/api/runtime/query/list"+param, list).Errcode)

	// Not oneself, not who is gone, not who has more rights; and no longer once the person has more, or the administrator less.
	require.Equal(t, fault.SeeAsAbove, ask(keeper, "", "POST", "/api/system/see_as", `{"userId":"`+w.id(t, "keeper")+`"}`).Errcode)
	require.Equal(t, fault.UserNotFound, ask(keeper, "", "POST", "/api/system/see_as", `{"userId":"none"}`).Errcode)
	require.Equal(t, fault.Forbidden, ask(viewerSession, "", "POST", "/api/system/see_as", `{"userId":"`+w.id(t, "keeper")+`"}`).Errcode)
	var entries struct{ Content []auditEntry }
	w.get(t, administrator, "/api/system/audit?kind=rights.seeAs").into(t, &entries)
	require.Len(t, entries.Content, 1)
	require.Equal(t, "keeper", entries.Content[0].Actor.Name)
	require.Equal(t, "looked.at", entries.Content[0].Subject.Name)
	require.NotContains(t, w.log.String(), made.Pass)

	// Nor once the person is disabled.
	w.change(t, w.id(t, "looked.at"), `{"disabled":true}`)
	require.Equal(t, fault.SeeAsEnded, ask(keeper, made.Pass, "GET", "/api/organization/user/info", "").Errcode)
	w.change(t, w.id(t, "looked.at"), `{"disabled":false}`)
	require.Zero(t, ask(keeper, made.Pass, "GET", "/api/organization/user/info", "").Errcode)

	require.Zero(t, ask(keeper, "", http.MethodPost, "/api/login/logout", "").Errcode)
	require.Equal(t, fault.TokenExpired, ask(keeper, made.Pass, "GET", "/api/organization/user/info", "").Errcode)
}

// TestSeeAsAbove: who may look after people but has not their rights does not get them by looking.
func TestSeeAsAbove(t *testing.T) {
	w := shared
	p := w.app.State().Policy
	require.NotNil(t, p)
	var found bool
	for _, role := range w.app.State().Catalog.Roles {
		found = found || strings.EqualFold(role.Code, "organisationManager")
	}
	require.True(t, found)
	view, err := w.viewOf(&request{ctx: t.Context(), state: w.app.State()}, w.id(t, administrator))
	require.NoError(t, err)
	require.True(t, maySeeAs(view, "somebody", []string{"viewer", "projectManager"}))
	less := view.Of(view.Principal(), w.app.Now(), w.app.Zone())
	require.False(t, maySeeAs(less, view.User(), nil), "oneself")
	who := view.Principal()
	who.Roles = []string{"viewer"}
	require.False(t, maySeeAs(view.Of(who, w.app.Now(), w.app.Zone()), "somebody", nil), "no permission")
	who.Roles = []string{"organisationManager"}
	require.False(t, maySeeAs(view.Of(who, w.app.Now(), w.app.Zone()), "somebody", []string{"administrator"}), "more rights than the caller's")
}

// TestExplainRights: the page of rights says what somebody may do with a record, and which grant says so.
func TestExplainRights(t *testing.T) {
	w := shared
	lot := w.rows(t, viewer, "inspection")[0]
	var out struct {
		Roles       []string
		MaySeeAs    bool
		Explanation struct {
			Sees    bool
			Grants  []struct{ Role, At string }
			Actions []struct {
				Code    string
				Allowed bool
			}
			Fields []struct{ Code, Right string }
		}
	}
	w.get(t, administrator, "/api/system/rights/explain?schemaCode=inspection&objectId="+lot+"&userId="+w.id(t, viewer)).into(t, &out)
	require.Equal(t, []string{"viewer"}, out.Roles)
	require.True(t, out.MaySeeAs)
	require.True(t, out.Explanation.Sees)
	require.Equal(t, "viewer", out.Explanation.Grants[0].Role)
	require.Contains(t, out.Explanation.Grants[0].At, "viewer.json:")
	rights := map[string]string{}
	for _, f := range out.Explanation.Fields {
		rights[f.Code] = f.Right
	}
	require.Equal(t, "-", rights["price"])
	require.Equal(t, "r", rights["part"])
	for _, a := range out.Explanation.Actions {
		require.Equal(t, a.Code == "view", a.Allowed, a.Code)
	}
}
