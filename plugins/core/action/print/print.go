// Package print is the button that puts a record, or the records of a list that are ticked, on paper.
package print

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the word to a set.
func Register(s *pack.Set) error {
	return s.Words.Add(action.Word{Code: "print", List: true, Form: true, Grant: true, RowsOnly: true})
}
