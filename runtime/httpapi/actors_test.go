package httpapi

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn"
)

var updateActors = flag.Bool("update", false, "write testdata/actors.txt")

// administrators are roles of the platform's administrators, each with nothing but its permission.
var administrators = map[string]string{
	"access/appAdmin.json": `{"name": "应用管理员", "includes": ["staff"], "apps": ["yard"], "permissions": ["APP_MNG"]}`,
	"access/sysAdmin.json": `{"name": "系统管理员", "includes": ["staff"], "permissions": ["SYS_MNG"]}`,
}

// actorKind is a kind of caller, with what its calls carry.
type actorKind struct {
	name   string
	header map[string]string
	known  bool // somebody who is signed in
}

// actorKinds opens a world in which every kind of caller is at work.
func actorKinds(t *testing.T) (*world, []actorKind) {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for name, text := range complaints {
		put("complaints/"+name, text)
	}
	for name, text := range administrators {
		put("yard/"+name, text)
	}
	for name, text := range yards {
		put(name, text)
	}
	var dirs []string
	for _, pack := range []string{"harbor", "yard", "complaints"} {
		dirs = append(dirs, filepath.Join(dir, pack))
	}
	w, err := openWorldWith(app.Config{Dir: t.TempDir(), Documents: app.Documents{Dirs: dirs}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.app.Close() })
	require.NoError(t, w.addAdministrator(t.Context()))
	cookies := func(of map[string]*http.Cookie) map[string]string { // without the refresh token, which is good for one use
		return map[string]string{"Cookie": cookieName + "=" + of[cookieName].Value, "Sec-Fetch-Site": "same-origin"}
	}
	signedIn := func(name, role string) (map[string]string, *browser) {
		_, err := w.app.AddUser(t.Context(), name, name, []string{role})
		require.NoError(t, err)
		_, err = w.app.SetPassword(t.Context(), name, "Long-Enough-123", false)
		require.NoError(t, err)
		b := newBrowserOf(t, w)
		require.Zero(t, b.signIn(name, "Long-Enough-123").Errcode)
		return cookies(b.cookies), b
	}
	staff, _ := signedIn("staff", "staff")
	desk, link := signedIn("desk", "desk")
	ofApp, _ := signedIn("ofApp", "appAdmin")
	ofSystem, _ := signedIn("ofSystem", "sysAdmin")
	root, _ := signedIn("chief", "administrator")
	looking, eyes := signedIn("eyes", "administrator")

	var pass struct{ Pass string }
	eyes.call("POST", "/api/system/see_as", map[string]string{"userId": w.id(t, "desk")}).into(t, &pass)
	as := maps.Clone(looking)
	as[passHeader] = pass.Pass

	text := linkText(t, link, 7, 0)
	anyone := newBrowserOf(t, w)
	require.Zero(t, anyone.call("POST", linkPath+"open", map[string]string{"form": "complaint", "text": text}).Errcode)
	token := func(of authn.TokenOf) map[string]string {
		of.Label, of.Life = "x", time.Hour
		text, err := w.app.Auth().MakeToken(t.Context(), w.id(t, administrator), of)
		require.NoError(t, err)
		return map[string]string{"Authorization": "Bearer " + text}
	}
	return w, []actorKind{
		{"nobody", nil, false},
		{"external link", map[string]string{"Cookie": linkCookie + "=" + anyone.cookies[linkCookie].Value}, false},
		{"staff", staff, true},
		{"clerk", desk, true},
		{"application administrator", ofApp, true},
		{"system administrator", ofSystem, true},
		{"root administrator", root, true},
		{"a root administrator, seeing as the clerk", as, true},
		{"the root administrator's token for reading", token(authn.TokenOf{ReadOnly: true}), true},
		{"the root administrator's token for one application", token(authn.TokenOf{Apps: []principal.AppScope{{App: "yard", Write: true}}}), true},
	}
}

// TestActorTable keeps the table of what each call, streams apart, answers to each kind of caller. The calls are sent without a body or
// parameters, so 400 and 404 mean that the guard let them in. A new call, and one that lets in somebody else, changes the table.
func TestActorTable(t *testing.T) {
	w, actors := actorKinds(t)
	var lines []string
	routes := slices.Clone(w.routes)
	slices.SortStableFunc(routes, func(a, b route) int { // which ends the session comes last
		return strings.Compare(strings.TrimPrefix(a.path, "/api/login/logout"), strings.TrimPrefix(b.path, "/api/login/logout"))
	})
	slices.Reverse(routes)
	n := 0
	for _, r := range routes {
		if r.stream {
			continue
		}
		line := fmt.Sprintf("%-6s %-52s", r.method, r.path)
		for _, actor := range actors {
			n++
			request := httptest.NewRequest(r.method, strings.NewReplacer("{", "", "}", "").Replace(r.path), strings.NewReader(""))
			request.RemoteAddr = fmt.Sprintf("198.51.%d.%d:1", n/250, n%250+1) // the strict rate is another test's
			request.Header.Set("Content-Type", "application/json")
			for name, value := range actor.header {
				request.Header.Set(name, value)
			}
			answer := httptest.NewRecorder()
			w.Handler().ServeHTTP(answer, request)
			line += fmt.Sprintf(" %d", answer.Code)
			if !actor.known {
				require.True(t, r.access != signedIn || answer.Code == http.StatusUnauthorized, line)
			}
			if actor.name != "external link" && r.access == external {
				require.Equal(t, http.StatusNotFound, answer.Code, line)
			}
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	var got strings.Builder
	for i, actor := range actors {
		fmt.Fprintf(&got, "%d: %s\n", i+1, actor.name)
	}
	fmt.Fprintf(&got, "\n%-59s", "call")
	for i := range actors {
		fmt.Fprintf(&got, " %-3d", i+1)
	}
	text := strings.TrimRight(got.String(), " ") + "\n" + strings.Join(lines, "\n") + "\n"
	file := filepath.Join("testdata", "actors.txt")
	if *updateActors {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), text, "go test ./runtime/httpapi -run TestActorTable -update")
}
