package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/zitadel/oidc/example/server/exampleop"
	"github.com/zitadel/oidc/example/server/storage"
	"github.com/zitadel/oidc/pkg/op"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/oidc"
	"github.com/sluice-platform/sluice/runtime/store"
)

// accounts are the people of the provider.
type accounts []*storage.User

func (a accounts) GetUserByID(id string) *storage.User {
	for _, u := range a {
		if u.ID == id {
			return u
		}
	}
	return nil
}

func (a accounts) GetUserByUsername(name string) *storage.User { return a.GetUserByID(name) }
func (accounts) ExampleClientID() string                       { return "service" }

// clients are the systems that the provider signs people in for.
type clients struct {
	*storage.Storage
	all     map[string]op.Client
	secrets map[string]string
}

func (c clients) GetClientByClientID(_ context.Context, id string) (op.Client, error) {
	if one, ok := c.all[id]; ok {
		return one, nil
	}
	return nil, errors.New("client not found")
}

func (c clients) AuthorizeClientIDSecret(_ context.Context, id, secret string) error {
	if want, ok := c.secrets[id]; !ok || secret != want {
		return errors.New("invalid secret")
	}
	return nil
}

// provider is an OpenID provider with a page of sign-in, and what a test makes of its answers on their way to us.
type provider struct {
	t      *testing.T
	issuer string
	client *http.Client // of a browser that is signed in nowhere
	tamper atomic.Pointer[func(answer map[string]any)]
}

// newProvider starts a provider for two clients: ours, which returns to address, and another.
func newProvider(t *testing.T, address string, people accounts) *provider {
	t.Helper()
	p := &provider{t: t, client: &http.Client{CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if strings.HasSuffix(r.URL.Path, oidc.CallbackPath) {
			return http.ErrUseLastResponse
		}
		return nil
	}}}
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tamper := p.tamper.Load()
		if tamper == nil || r.URL.Path != "/oauth/token" {
			handler.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		var body map[string]any
		require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &body))
		(*tamper)(body)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(body)
	}))
	t.Cleanup(server.Close)
	p.issuer = server.URL
	handler = exampleop.SetupServer(t.Context(), server.URL, clients{Storage: storage.NewStorage(people), secrets: map[string]string{"sluice": "sluice-secret", "other": "other-secret"},
		all: map[string]op.Client{
			"sluice": storage.WebClient("sluice", "", address+oidc.CallbackPath),
			"other":  storage.WebClient("other", "", "http://127.0.0.1:1"+oidc.CallbackPath),
		}})
	return p
}

// signIn is what a person does at the provider: it returns with what the browser is sent back.
func (p *provider) signIn(address, name string) url.Values {
	p.t.Helper()
	page, err := p.client.Get(address)
	require.NoError(p.t, err)
	text, err := io.ReadAll(page.Body)
	require.NoError(p.t, err)
	_ = page.Body.Close()
	require.Equal(p.t, http.StatusOK, page.StatusCode, "%s", text)
	form := url.Values{"id": {page.Request.URL.Query().Get("authRequestID")}, "username": {name}, "password": {"secret"}}
	back, err := p.client.PostForm(p.issuer+"/login/username", form)
	require.NoError(p.t, err)
	_ = back.Body.Close()
	require.Equal(p.t, http.StatusFound, back.StatusCode)
	at, err := back.Location()
	require.NoError(p.t, err)
	return at.Query()
}

// tokenOfOther is an ID token that the provider made for the other client, with a nonce.
func (p *provider) tokenOfOther(name, nonce string) string {
	p.t.Helper()
	at := p.issuer + "/auth?" + url.Values{"client_id": {"other"}, "redirect_uri": {"http://127.0.0.1:1" + oidc.CallbackPath}, "response_type": {"code"},
		"scope": {"openid"}, "state": {"x"}, "nonce": {nonce}}.Encode()
	code := p.signIn(at, name).Get("code")
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {"http://127.0.0.1:1" + oidc.CallbackPath}}
	r, err := http.NewRequest("POST", p.issuer+"/oauth/token", strings.NewReader(form.Encode()))
	require.NoError(p.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth("other", "other-secret")
	res, err := p.client.Do(r)
	require.NoError(p.t, err)
	defer func() { _ = res.Body.Close() }()
	var out struct {
		ID string `json:"id_token"`
	}
	require.NoError(p.t, json.NewDecoder(res.Body).Decode(&out))
	require.NotEmpty(p.t, out.ID)
	return out.ID
}

// abroad is a world with providers that read the same people: "main" links by hand only, "mail" by address, "fresh" makes people.
type abroad struct {
	*world
	*provider
	address string
}

func goAbroad(t *testing.T, o store.Options) *abroad {
	t.Helper()
	out := &abroad{}
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	out.address = server.URL
	user := func(name, email string, verified bool) *storage.User {
		return &storage.User{ID: name, Username: name, Password: "secret", FirstName: name, LastName: "Abroad", Email: email, EmailVerified: verified}
	}
	out.provider = newProvider(t, server.URL, accounts{user("w", "wang@example.com", true), user("w2", "WANG@example.com", true), user("liar", "li@example.com", false),
		user("twin", "twin@example.com", true), user("gone", "gone@example.com", true), user("chief", "chief@example.com", true), user("new", "new@example.com", true), user("kelvin", "\u212aim@example.com", true)})
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("pack.json", `{"code": "guarded", "name": "两步", "version": "1.0.0"}`)
	write("access/guarded.json", `{"name": "两步", "secondFactor": true}`)
	write("access/under.json", `{"name": "下级", "includes": ["guarded", "staff"]}`)
	one := func(code string) oidc.Provider {
		return oidc.Provider{Code: code, Name: "公司账号", NameI18n: map[string]string{"en": "Company"}, Issuer: out.issuer, ClientID: "sluice", Secret: "sluice-secret"}
	}
	mail, fresh := one("mail"), one("fresh")
	mail.LinkByEmail = true
	fresh.Create, fresh.Roles = true, []string{"staff"}
	w, err := openWorldWith(app.Config{URL: o.URL, Dir: max(o.Dir, t.TempDir()), Documents: app.Documents{Dirs: []string{dir}}, Address: server.URL,
		Providers: []oidc.Provider{one("main"), mail, fresh}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.app.Close() })
	require.NoError(t, w.addAdministrator(t.Context()))
	out.world, handler = w, w.Handler()
	return out
}

// person makes a person with a password and an address.
func (a *abroad) person(t *testing.T, name, email string, roles ...string) {
	t.Helper()
	id, err := a.app.AddUser(t.Context(), name, name, append(roles, "staff"))
	require.NoError(t, err)
	_, err = a.app.SetPassword(t.Context(), name, "Morning-1", false)
	require.NoError(t, err)
	if email != "" {
		a.change(t, id, `{"email":"`+email+`"}`)
	}
}

func (w *world) change(t *testing.T, id, data string) {
	t.Helper()
	var loaded struct{ Version int64 }
	w.get(t, administrator, "/api/runtime/form/load?schemaCode=user&objectId="+id).into(t, &loaded)
	body, err := json.Marshal(map[string]any{"schemaCode": "user", "id": id, "version": loaded.Version, "data": json.RawMessage(data)})
	require.NoError(t, err)
	got := w.post(t, administrator, "/api/runtime/form/save", string(body))
	require.Zero(t, got.Errcode, "%s", got.Body)
}

// browser is one of a client of its own.
func (a *abroad) browser(t *testing.T) *browser {
	t.Helper()
	n := browsers.Add(1)
	return browse(t, http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = fmt.Sprintf("10.0.%d.%d:1024", n/250, n%250+1)
		a.Handler().ServeHTTP(out, r)
	}))
}

// leave begins a sign-in; address is where the browser goes.
func (a *abroad) leave(t *testing.T, b *browser, code string) (address string) {
	t.Helper()
	var out struct{ Address string }
	got := b.call("POST", "/api/login/oauth/leave", map[string]string{"provider": code, "return": "/after?x=1"})
	got.into(t, &out)
	require.Equal(t, http.SameSiteLaxMode, b.cookies[leavingCookie].SameSite)
	return out.Address
}

func (a *abroad) back(b *browser, q url.Values) reply {
	return b.call("POST", "/api/login/oauth/return", map[string]string{"state": q.Get("state"), "code": q.Get("code"), "iss": q.Get("iss")})
}

// enter goes the whole way.
func (a *abroad) enter(t *testing.T, b *browser, code, name string) reply {
	t.Helper()
	return a.back(b, a.signIn(a.leave(t, b, code), name))
}

// link links an identity to the person who is signed in in a browser.
func (a *abroad) link(t *testing.T, b *browser, name string) reply {
	t.Helper()
	index, sealed := b.encrypt("Morning-1")
	var out struct{ Address string }
	b.call("POST", "/api/organization/user/identities/link", map[string]string{"provider": "main", "return": "/", "index": index, "password": sealed[0]}).into(t, &out)
	return a.back(b, a.signIn(out.Address, name))
}

func (a *abroad) kinds(t *testing.T) string {
	t.Helper()
	var log struct {
		Content []struct {
			Kind   string
			Detail map[string]string
		}
	}
	a.get(t, administrator, "/api/system/audit?size=200").into(t, &log)
	var all []string
	for _, e := range log.Content {
		all = append(all, e.Kind+" "+e.Detail["provider"]+" "+e.Detail["by"])
	}
	return strings.Join(all, "\n")
}

func who(t *testing.T, b *browser) string {
	t.Helper()
	var info struct{ Username string }
	b.call("GET", "/api/organization/user/info", nil).into(t, &info)
	return info.Username
}

// TestProviders signs in by a real provider, on both databases: linked by the person, by a verified address, as a new person.
func TestProviders(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		a := goAbroad(t, o)
		var config struct {
			SignInProviders []app.SignInProvider
		}
		a.get(t, anonymous, "/api/system/config").into(t, &config)
		require.Len(t, config.SignInProviders, 3)
		require.NotContains(t, string(a.get(t, anonymous, "/api/system/config").Data), "secret")
		a.person(t, "wang", "")
		b := a.browser(t)
		require.Equal(t, fault.IdentityUnknown, a.enter(t, b, "main", "w").Errcode, "nobody is linked yet")
		require.Zero(t, b.signIn("wang", "Morning-1").Errcode)
		index, sealed := b.encrypt("Evening-1")
		require.Equal(t, fault.PasswordWrong, b.call("POST", "/api/organization/user/identities/link",
			map[string]string{"provider": "main", "return": "/", "index": index, "password": sealed[0]}).Errcode, "who found an open browser links nothing")
		linked := a.link(t, b, "w")
		require.JSONEq(t, `{"return":"/","linked":true,"exp":null}`, string(linked.Data))
		require.Zero(t, b.call("POST", "/api/login/logout", nil).Errcode)

		var out struct {
			Return string
			Exp    int64
		}
		entered := a.enter(t, b, "main", "w")
		entered.into(t, &out)
		require.Equal(t, "/after?x=1", out.Return)
		require.Greater(t, out.Exp, time.Now().Unix())
		require.NotContains(t, string(entered.Data), "token")
		require.Equal(t, "wang", who(t, b))
		var list struct {
			Content []struct {
				ID, Provider, Label string
				UsedTime            *string
			}
		}
		b.call("GET", "/api/organization/user/identities", nil).into(t, &list)
		require.Len(t, list.Content, 1)
		require.Equal(t, "wang@example.com", list.Content[0].Label)
		require.NotNil(t, list.Content[0].UsedTime)

		a.person(t, "other", "")
		second := a.browser(t)
		require.Zero(t, second.signIn("other", "Morning-1").Errcode)
		require.Equal(t, fault.IdentityTaken, a.link(t, second, "w").Errcode, "what is linked stays with its person")
		require.Equal(t, fault.ProviderUnknown, second.call("POST", "/api/organization/user/identities/unlink", map[string]string{"id": list.Content[0].ID}).Errcode)
		require.Zero(t, b.call("POST", "/api/organization/user/identities/unlink", map[string]string{"id": list.Content[0].ID}).Errcode)
		require.Equal(t, fault.IdentityUnknown, a.enter(t, a.browser(t), "main", "w").Errcode)

		// By an address that the provider has verified.
		a.person(t, "mail", "wang@example.com")
		require.Zero(t, a.enter(t, b, "mail", "w").Errcode)
		require.Equal(t, "mail", who(t, b))
		require.Equal(t, fault.IdentityUnknown, a.enter(t, a.browser(t), "mail", "w2").Errcode, "another identity with the address of before")

		// As a new person, who has no password.
		fresh := a.browser(t)
		require.Zero(t, a.enter(t, fresh, "fresh", "new").Errcode)
		require.Equal(t, "new", who(t, fresh))
		fresh.call("GET", "/api/organization/user/identities", nil).into(t, &list)
		require.Equal(t, fault.OnlyWayIn, fresh.call("POST", "/api/organization/user/identities/unlink", map[string]string{"id": list.Content[0].ID}).Errcode)
		require.Zero(t, fresh.call("POST", "/login/Authentication/get_refresh_token", nil).Errcode)
		require.Equal(t, fault.LoginFailed, a.browser(t).signIn("new", "").Errcode)
		require.Zero(t, a.enter(t, fresh, "fresh", "liar").Errcode)
		var info struct {
			Username string
			Email    *string
		}
		fresh.call("GET", "/api/organization/user/info", nil).into(t, &info)
		require.Equal(t, "liar", info.Username)
		require.Nil(t, info.Email, "an address that is not verified is not taken over")

		log := a.kinds(t)
		for _, kind := range []string{"identity.link main self", "identity.unlink main", "identity.link mail email", "identity.link fresh new", "signIn.ok main", "signIn.ok fresh"} {
			require.Contains(t, log, kind)
		}
		require.NotContains(t, a.log.String(), "sluice-secret")
	})
}

// TestForgedProviders: what somebody makes of the way to a provider and back lets nobody in.
func TestForgedProviders(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		a := goAbroad(t, o)
		a.person(t, "wang", "wang@example.com")
		fresh := func() *browser { return a.browser(t) }
		const stale, failed, unknown = fault.SignInStale, fault.ProviderFailed, fault.IdentityUnknown

		for _, path := range []string{"", "x", "//evil.example", "https://evil.example", `/\evil.example`, `/a\b`, "/\t/evil.example", "/a\n", "/..//evil.example", "/a//evil.example",
			"/" + strings.Repeat("x", 2000)} {
			got := fresh().call("POST", "/api/login/oauth/leave", map[string]string{"provider": "main", "return": path})
			require.Equal(t, fault.BadParameter, got.Errcode, "%q", path)
		}
		require.Equal(t, fault.ProviderUnknown, fresh().call("POST", "/api/login/oauth/leave", map[string]string{"provider": "none", "return": "/"}).Errcode)

		b := fresh()
		q := a.signIn(a.leave(t, b, "mail"), "w")
		require.Equal(t, stale, a.back(b, url.Values{"state": {"forged"}, "code": q["code"]}).Errcode)
		b = fresh()
		q = a.signIn(a.leave(t, b, "mail"), "w")
		require.Equal(t, stale, a.back(fresh(), q).Errcode, "the address, sent to somebody else")
		require.Equal(t, stale, a.back(b, q).Errcode, "it was used up by that")
		b = fresh()
		q = a.signIn(a.leave(t, b, "mail"), "w")
		other := fresh()
		a.leave(t, other, "mail")
		require.Equal(t, stale, a.back(other, q).Errcode, "with a cookie of another way")

		b = fresh()
		q = a.signIn(a.leave(t, b, "mail"), "w")
		require.Zero(t, a.back(b, q).Errcode)
		require.Equal(t, stale, a.back(b, q).Errcode, "the same answer again")
		again := fresh()
		state, err := url.Parse(a.leave(t, again, "mail"))
		require.NoError(t, err)
		require.Equal(t, failed, a.back(again, url.Values{"state": {state.Query().Get("state")}, "code": q["code"]}).Errcode, "the same code on another way")

		// The address asks for PKCE, a nonce and exactly our callback.
		asks := state.Query()
		require.Equal(t, []string{"S256", a.address + oidc.CallbackPath}, []string{asks.Get("code_challenge_method"), asks.Get("redirect_uri")})
		require.NotEmpty(t, asks.Get("code_challenge"))
		b = fresh()
		address := a.leave(t, b, "mail")
		nonce := regexpNonce(t, address)
		require.Equal(t, failed, a.back(b, a.signIn(strings.Replace(address, nonce, "another", 1), "w")).Errcode, "a token with another nonce")
		b = fresh()
		q = a.signIn(a.leave(t, b, "mail"), "w")
		q.Set("iss", "https://elsewhere.example")
		require.Equal(t, failed, a.back(b, q).Errcode, "the answer of another provider")

		b = fresh()
		address = a.leave(t, b, "mail")
		q = a.signIn(address, "w")
		forOther := a.tokenOfOther("w", regexpNonce(t, address))
		swap := func(answer map[string]any) { answer["id_token"] = forOther }
		a.tamper.Store(&swap)
		require.Equal(t, failed, a.back(b, q).Errcode, "a token that was made for another client")
		for what, change := range map[string]func(map[string]any){
			"a broken signature": func(m map[string]any) {
				m["id_token"] = m["id_token"].(string)[:len(m["id_token"].(string))-6] + "AAAAAA"
			},
			"no algorithm": func(m map[string]any) {
				parts := strings.Split(m["id_token"].(string), ".")
				m["id_token"] = "eyJhbGciOiJub25lIn0." + parts[1] + "."
			},
			"no token":             func(m map[string]any) { delete(m, "id_token") },
			"another access token": func(m map[string]any) { m["access_token"] = "another" },
		} {
			b, change := fresh(), change
			q := a.signIn(a.leave(t, b, "mail"), "w")
			a.tamper.Store(&change)
			require.Equal(t, failed, a.back(b, q).Errcode, what)
		}
		a.tamper.Store(nil)

		// Whom an address does not prove.
		a.person(t, "li", "li@example.com")
		require.Equal(t, unknown, a.enter(t, fresh(), "mail", "liar").Errcode, "an address that is not verified")
		a.person(t, "twin1", "twin@example.com")
		a.person(t, "twin2", "TWIN@example.com")
		require.Equal(t, unknown, a.enter(t, fresh(), "mail", "twin").Errcode, "an address of two people")
		a.person(t, "kim", "kim@example.com")
		require.Equal(t, unknown, a.enter(t, fresh(), "mail", "kelvin").Errcode, "an address that only looks the same")
		chief, err := a.app.AddUser(t.Context(), "chief", "chief", []string{"administrator"})
		require.NoError(t, err)
		a.change(t, chief, `{"email":"chief@example.com"}`)
		require.Equal(t, unknown, a.enter(t, fresh(), "mail", "chief").Errcode, "an address of an administrator")
		a.person(t, "gone", "gone@example.com")
		b = fresh()
		require.Zero(t, a.enter(t, b, "mail", "gone").Errcode)
		a.change(t, a.id(t, "gone"), `{"disabled":true}`)
		require.Equal(t, fault.TokenExpired, b.call("GET", "/api/organization/user/info", nil).Errcode)
		require.Equal(t, unknown, a.enter(t, fresh(), "mail", "gone").Errcode, "somebody who is disabled")

		// Linking ends in the session that began it.
		b, other = fresh(), fresh()
		require.Zero(t, b.signIn("li", "Morning-1").Errcode)
		index, sealed := b.encrypt("Morning-1")
		var out struct{ Address string }
		b.call("POST", "/api/organization/user/identities/link", map[string]string{"provider": "main", "return": "/", "index": index, "password": sealed[0]}).into(t, &out)
		q = a.signIn(out.Address, "twin")
		require.Zero(t, b.call("POST", "/api/login/logout", nil).Errcode)
		require.Zero(t, b.signIn("twin1", "Morning-1").Errcode)
		require.Equal(t, stale, a.back(b, q).Errcode)
	})
}

func regexpNonce(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u.Query().Get("nonce")
}

// TestProviderAway: a provider that cannot be reached, or says that it is another one, keeps nobody else out and is tried again.
func TestProviderAway(t *testing.T) {
	away := httptest.NewServer(http.NotFoundHandler())
	defer away.Close()
	c, err := oidc.New([]oidc.Provider{{Code: "x", Name: "x", Issuer: away.URL, ClientID: "x", Secret: "hidden"}}, "http://127.0.0.1", time.Now)
	require.NoError(t, err)
	_, err = c.Address(t.Context(), "x", oidc.Secrets{State: "s", Nonce: "n", Verifier: strings.Repeat("v", 43)})
	require.Error(t, err)
	require.NotContains(t, err.Error(), "hidden")
	real := newProvider(t, "http://127.0.0.1", nil)
	target, err := url.Parse(real.issuer)
	require.NoError(t, err)
	mirror := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }})
	defer mirror.Close()
	c, err = oidc.New([]oidc.Provider{{Code: "x", Name: "x", Issuer: mirror.URL, ClientID: "x"}}, "http://127.0.0.1", time.Now)
	require.NoError(t, err)
	_, err = c.Address(t.Context(), "x", oidc.Secrets{State: "s", Nonce: "n", Verifier: strings.Repeat("v", 43)})
	require.ErrorContains(t, err, "issuer")
}

// TestProviderHangs: who waits for a provider that does not answer may leave, and the others are told at once for a while, instead of
// waiting one after the other.
func TestProviderHangs(t *testing.T) {
	asked, release := make(chan struct{}, 10), make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		<-release
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer hangs.Close()
	now := time.Now()
	c, err := oidc.New([]oidc.Provider{{Code: "x", Name: "x", Issuer: hangs.URL, ClientID: "x"}}, "http://127.0.0.1", func() time.Time { return now })
	require.NoError(t, err)
	ask := func(ctx context.Context) error {
		_, err := c.Address(ctx, "x", oidc.Secrets{State: "s", Nonce: "n", Verifier: strings.Repeat("v", 43)})
		return err
	}
	first := make(chan error)
	go func() { first <- ask(context.Background()) }()
	<-asked
	gone, leave := context.WithCancel(t.Context())
	leave()
	require.ErrorIs(t, ask(gone), context.Canceled)
	close(release)
	require.Error(t, <-first)
	require.Error(t, ask(t.Context()))
	require.Empty(t, asked, "it was asked just now")
	now = now.Add(time.Minute)
	require.Error(t, ask(t.Context()))
	require.Len(t, asked, 1, "and is tried again")
}
