package docs

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	// namedFile is a file of tests in a row of docs/coverage.md, with the beginning of a title where one follows.
	namedFile = regexp.MustCompile("\\b([\\w-]+(?:\\.test\\.(?:mjs|tsx?)|_test\\.go|\\.txtar))(?:`?: ([^;,|(]+))?")
	namedFunc = regexp.MustCompile(`\bTest[A-Z]\w*`)
	// sourceFile is a file of code, of tests or not.
	sourceFile = regexp.MustCompile(`[\w.-]+\.(?:tsx?|go)\b`)
	testFunc   = regexp.MustCompile(`(?m)^func (Test\w+)`)
)

// testFiles returns the texts of all files of tests by their base names, which several may share, and the names of all Go tests.
func testFiles(t *testing.T) (texts map[string]string, funcs map[string]bool) {
	t.Helper()
	texts, funcs = map[string]string{}, map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, e fs.DirEntry, err error) error {
		base := e.Name()
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "node_modules" || base == "dist"):
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(base, "_test.go") && !strings.Contains(base, ".test.") && path.Ext(base) != ".txtar":
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		texts[base] += string(text)
		if path.Ext(base) == ".go" {
			for _, found := range testFunc.FindAllStringSubmatch(string(text), -1) {
				funcs[found[1]] = true
			}
		}
		return err
	})
	require.NoError(t, err)
	return texts, funcs
}

// TestCoverageNames checks that the tests in docs/coverage.md exist: their files, the titles after those, and the Go tests. A row that names
// the code itself in their place shows nothing: that does not fail when the sentence is untrue.
func TestCoverageNames(t *testing.T) {
	texts, funcs := testFiles(t)
	raw, err := os.ReadFile(filepath.Join(root, "docs/coverage.md"))
	require.NoError(t, err)
	rows := 0
	for i, line := range strings.Split(string(raw), "\n") {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		for _, named := range namedFile.FindAllStringSubmatch(line, -1) {
			rows++
			text, there := texts[named[1]]
			if !there {
				t.Errorf("docs/coverage.md:%d: no file %s", i+1, named[1])
				continue
			}
			if title := strings.TrimSpace(named[2]); !namedFunc.MatchString(title) && !strings.Contains(text, title) {
				t.Errorf("docs/coverage.md:%d: no test %q in %s", i+1, title, named[1])
			}
		}
		if cells := strings.Split(line, " | "); len(cells) > 1 {
			for _, file := range sourceFile.FindAllString(cells[1], -1) {
				if !strings.Contains(file, ".test.") && !strings.HasSuffix(file, "_test.go") {
					t.Errorf("docs/coverage.md:%d: %s has no tests", i+1, file)
				}
			}
		}
		for _, name := range namedFunc.FindAllString(line, -1) {
			if !funcs[name] {
				t.Errorf("docs/coverage.md:%d: no test %s", i+1, name)
			}
		}
	}
	require.Greater(t, rows, 500)
}
