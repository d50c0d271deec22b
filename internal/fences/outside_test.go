package fences

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/internal/inputs"
)

// domains are the packs of plugins/ that could as well lie in a repository of their own.
var domains = []string{"construction", "quality"}

// program is the main package that such a repository has.
const program = `package main

import (
	"github.com/sluice-platform/sluice/cmd/sluice/command"

	"example.com/outside/construction"
	"example.com/outside/quality"
)

func main() { command.Main("1.0.0", construction.Register, quality.Register) }
`

// TestPacksAsModules: the folders of domain packs, copied into a module of their own, build with their tests and a program around them.
func TestPacksAsModules(t *testing.T) {
	inputs.Of(t, append([]string{"../../go.mod"}, sources...), ".go", ".mod")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put := func(name string, text []byte) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, code := range domains {
		err := fs.WalkDir(os.DirFS(filepath.Join(root, "plugins")), code, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(filepath.Join(root, "plugins", name))
			if strings.HasSuffix(name, ".go") {
				text = bytes.ReplaceAll(text, []byte(`"`+module+"plugins/"+code), []byte(`"example.com/outside/`+code))
			}
			put(name, text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	put("main.go", []byte(program))
	// A workspace, so that what is compiled of Sluice is shared; the go.mod of a module outside is held by examples/survey.
	put("go.mod", []byte("module example.com/outside\n\ngo 1.26.0\n"))
	put("go.work", []byte("go 1.26.0\n\nuse (\n\t.\n\t"+root+"\n)\n"))
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	put("go.work.sum", sum)
	download := exec.Command("go", "mod", "download", "all") // a workspace wants modules that the product alone doesn't
	download.Dir, download.Env = dir, append(os.Environ(), "GOWORK=")
	if out, err := download.CombinedOutput(); err != nil {
		t.Logf("go mod download: %v\n%s", err, out)
	}
	cmd := exec.Command("go", "vet", "./...") // as go build does, and with the tests
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=", "GOPROXY=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
