package words

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/schemas"
)

// TestCodesHaveNames: no code is raised by its number, neither in Go nor in the interface: what has a name is in the catalogue. Packs
// declare their own codes with texts (pack.Set.Errors), which a start refuses otherwise.
func TestCodesHaveNames(t *testing.T) {
	t.Parallel()
	data, err := schemas.FS.ReadFile("errors.json")
	require.NoError(t, err)
	var rows []struct{ Code int }
	require.NoError(t, json.Unmarshal(data, &rows))
	known := map[int]bool{}
	for _, r := range rows {
		known[r.Code] = true
	}
	require.Greater(t, len(known), 100)
	bare := regexp.MustCompile(`fault\.(?:New|Wrap|Code|Of)\([^)\n]*?\b([1-9]\d{5})\b|\b(?:err)?code\s*(?:===?|:)\s*([1-9]\d{5})\b`)
	source, seen := regexp.MustCompile(`\.(go|tsx?)$`), 0
	files(t, func(name, text string) {
		if !begins(name, []string{"engine/", "runtime/", "plugins/", "cmd/", "ui/src/"}) || !source.MatchString(name) ||
			strings.HasSuffix(name, "_test.go") || strings.Contains(name, ".test.") ||
			strings.Contains(name, ".gen.") || strings.Contains(name, "_gen.go") {
			return
		}
		seen++
		for _, m := range bare.FindAllStringSubmatch(text, -1) {
			n, _ := strconv.Atoi(m[1] + m[2])
			if !known[n] {
				t.Errorf("%s raises %d, which the catalogue does not have", name, n)
			}
		}
	})
	require.Greater(t, seen, 500)
}
