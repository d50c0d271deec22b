package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The committed data is what the command writes.
func TestDataIsCurrent(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		have, err := os.ReadFile(filepath.Join("../../../examples/ship-lock/data", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, want) {
			t.Errorf("%s is not what go run ./internal/tools/shiplock writes", name)
		}
	}
}
