package httpapi

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/store"
)

var updateActors = flag.Bool("update", false, "write testdata/actors.txt")

// TestNarrowActors keeps the table of what each call, streams apart, answers to those who may do little: nobody, an administrator's token for reading only,
// and somebody with an external link. The calls are sent without a body or parameters, so 400 and 404 mean that the guard let them in. A new
// call, and one that lets in somebody else, changes the table.
func TestNarrowActors(t *testing.T) {
	w := openComplaints(t, store.Options{})
	desk, anyone := newBrowserOf(t, w), newBrowserOf(t, w)
	require.Zero(t, desk.signIn("desk", "Morning-1").Errcode)
	text := linkText(t, desk, 7, 0)
	require.Zero(t, anyone.call("POST", linkPath+"open", map[string]string{"form": "complaint", "text": text}).Errcode)
	token, err := w.app.Auth().MakeToken(t.Context(), w.id(t, administrator), authn.TokenOf{Label: "x", Life: time.Hour, ReadOnly: true})
	require.NoError(t, err)
	actors := []map[string]string{{}, {"Authorization": "Bearer " + token}, {"Cookie": linkCookie + "=" + anyone.cookies[linkCookie].Value}}
	var lines []string
	routes := slices.Clone(w.routes)
	slices.SortStableFunc(routes, func(a, b route) int { // which ends the token comes last
		return strings.Compare(strings.TrimPrefix(a.path, "/api/login/logout"), strings.TrimPrefix(b.path, "/api/login/logout"))
	})
	slices.Reverse(routes)
	for i, r := range routes {
		if r.stream {
			continue
		}
		line := fmt.Sprintf("%-6s %-60s", r.method, r.path)
		for _, headers := range actors {
			request := httptest.NewRequest(r.method, strings.NewReplacer("{", "", "}", "").Replace(r.path), strings.NewReader(""))
			request.RemoteAddr = fmt.Sprintf("198.51.%d.%d:1", i/250, i%250+1) // the strict rate is another test's
			request.Header.Set("Content-Type", "application/json")
			for name, value := range headers {
				request.Header.Set(name, value)
			}
			answer := httptest.NewRecorder()
			w.Handler().ServeHTTP(answer, request)
			line += fmt.Sprintf(" %d", answer.Code)
			if len(headers) == 0 || headers["Cookie"] != "" {
				require.True(t, r.access != signedIn || answer.Code == http.StatusUnauthorized, line)
			}
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	got := fmt.Sprintf("%-67s nobody, token for reading, external link\n", "call") + strings.Join(lines, "\n") + "\n"
	file := filepath.Join("testdata", "actors.txt")
	if *updateActors {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "go test ./runtime/httpapi -run TestNarrowActors -update")
}
