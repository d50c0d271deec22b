package httpapi

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
)

// TestVisits: calls without a session are as many from one address as a person needs, and caches may keep what all visitors get.
func TestVisits(t *testing.T) {
	s, err := New(Options{App: shared.app, Log: slog.New(slog.DiscardHandler), UI: built})
	require.NoError(t, err)
	visit := func(peer string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/open/getEpccPortalCarousel", nil)
		r.RemoteAddr = peer + ":1000"
		out := httptest.NewRecorder()
		s.Handler().ServeHTTP(out, r)
		return out
	}
	first := visit("192.0.2.1")
	require.Equal(t, http.StatusOK, first.Code, "%s", first.Body)
	require.Equal(t, "public, max-age=60", first.Header().Get("Cache-Control"))
	last := first
	for range 5 * openBurst {
		if last = visit("192.0.2.1"); last.Code != http.StatusOK {
			break
		}
	}
	require.Equal(t, http.StatusTooManyRequests, last.Code)
	require.Contains(t, last.Body.String(), fmt.Sprint(int(fault.TooManyRequests)))
	require.Equal(t, http.StatusOK, visit("192.0.2.2").Code, "somebody else is not held back")
}
