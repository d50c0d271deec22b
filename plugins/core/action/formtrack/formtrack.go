// Package formtrack is the button that shows what was changed in records.
package formtrack

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the word to a set.
func Register(s *pack.Set) error {
	return s.Words.Add(action.Word{Code: "form_track", List: true, Form: true, Grant: true, RowsOnly: true})
}
