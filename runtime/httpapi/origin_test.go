package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
)

func TestPublicURL(t *testing.T) {
	for text, want := range map[string]string{
		"https://sluice.example.com": "https://sluice.example.com", "https://Sluice.Example.com/": "https://sluice.example.com",
		"http://10.0.0.7:8080": "http://10.0.0.7:8080", "https://x:443": "https://x:443",
		"": "", "sluice.example.com": "", "//x": "", "ftp://x": "", "https://": "", "https://:1": "", "https://x/app": "", "https://u:p@x": "", "https://x?a": "", "https://x#a": "",
	} {
		u, err := PublicURL(text)
		require.Equal(t, want == "", err != nil, "%q: %v", text, err)
		if err == nil {
			require.Equal(t, want, u.String())
		}
	}
}

// TestBehindProxy: with TLS in front, cookies travel through TLS only, and the pages of the public address are those of the
// same site, whatever the connection from the proxy looks like.
func TestBehindProxy(t *testing.T) {
	_, err := shared.app.AddUser(t.Context(), "proxied", "proxied", []string{"viewer"})
	require.NoError(t, err)
	_, err = shared.app.SetPassword(t.Context(), "proxied", "Morning-1", false)
	require.NoError(t, err)
	for text, secure := range map[string]bool{"https://sluice.example.com": true, "https://sluice.example.com:443": true, "http://sluice.example.com": false, "": false} {
		o := Options{App: shared.app, Log: shared.Server.log, UI: built}
		if text != "" {
			o.PublicURL, err = PublicURL(text)
			require.NoError(t, err)
		}
		s, err := New(o)
		require.NoError(t, err)
		w := &world{Server: s, app: shared.app, log: shared.log}
		b := newBrowserOf(t, w)
		require.Zero(t, b.signIn("proxied", "Morning-1").Errcode)
		require.Len(t, b.cookies, 2)
		for _, c := range b.cookies {
			require.Equal(t, secure, c.Secure, "%q: %s", text, c.Name)
		}
		cookie := cookieName + "=" + w.token(t, "proxied")
		for origin, allowed := range map[string]bool{
			"https://sluice.example.com": secure, "http://sluice.example.com": text == "http://sluice.example.com", "http://example.com": text == "", "https://example.com": false,
		} {
			want := fault.CrossSite
			if allowed {
				want = 0
			}
			got := w.send(t, call{method: "POST", path: listPath, body: `{"schemaCode":"inspection"}`, headers: map[string]string{"Cookie": cookie, "Origin": origin}})
			require.Equal(t, want, got.Errcode, "%q takes a page of %s", text, origin)
		}
	}
}
