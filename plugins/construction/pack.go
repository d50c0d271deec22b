// Package construction is the pack of what the systems of a construction project share: projects, sections, contracts, components and the
// roles of the parties. It has documents only.
package construction

import (
	"embed"

	"github.com/sluice-platform/sluice/engine/pack"
)

//go:embed pack.json app.json models access tests
var folder embed.FS

// Register adds the pack's documents.
func Register(s *pack.Set) error {
	s.AddFolder("plugins/construction", folder)
	return nil
}
