package temporary_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/temporary"
)

// TestMain makes files and waits to be killed where TestKilled asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("SLUICE_TEST_KILL") == "" {
		os.Exit(m.Run())
	}
	if _, err := temporary.Create(); err != nil {
		panic(err)
	}
	if _, err := temporary.Dir(); err != nil {
		panic(err)
	}
	_, _ = os.Stdout.WriteString("made\n")
	select {}
}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// TestKilled: a process that is killed leaves no file, and the next start sweeps the folder that it left, when it is old enough.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files in use have a name there")
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "SLUICE_TEST_KILL=1", "TMPDIR="+dir)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = out.Read(make([]byte, 5))
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	left := names(t, dir)
	require.Len(t, left, 1, "the folder alone")

	t.Setenv("TMPDIR", dir)
	for _, name := range []string{"sluice-import-12", "sluice-import-notes", "sluice-tmp-", "somebody's"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	n, err := temporary.Sweep(temporary.Age, time.Now())
	require.NoError(t, err)
	require.Zero(t, n, "what is in use stays")
	n, err = temporary.Sweep(temporary.Age, time.Now().Add(2*temporary.Age))
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.False(t, slices.Contains(names(t, dir), left[0]))
	require.ElementsMatch(t, []string{"sluice-import-notes", "sluice-tmp-", "somebody's"}, names(t, dir), "others keep theirs")
}

// TestBeside: a file has its name when all of it is written, and never that of another; what a killed process left goes with the next one.
func TestBeside(t *testing.T) {
	for how, create := range map[string]func(string) (*temporary.Beside, error){"unnamed": temporary.CreateBeside, "named": temporary.CreatePart} {
		t.Run(how, func(t *testing.T) {
			dir := t.TempDir()
			at := filepath.Join(dir, "x")
			given, err := create(at)
			require.NoError(t, err)
			_, err = given.WriteString("given up")
			require.NoError(t, err)
			require.NoError(t, given.Close())
			require.Empty(t, names(t, dir))

			left := filepath.Join(dir, ".sluice-part-12")
			require.NoError(t, os.WriteFile(left, nil, 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(dir, ".sluice-part-mine"), nil, 0o600))
			one, err := create(at)
			require.NoError(t, err)
			other, err := create(at)
			require.NoError(t, err)
			_, err = one.WriteString("whole")
			require.NoError(t, err)
			require.NoError(t, one.Name())
			require.ErrorIs(t, other.Name(), os.ErrExist)
			require.NoError(t, errors.Join(one.Close(), other.Close()))
			text, err := os.ReadFile(at)
			require.NoError(t, err)
			require.Equal(t, "whole", string(text))
			if how == "named" {
				require.Equal(t, []string{".sluice-part-mine", "x"}, names(t, dir))
			}
		})
	}
}

// TestClose removes a file; what was written can be read until then.
func TestClose(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f, err := temporary.Create()
	require.NoError(t, err)
	_, err = f.WriteString("a")
	require.NoError(t, err)
	b := make([]byte, 1)
	_, err = f.ReadAt(b, 0)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Empty(t, names(t, os.TempDir()))
}
