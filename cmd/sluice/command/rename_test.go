package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/rename"
)

// Files are all written or none: what fails at the second one leaves the first as it was, and nothing beside them.
func TestChangesAreWrittenTogether(t *testing.T) {
	for name, second := range map[string]func(dir string) rename.Change{
		"no such file": func(dir string) rename.Change {
			return rename.Change{From: filepath.Join(dir, "none.json"), To: filepath.Join(dir, "none.json")}
		},
		"no place for it": func(dir string) rename.Change {
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "c.json", "full"), 0o755))
			return rename.Change{From: filepath.Join(dir, "b.json"), To: filepath.Join(dir, "c.json"), Text: "new"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, file := range []string{"a.json", "b.json"} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(file), 0o640))
			}
			change := second(dir)
			before, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Error(t, writeChanges([]rename.Change{{From: filepath.Join(dir, "a.json"), To: filepath.Join(dir, "moved.json"), Text: "new"}, change}))
			after, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Equal(t, len(before), len(after))
			for _, file := range []string{"a.json", "b.json"} {
				text, err := os.ReadFile(filepath.Join(dir, file))
				require.NoError(t, err)
				require.Equal(t, file, string(text))
				info, err := os.Stat(filepath.Join(dir, file))
				require.NoError(t, err)
				require.Equal(t, os.FileMode(0o640), info.Mode())
			}
		})
	}
}
