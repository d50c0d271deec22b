package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

// browser is a client with cookies on a real connection.
type browser struct {
	*http.Client
	t    *testing.T
	base string
}

func newBrowser(t *testing.T) *browser { return newBrowserOf(t, shared) }

func newBrowserOf(t *testing.T, w *world) *browser {
	t.Helper()
	server := httptest.NewServer(w.Handler())
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	client := server.Client()
	client.Jar = jar
	t.Cleanup(func() {
		client.CloseIdleConnections()
		server.CloseClientConnections()
		server.Close()
	})
	return &browser{Client: client, t: t, base: server.URL}
}

func (b *browser) call(method, path string, in any) reply {
	b.t.Helper()
	body, err := json.Marshal(in)
	require.NoError(b.t, err)
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.base+path, bytes.NewReader(body))
	require.NoError(b.t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	response, err := b.Do(request)
	require.NoError(b.t, err)
	defer func() { _ = response.Body.Close() }()
	out := reply{ResponseRecorder: httptest.NewRecorder()}
	_, err = io.Copy(out, response.Body)
	require.NoError(b.t, err)
	out.Code = response.StatusCode
	require.NoError(b.t, json.Unmarshal(out.Body.Bytes(), &out))
	for _, c := range response.Cookies() {
		require.True(b.t, c.HttpOnly, "scripts of the page cannot read %s", c.Name)
		require.Equal(b.t, http.SameSiteLaxMode, c.SameSite)
	}
	return out
}

func (b *browser) encrypt(texts ...string) (index string, sealed []string) {
	b.t.Helper()
	var key struct{ Index, Key string }
	b.call("GET", "/api/login/rsa_key", nil).into(b.t, &key)
	block, _ := pem.Decode([]byte(key.Key))
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	require.NoError(b.t, err)
	for _, text := range texts {
		s, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public.(*rsa.PublicKey), []byte(text), nil)
		require.NoError(b.t, err)
		sealed = append(sealed, base64.StdEncoding.EncodeToString(s))
	}
	return key.Index, sealed
}

func (b *browser) signIn(name, password string) reply {
	b.t.Helper()
	index, sealed := b.encrypt(password)
	return b.call("POST", "/api/login/Authentication/get_token", map[string]string{"username": name, "password": sealed[0], "index": index})
}

// TestBrowserSession goes through a person's day: sign in, refresh, change the password, sign out.
func TestBrowserSession(t *testing.T) {
	ctx := t.Context()
	_, err := shared.app.AddUser(ctx, "day", "一天", []string{"viewer"})
	require.NoError(t, err)
	_, err = shared.app.SetPassword(ctx, "day", "Morning-1")
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

	b.call("POST", "/login/Authentication/get_refresh_token", nil).into(t, &tokens)
	b.call("GET", "/api/login/Authentication/get_refresh_token", nil).into(t, &tokens)
	index, sealed := b.encrypt("Morning-1", "Evening-1")
	change := map[string]string{"index": index, "oldPassword": sealed[0], "newPassword": sealed[1]}
	require.Zero(t, b.call("PUT", "/api/organization/user/password", change).Errcode)
	require.Zero(t, b.call("GET", "/api/organization/user/info", nil).Errcode, "the own session goes on")
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
	require.Equal(t, http.StatusGatewayTimeout, response.StatusCode)
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

// TestEvents: an open page hears of a new catalog and of faults, whoever joins later too, and nobody else listens.
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
			if line == "\n" {
				return text.String()
			}
			text.WriteString(line)
		}
	}
	digest := shared.app.State().Catalog.Digest
	one := listen()
	require.Equal(t, "event: catalog\ndata: \""+digest+"\"\n", read(one))
	shared.app.Events().Send(app.Event{Name: "diagnostics", Data: `[{"code":"X"}]`}, true)
	require.Equal(t, "event: diagnostics\ndata: [{\"code\":\"X\"}]\n", read(one))
	two := listen()
	read(two)
	require.Equal(t, "event: diagnostics\ndata: [{\"code\":\"X\"}]\n", read(two))
	shared.app.Events().Send(app.Event{Name: "diagnostics", Data: `[]`}, true)
	require.Equal(t, "event: diagnostics\ndata: []\n", read(one))
}
