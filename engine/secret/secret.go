// Package secret keeps passwords and the like out of logs, errors and answers: by their type, not by care.
package secret

import (
	"errors"
	"fmt"
	"log/slog"
)

// Text is a text that nobody but its user may see: it prints as *** in every format and cannot be marshalled.
type Text string

const hidden = "***"

// Reveal returns the text itself.
func (t Text) Reveal() string { return string(t) }

// Format implements fmt.Formatter: no verb shows the text.
func (Text) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(hidden)) }

// LogValue implements slog.LogValuer.
func (Text) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalJSON always fails.
func (Text) MarshalJSON() ([]byte, error) { return nil, errors.New("a secret cannot be marshalled") }
