package oidc_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/oidc"
)

// Keys of the provider, and one that is not its own. They are short, since long ones take seconds to make.
var keys = sync.OnceValue(func() (k struct {
	rsa, foreign *rsa.PrivateKey
	ec           *ecdsa.PrivateKey
}) {
	var err1, err2, err3 error
	k.rsa, err1 = rsa.GenerateKey(rand.Reader, 1024)
	k.foreign, err2 = rsa.GenerateKey(rand.Reader, 1024)
	k.ec, err3 = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err1 != nil || err2 != nil || err3 != nil {
		panic("no keys")
	}
	return k
})

var start = time.Date(2026, 11, 27, 8, 0, 0, 0, time.UTC)

// issuer is an OpenID provider in this process, which says what a test wants it to say.
type issuer struct {
	*httptest.Server
	t *testing.T

	mu       sync.Mutex
	asked    map[string]int // by path
	forms    []url.Values   // what the token endpoint was sent
	describe map[string]any // instead of the usual description; nil = leave the key out
	claims   map[string]any // instead of the usual claims; nil = leave the key out
	sign     func([]byte) string
	alg      string
	answer   http.HandlerFunc // instead of the token; nil = the token
	about    map[string]any   // at the address for it
	now      time.Time
}

func newIssuer(t *testing.T, secure bool) *issuer {
	t.Helper()
	i := &issuer{t: t, asked: map[string]int{}, alg: "RS256", sign: signRSA(keys().rsa), now: start}
	i.Server = httptest.NewUnstartedServer(http.HandlerFunc(i.serve))
	if secure {
		i.StartTLS()
	} else {
		i.Start()
	}
	t.Cleanup(i.Close)
	return i
}

func (i *issuer) clock() time.Time {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.now
}

// client is ours, with this provider under the code "main".
func (i *issuer) client(scopes ...string) *oidc.Client {
	p := oidc.Provider{Code: "main", Name: "Main", Issuer: i.URL, ClientID: "sluice", Secret: "client-secret", Scopes: scopes}
	c, err := oidc.New([]oidc.Provider{p}, "https://sluice.example/", i.clock)
	require.NoError(i.t, err)
	if roots := i.Client().Transport.(*http.Transport).TLSClientConfig; roots != nil {
		c.Transport("main").TLSClientConfig = roots
	}
	return c
}

func (i *issuer) serve(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked[r.URL.Path]++
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		send(w, with(map[string]any{"issuer": i.URL, "authorization_endpoint": i.URL + "/auth?prompt=login",
			"token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys", "userinfo_endpoint": i.URL + "/about"}, i.describe))
	case "/keys":
		encode := base64.RawURLEncoding.EncodeToString
		k := keys()
		point, err := k.ec.PublicKey.Bytes()
		require.NoError(i.t, err)
		half := (len(point) - 1) / 2
		send(w, map[string]any{"keys": []any{
			map[string]any{"kty": "RSA", "kid": "rsa", "use": "sig", "n": encode(k.rsa.N.Bytes()), "e": "AQAB"},
			map[string]any{"kty": "EC", "kid": "ec", "use": "sig", "crv": "P-256",
				"x": encode(point[1 : 1+half]), "y": encode(point[1+half:])},
		}})
	case "/token":
		require.NoError(i.t, r.ParseForm())
		i.forms = append(i.forms, r.PostForm)
		if i.answer != nil {
			i.answer(w, r)
			return
		}
		send(w, map[string]any{"access_token": "access", "token_type": "Bearer", "id_token": i.token()})
	case "/about":
		if r.Header.Get("Authorization") != "Bearer access" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		send(w, i.about)
	default:
		http.NotFound(w, r)
	}
}

// token is an ID token.
func (i *issuer) token() string {
	claims := with(map[string]any{"iss": i.URL, "sub": "s1", "aud": "sluice", "nonce": "nonce",
		"exp": i.now.Add(time.Hour).Unix(), "iat": i.now.Unix(),
		"email": "wang@example.com", "email_verified": true, "name": "Wang", "preferred_username": "wang"}, i.claims)
	head, err := json.Marshal(map[string]any{"alg": i.alg, "typ": "JWT"})
	require.NoError(i.t, err)
	body, err := json.Marshal(claims)
	require.NoError(i.t, err)
	text := base64.RawURLEncoding.EncodeToString(head) + "." + base64.RawURLEncoding.EncodeToString(body)
	return text + "." + i.sign([]byte(text))
}

// with puts other values into an object; those that are nil go.
func with(usual, other map[string]any) map[string]any {
	for k, v := range other {
		if usual[k] = v; v == nil {
			delete(usual, k)
		}
	}
	return usual
}

func send(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func signRSA(key *rsa.PrivateKey) func([]byte) string {
	return func(text []byte) string {
		sum := sha256.Sum256(text)
		out, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
		if err != nil {
			panic(err)
		}
		return base64.RawURLEncoding.EncodeToString(out)
	}
}

func signEC(text []byte) string {
	sum := sha256.Sum256(text)
	r, s, err := ecdsa.Sign(rand.Reader, keys().ec, sum[:])
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...))
}

func signSecret(text []byte) string {
	h := hmac.New(sha256.New, []byte("client-secret"))
	h.Write(text)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

func signNothing([]byte) string { return "" }

// hash is that of an access token, as a token names it.
func hash(access string) string {
	sum := sha256.Sum256([]byte(access))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
