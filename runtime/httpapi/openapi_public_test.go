package httpapi

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/internal/inputs"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestContractIsOpenAPI: validators and a generator of clients that are not ours take the contract, as it is in the repository
// and as a server with packs gives it. A description that is cut at a comma becomes a key, which they refuse.
func TestContractIsOpenAPI(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node.js, as the user interface does")
	}
	w := openHarbour(t, store.Options{Dir: t.TempDir()})
	served := filepath.Join(t.TempDir(), "openapi.json")
	text := w.get(t, anonymous, "/api/openapi.json").Body.Bytes()
	require.NoError(t, os.WriteFile(served, text, 0o600))
	doc, err := openapi3.NewLoader().LoadFromData(text)
	require.NoError(t, err)
	require.NoError(t, doc.Validate(t.Context(), openapi3.DisableSchemaPatternValidation()))

	broken := filepath.Join(t.TempDir(), "broken.yaml")
	require.NoError(t, os.WriteFile(broken, []byte("openapi: 3.1.0\ninfo: {title: x, version: '1', description: one, two}\npaths: {}\n"), 0o600))
	inputs.Of(t, []string{filepath.Join("..", "..", "internal", "openapi"), filepath.Join("..", "..", "package-lock.json")})
	c := exec.CommandContext(t.Context(), node, filepath.Join("..", "..", "internal", "openapi", "lint.mjs"),
		filepath.Join("..", "..", "schemas", "api.yaml"), served, broken)
	out, err := c.CombinedOutput()
	require.Error(t, err, "the broken one is refused")
	require.Contains(t, string(out), "Property `two` is not expected here")
	for line := range strings.Lines(string(out)) { // and no other
		require.True(t, strings.HasPrefix(line, broken), "%.4000s", out)
	}
}
