// Package importing is the button that takes records from a spreadsheet.
package importing

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the word to a set.
func Register(s *pack.Set) error {
	return s.Words.Add(action.Word{Code: "import", List: true, Grant: true, RowsOnly: true})
}
