package store_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
)

// TestHold: the mark of a process that was killed blocks nobody.
func TestHold(t *testing.T) {
	const folder = "SLUICE_TEST_HOLD"
	if dir := os.Getenv(folder); dir != "" { // the process that is killed
		if _, err := store.Hold(context.Background(), dir); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("held")
		select {}
	}
	dir := t.TempDir()
	other := exec.Command(os.Args[0], "-test.run=^TestHold$")
	other.Env = append(os.Environ(), folder+"="+dir)
	out, err := other.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if line != "held\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := store.Hold(t.Context(), dir); err == nil || err.Error() != dir+": another process serves this folder" {
		t.Errorf("beside a process that serves: %v", err)
	}
	require.NoError(t, other.Process.Kill())
	_ = other.Wait()
	release, err := store.Hold(t.Context(), dir)
	require.NoError(t, err)
	if _, err := store.Hold(t.Context(), dir); err == nil {
		t.Error("held twice in one process")
	}
	require.NoError(t, release())
	release, err = store.Hold(t.Context(), dir)
	require.NoError(t, err)
	require.NoError(t, release())
}
