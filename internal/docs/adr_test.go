package docs

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	adrFile = regexp.MustCompile(`^(\d{4})-[a-z0-9-]+\.md$`)
	adrName = regexp.MustCompile(`\bADR (\d+)\b|docs/adr/(\d{4})\b`)
)

// TestDecisionsAreNumbered checks that the decision records are numbered from 1 without gaps, that each heading has the number
// of its file, and that every source file and page cites a record that exists.
func TestDecisionsAreNumbered(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir(filepath.Join(root, "docs/adr"))
	require.NoError(t, err)
	for i, f := range files {
		number := adrFile.FindStringSubmatch(f.Name())
		require.NotNil(t, number, f.Name())
		assert.Equal(t, fmt.Sprintf("%04d", i+1), number[1], f.Name())
		text, err := os.ReadFile(filepath.Join(root, "docs/adr", f.Name()))
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(text), fmt.Sprintf("# %d. ", i+1)), f.Name())
	}
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			base := e.Name()
			if name != "." && (strings.HasPrefix(base, ".") || base == "node_modules" || base == "dist" || base == "bin") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.Contains(".go .ts .tsx .mjs .md", path.Ext(name)) || path.Ext(name) == "" {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		for _, cited := range adrName.FindAllStringSubmatch(string(text), -1) {
			number, _ := strconv.Atoi(cited[1] + cited[2])
			assert.True(t, number >= 1 && number <= len(files), "%s cites %s", name, cited[0])
		}
		return err
	})
	require.NoError(t, err)
}
