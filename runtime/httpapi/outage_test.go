package httpapi

import (
	"context"
	"database/sql"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// ticketPack is a small pack of one model.
func ticketPack(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"pack.json": `{"code": "desk", "name": "工单", "version": "1.0.0"}`,
		"models/ticket.json": `{"name": "工单", "properties": [{"code": "name", "propertyType": "ShortText", "name": "名称"},
			{"code": "amount", "propertyType": "Number", "name": "数量"}]}`,
		"lists/ticket.json": `{"name": "工单", "schemaCode": "ticket", "queryColumns": ["name", {"propertyCode": "amount", "sumType": "sum"}]}`,
		"access/agent.json": `{"name": "坐席", "models": [{"schemaCode": "ticket", "actions": ["view", "add", "edit"], "rows": "all"}]}`,
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

func openTickets(t *testing.T, cfg app.Config) *world {
	t.Helper()
	cfg.Dirs, cfg.NoEmbedded = []string{ticketPack(t)}, true
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	w, err := openWorldWith(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.app.Close() })
	_, err = w.app.AddUser(t.Context(), "agent", "agent", []string{"agent"})
	require.NoError(t, err)
	return w
}

// withToken sends a call with a token that was made before.
func (w *world) withToken(t *testing.T, token, method, path, body string) reply {
	t.Helper()
	return w.send(t, call{method: method, path: path, body: body, headers: map[string]string{"Authorization": "Bearer " + token}})
}

// unavailable checks the answer of a call that the database could not serve.
func (w *world) unavailable(t *testing.T, got reply, want fault.Code) {
	t.Helper()
	require.Equal(t, want, got.Errcode, "%s", got.Body)
	require.Equal(t, w.texts[want].Status, got.Code)
	require.NotEmpty(t, got.Header().Get("Retry-After"))
}

// TestDatabaseAway: while PostgreSQL is stopped, calls are answered with 503 and the node is not ready; when it runs again, so
// does everything else, without a restart.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	server := storetest.NewStoppable(t)
	w := openTickets(t, app.Config{URL: server.URL()})
	token := w.token(t, "agent")
	list, save := `{"schemaCode":"ticket"}`, `{"schemaCode":"ticket","data":{"name":"a"}}`
	require.Zero(t, w.withToken(t, token, "POST", savePath, save).Errcode)
	require.Equal(t, http.StatusOK, w.get(t, anonymous, "/readyz").Code)
	require.Contains(t, w.figures(t), "sluice_database_up 1")

	server.Stop()
	began := time.Now()
	for _, c := range []call{{method: "POST", path: listPath, body: list}, {method: "POST", path: savePath, body: save}, {method: "GET", path: "/api/login/rsa_key"}} {
		w.unavailable(t, w.withToken(t, token, c.method, c.path, c.body), fault.DatabaseAway)
	}
	require.Equal(t, http.StatusServiceUnavailable, w.get(t, anonymous, "/readyz").Code)
	require.Equal(t, http.StatusOK, w.get(t, anonymous, "/healthz").Code)
	require.Less(t, time.Since(began), 30*time.Second)
	text := w.figures(t)
	require.Contains(t, text, "sluice_database_up 0")
	require.Regexp(t, `sluice_database_outages_total\{trouble="away"\} [1-9]`, text)

	server.Start()
	require.Eventually(t, func() bool { return w.get(t, anonymous, "/readyz").Code == http.StatusOK }, 30*time.Second, 20*time.Millisecond)
	require.Eventually(t, func() bool { return w.withToken(t, token, "POST", savePath, save).Errcode == 0 }, 30*time.Second, 20*time.Millisecond)
	require.Zero(t, w.withToken(t, token, "POST", listPath, list).Errcode)
}

// TestDatabaseLocked: while another program writes into the SQLite file, readers go on, and writers are told when to come
// again, however many wait.
func TestDatabaseLocked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := openTickets(t, app.Config{Dir: dir, Busy: 50 * time.Millisecond})
	token := w.token(t, "agent")
	other, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "sluice.db")+"?_txlock=exclusive")
	require.NoError(t, err)
	defer func() { _ = other.Close() }()
	tx, err := other.BeginTx(context.Background(), nil)
	require.NoError(t, err)
	save := `{"schemaCode":"ticket","data":{"name":"a"}}`
	answers := make(chan reply, 20)
	for range cap(answers) {
		go func() { answers <- w.withToken(t, token, "POST", savePath, save) }()
	}
	for range cap(answers) {
		w.unavailable(t, <-answers, fault.DatabaseBusy)
	}
	require.Zero(t, w.withToken(t, token, "POST", listPath, `{"schemaCode":"ticket"}`).Errcode)
	require.Equal(t, http.StatusOK, w.get(t, anonymous, "/readyz").Code)
	require.Regexp(t, `sluice_database_outages_total\{trouble="busy"\} [1-9]`, w.figures(t))
	require.NoError(t, tx.Rollback())
	require.Zero(t, w.withToken(t, token, "POST", savePath, save).Errcode)
}

// TestDiskFullAnswer: a full disk is told as such, that of the files too (runtime/store tests SQLite on a full disk itself).
func TestDiskFullAnswer(t *testing.T) {
	for _, err := range []error{&store.Outage{Trouble: store.Full, Err: io.ErrShortWrite}, &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}} {
		code, _, data := classify(fault.Wrap(err, fault.FileNotFound))
		require.Equal(t, fault.DiskFull, code)
		require.Equal(t, fault.Retry{After: 60}, data)
		require.Equal(t, http.StatusInsufficientStorage, shared.texts[code].Status)
	}
}

// TestClientLeaves: who goes away before the answer is not a fault of ours.
func TestClientLeaves(t *testing.T) {
	w := openTickets(t, app.Config{})
	token := w.token(t, "agent")
	ctx, leave := context.WithCancel(t.Context())
	leave()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, listPath, strings.NewReader(`{"schemaCode":"ticket"}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	w.Handler().ServeHTTP(httptest.NewRecorder(), r)

	address := listening(t, w.Server) // half a body, and gone
	half := "POST " + savePath + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer " + token + "\r\nContent-Length: 1000\r\n\r\n{"
	hangUp(t, address, half)
	require.Eventually(t, func() bool {
		return strings.Count(w.figures(t), `status="499"`) > 0 && strings.Count(w.log.String(), "status=499") == 2
	},
		20*time.Second, 10*time.Millisecond, "%s", w.log)
	require.NotContains(t, w.log.String(), "level=ERROR")
	require.NotContains(t, w.figures(t), `status="500"`)
}
