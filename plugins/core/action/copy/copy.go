// Package copy is the button that begins a record as a copy of another.
package copy

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the word to a set.
func Register(s *pack.Set) error {
	return s.Words.Add(action.Word{Code: "copy", List: true, Form: true, Grant: true, PerRecord: true})
}
