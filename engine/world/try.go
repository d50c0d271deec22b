package world

import (
	"context"

	"github.com/sluice-platform/sluice/engine/fault"
)

// Trying is what code does that writes before it knows whether it may: checks that run the writes which they foretell, and lists of writes that
// succeed or fail one by one.
type Trying interface {
	// Try runs f with a World of the same rights, in the same transaction. When f returns an error, or a write in it was refused, what it
	// wrote is undone, the error is returned, and the transaction goes on as if f had not run. Otherwise what it wrote stays, and
	// Memo is empty. The World that f is given is for f alone, and the outer one is not to be used within f.
	Try(ctx context.Context, f func(w World) error) error
	// Refusals are the sentences of a refusal as the principal reads them: one for each field, or one for all of it. An error that is no
	// refusal (a database that is away) has none.
	Refusals(err error) []Refusal
}

// Refusal is why something was refused.
type Refusal struct {
	Property string // "part", "items.values"; "" = not of one property
	Code     fault.Code
	Text     string // in the principal's language
}
