// Package core is the pack that is always there: the built-in extensions stand in its folders, its documents are the
// administrative divisions and the role of administrators.
package core

import (
	"embed"

	"github.com/sluice-platform/sluice/engine/pack"
)

//go:embed *.json models lists forms access data
var documents embed.FS

// Register adds the pack's documents; its extensions are registered one by one (plugins_gen.go).
func Register(s *pack.Set) error {
	s.AddFolder("plugins/core", documents)
	return nil
}
