// Package export is the button that writes records of a list into a spreadsheet.
package export

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the word to a set.
func Register(s *pack.Set) error {
	return s.Words.Add(action.Word{Code: "export", List: true, Grant: true, RowsOnly: true})
}
