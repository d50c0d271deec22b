// Command plugingen writes plugins/plugins_gen.go: the explicit list of all extensions and packs with code, from the
// names of their folders. `make generate` runs it; nothing else has to be edited when a folder is added.
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

// run writes the list of the module whose root is given. An unchanged file keeps its time.
func run(root string) error {
	text, err := generate(root)
	if err != nil {
		return err
	}
	name := filepath.Join(root, "plugins", "plugins_gen.go")
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return os.WriteFile(name, text, 0o644)
}
