package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../.."

// TestGeneratedFilesAreCurrent: the constants in Go and TypeScript are those of schemas/errors.json.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	text, err := os.ReadFile(root + "/schemas/errors.json")
	require.NoError(t, err)
	files, err := generate(text)
	require.NoError(t, err)
	for name, want := range files {
		got, err := os.ReadFile(root + "/" + name)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "run make generate")
	}
}
