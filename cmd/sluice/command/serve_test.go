package command

import (
	"bufio"
	"bytes"
	"context"
	"io"
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
			return []string{"--db", url}, store.Options{URL: url}
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
	require.NoError(t, db.Read(t.Context(), func(tx *store.Tx) error {
		return tx.System().Raw(`SELECT count(*) FROM sl_meta WHERE key LIKE 'data:%'`).Scan(&n).Error
	}))
	return n
}
