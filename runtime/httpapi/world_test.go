package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authn/authntest"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// built represents the built application.
var built = fstest.MapFS{
	"index.html":          {Data: []byte(`<!doctype html><meta name="csp-nonce" content="{{nonce}}"><div id="root"></div>`)},
	"favicon.svg":         {Data: []byte(`<svg/>`)},
	"assets/app-1a.js":    {Data: []byte("plain")},
	"assets/app-1a.js.br": {Data: []byte("brotli")},
	"assets/app-1a.js.gz": {Data: []byte("gzip")},
	"assets/app-1a.css":   {Data: []byte("body{}")},
}

// world is a server on the example ship-lock, made once for all tests of the package; they add records and change none
// that others count on.
type world struct {
	*Server
	app *app.App
	log *lockedText

	dirs []string // of its packs

	frozen atomic.Pointer[time.Time]
	midway atomic.Pointer[midway]
}

// now is the world's clock.
func (w *world) now() time.Time {
	if m := w.midway.Load(); m != nil {
		m.stop()
	}
	if at := w.frozen.Load(); at != nil {
		return *at
	}
	return time.Now()
}

// freeze stops the clock to the end of a test: however slow the machine is, no wait ends.
func (w *world) freeze(t *testing.T) {
	t.Helper()
	at := time.Now()
	w.frozen.Store(&at)
	t.Cleanup(func() { w.frozen.Store(nil) })
}

const (
	viewer        = "hexiaolan" // role viewer: lots that are OK, no money, no sites
	administrator = "root"
	anonymous     = ""
)

// lockedText is a log that many goroutines write.
type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

var shared *world

func TestMain(m *testing.M) {
	authntest.Cheapen()
	code, err := func() (int, error) {
		dir, err := os.MkdirTemp("", "sluice-httpapi")
		if err != nil {
			return 1, err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		if shared, err = openWorld(dir, shipLock); err != nil {
			return 1, err
		}
		if err := shared.addAdministrator(context.Background()); err != nil {
			return 1, err
		}
		code := m.Run()
		return code, shared.app.Close()
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// opened is a database on which the packs of the program have been opened, locks one with the example ship-lock.
var opened, locks = apptest.Of(plugintest.Register), apptest.Of(plugintest.Register, shipLock)

const shipLock = "../../examples/ship-lock"

func openWorld(dir string, packs ...string) (*world, error) {
	return openWorldWith(app.Config{Dir: dir, Documents: app.Documents{Dirs: packs}})
}

// openWorldWith opens a world in a place of its own. An empty folder gets a database on which the packs have been opened before.
func openWorldWith(cfg app.Config) (*world, error) {
	if files, err := os.ReadDir(cfg.Dir); cfg.URL == "" && err == nil && len(files) == 0 {
		from := opened
		if slices.Equal(cfg.Dirs, []string{shipLock}) {
			from = locks
		}
		if err := from.CopyTo(cfg.Dir); err != nil {
			return nil, err
		}
	}
	few(&cfg)
	set := &pack.Set{}
	if err := plugintest.Register(set); err != nil {
		return nil, err
	}
	set.Freeze()
	w := &world{log: &lockedText{}, dirs: cfg.Dirs}
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	cfg.Set, cfg.Zone = set, time.FixedZone("CST", 8*3600)
	cfg.SetupSecret, cfg.Version, cfg.Clock, cfg.Log, cfg.Workers, cfg.Jobs = "the secret", apptest.Version, w.now, log, 4, testJobs
	a, err := app.Open(context.Background(), cfg)
	if err != nil {
		return nil, err
	}
	w.app = a
	w.Server, err = New(Options{App: a, Log: log, UI: built, Dev: true})
	return w, err
}

// few leaves a world as few connections as it needs: one to read SQLite; of PostgreSQL four, one of which listens and two write. Who holds
// one and asks for another waits without end, and the call fails.
func few(cfg *app.Config) {
	cfg.Readers = 1
	if cfg.URL != "" && !strings.Contains(cfg.URL, "pool_max_conns") {
		cfg.URL = storetest.Pool(cfg.URL, 4)
	}
}

func (w *world) addAdministrator(ctx context.Context) error {
	if _, err := w.app.AddUser(ctx, administrator, "管理员", []string{"administrator"}); err != nil {
		return err
	}
	_, err := w.app.SetPassword(ctx, administrator, "Long-Enough-123", false)
	return err
}

// reply is an answer of the server.
type reply struct {
	*httptest.ResponseRecorder
	Errcode fault.Code      `json:"errcode"`
	Errmsg  string          `json:"errmsg"`
	Data    json.RawMessage `json:"data"`
}

// call is a request that tests change before it is sent.
type call struct {
	method, path, body string
	actor              string
	headers            map[string]string
	midway             func() // called when half of the body has been read
}

// doing is a reader without bytes that does something when it is read.
type doing func()

func (d doing) Read([]byte) (int, error) {
	d()
	return 0, io.EOF
}

// as makes a token of an actor's own, so that signing out in one test ends nothing in another.
func (w *world) token(t *testing.T, actor string) string {
	t.Helper()
	person, ok := w.app.People().PersonByName(t.Context(), actor)
	require.True(t, ok, actor)
	token, err := w.app.Auth().ScriptToken(t.Context(), person.ID, "test", time.Hour)
	require.NoError(t, err)
	return token
}

// account makes a viewer who signs in with a password.
func (w *world) account(t *testing.T, name, password string, mustReset bool) {
	t.Helper()
	_, err := w.app.AddUser(t.Context(), name, name, []string{"viewer"})
	require.NoError(t, err)
	_, err = w.app.SetPassword(t.Context(), name, secret.Text(password), mustReset)
	require.NoError(t, err)
}

func (w *world) id(t *testing.T, actor string) string {
	t.Helper()
	person, ok := w.app.People().PersonByName(t.Context(), actor)
	require.True(t, ok, actor)
	return person.ID
}

func (w *world) send(t *testing.T, c call) reply {
	t.Helper()
	var body io.Reader
	if c.body != "" {
		body = strings.NewReader(c.body)
	}
	if half := len(c.body) / 2; c.midway != nil {
		body = io.MultiReader(strings.NewReader(c.body[:half]), doing(c.midway), strings.NewReader(c.body[half:]))
	}
	r := httptest.NewRequest(c.method, c.path, body)
	r.RemoteAddr = t.Name() + c.actor + ":1" // each test and actor has a rate of their own
	if c.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.actor != anonymous {
		r.Header.Set("Authorization", "Bearer "+w.token(t, c.actor))
	}
	for k, v := range c.headers {
		r.Header.Set(k, v)
		if v == "" {
			r.Header.Del(k)
		}
	}
	out := reply{ResponseRecorder: httptest.NewRecorder()}
	w.Handler().ServeHTTP(out, r)
	if strings.HasPrefix(out.Header().Get("Content-Type"), "application/json") {
		_ = json.Unmarshal(out.Body.Bytes(), &out)
	}
	return out
}

func (w *world) get(t *testing.T, actor, path string) reply {
	t.Helper()
	return w.send(t, call{method: http.MethodGet, path: path, actor: actor})
}

func (w *world) post(t *testing.T, actor, path, body string) reply {
	t.Helper()
	return w.send(t, call{method: http.MethodPost, path: path, body: body, actor: actor})
}

// refused checks an error's code, its status, and its texts in both languages.
func (w *world) refused(t *testing.T, want fault.Code, c call) reply {
	t.Helper()
	row := w.texts[want]
	require.NotZero(t, row.Status)
	var got reply
	for locale, sentence := range map[string]string{"zh-CN,zh;q=0.9": row.Zh, "en-GB": row.En} {
		d := c
		d.headers = map[string]string{"Accept-Language": locale}
		for k, v := range c.headers {
			d.headers[k] = v
		}
		got = w.send(t, d)
		require.Equal(t, want, got.Errcode, "%s %s: %s", c.method, c.path, got.Body)
		require.Equal(t, row.Status, got.Code)
		start, _, filled := strings.Cut(sentence, "{")
		require.True(t, strings.HasPrefix(got.Errmsg, start), "%q", got.Errmsg)
		require.NotContains(t, got.Errmsg, "{0}")
		require.Equal(t, filled, got.Errmsg != sentence, "%q", got.Errmsg)
		require.NotEmpty(t, got.Header().Get("X-Request-Id"))
	}
	return got
}

// into reads the data of a success.
func (r reply) into(t *testing.T, to any) {
	t.Helper()
	require.Zero(t, r.Errcode, "%s", r.Body)
	require.Equal(t, http.StatusOK, r.Code)
	require.NoError(t, json.Unmarshal(r.Data, to), "%s", r.Data)
}

// rows are the ids of a list's first page.
func (w *world) rows(t *testing.T, actor, schema string) []string {
	t.Helper()
	var page struct {
		Content []struct {
			ID string `json:"id"`
		} `json:"content"`
	}
	w.post(t, actor, "/api/runtime/query/list", `{"schemaCode":"`+schema+`"}`).into(t, &page)
	ids := []string{}
	for _, r := range page.Content {
		ids = append(ids, r.ID)
	}
	return ids
}

// addSite saves a new site and returns its id.
func (w *world) addSite(t *testing.T, code string) string {
	t.Helper()
	var saved struct {
		ID      string `json:"id"`
		Version int64  `json:"version"`
	}
	w.post(t, administrator, "/api/runtime/form/save", `{"schemaCode":"site","data":{"code":"`+code+`","name":"`+code+`"}}`).into(t, &saved)
	return saved.ID
}
