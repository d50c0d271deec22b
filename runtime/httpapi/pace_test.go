package httpapi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"github.com/sluice-platform/sluice/runtime/app"
)

// hurried are times that a test can wait for.
var hurried = Times{Header: 300 * time.Millisecond, Body: 600 * time.Millisecond, Pause: 200 * time.Millisecond, Linger: 100 * time.Millisecond, UploadRate: 1 << 20}

// dripped sends a head and then a byte of the body again and again, until the server has had enough. It returns all that the
// server said.
func dripped(t *testing.T, address, head string, every time.Duration) string {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	require.NoError(t, err)
	defer func() { _ = c.Close() }()
	_, err = io.WriteString(c, head)
	require.NoError(t, err)
	ended := make(chan struct{})
	defer close(ended)
	if every > 0 {
		go func() {
			tick := time.NewTicker(every)
			defer tick.Stop()
			for {
				select {
				case <-ended:
					return
				case <-tick.C:
					if _, err := io.WriteString(c, " "); err != nil {
						return
					}
				}
			}
		}()
	}
	require.NoError(t, c.SetReadDeadline(time.Now().Add(20*time.Second)))
	said, err := io.ReadAll(c)
	var waited net.Error
	if err != nil { // a connection that is reset has ended too
		require.False(t, errors.As(err, &waited) && waited.Timeout(), "the server goes on listening; it said %q", said)
	}
	return string(said)
}

// TestSlowBodies: a body that never ends is ended, on every route, no matter who sends it and what the answer is.
func TestSlowBodies(t *testing.T) {
	s, err := New(Options{App: shared.app, Log: slog.New(slog.DiscardHandler), UI: built, Times: hurried})
	require.NoError(t, err)
	address := listening(t, s)
	limited, err := New(Options{App: shared.app, Log: slog.New(slog.DiscardHandler), UI: built, Times: hurried})
	require.NoError(t, err)
	limited.limits.peers["127.0.0.1"] = &peerLimit{Limiter: rate.NewLimiter(0, 0), seen: time.Now()}
	refusing := listening(t, limited)

	bearer := "Authorization: Bearer " + shared.token(t, administrator) + "\r\n"
	const json = "Content-Type: application/json\r\n"
	form := "Content-Type: multipart/form-data; boundary=b\r\n"
	for name, c := range map[string]struct {
		at, line, headers string
		length            int
		status            int
	}{
		"sign-in":              {address, "POST /api/login/Authentication/get_token", json, 9000, 408},
		"sign-in over limit":   {refusing, "POST /api/login/Authentication/get_token", json, 9000, 429},
		"too long":             {address, "POST /api/login/Authentication/get_token", json, 1 << 20, 408},
		"not signed in":        {address, "POST /api/runtime/form/save", json, 100_000, 401},
		"save":                 {address, "POST /api/runtime/form/save", json + bearer, 100_000, 408},
		"upload":               {address, "POST /api/aliyun/upload", form + bearer, 100_000, 408},
		"upload of nobody":     {address, "POST /api/aliyun/upload", form, 1 << 29, 401},
		"unknown path":         {address, "POST /api/nothing", json, 100_000, 404},
		"other method":         {address, "POST /healthz", json, 100_000, 405},
		"page":                 {address, "GET /index.html", json, 100_000, 200},
		"events":               {address, "GET /api/events", json + bearer, 10_000, 408},
		"other site":           {address, "POST /api/runtime/form/save", json + "Sec-Fetch-Site: cross-site\r\n", 100_000, 403},
		"other type than JSON": {address, "POST /api/runtime/form/save", bearer, 100_000, 415},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			head := c.line + " HTTP/1.1\r\nHost: x\r\n" + c.headers + fmt.Sprintf("Content-Length: %d\r\n\r\n", c.length)
			for how, every := range map[string]time.Duration{"dripping": 20 * time.Millisecond, "silent": 0} {
				said := dripped(t, c.at, head, every)
				require.True(t, strings.HasPrefix(said, fmt.Sprintf("HTTP/1.1 %d ", c.status)), "%s: %q", how, said)
			}
		})
	}
	t.Run("chunks", func(t *testing.T) {
		t.Parallel()
		said := dripped(t, address, "POST /api/login/Authentication/get_token HTTP/1.1\r\nHost: x\r\n"+json+"Transfer-Encoding: chunked\r\n\r\n2000\r\n", 20*time.Millisecond)
		require.True(t, strings.HasPrefix(said, "HTTP/1.1 408 "), "%q", said)
	})
	t.Run("asked first", func(t *testing.T) {
		t.Parallel()
		said := dripped(t, address, "POST /api/aliyun/upload HTTP/1.1\r\nHost: x\r\n"+form+"Expect: 100-continue\r\nContent-Length: 100000\r\n\r\n", 0)
		require.True(t, strings.HasPrefix(said, "HTTP/1.1 401 "), "%q", said)
	})
	t.Run("header", func(t *testing.T) {
		t.Parallel()
		dripped(t, address, "GET / HTTP/1.1\r\nHost: x\r\nX-Long:", 20*time.Millisecond)
	})
}

// TestFairUploads: an upload takes longer than other bodies may, while it keeps its rate.
func TestFairUploads(t *testing.T) {
	address := servingWith(t, Times{Body: 100 * time.Millisecond, UploadRate: 1}, built)
	in, out := io.Pipe()
	go func() {
		_, _ = io.WriteString(out, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n")
		for range 10 {
			time.Sleep(30 * time.Millisecond)
			_, _ = io.WriteString(out, "text ")
		}
		_, _ = io.WriteString(out, "\r\n--b--\r\n")
		_ = out.Close()
	}()
	r, err := http.NewRequest(http.MethodPost, address+"/api/aliyun/upload", in)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+shared.token(t, viewer))
	r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusOK, answer.StatusCode, "%s", text)
}

// TestEventsOutlastBodies: what ends slow bodies ends no stream, not even one whose request had a body.
func TestEventsOutlastBodies(t *testing.T) {
	address := servingWith(t, Times{Body: 200 * time.Millisecond, Pause: 200 * time.Millisecond, Linger: 100 * time.Millisecond}, built)
	r, err := http.NewRequest(http.MethodGet, address+"/api/events", strings.NewReader("{}"))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+shared.token(t, viewer))
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	time.Sleep(500 * time.Millisecond)
	shared.app.Events().Send(app.Event{Name: "later", Data: `"x"`}, false)
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if lines.Text() == "event: later" {
			return
		}
	}
	t.Fatalf("the stream ended: %v", lines.Err())
}

// hangUp sends something and goes away.
func hangUp(t *testing.T, address, text string) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	require.NoError(t, err)
	_, err = io.WriteString(c, text)
	require.NoError(t, err)
	require.NoError(t, c.Close())
}

// TestSlowReaders: sixty readers who take an answer a byte at a time are ended, long before the time that an answer may take; one who takes it
// slowly, at the rate that is asked for, gets all of it, however long that takes.
func TestSlowReaders(t *testing.T) {
	const size = 16 << 20
	s, err := New(Options{App: shared.app, Log: slog.New(slog.DiscardHandler), UI: fstest.MapFS{"big.bin": {Data: make([]byte, size)}},
		Times: Times{Answer: time.Minute, Pause: 300 * time.Millisecond, AnswerRate: 1 << 20}})
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(s.Handler())
	server.Config = s.server(context.Background(), s.echo)
	var closed atomic.Int64
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	reader := func() net.Conn {
		c, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		_, err = io.WriteString(c, "GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		return c
	}
	const readers = 60
	begun := time.Now()
	for range readers {
		c := reader()
		go func() {
			for b := make([]byte, 1); ; time.Sleep(20 * time.Millisecond) {
				if _, err := c.Read(b); err != nil {
					return
				}
			}
		}()
	}
	fair := reader()
	got, b := 0, make([]byte, 256<<10)
	for got < size {
		n, err := io.ReadFull(fair, b[:min(len(b), size-got)])
		got += n
		require.NoError(t, err, "after %d bytes", got)
		time.Sleep(20 * time.Millisecond)
	}
	require.Greater(t, time.Since(begun), time.Second, "longer than a pause")
	require.Eventually(t, func() bool { return closed.Load() == readers }, 20*time.Second, 10*time.Millisecond)
	require.Less(t, time.Since(begun), 30*time.Second)
}
