package command

import (
	"database/sql"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"
)

// heard keeps what is written and tells, once, when a text is in it.
type heard struct {
	mu   sync.Mutex
	text strings.Builder
	want string
	told chan struct{}
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := strings.Contains(h.text.String(), h.want)
	h.text.Write(p)
	if !before && strings.Contains(h.text.String(), h.want) {
		close(h.told)
	}
	return len(p), nil
}

// While another process writes, commands that only look look, and those that write say what they wait for and then write.
func TestCommandsBesideAWriter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.Zero(t, run(t.Context(), []string{"user", "add", "--data", dir, "root"}, console{out: io.Discard, err: io.Discard}))
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(dir, "sluice.db"))+"?_txlock=immediate")
	require.NoError(t, err)
	defer db.Close()
	tx, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer tx.Rollback()

	var out, said strings.Builder
	require.Zero(t, run(t.Context(), []string{"user", "tokens", "--data", dir, "root"}, console{out: &out, err: &said}), said.String())
	require.Contains(t, out.String(), "KIND")
	require.Empty(t, said.String())

	hears := &heard{want: "waiting for another process that writes into the database", told: make(chan struct{})}
	out.Reset()
	ended := make(chan int, 1)
	go func() {
		ended <- run(t.Context(), []string{"user", "token", "--data", dir, "root"}, console{out: &out, err: hears})
	}()
	select {
	case <-hears.told:
	case code := <-ended:
		t.Fatalf("it did not wait: %d %s", code, hears.text.String())
	}
	require.NoError(t, tx.Rollback())
	require.Zero(t, <-ended, hears.text.String())
	require.NotEmpty(t, out.String())
}
