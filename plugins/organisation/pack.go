// Package organisation is the pack of people, departments and roles. Its model codes are reserved: the runtime reads them
// through principal.Directory.
package organisation

import (
	"embed"

	"github.com/sluice-platform/sluice/engine/pack"
)

//go:embed *.json models lists forms access
var documents embed.FS

// Register adds the pack's documents.
func Register(s *pack.Set) error {
	s.AddFolder("plugins/organisation", documents)
	return nil
}
