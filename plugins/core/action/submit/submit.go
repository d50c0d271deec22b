// Package submit is the word of forms that saves a record and starts the workflow of its model with it.
package submit

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the word to a set.
func Register(s *pack.Set) error {
	return s.Words.Add(action.Word{Code: "submit", Form: true})
}
