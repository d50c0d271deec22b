// Package batchupdate is the button that gives a field of many records one value.
package batchupdate

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the word to a set.
func Register(s *pack.Set) error {
	return s.Words.Add(action.Word{Code: "batch_update", List: true, Grant: true, PerRecord: true})
}
