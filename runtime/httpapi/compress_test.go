package httpapi

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const fiftyLots = `{"schemaCode":"inspection","size":50}`

// TestCompressed: an answer that is compressed says the same.
func TestCompressed(t *testing.T) {
	w := shared
	for accept, want := range map[string]string{"gzip": "gzip", "br, gzip;q=0.5": "gzip", "": "", "identity": "", "gzip;q=0": "", "*": "gzip", "br": ""} {
		got := w.send(t, call{method: "POST", path: listPath, body: fiftyLots, actor: administrator, headers: map[string]string{"Accept-Encoding": accept}})
		require.Equal(t, http.StatusOK, got.Code)
		require.Equal(t, want, got.Header().Get("Content-Encoding"), accept)
		small := w.send(t, call{method: "GET", path: "/api/system/config", headers: map[string]string{"Accept-Encoding": accept}})
		require.Empty(t, small.Header().Get("Content-Encoding"), "not worth it")
		if want == "" {
			continue
		}
		require.Contains(t, got.Header().Values("Vary"), "Accept-Encoding")
		require.Empty(t, got.Header().Get("Content-Length"))
		z, err := gzip.NewReader(bytes.NewReader(got.ResponseRecorder.Body.Bytes()))
		require.NoError(t, err)
		text, err := io.ReadAll(z)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(text), `{"errcode":0,`))
		require.Less(t, 2*got.ResponseRecorder.Body.Len(), len(text))
	}
}

// BenchmarkListAnswer shows what compressing a page of a list costs, beside making it. The least time of an answer is the one to
// compare, for other programs only add to it.
func BenchmarkListAnswer(b *testing.B) {
	person, _ := shared.app.People().PersonByName(b.Context(), administrator)
	token, err := shared.app.Auth().ScriptToken(b.Context(), person.ID, "bench", 1e12)
	if err != nil {
		b.Fatal(err)
	}
	for name, accept := range map[string]string{"plain": "identity", "gzip": "gzip"} {
		b.Run(name, func(b *testing.B) {
			size, least := 0, time.Hour
			for b.Loop() {
				begun := time.Now()
				r := httptest.NewRequest(http.MethodPost, listPath, strings.NewReader(fiftyLots))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Authorization", "Bearer "+token)
				r.Header.Set("Accept-Encoding", accept)
				out := httptest.NewRecorder()
				shared.Handler().ServeHTTP(out, r)
				size, least = out.Body.Len(), min(least, time.Since(begun))
			}
			b.ReportMetric(float64(size), "bytes")
			b.ReportMetric(float64(least.Microseconds()), "least-us")
		})
	}
}
