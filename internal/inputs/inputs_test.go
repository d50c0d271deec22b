package inputs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const probe = `package probe

import (
	"os/exec"
	"testing"

	"github.com/sluice-platform/sluice/internal/inputs"
)

func TestProbe(t *testing.T) {
	inputs.Of(t, []string{"read"}, ".txt")
	if out, err := exec.Command("cat", "read/a.txt").Output(); err != nil || string(out) != "good" {
		t.Fatal(string(out), err)
	}
}
`

// TestOf: the result of a test whose child reads a file is cached, and when the file changes the test runs again.
func TestOf(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a test")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put := func(name, text string, age time.Duration) { // Go keeps no result over files of this second
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, of := range []string{name, filepath.Dir(name)} {
			if err := os.Chtimes(of, time.Time{}, time.Now().Add(-age)); err != nil {
				t.Fatal(err)
			}
		}
	}
	put("go.mod", "module github.com/sluice-platform/sluice/probe\n\ngo 1.26.0\n", time.Hour)
	put("go.work", "go 1.26.0\n\nuse (\n\t.\n\t"+root+"\n)\n", time.Hour)
	put("probe_test.go", probe, time.Hour)
	put("read/a.txt", "good", time.Hour)
	run := func() (string, error) {
		c := exec.Command("go", "test", "-vet=off", ".")
		c.Dir, c.Env = dir, append(os.Environ(), "GOWORK=", "GOPROXY=off")
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := run(); err != nil {
		t.Fatal(out, err)
	}
	if out, err := run(); err != nil || !strings.Contains(out, "(cached)") {
		t.Fatal(out, err)
	}
	put("read/a.txt", "damaged", time.Minute)
	if out, err := run(); err == nil {
		t.Fatal("the result of a test whose input changed is still the old one: ", out)
	}
}
