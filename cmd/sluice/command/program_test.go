package command

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// TestProgramOfYourOwn builds the module of testdata/marina.txtar, whose main is the five lines that docs/authoring.md shows:
// the platform's command line with a pack that has an action, a route and a rule. Then it checks and serves the pack.
func TestProgramOfYourOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir, root := t.TempDir(), repository(t)
	archive, err := txtar.ParseFile("testdata/marina.txtar")
	require.NoError(t, err)
	for _, f := range archive.Files {
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, f.Data, 0o644))
	}
	module(t, root, dir)
	list := exec.Command("go", "list", "-deps", ".") // go.mod names all that it needs, without the workspace below
	list.Dir, list.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := list.CombinedOutput()
	require.NoError(t, err, "%s", out)
	// In a workspace, and with the flags that the tests were built with, the platform's packages are in the cache.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.work"), fmt.Appendf(nil, "go 1.26.0\n\nuse (\n\t.\n\t%q\n)\n", root), 0o644))
	guide, err := os.ReadFile(filepath.Join(root, "docs", "authoring.md"))
	require.NoError(t, err)
	for _, f := range archive.Files[:2] {
		require.Contains(t, string(guide), "```go\n"+string(f.Data)+"```", "docs/authoring.md shows another %s", f.Name)
	}
	program := filepath.Join(dir, "marina-server")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOPROXY=off")
	out, err = build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	do := func(args ...string) string {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "LANG=en_US.UTF-8")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	require.Equal(t, "sluice 1.2.3", do("version"))
	require.Empty(t, do("check", "marina"), "a pack on disk takes the place of the embedded one")
	var said bytes.Buffer
	require.NotZero(t, run(t.Context(), []string{"check", filepath.Join(dir, "marina")}, console{out: &said, err: &said}))
	require.Contains(t, said.String(), `PACK007 unknown action "moor"`)
	require.Contains(t, said.String(), `MODEL028 unknown rule "seaworthy"`)

	data := filepath.Join(dir, "data")
	do("user", "add", "--data", data, "--role", "administrator", "root")
	token := do("user", "token", "--data", data, "root")
	base := serveProgram(t, program, dir, data)
	moored := post(t, base+"/api/marina/boats", token, `{"title": "Seagull", "length": "7.5"}`)
	require.Equal(t, `{"errcode":0,"errmsg":"","data":{"title":"Seagull","length":"7.5"}}`, moored)
	refused := post(t, base+"/api/marina/boats", token, `{"title": "Titanic", "length": "269"}`)
	require.Contains(t, refused, `"propertyCode":"length"`)
	require.Contains(t, refused, "太长，进不了港")
}

func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	return root
}

// module writes go.mod of a module that uses this one, with the versions that this one uses.
func module(t *testing.T, root, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	own := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(text), "module example.com/marina-server")
	own = regexp.MustCompile(`(?m)^ignore .*$`).ReplaceAllString(own, "")
	own += "\nrequire github.com/sluice-platform/sluice v0.0.0\n\nreplace github.com/sluice-platform/sluice => " + root + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(own), 0o644))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
}

// serveProgram starts the program and returns its address.
func serveProgram(t *testing.T, program, dir, data string) string {
	t.Helper()
	cmd := exec.Command(program, "serve", "--data", data, "--addr", "127.0.0.1:0")
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	return strings.TrimPrefix(lines.Text(), "Sluice serves ")
}

func post(t *testing.T, url, token, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	var raw json.RawMessage
	require.NoError(t, json.NewDecoder(res.Body).Decode(&raw))
	return string(raw)
}
