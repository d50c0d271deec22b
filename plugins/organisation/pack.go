// Package organisation is the pack of people, departments and roles, which every installation has. It is documents only;
// the engine reserves the codes of its models, because sign-in, rights and the people properties refer to them.
package organisation

import (
	"embed"

	"github.com/sluice-platform/sluice/engine/pack"
)

//go:embed pack.json app.json models lists forms access
var folder embed.FS

// Register adds the pack's documents.
func Register(s *pack.Set) error {
	s.AddFolder("plugins/organisation", folder)
	return nil
}
