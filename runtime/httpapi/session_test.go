package httpapi

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

// TestBrowserSession goes through a person's day: sign in, refresh, change the password, sign out.
func TestBrowserSession(t *testing.T) {
	ctx := t.Context()
	_, err := shared.app.AddUser(ctx, "day", "一天", []string{"viewer"})
	require.NoError(t, err)
	_, err = shared.app.SetPassword(ctx, "day", "Morning-1", false)
	require.NoError(t, err)
	b, other := newBrowser(t), newBrowser(t)
	require.Equal(t, fault.LoginFailed, b.signIn("day", "Morning-2").Errcode)
	require.Equal(t, b.signIn("nobody", "Morning-1").Body.String(), b.signIn("day", "Morning-3").Body.String())
	var tokens struct {
		Access  string `json:"access_token"`
		Refresh string `json:"refresh_token"`
		Expires int64  `json:"exp"`
	}
	b.signIn("day", "Morning-1").into(t, &tokens)
	require.Greater(t, tokens.Expires, time.Now().Unix())
	other.signIn("day", "Morning-1").into(t, &tokens)
	var info struct {
		Username      string   `json:"username"`
		Permissions   []string `json:"permissions"`
		LastLoginTime *string  `json:"lastLoginTime"`
	}
	b.call("GET", "/api/organization/user/info", nil).into(t, &info)
	require.Equal(t, "day", info.Username)
	require.Empty(t, info.Permissions)
	require.NotNil(t, info.LastLoginTime)
	var unchanged bool
	b.call("GET", "/api/organization/user/check_password", nil).into(t, &unchanged)
	require.True(t, unchanged, "an operator set it")

	b.call("POST", "/login/Authentication/get_refresh_token", nil).into(t, &tokens)
	b.call("GET", "/api/login/Authentication/get_refresh_token", nil).into(t, &tokens)
	index, sealed := b.encrypt("Morning-1", "Evening-1")
	change := map[string]string{"index": index, "oldPassword": sealed[0], "newPassword": sealed[1]}
	require.Zero(t, b.call("PUT", "/api/organization/user/password", change).Errcode)
	require.Zero(t, b.call("GET", "/api/organization/user/info", nil).Errcode, "the own session goes on")
	b.call("GET", "/api/organization/user/check_password?userId="+shared.id(t, "day"), nil).into(t, &unchanged)
	require.False(t, unchanged)
	require.Equal(t, fault.TokenExpired, other.call("GET", "/api/organization/user/info", nil).Errcode)
	require.Equal(t, fault.RefreshRejected, other.call("POST", "/login/Authentication/get_refresh_token", nil).Errcode)

	require.Zero(t, b.call("POST", "/api/login/logout", nil).Errcode)
	base, err := url.Parse(b.base)
	require.NoError(t, err)
	require.Empty(t, b.Jar.Cookies(base))
	require.Equal(t, fault.Unauthenticated, b.call("GET", "/api/organization/user/info", nil).Errcode)
	require.NotContains(t, shared.log.String(), "Morning-1")
	require.NotContains(t, shared.log.String(), tokens.Refresh)
}

// TestOwnSessions lists and ends sign-ins and tokens. A token may neither make another nor end a session, and one that may only read
// writes nothing, whatever it calls.
func TestOwnSessions(t *testing.T) {
	w := shared
	w.account(t, "tokens", "Morning-1", false)
	b, other := newBrowser(t), newBrowser(t)
	require.Zero(t, other.signIn("tokens", "Morning-1").Errcode)
	require.Zero(t, b.signIn("tokens", "Morning-1").Errcode)
	const at = "/api/organization/user/"
	for days, want := range map[int]fault.Code{0: fault.BadParameter, 367: fault.BadParameter} {
		require.Equal(t, want, b.call("POST", at+"tokens", map[string]any{"label": "x", "days": days}).Errcode)
	}
	require.Equal(t, fault.EmptyParameter, b.call("POST", at+"tokens", map[string]any{"label": "", "days": 1}).Errcode)
	var made struct{ Token string }
	b.call("POST", at+"tokens", map[string]any{"label": "report", "days": 30, "readOnly": true}).into(t, &made)
	var list struct {
		Content []struct {
			ID, Label                 string
			Script, ReadOnly, Current bool
		}
	}
	b.call("GET", at+"sessions", nil).into(t, &list)
	require.Len(t, list.Content, 3)
	require.Equal(t, []bool{false, true, false}, []bool{list.Content[0].Current, list.Content[1].Current, list.Content[2].Current})
	require.True(t, list.Content[2].Script && list.Content[2].ReadOnly)

	with := func(method, path, body string) fault.Code {
		return w.send(t, call{method: method, path: path, body: body, headers: map[string]string{"Authorization": "Bearer " + made.Token}}).Errcode
	}
	require.Zero(t, with("POST", "/api/runtime/query/list", `{"schemaCode":"inspection","size":3}`))
	require.Equal(t, fault.TokenReadOnly, with("POST", savedFiltersPath, `{"schemaCode":"inspection","name":"read only","filters":[]}`))
	require.Equal(t, fault.TokenReadOnly, with("POST", "/api/runtime/comment/add", `{"schemaCode":"inspection","objectId":"`+w.rows(t, viewer, "inspection")[1]+`","text":"x"}`))
	for _, c := range [][3]string{{"GET", at + "sessions", ""}, {"POST", at + "sessions/revoke", `{"id":"` + list.Content[0].ID + `"}`}, {"POST", at + "sessions/revoke_others", ""},
		{"POST", at + "tokens", `{"label":"x","days":1}`}, {"PUT", at + "password", `{"index":"x","oldPassword":"eA==","newPassword":"eA=="}`}} {
		require.Equal(t, fault.TokenOnly, with(c[0], c[1], c[2]), c[1])
	}

	require.Equal(t, fault.SessionNotFound, b.call("POST", at+"sessions/revoke", map[string]string{"id": "another"}).Errcode)
	require.Zero(t, b.call("POST", at+"sessions/revoke", map[string]string{"id": list.Content[2].ID}).Errcode)
	require.Equal(t, fault.TokenExpired, with("POST", "/api/runtime/query/list", `{"schemaCode":"inspection","size":3}`))
	require.Zero(t, b.call("POST", at+"sessions/revoke_others", nil).Errcode)
	require.Equal(t, fault.TokenExpired, other.call("GET", at+"info", nil).Errcode)
	require.Equal(t, fault.RefreshRejected, other.call("POST", "/login/Authentication/get_refresh_token", nil).Errcode)
	require.Zero(t, b.call("GET", at+"info", nil).Errcode)
	require.NotContains(t, shared.log.String(), made.Token)
}

// TestTooManyAttempts: the answer says how long to wait, in both languages, in the header and in the data; the real peer
// counts, not what a header says.
func TestTooManyAttempts(t *testing.T) {
	shared.freeze(t)
	shared.account(t, "clumsy", "Morning-1", false)
	b := newBrowser(t)
	for range 5 {
		require.Equal(t, fault.LoginFailed, b.signIn("clumsy", "Morning-2").Errcode)
	}
	b.header = http.Header{"X-Forwarded-For": {"192.0.2.9"}, "Accept-Language": {"zh-CN"}}
	got := b.signIn("clumsy", "Morning-1")
	require.Equal(t, http.StatusTooManyRequests, got.Code)
	require.Equal(t, "尝试次数过多，请 5 秒后再试", got.Errmsg)
	require.JSONEq(t, `{"retryAfter":5}`, string(got.Data))
	require.Equal(t, "5", got.Header().Get("Retry-After"))
	b.header = http.Header{"Accept-Language": {"en"}}
	require.Equal(t, "Too many attempts. Try again in 5 seconds.", b.signIn("clumsy", "Morning-1").Errmsg)
}

// TestTrustedProxies: behind a proxy that the operator named each client has their own attempts, and cookies are for
// encrypted connections only.
func TestTrustedProxies(t *testing.T) {
	shared.freeze(t)
	shared.account(t, "behind", "Morning-1", false)
	s, err := New(Options{App: shared.app, Log: shared.Server.log, UI: built, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	require.NoError(t, err)
	b := newBrowserOf(t, &world{Server: s})
	b.header = http.Header{"X-Forwarded-For": {"192.0.2.1, 198.51.100.1"}, "X-Forwarded-Proto": {"https"}}
	for range 6 {
		b.signIn("behind", "Morning-2")
	}
	require.Equal(t, fault.TooManyAttempts, b.signIn("behind", "Morning-1").Errcode)
	b.header.Set("X-Forwarded-For", "192.0.2.77, 198.51.100.1, 127.0.0.9")
	require.Equal(t, fault.TooManyAttempts, b.signIn("behind", "Morning-1").Errcode, "what the client wrote itself does not count")
	b.header.Set("X-Forwarded-For", "192.0.2.1, 198.51.100.2")
	require.Zero(t, b.signIn("behind", "Morning-1").Errcode)
	require.True(t, b.cookies[cookieName].Secure)
	b.header.Del("X-Forwarded-Proto")
	require.Zero(t, b.signIn("behind", "Morning-1").Errcode)
	require.False(t, b.cookies[cookieName].Secure)
}

func TestPeer(t *testing.T) {
	proxied := &Server{proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:1::/48")}}
	for name, c := range map[string]struct {
		remote string
		hops   []string
		want   string
		bare   string // without trusted proxies
	}{
		"no header":             {"10.0.0.1:5", nil, "10.0.0.1", "10.0.0.1"},
		"one hop":               {"10.0.0.1:5", []string{"192.0.2.1"}, "192.0.2.1", "10.0.0.1"},
		"a forged first hop":    {"10.0.0.1:5", []string{"203.0.113.5, 192.0.2.1"}, "192.0.2.1", "10.0.0.1"},
		"two proxies":           {"10.0.0.1:5", []string{"192.0.2.1, 10.9.9.9"}, "192.0.2.1", "10.0.0.1"},
		"two headers":           {"10.0.0.1:5", []string{"203.0.113.5", "192.0.2.1,10.9.9.9"}, "192.0.2.1", "10.0.0.1"},
		"only proxies":          {"10.0.0.1:5", []string{"10.1.1.1"}, "10.1.1.1", "10.0.0.1"},
		"from somewhere else":   {"192.0.2.50:5", []string{"203.0.113.5"}, "192.0.2.50", "192.0.2.50"},
		"nonsense":              {"10.0.0.1:5", []string{"192.0.2.1, <script>"}, "10.0.0.1", "10.0.0.1"},
		"with a port":           {"10.0.0.1:5", []string{"192.0.2.1:443"}, "192.0.2.1", "10.0.0.1"},
		"IPv6 by network":       {"[2001:db8:1::1]:5", []string{"2001:db8:2:3:4:5:6:7"}, "2001:db8:2:3::/64", "2001:db8:1::/64"},
		"IPv6 with a port":      {"10.0.0.1:5", []string{"[2001:db8:2:3::1]:80"}, "2001:db8:2:3::/64", "10.0.0.1"},
		"IPv4 in IPv6":          {"[::ffff:10.0.0.1]:5", []string{"::ffff:192.0.2.1"}, "192.0.2.1", "10.0.0.1"},
		"IPv6 with a zone":      {"[fe80::1%eth0]:5", nil, "fe80::/64", "fe80::/64"},
		"a host's next address": {"[2001:db8:2:3:bbbb::2]:9", nil, "2001:db8:2:3::/64", "2001:db8:2:3::/64"},
		"a socket":              {"@", nil, "@", "@"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		r.Header["X-Forwarded-For"] = c.hops
		at := shared.echo.NewContext(r, httptest.NewRecorder())
		require.Equal(t, c.want, proxied.peer(at), name)
		require.Equal(t, c.bare, (&Server{}).peer(at), name)
	}
}

// TestPasswordDue: with a password that somebody else set, every call but the few that are needed to change it is refused.
func TestPasswordDue(t *testing.T) {
	shared.account(t, "newcomer", "Morning-1", true)
	b := newBrowser(t)
	require.Zero(t, b.signIn("newcomer", "Morning-1").Errcode)
	var info struct {
		MustChangePassword bool `json:"mustChangePassword"`
	}
	b.call("GET", "/api/organization/user/info", nil).into(t, &info)
	require.True(t, info.MustChangePassword)
	closed := 0
	for _, r := range shared.routes {
		if r.access != signedIn || r.due {
			continue
		}
		closed++
		got := b.call(r.method, r.path, map[string]any{})
		require.Equal(t, fault.PasswordDue, got.Errcode, "%s %s", r.method, r.path)
		require.Equal(t, http.StatusForbidden, got.Code)
	}
	require.Greater(t, closed, 10)
	change := func(from, to string) fault.Code {
		index, sealed := b.encrypt(from, to)
		return b.call("PUT", "/api/organization/user/password", map[string]string{"index": index, "oldPassword": sealed[0], "newPassword": sealed[1]}).Errcode
	}
	require.Equal(t, fault.PasswordSame, change("Morning-1", "Morning-1"))
	require.Equal(t, fault.PasswordRule, change("Morning-1", "short"))
	require.Zero(t, change("Morning-1", "Evening-1"))
	b.call("GET", "/api/organization/user/info", nil).into(t, &info)
	require.False(t, info.MustChangePassword)
	require.Zero(t, b.call("GET", "/api/app/apppackage/list", nil).Errcode)

	shared.account(t, "leaver", "Morning-1", true)
	require.Zero(t, b.signIn("leaver", "Morning-1").Errcode)
	require.Zero(t, b.call("POST", "/api/login/logout", nil).Errcode)
	require.Equal(t, fault.Unauthenticated, b.call("GET", "/api/organization/user/info", nil).Errcode)
}

// TestEventsEnd: nobody hears anything more after their session has ended.
func TestEventsEnd(t *testing.T) {
	b := newBrowser(t)
	token := shared.token(t, viewer)
	request, err := http.NewRequestWithContext(t.Context(), "GET", b.base+"/api/events", nil)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := b.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	out := shared.send(t, call{method: "POST", path: "/api/login/logout", headers: map[string]string{"Authorization": "Bearer " + token}})
	require.Zero(t, out.Errcode)
	shared.app.Events().Send(app.Event{Name: "late", Data: `"secret"`}, false)
	heard, err := io.ReadAll(response.Body) // ends, for the server hangs up
	require.NoError(t, err)
	require.NotContains(t, string(heard), "secret")
}

// TestFirstStart: the first administrator comes in with the secret, once.
func TestFirstStart(t *testing.T) {
	w, err := openWorld(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.app.Close()) })
	b := newBrowserOf(t, w)
	needed := func() bool {
		var state struct {
			Needed bool `json:"needed"`
		}
		b.call("GET", "/api/login/setup", nil).into(t, &state)
		return state.Needed
	}
	setUp := func(secret, password string) fault.Code {
		index, sealed := b.encrypt(password)
		return b.call("POST", "/api/login/setup", map[string]string{"secret": secret, "username": "first", "name": "第一人", "password": sealed[0], "index": index}).Errcode
	}
	require.True(t, needed())
	require.Equal(t, fault.SetupSecret, setUp("a guess", "Long-Enough-123"))
	require.Equal(t, fault.PasswordRule, setUp("the secret", "Short-12"))
	require.True(t, needed())
	require.Zero(t, setUp("the secret", "Long-Enough-123"))
	require.False(t, needed())
	var info struct{ Permissions []string }
	b.call("GET", "/api/organization/user/info", nil).into(t, &info)
	require.Contains(t, info.Permissions, "ADMIN")
	require.Equal(t, fault.SetupDone, setUp("the secret", "Long-Enough-123"))
	require.NotContains(t, w.log.String(), "the secret")
}

// TestDrippingBody: a body that does not end does not hold a call longer than its deadline.
func TestDrippingBody(t *testing.T) {
	s, err := New(Options{App: shared.app, Log: shared.Server.log, UI: built})
	require.NoError(t, err)
	s.register(route{method: "POST", path: "/api/drip", access: public, body: small, deadline: 100 * time.Millisecond, handle: func(r *request) (any, error) {
		var in struct{}
		return nil, decode(r.Context, &in)
	}})
	b := newBrowserOf(t, &world{Server: s})
	body, dripping := io.Pipe()
	defer func() { _ = dripping.Close() }()
	request, err := http.NewRequestWithContext(t.Context(), "POST", b.base+"/api/drip", body)
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	go func() { _, _ = dripping.Write([]byte("{")) }()
	response, err := b.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, http.StatusRequestTimeout, response.StatusCode)
}

// TestCardsKeepToRights: colleagues see what their roles let them see of a person, in whatever call.
func TestCardsKeepToRights(t *testing.T) {
	const colleague = "linguodong"
	path := "/api/organization/user/card?id=" + shared.id(t, colleague)
	read := func(actor string) map[string]any {
		var card map[string]any
		shared.get(t, actor, path).into(t, &card)
		return card
	}
	foreign := read(viewer)
	require.Equal(t, "林国栋", foreign["name"])
	require.Equal(t, "工程管理部部长", foreign["position"])
	require.Equal(t, "工程管理部", foreign["mainDepartment"])
	for _, hidden := range []string{"mobile", "email", "employeeNo", "role"} {
		require.Nil(t, foreign[hidden], hidden)
	}
	for _, actor := range []string{administrator, colleague} {
		require.Equal(t, "linguodong@example.com", read(actor)["email"])
		require.Equal(t, "SL1002", read(actor)["employeeNo"])
	}
}

// TestEvents: an open page hears of a new catalog and of faults, also one that joins later, and nobody else listens.
func TestEvents(t *testing.T) {
	b := newBrowser(t)
	require.Equal(t, fault.Unauthenticated, b.call("GET", "/api/events", nil).Errcode)
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	listen := func() *bufio.Reader {
		request, err := http.NewRequestWithContext(ctx, "GET", b.base+"/api/events", nil)
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer "+shared.token(t, viewer))
		response, err := b.Do(request)
		require.NoError(t, err)
		t.Cleanup(func() { _ = response.Body.Close() })
		require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
		require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
		return bufio.NewReader(response.Body)
	}
	read := func(r *bufio.Reader) string {
		var text strings.Builder
		for {
			line, err := r.ReadString('\n')
			require.NoError(t, err)
			if line != "\n" {
				text.WriteString(line)
				continue
			}
			// What other tests have sent to the viewer may come meanwhile.
			if got := text.String(); !strings.HasPrefix(got, "event: message\n") {
				return got
			}
			text.Reset()
		}
	}
	digest := shared.app.State().Catalog.Digest
	one := listen()
	require.Equal(t, "retry: 1000\nevent: catalog\ndata: \""+digest+"\"\n", read(one))
	shared.app.Events().Send(app.Event{Name: "diagnostics", Data: `[{"code":"X"}]`}, true)
	require.Equal(t, "event: diagnostics\ndata: [{\"code\":\"X\"}]\n", read(one))
	two := listen()
	read(two)
	require.Equal(t, "event: diagnostics\ndata: [{\"code\":\"X\"}]\n", read(two))
	shared.app.Events().Send(app.Event{Name: "diagnostics", Data: `[]`}, true)
	require.Equal(t, "event: diagnostics\ndata: []\n", read(one))
}
