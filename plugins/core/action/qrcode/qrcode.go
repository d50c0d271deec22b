// Package qrcode is the button that prints labels for the ticked records of a list: a QR code that opens the record, and a caption.
package qrcode

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/pack"
)

// Register adds the word to a set.
func Register(s *pack.Set) error {
	return s.Words.Add(action.Word{Code: "qr_code", List: true, Grant: true, RowsOnly: true})
}
