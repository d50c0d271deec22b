package command

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestStopWhileLoading: a server that is told to stop while it writes the packs' data ends well and soon, and the next start
// writes the rest.
func TestStopWhileLoading(t *testing.T) {
	for name, database := range map[string]func(*testing.T) (args []string, o store.Options){
		"sqlite": func(t *testing.T) ([]string, store.Options) {
			dir := t.TempDir()
			return []string{"--data", dir}, store.Options{Dir: dir}
		},
		"postgres": func(t *testing.T) ([]string, store.Options) {
			url := storetest.Postgres(t)
			return []string{"--db", url, "--data", t.TempDir()}, store.Options{URL: url}
		},
	} {
		t.Run(name, func(t *testing.T) {
			args, o := database(t)
			examples, err := filepath.Abs("../../../examples/ship-lock")
			require.NoError(t, err)
			args = append([]string{"serve", "--packs", examples, "--addr", "127.0.0.1:0"}, args...)

			ctx, stop := context.WithCancel(t.Context())
			var out, faults bytes.Buffer
			ended := make(chan int, 1)
			go func() { ended <- run(ctx, args, console{out: &out, err: &faults}) }()
			require.Eventually(t, func() bool {
				ok, err := store.Exists(t.Context(), o)
				return err == nil && ok
			}, time.Minute, 5*time.Millisecond, "the tables are made first")
			stop()
			select {
			case code := <-ended:
				require.Zero(t, code, "%s", &faults)
			case <-time.After(30 * time.Second):
				require.Fail(t, "it does not stop")
			}
			require.Empty(t, out.String(), "it was stopped before it served")
			for _, line := range strings.Split(strings.TrimSpace(faults.String()), "\n") {
				require.NotRegexp(t, "level=(WARN|ERROR)|^sluice:|canceled|goroutine", line)
			}
			loaded := written(t, o)

			ctx, stop = context.WithCancel(t.Context())
			defer stop()
			r, w := io.Pipe()
			go func() {
				code := run(ctx, args, console{out: w, err: io.Discard})
				_ = w.Close()
				ended <- code
			}()
			line, err := bufio.NewReader(r).ReadString('\n')
			require.NoError(t, err)
			require.Contains(t, line, "Sluice serves")
			require.Greater(t, written(t, o), loaded)
			go func() { _, _ = io.Copy(io.Discard, r) }()
			stop()
			require.Zero(t, <-ended)
		})
	}
}

// written counts the data files that are noted as written.
func written(t *testing.T, o store.Options) (n int) {
	t.Helper()
	db := storetest.Open(t, o)
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Raw(`SELECT count(*) FROM sl_meta WHERE key LIKE 'data:%'`).Scan(&n).Error
	}))
	return n
}

// served starts `sluice serve` and returns the address and the figures' address; it ends with the test.
func served(t *testing.T, args ...string) (address string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	var faults bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		code := run(ctx, append([]string{"serve", "--no-embedded", "--addr", "127.0.0.1:0"}, args...), console{out: w, err: &faults})
		_ = w.Close()
		ended <- code
	}()
	out := bufio.NewReader(r)
	line, err := out.ReadString('\n')
	t.Cleanup(func() {
		stop()
		require.Zero(t, <-ended, "%s", &faults)
	})
	require.NoError(t, err)
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return strings.TrimSpace(strings.TrimPrefix(line, "Sluice serves "))
}

// TestServeTwice: one process serves a SQLite folder; the other commands work beside it.
func TestServeTwice(t *testing.T) {
	dir := t.TempDir()
	served(t, "--data", dir)
	command := func(args ...string) (int, string) {
		var out, faults bytes.Buffer
		code := run(t.Context(), args, console{out: &out, err: &faults})
		return code, faults.String()
	}
	for _, name := range []string{"serve", "dev"} {
		code, text := command(name, "--data", dir, "--packs", "../../../examples/clinic", "--addr", "127.0.0.1:0")
		require.Equal(t, exitEnvironment, code)
		require.Equal(t, "sluice: "+dir+": another process serves this folder; stop that process, or use another folder with --data\n", text)
	}
	for _, args := range [][]string{
		{"user", "add", "--data", dir, "--role", "administrator", "root"},
		{"user", "token", "--data", dir, "root"},
		{"plan", "--data", dir, "--no-embedded"},
		{"apply", "--data", dir, "--no-embedded"},
		{"explain", "--data", dir, "--no-embedded", "--user", "root", "--list", "user"},
		{"bench", "seed", "--data", dir, "--no-embedded", "--model", "department", "--rows", "2"},
	} {
		code, text := command(args...)
		require.Zero(t, code, "%v: %s", args, text)
	}
}

// TestServeSettings: figures on an address of their own, and a public address from a file or the environment.
func TestServeSettings(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	figures := l.Addr().String()
	require.NoError(t, l.Close())
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("sluice.yaml", []byte("public_url: https://sluice.example.com\nmetrics_addr: "+figures+"\n"), 0o600))
	address := served(t, "--data", t.TempDir())
	response, err := http.Get("http://" + figures + "/metrics")
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Contains(t, string(text), "sluice_jobs")
	request, err := http.NewRequest(http.MethodPost, strings.Replace(address, "localhost", "127.0.0.1", 1)+"/api/login/logout", nil)
	require.NoError(t, err)
	request.Header.Set("Origin", "https://sluice.example.com")
	response, err = http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)
	for _, c := range response.Cookies() {
		require.True(t, c.Secure)
	}
	require.Len(t, response.Cookies(), 2)

	t.Setenv("SLUICE_PUBLIC_URL", "sluice.example.com")
	var faults bytes.Buffer
	require.Equal(t, exitUsage, run(t.Context(), []string{"serve", "--data", t.TempDir()}, console{out: io.Discard, err: &faults}))
	require.Contains(t, faults.String(), "--public-url")
}
