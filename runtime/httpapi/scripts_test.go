package httpapi

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
)

// TestScripts: scripts and styles go to anyone who may see their list, to be kept, and with the policy of the script worker.
func TestScripts(t *testing.T) {
	w := shared
	presentation := w.app.State().Catalog.List("inspection").Presentation
	for path, want := range map[string]struct{ kind, text string }{
		"/api/runtime/query/script?digest=" + presentation.Script.Digest: {"text/javascript; charset=utf-8", presentation.Script.Text},
		"/api/runtime/query/style?digest=" + presentation.Style.Digest:   {"text/css; charset=utf-8", presentation.Style.Text},
	} {
		got := w.send(t, call{method: "GET", path: path, actor: viewer})
		require.Equal(t, http.StatusOK, got.Code)
		require.Equal(t, want.text, got.Body.String())
		require.Equal(t, want.kind, got.Header().Get("Content-Type"))
		require.Equal(t, workerPolicy, got.Header().Get("Content-Security-Policy"))
		require.Equal(t, "private, max-age=31536000, immutable", got.Header().Get("Cache-Control"))
		require.Equal(t, fault.Unauthenticated, w.send(t, call{method: "GET", path: path, actor: anonymous}).Errcode)
	}
	for _, path := range []string{"/api/runtime/query/script", "/api/runtime/query/script?digest=", "/api/runtime/query/script?digest=" + presentation.Style.Digest,
		"/api/runtime/query/style?digest=" + presentation.Script.Digest} {
		require.Equal(t, fault.ListNotFound, w.send(t, call{method: "GET", path: path, actor: viewer}).Errcode, path)
	}
}
