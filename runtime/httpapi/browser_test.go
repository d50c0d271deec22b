package httpapi

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// browser is a client with cookies on a real connection.
type browser struct {
	*http.Client
	t       *testing.T
	base    string
	header  http.Header             // sent with every call
	cookies map[string]*http.Cookie // that the last call set
}

var browsers atomic.Int64

// newBrowser is a peer of its own: all browsers of the tests together would be one that asks too much.
func newBrowser(t *testing.T) *browser {
	n := browsers.Add(1)
	peer := fmt.Sprintf("10.0.%d.%d:1024", n/250, n%250+1)
	return browse(t, http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = peer
		shared.Handler().ServeHTTP(out, r)
	}))
}

func newBrowserOf(t *testing.T, w *world) *browser { return browse(t, w.Handler()) }

func browse(t *testing.T, h http.Handler) *browser {
	t.Helper()
	server := httptest.NewServer(h)
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
	maps.Copy(request.Header, b.header)
	response, err := b.Do(request)
	require.NoError(b.t, err)
	defer func() { _ = response.Body.Close() }()
	out := reply{ResponseRecorder: httptest.NewRecorder()}
	_, err = io.Copy(out, response.Body)
	require.NoError(b.t, err)
	out.Code = response.StatusCode
	maps.Copy(out.Header(), response.Header)
	b.cookies = map[string]*http.Cookie{}
	require.NoError(b.t, json.Unmarshal(out.Body.Bytes(), &out))
	for _, c := range response.Cookies() {
		b.cookies[c.Name] = c
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
