package docs

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/plugins/base"
)

// Every registered word of buttons and rights is listed in the authoring guide.
func TestWords(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, base.Register(set))
	text, err := os.ReadFile("../../docs/authoring.md")
	require.NoError(t, err)
	require.NotEmpty(t, set.Words.Names())
	for _, code := range set.Words.Names() {
		require.Contains(t, string(text), "`"+code+"`", code)
	}
}
