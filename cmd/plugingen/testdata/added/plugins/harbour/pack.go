// Package harbour is a pack that a test adds.
package harbour

import (
	"embed"

	"github.com/sluice-platform/sluice/engine/pack"
)

//go:embed pack.json models
var documents embed.FS

// Register adds the pack to a set.
func Register(s *pack.Set) error {
	s.AddFolder("plugins/harbour", documents)
	return nil
}
