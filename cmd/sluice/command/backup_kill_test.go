package command

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
)

// copies are the commands that copy an installation, as processes that a test kills.
type copies struct {
	*testing.T
	tmp string
}

func (c copies) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Args = append([]string{"sluice"}, args...)
	cmd.Env = append(os.Environ(), "LANG=en_US.UTF-8", "TMPDIR="+c.tmp, "SLUICE_KEY="+strings.Repeat("k", 40))
	return cmd
}

func (c copies) run(args ...string) string {
	c.Helper()
	out, err := c.command(args...).CombinedOutput()
	require.NoError(c, err, "%v: %s", args, out)
	return strings.TrimSpace(string(out))
}

// killed runs a command and ends it by a signal when a moment has come. It reports whether the command was faster.
func (c copies) killed(signal os.Signal, moment func() bool, args ...string) (whole bool) {
	c.Helper()
	cmd := c.command(args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	require.NoError(c, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			require.NoError(c, err, "%s", said.String())
			return true
		case <-time.After(time.Millisecond):
		}
		if moment() {
			_ = cmd.Process.Signal(signal)
			select {
			case err := <-ended:
				return err == nil
			case <-time.After(30 * time.Second):
				_ = cmd.Process.Kill()
				require.Fail(c, "a signal does not end it", "%v %v: %s", signal, args, said.String())
			}
		}
	}
}

// install makes an installation with files, which somebody's name marks.
func (c copies) install(name string, files, size int) (data string) {
	c.Helper()
	data = filepath.Join(c.TempDir(), name)
	c.run("user", "add", "--data", data, name)
	db, err := app.OpenStore(c.Context(), app.Config{Dir: data, Existing: true, Log: slog.New(slog.DiscardHandler)})
	require.NoError(c, err)
	s, err := blob.Open(c.Context(), db, filepath.Join(data, "files"), time.Now)
	require.NoError(c, err)
	r := rand.NewChaCha8([32]byte{byte(size)})
	for range files {
		b := make([]byte, size)
		_, _ = r.Read(b)
		f, err := s.Put(c.Context(), blob.Upload{Name: "a.bin", Mime: "application/octet-stream", Most: 1 << 30, Bytes: bytes.NewReader(b)})
		require.NoError(c, err)
		require.NoError(c, db.Write(c.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := blob.Hold(tx, []string{f.ID}, "m", "f")
			return err
		}))
	}
	require.NoError(c, s.Close())
	require.NoError(c, db.Close())
	return data
}

// names are the files below a folder that are not SQLite's own nor a lock.
func (c copies) names(dir string) (out []string) {
	c.Helper()
	require.NoError(c, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !regexp.MustCompile(`sluice\.db-(wal|shm)$|sluice\.lock`).MatchString(path) {
			out = append(out, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	}))
	return out
}

// moments are when a command that takes so long is killed.
func moments(took time.Duration, parts int) (out []func() bool) {
	for i := range parts {
		var begun time.Time
		out = append(out, func() bool {
			if begun.IsZero() {
				begun = time.Now()
			}
			return time.Since(begun) > took*time.Duration(i+1)/time.Duration(parts+1)
		})
	}
	return out
}

var signals = []os.Signal{syscall.SIGKILL, syscall.SIGTERM}

// TestKilledBackups: a backup that is killed leaves no file under its name or another one, and the installation as it was; the next one is made.
func TestKilledBackups(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	c := copies{t, t.TempDir()}
	data, to := c.install("one", 20, 1<<20), t.TempDir()
	begun := time.Now()
	c.run("backup", "--data", data, filepath.Join(to, "first"))
	took := time.Since(begun)
	before := c.names(data)
	for i, signal := range signals {
		for j, moment := range moments(took, 3) {
			name := fmt.Sprint("killed", i, j)
			if c.killed(signal, moment, "backup", "--data", data, filepath.Join(to, name)) {
				c.run("backup", "--verify", filepath.Join(to, name))
				require.NoError(t, os.Remove(filepath.Join(to, name)))
			}
			require.Equal(t, []string{"first"}, c.names(to), "%v", signal)
			require.Empty(t, c.names(c.tmp))
			require.Equal(t, before, c.names(data))
		}
	}
	c.run("backup", "--data", data, filepath.Join(to, "last"))
	c.run("backup", "--verify", filepath.Join(to, "last"))
}

// TestKilledRestores: a restore that is killed leaves the installation as it was, or has replaced it whole. What it brought is gone after its
// signal, or with the next start of a program that knows where the files are.
func TestKilledRestores(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	c := copies{t, t.TempDir()}
	many, few, to := c.install("many", 12, 1<<20), c.install("few", 2, 1000), t.TempDir()
	filesOfMany, filesOfFew := files(c.names(many)), files(c.names(few))
	large, small := filepath.Join(to, "large"), filepath.Join(to, "small")
	c.run("backup", "--data", many, large)
	c.run("backup", "--data", few, small)
	for _, signal := range signals {
		for _, brought := range []int{1, 6, 12} {
			t.Run(fmt.Sprint(signal, " after ", brought), func(t *testing.T) {
				t.Parallel()
				c := copies{t, t.TempDir()}
				old := c.install("old", 3, 500)
				before := c.names(old)
				moment := func() bool { return len(c.names(filepath.Join(old, "files"))) >= 3+brought }
				whole := c.killed(signal, moment, "restore", "--data", old, "--replace", large)
				require.Empty(t, c.names(c.tmp))
				if signal == syscall.SIGTERM && !whole {
					require.Equal(t, before, c.names(old))
				}
				if !whole {
					c.run("user", "tokens", "--data", old, "old") // it is the old one
					c.run("backup", "--data", old, filepath.Join(t.TempDir(), "copy"))
					require.Equal(t, before, c.names(old), "the command took away what was left")
					left, err := filepath.Glob(filepath.Join(old, "restoring-*"))
					require.NoError(t, err)
					require.Empty(t, left)
				}
				c.run("restore", "--data", old, "--replace", small)
				c.run("user", "tokens", "--data", old, "few")
				after := c.names(old)
				want := append(slices.Clone(filesOfFew), files(before)...)
				if whole {
					want = append(want, filesOfMany...)
				}
				slices.Sort(want)
				require.Equal(t, want, files(after))
				for _, name := range after {
					require.Regexp(t, `^(files/|sluice\.db(\.before-.*)?$)`, name)
				}
			})
		}
	}
}

func files(of []string) (out []string) {
	for _, name := range of {
		if strings.HasPrefix(name, "files/") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
