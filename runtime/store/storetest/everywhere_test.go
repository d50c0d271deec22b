package storetest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOnPostgres holds the list of packages whose tests always run on PostgreSQL: CONTRIBUTING.md names the same ones,
// and each of them has tests that ask for a database of each kind.
func TestOnPostgres(t *testing.T) {
	t.Parallel()
	require.Equal(t, module+"runtime/store/storetest", tested(), "the package is known by its test binary")
	require.True(t, slices.IsSorted(onPostgres))
	const root = "../../.."
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	require.NoError(t, err)
	var named []string
	for _, of := range onPostgres {
		named = append(named, "`"+strings.TrimPrefix(of, "runtime/")+"`")
		require.True(t, needsPostgres(module+of))
		files, err := filepath.Glob(filepath.Join(root, of, "*_test.go"))
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(files, func(name string) bool {
			text, err := os.ReadFile(name)
			return err == nil && slices.ContainsFunc([]string{"runtime/store/storetest", "runtime/app/apptest"},
				func(of string) bool { return strings.Contains(string(text), module+of+"\"") })
		}), "%s has no test on databases", of)
	}
	require.Contains(t, strings.Join(strings.Fields(string(text)), " "), strings.Join(named, ", ")+" of `runtime`")
	for _, other := range []string{
		"", module + "runtime/httpapi", module + "runtime/store/storetest", module + "runtime", "example.com/runtime/store",
		module + "plugins/core/kind/workflow",
	} {
		require.False(t, needsPostgres(other), other)
	}
}

// TestElsewhere: outside of the list a test on PostgreSQL is skipped unless it is asked for or everything is tested.
func TestElsewhere(t *testing.T) {
	t.Setenv(everywhere, "")
	t.Setenv(always, "")
	require.Equal(t, 1, Full(1, 10))
	ran := 0
	t.Run("skipped", func(t *testing.T) {
		defer func() { require.True(t, t.Skipped()) }()
		Postgres(t)
		ran++
	})
	require.Zero(t, ran)
	require.False(t, OnPostgres())
	t.Setenv(always, "1")
	require.True(t, OnPostgres())
	require.Equal(t, 1, Full(1, 10), "nothing is repeated more often")
	t.Setenv(always, "")
	t.Setenv(everywhere, "1")
	require.True(t, OnPostgres())
	require.Equal(t, 10, Full(1, 10))
}
