// Package changeowner is the button that gives records to another owner.
package changeowner

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the word to a set.
func Register(s *pack.Set) error {
	return s.Words.Add(action.Word{Code: "change_owner", List: true, Grant: true, PerRecord: true})
}
