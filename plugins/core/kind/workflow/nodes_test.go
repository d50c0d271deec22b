package workflow_test

import (
	"path"
	"testing"

	"github.com/stretchr/testify/require"
)

// A former id that no node can have had is a fault; nodes may change ids.
func TestFormerIDs(t *testing.T) {
	_, found := newCompiler(t).compile(files(t, "testdata/faults.txtar"))
	var told []string
	for _, d := range found {
		if path.Base(d.File) == "former.json" {
			told = append(told, d.Pointer+" "+d.Code)
		}
	}
	require.Equal(t, []string{"/nodes/0/renamedFrom PACK004", "/nodes/3/renamedFrom PACK005", "/nodes/5/renamedFrom PACK006"}, told)
}
