package httpapi

import (
	"bufio"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/app"
)

// soon is long for a machine and short for a heart beat, at which streams were looked at before.
const soon = heartbeat / 2

// stream opens a person's events; the channel is closed when the stream ends.
func (w *world) stream(t *testing.T, token string) <-chan struct{} {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, listening(t, w.Server)+"/api/events", nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode)
	lines := bufio.NewScanner(answer.Body)
	require.True(t, lines.Scan(), "the first event")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines.Scan() {
		}
		_ = answer.Body.Close()
	}()
	return ended
}

func ends(t *testing.T, stream <-chan struct{}, why string) {
	t.Helper()
	select {
	case <-stream:
	case <-time.After(soon):
		require.Fail(t, "the stream goes on", why)
	}
}

func goesOn(t *testing.T, stream <-chan struct{}) {
	t.Helper()
	select {
	case <-stream:
		require.Fail(t, "the stream ended")
	default:
	}
}

// twoNodes are two servers of one PostgreSQL database.
func twoNodes(t *testing.T) (here, there *world) {
	t.Helper()
	cfg := app.Config{URL: opened.Shared(t), Key: "a key that both nodes are given: 0123"}
	here = openTickets(t, cfg)
	there, err := openWorldWith(app.Config{URL: cfg.URL, Key: cfg.Key, Dir: t.TempDir(), Documents: app.Documents{Dirs: here.dirs, NoEmbedded: true}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = there.app.Close() })
	return here, there
}

// TestStreamsEnd: the events of somebody who is disabled, or whose session ends, end on every node at once, and nobody else's. The clocks
// of both nodes stand, so nothing that they know of a session grows old: the streams end by the news of the change alone. How long the
// news may be put off is seen by TestStreamsAreCheckedWithinASecond of runtime/app.
func TestStreamsEnd(t *testing.T) {
	t.Parallel()
	here, there := twoNodes(t)
	for _, name := range []string{"one", "two", "three"} {
		_, err := here.app.AddUser(t.Context(), name, name, []string{"agent"})
		require.NoError(t, err)
	}
	require.NoError(t, here.addAdministrator(t.Context()))
	require.NoError(t, there.app.People().Refresh(t.Context()))
	one, two, three := here.token(t, "one"), here.token(t, "two"), here.token(t, "three")
	oneHere, oneThere, twoThere, threeThere := here.stream(t, one), there.stream(t, one), there.stream(t, two), there.stream(t, three)
	here.freeze(t)
	there.freeze(t)
	got := here.post(t, administrator, savePath, `{"schemaCode":"user","id":"`+here.id(t, "one")+`","version":1,"data":{"disabled":true}}`)
	require.Zero(t, got.Errcode, "%s", got.Body)
	ends(t, oneHere, "disabled, on this node")
	ends(t, oneThere, "disabled, on another node")
	require.Equal(t, http.StatusUnauthorized, there.withToken(t, one, "POST", listPath, `{"schemaCode":"ticket"}`).Code)
	require.NoError(t, here.app.Auth().RevokeAll(t.Context(), here.id(t, "two")))
	ends(t, twoThere, "signed out everywhere")
	goesOn(t, threeThere)
}

// TestStreamsEndWithTheirToken and not at the next heart beat.
func TestStreamsEndWithTheirToken(t *testing.T) {
	w := shared
	token, err := w.app.Auth().ScriptToken(t.Context(), w.id(t, viewer), "short", 2*time.Second)
	require.NoError(t, err)
	ends(t, w.stream(t, token), "the token ended")
}

// countedFigures of a list are how many records it says that there are and the sum of their amounts. The page holds one of them, so that
// what the rows of the page show says nothing about the figures.
type countedFigures struct {
	Total int
	Sum   string
}

func (w *world) counted(t *testing.T, token string, cookie *http.Cookie) countedFigures {
	t.Helper()
	headers := map[string]string{"Authorization": "Bearer " + token}
	if cookie != nil {
		headers["Cookie"] = cookie.String()
	}
	var page struct {
		TotalElements int               `json:"totalElements"`
		Aggregates    map[string]string `json:"aggregates"`
	}
	w.send(t, call{method: "POST", path: listPath, body: `{"schemaCode":"ticket","size":1}`, headers: headers}).into(t, &page)
	return countedFigures{page.TotalElements, page.Aggregates["amount"]}
}

// tickets are the figures of a number of them, which have an amount of 2 each.
func tickets(n int) countedFigures { return countedFigures{n, strconv.Itoa(2 * n)} }

const twoMore = `{"schemaCode":"ticket","data":{"name":"n","amount":"2"}}`

// TestOwnWritesCount: what somebody saved is in their own figures at once, on both databases.
func TestOwnWritesCount(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]func(t *testing.T) app.Config{
		"sqlite":   func(*testing.T) app.Config { return app.Config{} },
		"postgres": func(t *testing.T) app.Config { return app.Config{URL: opened.Postgres(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openTickets(t, cfg(t))
			w.freeze(t) // figures do not age
			token := w.token(t, "agent")
			require.Zero(t, w.counted(t, token, nil).Total)
			for i := range 10 {
				got := w.withToken(t, token, "POST", savePath, twoMore)
				require.Zero(t, got.Errcode, "%s", got.Body)
				require.Equal(t, tickets(i+1), w.counted(t, token, nil))
				require.Equal(t, name == "postgres", strings.Contains(got.Header().Get("Set-Cookie"), wroteCookie))
			}
		})
	}
}

// TestOwnWritesCountElsewhere: also when the next call of the browser comes to another node.
func TestOwnWritesCountElsewhere(t *testing.T) {
	t.Parallel()
	here, there := twoNodes(t)
	there.freeze(t)
	token := here.token(t, "agent")
	require.Zero(t, there.counted(t, token, nil).Total)
	for i := range 10 {
		got := here.withToken(t, token, "POST", savePath, twoMore)
		require.Zero(t, got.Errcode, "%s", got.Body)
		cookies := got.Result().Cookies()
		require.Len(t, cookies, 1)
		require.Equal(t, 11, cookies[0].MaxAge, "longer than figures may be old")
		require.Equal(t, tickets(i+1), there.counted(t, token, cookies[0]))
	}
}
