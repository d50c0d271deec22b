package httpapi

import (
	"regexp"
	"slices"
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
