// Package edit is the button that opens a record to be edited.
package edit

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the word to a set.
func Register(s *pack.Set) error {
	return s.Words.Add(action.Word{Code: "edit", List: true, Grant: true, PerRecord: true})
}
