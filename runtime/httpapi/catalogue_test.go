package httpapi

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
)

// TestCodesAreInTheirFamilies: every code of the catalogue is in a range of the specification and has both texts with the same places.
func TestCodesAreInTheirFamilies(t *testing.T) {
	t.Parallel()
	all, err := loadTexts()
	require.NoError(t, err)
	han, place := regexp.MustCompile(`\p{Han}`), regexp.MustCompile(`\{\d+`)
	places := func(text string) []string {
		found := place.FindAllString(text, -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	for code, row := range all {
		require.NotEqual(t, "other", family(code), code)
		if row.Zh != "{0}" { // the text is all that is filled in
			require.Regexp(t, han, row.Zh, code)
		}
		require.NotEmpty(t, row.En, code)
		require.NotRegexp(t, han, row.En, code)
		require.Equal(t, places(row.Zh), places(row.En), "places in the texts of %d", code)
		require.True(t, row.Status >= 400 && row.Status <= 599, code)
	}
	require.Equal(t, "unknown", family(fault.Internal))
	require.EqualValues(t, 999999, fault.Internal)
}

// TestCodesHaveNames: no code is raised by its number, neither here nor in the interface: what has a name is in the catalogue. Packs
// declare their own codes with texts (pack.Set.Errors), which a start refuses otherwise.
func TestCodesHaveNames(t *testing.T) {
	t.Parallel()
	all, err := loadTexts()
	require.NoError(t, err)
	bare := regexp.MustCompile(`fault\.(?:New|Wrap|Code|Of)\([^)\n]*?\b([1-9]\d{5})\b|\b(?:err)?code\s*(?:===?|:)\s*([1-9]\d{5})\b`)
	root := filepath.Join("..", "..")
	seen := 0
	for _, folder := range []string{"engine", "runtime", "plugins", "cmd", "ui/src"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			name := d.Name()
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".ts") && !strings.HasSuffix(name, ".tsx") ||
				strings.HasSuffix(name, "_test.go") || strings.Contains(name, ".test.") || strings.Contains(name, ".gen.") || strings.Contains(name, "_gen.go") {
				return err
			}
			seen++
			text, err := os.ReadFile(path)
			for _, m := range bare.FindAllStringSubmatch(string(text), -1) {
				n, _ := strconv.Atoi(m[1] + m[2])
				if _, known := all[fault.Code(n)]; !known {
					t.Errorf("%s raises %d, which the catalogue does not have", path, n)
				}
			}
			return err
		})
		require.NoError(t, err)
	}
	require.Greater(t, seen, 500)
}
