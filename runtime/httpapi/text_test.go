package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

// TestTornTexts: a text that is not whole is refused with its place named, wherever it is; nothing of it is stored.
func TestTornTexts(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]func(t *testing.T) app.Config{
		"sqlite":   func(*testing.T) app.Config { return app.Config{} },
		"postgres": func(t *testing.T) app.Config { return app.Config{URL: opened.Postgres(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openTickets(t, cfg(t))
			token := w.token(t, "agent")
			for _, torn := range []string{`\u0000`, `a\u0000b`, `\ud800`, `\uDFFF`, `\ud83d\u0041`, `\ude00\ud83d`, `x\\\ud800`, "\xff", "\xed\xa0\x80", "a\xc3"} {
				for _, c := range []struct{ method, path, body, want string }{
					{"POST", savePath, `{"schemaCode":"ticket","data":{"name":"` + torn + `"}}`, "data.name"},
					{"POST", savePath, `{"schemaCode":"ticket","id":"` + torn + `","version":1,"data":{}}`, "id"},
					{"POST", savePath, `{"schemaCode":"ticket","data":{"rows":[{},{"note":"` + torn + `"}]}}`, "data.rows.1.note"},
					{"POST", savePath, `{"schemaCode":"ticket","data":{"` + torn + `":1}}`, "data"},
					{"POST", listPath, `{"schemaCode":"ticket","keyword":"` + torn + `"}`, "keyword"},
				} {
					got := w.withToken(t, token, c.method, c.path, c.body)
					require.Equal(t, fault.BadText, got.Errcode, "%q: %s", c.body, got.Body)
					require.Equal(t, http.StatusBadRequest, got.Code)
					require.True(t, strings.HasPrefix(got.Errmsg, c.want+" "), "%q: %s", c.body, got.Errmsg)
				}
			}
			for _, torn := range []string{"%00", "a%00", "%ff", "%ed%a0%80"} {
				for path, want := range map[string]string{
					"/api/aliyun/download?refId=" + torn:                       "refId",
					"/api/runtime/form/load?schemaCode=ticket&id=" + torn:      "id",
					"/api/jobs/" + torn:                                        "id",
					"/api/runtime/form/load?schemaCode=ticket&a" + torn + "=1": "a",
					"/api/nothing/" + torn:                                     "",
				} {
					got := w.withToken(t, token, "GET", path, "")
					if want == "" {
						require.Equal(t, fault.RouteNotFound, got.Errcode, "%s: %s", path, got.Body)
						continue
					}
					require.Equal(t, fault.BadText, got.Errcode, "%s: %s", path, got.Body)
					require.True(t, strings.HasPrefix(got.Errmsg, want), "%s: %s", path, got.Errmsg)
				}
			}
			key := w.send(t, call{method: "POST", path: savePath, body: `{"schemaCode":"ticket","data":{"name":"x"}}`,
				headers: map[string]string{"Authorization": "Bearer " + token, "Idempotency-Key": "\xff"}})
			require.Equal(t, fault.BadText, key.Errcode, "%s", key.Body)
			require.Zero(t, w.counted(t, token, nil))
			for _, good := range []string{`😀`, `\ud83d\ude00`, `\uD83D\uDE00`, `\\ud800`, `\\u0000`, `\ufffd`, `\u00e9\u4e2d`, `\\\\ud800`} {
				got := w.withToken(t, token, "POST", savePath, `{"schemaCode":"ticket","data":{"name":"`+good+`"}}`)
				require.Zero(t, got.Errcode, "%s: %s", good, got.Body)
			}
		})
	}
}

// FuzzWhole: a JSON string is whole exactly when decoding it and writing it again loses nothing.
func FuzzWhole(f *testing.F) {
	for _, text := range []string{`"a"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\u0000"`, `"\\ud800"`, `"\ud83d\ud83d\ude00"`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var decoded string
		if json.Unmarshal([]byte(text), &decoded) != nil {
			return
		}
		text = strings.TrimSpace(text)
		replaced := strings.Count(decoded, "\ufffd") > strings.Count(text, "\ufffd")+strings.Count(strings.ToLower(text), `\ufffd`)
		torn := replaced || !utf8.ValidString(text) || strings.ContainsRune(decoded, 0)
		if torn && wholeJSON([]byte(text)) {
			t.Fatalf("%q is taken as whole", text)
		}
		if !torn && !wholeJSON([]byte(text)) && strings.Count(strings.ToLower(text), `\\u`) == 0 {
			t.Fatalf("%q is refused", text)
		}
		if !suspect([]byte(text)) && !wholeJSON([]byte(text)) {
			t.Fatalf("%q is not suspected", text)
		}
	})
}

// TestStrangers learn nothing of the program, and no answer can be used as a page.
func TestStrangers(t *testing.T) {
	w := shared
	require.NotContains(t, w.get(t, anonymous, "/api/system/config").Body.String(), "version")
	require.Contains(t, w.get(t, viewer, "/api/system/config").Body.String(), `"version":"test"`)
	for _, path := range []string{"/", "/assets/none-1a.js", "/assets/app-1a.js", "/api/nothing", "/api/system/config", "/healthz"} {
		got := w.get(t, anonymous, path)
		require.Equal(t, "same-origin", got.Header().Get("Cross-Origin-Opener-Policy"), path)
		require.Equal(t, path != "/assets/app-1a.js", got.Header().Get("Content-Security-Policy") != "", path)
	}
}
