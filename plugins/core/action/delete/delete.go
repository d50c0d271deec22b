// Package delete is the button that deletes records.
package delete

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the word to a set.
func Register(s *pack.Set) error {
	return s.Words.Add(action.Word{Code: "delete", List: true, Form: true, Grant: true, PerRecord: true})
}
