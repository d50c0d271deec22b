// Package later holds the words whose runtime is not part of this version: documents may use and roles may grant them, with one warning where a list
// or form offers one. The change that adds the runtime moves the word to a folder of its own.
package later

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the words to a set.
func Register(s *pack.Set) error {
	for _, w := range []action.Word{
		{Code: "qr_code", List: true, Grant: true, Later: true},
	} {
		if err := s.Words.Add(w); err != nil {
			return err
		}
	}
	return nil
}
