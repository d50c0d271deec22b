package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
)

const (
	listPath = "/api/runtime/query/list"
	savePath = "/api/runtime/form/save"
)

// TestBodies sends bodies that are not what a call takes.
func TestBodies(t *testing.T) {
	w := shared
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	for name, c := range map[string]struct {
		path, body string
		want       fault.Code
	}{
		"nothing":                  {listPath, " ", fault.BadJSON},
		"not JSON":                 {listPath, `{"schemaCode":`, fault.BadJSON},
		"not UTF-8 quotes":         {listPath, `{'schemaCode':'site'}`, fault.BadJSON},
		"two values":               {listPath, `{"schemaCode":"site"} {}`, fault.BadJSON},
		"repeated key":             {listPath, `{"schemaCode":"site","schemaCode":"user"}`, fault.BadJSON},
		"repeated key, other case": {listPath, `{"schemaCode":"site","SchemaCode":"user"}`, fault.BadJSON},
		"repeated key, deep down":  {savePath, `{"schemaCode":"site","data":{"name":"a","name":"b"}}`, fault.BadJSON},
		"deep":                     {savePath, `{"schemaCode":"site","data":{"name":` + deep + `}}`, fault.BadJSON},
		"key in another case":      {listPath, `{"SchemaCode":"site"}`, fault.BadParameter},
		"key in another case, in":  {listPath, `{"schemaCode":"site","filters":[{"propertycode":"name"}]}`, fault.BadParameter},
		"sign-in in another case":  {"/api/login/Authentication/get_token", `{"USERNAME":"x","password":"x","index":"x"}`, fault.BadParameter},
		"unknown key":              {listPath, `{"schemaCode":"site","tenant":"other"}`, fault.BadParameter},
		"unknown key, in":          {listPath, `{"schemaCode":"site","filters":[{"sql":"1=1"}]}`, fault.BadParameter},
		"text for a number":        {listPath, `{"schemaCode":"site","page":"1"}`, fault.BadParameter},
		"fraction for a number":    {listPath, `{"schemaCode":"site","page":1.5}`, fault.BadParameter},
		"number for a text":        {listPath, `{"schemaCode":7}`, fault.BadParameter},
		"object for a list":        {listPath, `{"schemaCode":"site","filters":{}}`, fault.BadParameter},
		"list for an object":       {listPath, `[]`, fault.BadParameter},
		"a huge number":            {listPath, `{"schemaCode":"site","page":1e30}`, fault.BadParameter},
		"unknown model":            {listPath, `{"schemaCode":"none"}`, fault.ModelNotFound},
		"sub-table as a model":     {listPath, `{"schemaCode":"contract.payments"}`, fault.ModelNotFound},
		"no model":                 {listPath, `{}`, fault.ModelNotFound},
		"unknown list":             {listPath, `{"schemaCode":"site","queryCode":"none"}`, fault.ListNotFound},
		"another model's list":     {listPath, `{"schemaCode":"site","queryCode":"contract"}`, fault.ListNotFound},
		"negative page":            {listPath, `{"schemaCode":"site","page":-1}`, fault.PageOutOfRange},
		"page of nothing":          {listPath, `{"schemaCode":"site","size":0}`, fault.PageOutOfRange},
		"page of too much":         {listPath, `{"schemaCode":"site","size":501}`, fault.PageOutOfRange},
		"unknown order":            {listPath, `{"schemaCode":"site","orderByFields":["nope"],"orderType":1}`, fault.FieldUnknown},
		"unknown filter":           {listPath, `{"schemaCode":"site","filters":[{"propertyCode":"nope","queryFilterType":"Eq","propertyValue":"1"}]}`, fault.FieldUnknown},
		"nothing to delete":        {"/api/runtime/query/delete", `{"schemaCode":"site","ids":[]}`, fault.BadParameter},
		"history of nothing":       {"/api/runtime/track/detail", `{"schemaCode":"site","bizObjectId":"x"}`, fault.RecordNotFound},
		"far page of a history":    {"/api/runtime/track/detail", `{"schemaCode":"site","bizObjectId":"x","page":9223372036854775807,"size":100}`, fault.PageOutOfRange},
		"too many to delete":       {"/api/runtime/query/delete", `{"schemaCode":"site","ids":["` + strings.Repeat(`x","`, 500) + `x"]}`, fault.BadParameter},
		"record without a version": {savePath, `{"schemaCode":"site","id":"x","data":{}}`, fault.EmptyParameter},
		"record that is not there": {savePath, `{"schemaCode":"site","id":"x","version":1,"data":{"name":"x"}}`, fault.RecordNotFound},
		"unknown form":             {savePath, `{"schemaCode":"site","sheetCode":"none","data":{}}`, fault.FormNotFound},
		"field that is not there":  {savePath, `{"schemaCode":"site","data":{"code":"B-1","name":"x","tenant":"y"}}`, fault.RecordInvalid},
		"the engine's own column":  {savePath, `{"schemaCode":"site","data":{"code":"B-1","name":"x","version":9}}`, fault.RecordInvalid},
		"required field missing":   {savePath, `{"schemaCode":"site","data":{"code":"B-1"}}`, fault.RecordInvalid},
		"value of the wrong type":  {savePath, `{"schemaCode":"site","data":{"code":"B-1","name":["x"]}}`, fault.RecordInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			w.refused(t, c.want, call{method: http.MethodPost, path: c.path, body: c.body, actor: administrator})
		})
	}
}

func TestMediaType(t *testing.T) {
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"} {
		shared.refused(t, fault.MediaType, call{method: "POST", path: listPath, body: `{"schemaCode":"site"}`, actor: administrator,
			headers: map[string]string{"Content-Type": kind}})
	}
	got := shared.send(t, call{method: "POST", path: listPath, body: `{"schemaCode":"site"}`, actor: administrator,
		headers: map[string]string{"Content-Type": "application/json; charset=utf-8"}})
	require.Zero(t, got.Errcode)
}

func TestOversizedBodies(t *testing.T) {
	for path, limit := range map[string]int{listPath: medium, savePath: large, "/api/login/Authentication/get_token": small, "/api/runtime/query/add_check": small} {
		body := `{"schemaCode":"` + strings.Repeat("x", limit) + `"}`
		got := shared.refused(t, fault.TooLarge, call{method: "POST", path: path, body: body, actor: administrator})
		require.Equal(t, http.StatusRequestEntityTooLarge, got.Code)
		require.Contains(t, got.Errmsg, size(int64(limit)))
	}
}

func TestAddresses(t *testing.T) {
	w := shared
	for path, want := range map[string]fault.Code{
		"/api/nothing":        fault.RouteNotFound,
		"/api":                fault.RouteNotFound,
		"/api/":               fault.RouteNotFound,
		"/login/nothing":      fault.RouteNotFound,
		"/api/../api/nothing": fault.RouteNotFound,
		"/assets/app-none.js": fault.RouteNotFound,
		"/api/runtime/query/headers?schemaCode=none":                                                     fault.ModelNotFound,
		"/api/runtime/query/config?schemaCode=site&queryCode=none":                                       fault.ListNotFound,
		"/api/runtime/form/load?schemaCode=site&objectId=none":                                           fault.RecordNotFound,
		"/api/runtime/form/load?schemaCode=site&sheetCode=none":                                          fault.FormNotFound,
		"/api/runtime/form/get_form_url?schemaCode=site&bizObjectId=none":                                fault.RecordNotFound,
		"/api/runtime/form/options?schemaCode=site&propertyCode=nope":                                    fault.FieldUnknown,
		"/api/runtime/form/options?schemaCode=site&propertyCode=keeper&size=501":                         fault.PageOutOfRange,
		"/api/runtime/form/options?schemaCode=site&propertyCode=keeper&size=x":                           fault.PageOutOfRange,
		"/api/runtime/form/options?schemaCode=site&propertyCode=keeper&page=-1":                          fault.PageOutOfRange,
		"/api/runtime/form/options?schemaCode=site&propertyCode=keeper&page=9223372036854775807&size=20": fault.PageOutOfRange,
		"/api/app/function/tree?appCode=none":                                                            fault.AppNotFound,
		"/api/organization/user/card?id=none":                                                            fault.UserNotFound,
		"/api/organization/user/departments?userId=none":                                                 fault.UserNotFound,
	} {
		t.Run(path, func(t *testing.T) { w.refused(t, want, call{method: "GET", path: path, actor: administrator}) })
	}
	for _, c := range []call{{method: "POST", path: "/api/nothing"}, {method: "POST", path: "/nothing"}, {method: "BREW", path: "/nothing"}} {
		w.refused(t, fault.RouteNotFound, c)
	}
	for _, c := range []call{{method: "DELETE", path: "/api/login/logout"}, {method: "GET", path: savePath}, {method: "PUT", path: listPath}} {
		w.refused(t, fault.MethodNotAllowed, c)
	}
}

func TestTokens(t *testing.T) {
	w := shared
	person, ok := w.app.People().PersonByName(t.Context(), viewer)
	require.True(t, ok)
	ended, err := w.app.Auth().ScriptToken(t.Context(), person.ID, "", time.Nanosecond)
	require.NoError(t, err)
	const path = "/api/organization/user/info"
	with := func(headers map[string]string) call { return call{method: "GET", path: path, headers: headers} }
	good := w.token(t, viewer)
	w.refused(t, fault.TokenExpired, with(map[string]string{"Authorization": "Bearer " + ended}))
	w.refused(t, fault.Unauthenticated, with(map[string]string{"Authorization": "Bearer x.y.z"}))
	w.refused(t, fault.Unauthenticated, with(map[string]string{"Authorization": "Basic " + good}))
	w.refused(t, fault.Unauthenticated, with(nil))
	w.refused(t, fault.Unauthenticated, call{method: "GET", path: path + "?access_token=" + good + "&token=" + good})
	require.Zero(t, w.send(t, with(map[string]string{"Cookie": cookieName + "=" + good})).Errcode)
	w.refused(t, fault.Unauthenticated, with(map[string]string{"Cookie": refreshing + "=" + good}))
	w.refused(t, fault.BadParameter, call{method: "GET", path: "/api/login/Authentication/get_refresh_token?refresh_token=x"})
}

// TestStaleVersion: the person who saves over somebody else's change is told what is there now.
func TestStaleVersion(t *testing.T) {
	w := shared
	id := w.addSite(t, "STALE-1")
	body := `{"schemaCode":"site","id":"` + id + `","version":1,"data":{"name":"first"}}`
	require.Zero(t, w.post(t, administrator, savePath, body).Errcode)
	got := w.refused(t, fault.VersionStale, call{method: "POST", path: savePath, body: strings.Replace(body, "first", "second", 1), actor: administrator})
	require.Equal(t, http.StatusConflict, got.Code)
	require.Contains(t, string(got.Data), `"first"`)
	require.Contains(t, string(got.Data), `"name"`)
	w.refused(t, fault.BadParameter, call{method: "POST", path: savePath, body: body, actor: administrator, headers: map[string]string{"If-Match": `"2"`}})
	w.refused(t, fault.BadParameter, call{method: "POST", path: savePath, body: body, actor: administrator, headers: map[string]string{"If-Match": `"x"`}})
	free := strings.Replace(body, `"version":1,`, "", 1)
	require.Zero(t, w.send(t, call{method: "POST", path: savePath, body: free, actor: administrator, headers: map[string]string{"If-Match": `"2"`}}).Errcode)
}

// TestIdempotency: the same key saves once.
func TestIdempotency(t *testing.T) {
	c := call{method: "POST", path: savePath, body: `{"schemaCode":"site","data":{"code":"ONCE-1","name":"x"}}`, actor: administrator,
		headers: map[string]string{"Idempotency-Key": "once"}}
	one, two := shared.send(t, c), shared.send(t, c)
	require.Zero(t, one.Errcode, "%s", one.Body)
	require.JSONEq(t, string(one.Data), string(two.Data))
	c.headers = map[string]string{"Idempotency-Key": strings.Repeat("k", 201)}
	shared.refused(t, fault.BadParameter, c)
}

// TestCrossSite: another site's page cannot make a browser write here; a script with its own token can.
func TestCrossSite(t *testing.T) {
	w := shared
	cookie := cookieName + "=" + w.token(t, administrator)
	for name, c := range map[string]struct {
		headers map[string]string
		want    fault.Code
	}{
		"same origin":             {map[string]string{"Sec-Fetch-Site": "same-origin"}, 0},
		"typed by the user":       {map[string]string{"Sec-Fetch-Site": "none"}, 0},
		"another site":            {map[string]string{"Sec-Fetch-Site": "cross-site"}, fault.CrossSite},
		"a sibling":               {map[string]string{"Sec-Fetch-Site": "same-site"}, fault.CrossSite},
		"old browser, own page":   {map[string]string{"Origin": "http://example.com"}, 0},
		"old browser, other page": {map[string]string{"Origin": "http://evil.example"}, fault.CrossSite},
		"old browser, no page":    {map[string]string{"Origin": "null"}, fault.CrossSite},
		"origin by a header":      {map[string]string{"Origin": "https://example.com", "X-Forwarded-Proto": "https"}, fault.CrossSite},
		"script without a page":   {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			headers := map[string]string{"Cookie": cookie}
			for k, v := range c.headers {
				headers[k] = v
			}
			d := call{method: "POST", path: listPath, body: `{"schemaCode":"site"}`, headers: headers}
			if c.want == 0 {
				require.Zero(t, w.send(t, d).Errcode)
				return
			}
			w.refused(t, c.want, d)
			w.refused(t, c.want, call{method: "GET", path: "/api/login/Authentication/get_refresh_token", headers: headers})
		})
	}
	got := w.send(t, call{method: "POST", path: listPath, body: `{"schemaCode":"site"}`, actor: administrator, headers: map[string]string{"Sec-Fetch-Site": "cross-site"}})
	require.Zero(t, got.Errcode, "a bearer token is no cookie that a browser adds")
	for _, origin := range []string{"http://evil.example"} {
		got := w.send(t, call{method: "OPTIONS", path: listPath, headers: map[string]string{"Origin": origin, "Access-Control-Request-Method": "POST"}})
		require.Empty(t, got.Header().Get("Access-Control-Allow-Origin"))
	}
}

func TestLoginRate(t *testing.T) {
	c := call{method: "GET", path: "/api/login/setup"}
	for range loginBurst + 5 {
		require.Zero(t, shared.send(t, c).Errcode, "this call costs nothing")
	}
	for range loginBurst + 5 {
		got := shared.send(t, call{method: "POST", path: "/login/Authentication/get_refresh_token"})
		require.Equal(t, fault.Unauthenticated, got.Errcode, "a big office behind one address goes on working")
	}
	c = call{method: "POST", path: "/api/login/Authentication/get_token", body: "{}", headers: map[string]string{"X-Forwarded-For": "1.2.3.4"}}
	limited := 0
	for range loginBurst + 5 {
		if shared.send(t, c).Errcode == fault.TooManyRequests {
			limited++
		}
	}
	require.NotZero(t, limited)
	got := shared.refused(t, fault.TooManyRequests, c)
	require.Equal(t, "1", got.Header().Get("Retry-After"))
}

func TestLimitsForget(t *testing.T) {
	l := newLimits(loginRate, loginBurst)
	for range loginBurst {
		require.True(t, l.allow("a"))
	}
	require.False(t, l.allow("a"))
	require.True(t, l.allow("b"))
	l.peers["b"].seen = time.Now().Add(-time.Hour)
	l.sweep()
	require.Len(t, l.peers, 1, "who was quiet is forgotten, who was not is still limited")
}

// TestInternalErrors: a failure that nobody foresaw shows its request id and nothing else; a panic does not end the process.
func TestInternalErrors(t *testing.T) {
	s, err := New(Options{App: shared.app, Log: shared.Server.log, UI: built})
	require.NoError(t, err)
	s.register(route{method: "GET", path: "/api/panic", access: public, body: small, deadline: quick, handle: func(*request) (any, error) { panic("secret cause") }})
	s.register(route{method: "GET", path: "/api/odd", access: public, body: small, deadline: quick, handle: func(*request) (any, error) { return make(chan int), nil }})
	s.register(route{method: "GET", path: "/api/slow", access: public, body: small, deadline: time.Millisecond, handle: func(r *request) (any, error) {
		<-r.ctx.Done()
		return nil, r.ctx.Err()
	}})
	w := &world{Server: s, app: shared.app, log: shared.log}
	got := w.refused(t, fault.Internal, call{method: "GET", path: "/api/panic", headers: map[string]string{"X-Request-Id": "req-1"}})
	require.Contains(t, got.Errmsg, "req-1")
	require.NotContains(t, got.Body.String(), "secret cause")
	require.Contains(t, w.log.String(), "secret cause")
	w.refused(t, fault.Internal, call{method: "GET", path: "/api/odd"})
	w.refused(t, fault.DeadlineExceeded, call{method: "GET", path: "/api/slow"})
}

func TestRequestID(t *testing.T) {
	for given, kept := range map[string]bool{"abc-1_Z": true, "": false, "a b": false, "a\nb": false, "<script>": false, strings.Repeat("a", 65): false} {
		r := httptest.NewRequest("GET", "/healthz", nil)
		r.Header["X-Request-Id"] = []string{given}
		out := httptest.NewRecorder()
		shared.Handler().ServeHTTP(out, r)
		if id := out.Header().Get("X-Request-Id"); kept {
			require.Equal(t, given, id)
		} else {
			require.Len(t, id, 36)
		}
	}
}
