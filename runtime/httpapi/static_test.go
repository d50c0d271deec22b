package httpapi

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestFiles(t *testing.T) {
	for _, c := range []struct{ path, accept, body, encoding, kind, cache string }{
		{"/assets/app-1a.js", "gzip, deflate, br, zstd", "brotli", "br", "text/javascript", "immutable"},
		{"/assets/app-1a.js", "gzip", "gzip", "gzip", "text/javascript", "immutable"},
		{"/assets/app-1a.js", "", "plain", "", "text/javascript", "immutable"},
		{"/assets/app-1a.css", "br", "body{}", "", "text/css", "immutable"},
		{"/favicon.svg", "br", "<svg/>", "", "image/svg+xml", "no-cache"},
		{"//favicon.svg", "", "<svg/>", "", "image/svg+xml", "no-cache"},
		{"/assets/../favicon.svg", "", "<svg/>", "", "image/svg+xml", "no-cache"},
	} {
		got := shared.send(t, call{method: "GET", path: c.path, headers: map[string]string{"Accept-Encoding": c.accept}})
		require.Equal(t, http.StatusOK, got.Code, c.path)
		require.Equal(t, c.body, got.Body.String(), c.path)
		require.Equal(t, c.encoding, got.Header().Get("Content-Encoding"))
		require.Contains(t, got.Header().Get("Content-Type"), c.kind)
		require.Contains(t, got.Header().Get("Cache-Control"), c.cache)
		require.Equal(t, "Accept-Encoding", got.Header().Get("Vary"))
		require.Equal(t, "nosniff", got.Header().Get("X-Content-Type-Options"))
	}
	missing := shared.send(t, call{method: "GET", path: "/assets/app-9z.js"})
	require.Equal(t, http.StatusNotFound, missing.Code)
	require.NotContains(t, missing.Header().Get("Cache-Control"), "immutable", "a missing file is not kept for ever")
}

// TestPages: every path that is not a file and no call is the application, with a policy of its own.
func TestPages(t *testing.T) {
	nonce := regexp.MustCompile(`content="([A-Za-z0-9_-]{22})"`)
	seen := map[string]bool{}
	for _, path := range []string{"/", "/index.html", "/login", "/setup", "/form/detail?schemaCode=site", "/assets", "/assets/", "/a/b/c",
		"/../../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "/.%00./x", `/..\..\etc\passwd`} {
		got := shared.send(t, call{method: "GET", path: path})
		require.Equal(t, http.StatusOK, got.Code, path)
		require.Contains(t, got.Header().Get("Content-Type"), "text/html", path)
		match := nonce.FindStringSubmatch(got.Body.String())
		require.NotNil(t, match, "%s: %s", path, got.Body)
		require.False(t, seen[match[1]], "a nonce serves once")
		seen[match[1]] = true
		policy := got.Header().Get("Content-Security-Policy")
		require.Contains(t, policy, "'nonce-"+match[1]+"'")
		require.Contains(t, policy, "script-src 'self';")
		require.Contains(t, policy, "object-src 'none'")
		require.Contains(t, policy, "frame-ancestors 'self'")
		require.NotContains(t, policy, "unsafe-eval")
		require.Equal(t, "no-store", got.Header().Get("Cache-Control"))
		require.NotContains(t, got.Body.String(), "app-1a", "nothing lists what a folder holds")
		require.NotContains(t, got.Body.String(), "root:")
	}
}

func TestHead(t *testing.T) {
	server := httptest.NewServer(shared.Handler())
	defer server.Close()
	for _, path := range []string{"/", "/favicon.svg"} {
		response, err := http.Head(server.URL + path)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusOK, response.StatusCode)
	}
}

// TestOperations: what a supervisor asks.
func TestOperations(t *testing.T) {
	for path, want := range map[string]string{"/healthz": "ok", "/readyz": "ready"} {
		got := shared.send(t, call{method: "GET", path: path})
		require.Equal(t, http.StatusOK, got.Code)
		require.Equal(t, want, got.Body.String())
	}
	shared.send(t, call{method: "GET", path: "/api/system/config?name=typed-by-a-user"})
	shared.send(t, call{method: "BREW", path: "/tea"})
	text := shared.figures(t)
	require.Contains(t, text, `sluice_http_request_duration_seconds_count{method="GET",route="/api/system/config",status="200"}`)
	require.Contains(t, text, `method="other"`)
	require.Contains(t, text, "go_goroutines")
	for _, s := range []string{"BREW", "/tea", "typed-by-a-user"} {
		require.NotContains(t, text, s, "callers do not choose the names of series")
	}
	require.NotContains(t, shared.log.String(), "typed-by-a-user", "addresses hold what users typed")
	require.NotContains(t, shared.send(t, call{method: "GET", path: "/metrics"}).Body.String(), "sluice_", "the figures are not where everybody is")
}

// figures are what /metrics shows on its own listener, which knows nothing else.
func (w *world) figures(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.ServeMetrics(ctx, l) }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for _, path := range []string{"/api/system/config", "/", "/healthz"} {
		response, err := client.Get("http://" + l.Addr().String() + path)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusNotFound, response.StatusCode, path)
	}
	response, err := client.Get("http://" + l.Addr().String() + "/metrics")
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	stop()
	require.NoError(t, <-ended)
	return string(text)
}

func TestDataIsNotCached(t *testing.T) {
	for _, path := range []string{"/api/organization/user/info", "/api/nothing", "/api/system/config"} {
		got := shared.get(t, viewer, path)
		require.Equal(t, "no-store", got.Header().Get("Cache-Control"), path)
	}
	require.True(t, strings.HasPrefix(shared.get(t, viewer, "/api/system/config").Header().Get("Content-Type"), "application/json"))
}

func TestPageHoldsTheLanguageOfTheInstallation(t *testing.T) {
	page := fstest.MapFS{"index.html": {Data: []byte(`<html data-language="{{language}}">`)}}
	for _, language := range []string{"", "zh", "en"} {
		s, err := newStatic(page, nil, language)
		require.NoError(t, err)
		require.Equal(t, `<html data-language="`+language+`">`, string(s.index))
	}
}
