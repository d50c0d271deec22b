// Command plugingen writes plugins/base/base_gen.go and plugins/plugins_gen.go: the explicit lists of all extensions and packs with
// code, from the names of their folders. `make generate` runs it; nothing else has to be edited when a folder is added.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "plugingen:", err)
		os.Exit(1)
	}
}

// run writes the lists of the module whose root is given. An unchanged file keeps its time.
func run(root string) error {
	texts, err := generate(root)
	if err != nil {
		return err
	}
	for name, text := range texts {
		name = filepath.Join(root, filepath.FromSlash(name))
		if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
			continue
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
