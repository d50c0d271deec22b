package surface

import (
	"flag"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	root = "../.."
	kept = "testdata/api.txt"
)

var update = flag.Bool("update", false, "write testdata/api.txt")

// TestSurface: what packs outside this repository compile against changes on purpose alone.
func TestSurface(t *testing.T) {
	t.Parallel()
	now, err := Lines(root)
	require.NoError(t, err)
	require.Greater(t, len(now), 1000)
	if *update {
		require.NoError(t, os.WriteFile(kept, []byte(strings.Join(now, "\n")+"\n"), 0o644))
	}
	text, err := os.ReadFile(kept)
	require.NoError(t, err)
	before := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for _, l := range before {
		if !slices.Contains(now, l) {
			t.Errorf("gone or changed: %s", l)
		}
	}
	for _, l := range now {
		if !slices.Contains(before, l) {
			t.Errorf("new: %s", l)
		}
	}
	if t.Failed() {
		t.Log("Packs outside this repository compile against these names. Where one changes, CHANGELOG.md says the old and the new one, " +
			"for example in \"Changed\". Then: go test ./internal/surface -update")
	}
}

// TestLines: comments and bodies say nothing, what is not exported is left out.
func TestLines(t *testing.T) {
	t.Parallel()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "a.go", `package a
// A is a type.
type A struct { B int // its b
}
func (a A) C(n int) error { return nil }
const D, E = 1, 2
var F map[string]int
func (a hidden) G() {}
`, parser.SkipObjectResolution)
	require.NoError(t, err)
	var lines []string
	for _, d := range f.Decls {
		more, err := declared(set, d)
		require.NoError(t, err)
		lines = append(lines, more...)
	}
	require.Equal(t, []string{"type A struct { B int }", "func (a A) C(n int) error", "const D", "const E", "var F map[string]int"}, lines)
	names := []string{"@sluice/sdk: value a", "@sluice/sdk: type B", "@sluice/sdk: value d", "@sluice/sdk: type E", "@sluice/sdk: value f"}
	require.Equal(t, names, ofScript("/** {x} */\nexport { a, type B, c as d } from './x'\nexport type {\n  E,\n} from './y'\nexport const f = 1\n"))
}
