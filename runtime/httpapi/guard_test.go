package httpapi

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

// TestLimitsAreBounded: a flood of addresses takes no more memory than maxPeers, and those that are known go on.
func TestLimitsAreBounded(t *testing.T) {
	l := newLimits(loginRate, loginBurst)
	require.True(t, l.allow("known"))
	for i := range 2 * maxPeers {
		l.allow(fmt.Sprint(i))
	}
	require.LessOrEqual(t, len(l.peers), maxPeers)
	require.True(t, l.allow("known"))
	require.False(t, l.allow("late"))
	l.peers["0"].seen, l.swept = time.Now().Add(-time.Hour), time.Time{}
	require.True(t, l.allow("late"), "there is room again")
}

// TestSentences: what a user typed is not a place for another argument.
func TestSentences(t *testing.T) {
	row := texts{1: {Zh: "{0}、{1}"}}
	require.Equal(t, "{1}、secret", row.sentence(1, "zh", []any{"{1}", "secret"}))
}

// TestWrongTypes: a refused body names its parameter and nothing of the program.
func TestWrongTypes(t *testing.T) {
	for body, want := range map[string]string{
		`{"schemaCode":7}`: "schemaCode",
		`{"schemaCode":"site","filters":[{"propertyCode":{}}]}`: "filters.propertyCode",
		`[]`: "body",
	} {
		got := shared.post(t, administrator, listPath, body)
		require.Equal(t, fault.BadParameter, got.Errcode)
		require.Contains(t, got.Errmsg, want)
		require.NotContains(t, got.Errmsg, "Go ")
		require.NotContains(t, got.Errmsg, "ListRequest")
	}
}

// TestSignInNames: a name that differs in letter case only would be taken for the other person's when somebody signs in.
func TestSignInNames(t *testing.T) {
	body := `{"schemaCode":"user","data":{"username":"` + strings.ToUpper(viewer) + `","name":"x"}}`
	got := shared.post(t, administrator, savePath, body)
	require.Equal(t, fault.RecordInvalid, got.Errcode, "%s", got.Body)
	require.Contains(t, string(got.Data), fmt.Sprint(int(fault.UserExists)))
}

// serving starts the server on a port with little patience.
func serving(t *testing.T, patience time.Duration, files fstest.MapFS) string {
	t.Helper()
	return servingWith(t, Times{Answer: patience}, files)
}

// servingWith starts the server on a port with times of its own.
func servingWith(t *testing.T, times Times, files fstest.MapFS) string {
	t.Helper()
	s, err := New(Options{App: shared.app, Log: slog.New(slog.DiscardHandler), UI: files, Times: times})
	require.NoError(t, err)
	return listening(t, s)
}

// listening starts a server on a port, with its transport.
func listening(t *testing.T, s *Server) string {
	t.Helper()
	server := httptest.NewUnstartedServer(s.Handler())
	server.Config = s.server(context.Background(), s.echo)
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

// TestDeafClients: who asks for much and reads nothing is let go.
func TestDeafClients(t *testing.T) {
	address := serving(t, 300*time.Millisecond, fstest.MapFS{"big.bin": {Data: make([]byte, 64<<20)}})
	c, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	require.NoError(t, err)
	defer func() { _ = c.Close() }()
	_, err = io.WriteString(c, "GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	time.Sleep(time.Second)
	require.NoError(t, c.SetReadDeadline(time.Now().Add(20*time.Second)))
	n, err := io.Copy(io.Discard, c)
	require.NotErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, n, int64(64<<20), "the whole answer was kept for a client that did not read")
}

// TestEventsOutlast: a stream lives as long as its listener takes each event in time.
func TestEventsOutlast(t *testing.T) {
	const patience = 400 * time.Millisecond
	address := serving(t, patience, built)
	r, err := http.NewRequest(http.MethodGet, address+"/api/events", nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+shared.token(t, viewer))
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	time.Sleep(2 * patience)
	shared.app.Events().Send(app.Event{Name: "late", Data: `"x"`}, false)
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if lines.Text() == "event: late" {
			return
		}
	}
	t.Fatalf("the stream ended: %v", lines.Err())
}

// TestOrganisationManager: who maintains people has no power over administrators.
func TestOrganisationManager(t *testing.T) {
	w := shared
	_, err := w.app.AddUser(t.Context(), "org.manager", "organisation", []string{"organisationManager", "staff"})
	require.NoError(t, err)
	_, err = w.app.AddUser(t.Context(), "org.staff", "staff", []string{"staff"})
	require.NoError(t, err)
	save := func(actor, whose, data string) reply {
		return w.post(t, actor, savePath, `{"schemaCode":"user","id":"`+w.id(t, whose)+`","version":1,"data":`+data+`}`)
	}
	for _, data := range []string{`{"disabled":true}`, `{"username":"nobody"}`, `{"name":"nobody"}`} {
		got := save("org.manager", administrator, data)
		require.Equal(t, fault.RecordInvalid, got.Errcode, "%s: %s", data, got.Body)
		require.Contains(t, string(got.Data), w.texts[fault.FieldAbove].Zh)
	}
	require.Zero(t, save("org.manager", "org.staff", `{"disabled":true,"name":"x"}`).Errcode)
	got := w.post(t, administrator, savePath, `{"schemaCode":"role","data":{"code":"auditor","name":"x"}}`)
	require.Contains(t, string(got.Data), "没有编码为“auditor”的 access 文件")
}

// TestUnseenRequired: who may not read a required field learns that there is something and whom to ask; the log has the rest.
func TestUnseenRequired(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"pack.json": `{"code": "desk", "name": "工单", "version": "1.0.0"}`,
		"models/ticket.json": `{"name": "工单", "properties": [{"code": "name", "propertyType": "ShortText", "name": "名称"},
			{"code": "budget", "propertyType": "ShortText", "name": "预算", "required": true}]}`,
		"access/agent.json": `{"name": "坐席", "models": [{"schemaCode": "ticket", "actions": ["view", "add"], "rows": "all", "fields": {"budget": "-"}}]}`,
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	w, err := openWorld(t.TempDir(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.app.Close()) })
	_, err = w.app.AddUser(t.Context(), "agent", "agent", []string{"agent"})
	require.NoError(t, err)
	got := w.refused(t, fault.RecordUnseen, call{method: "POST", path: savePath, actor: "agent", body: `{"schemaCode":"ticket","data":{"name":"x"}}`,
		headers: map[string]string{"X-Request-Id": "ask-about-1"}})
	require.Contains(t, got.Errmsg, "ask-about-1")
	require.NotContains(t, got.Body.String(), "budget")
	require.NotContains(t, got.Body.String(), "预算")
	require.Regexp(t, `request=ask-about-1.*ticket\.budget: 302004`, w.log.String())
}
