// Package action is the contract of actions: list buttons and domain calls that packs bring (DESIGN section 2).
package action

import (
	"context"
	"encoding/json"
	"time"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/registry"
)

// Action is something that a user or a caller asks for. Its name is queryActionType in lists and "action" in routes.
type Action interface {
	registry.Entry
}

// Runner: the action does something on the server. What it returns becomes the envelope's data.
type Runner interface {
	Run(ctx context.Context, call Call) (any, error)
}

// Endpoint is an action that answers the calls of routes. Input and Output are JSON Schemas (draft 2020-12): a call whose body
// does not fit Input is refused before Run, an answer that does not fit Output is a fault of the action and undoes its writes.
// Both stand in /api/openapi.json.
type Endpoint interface {
	Action
	Runner
	Input() []byte
	Output() []byte
}

// Call is all that an action gets: who asks, for what, and small interfaces to the world.
type Call struct {
	Principal principal.Principal
	Model     string // schemaCode of the route or list; "" = none
	IDs       []string
	// Body is the call's input as one JSON object: the body, for GET and DELETE the query, with the parameters of the path.
	Body    json.RawMessage
	Records Records
	Now     time.Time
}

// Records reads and writes records with the caller's rights. All calls of one Run are one transaction: what it wrote is
// stored when Run returns without an error, and nothing of it otherwise. Values are in the wire form, by property code.
// Errors are fault.Errors, to be returned as they are.
type Records interface {
	// Get returns what the caller may see of a record; fault.RecordNotFound when that is nothing.
	Get(ctx context.Context, model, id string) (Record, error)
	// Find returns the ids of the first limit records, by id, that the caller sees and whose properties have exactly these values.
	// With All it returns every one, or fails with fault.TooExpensive where there are more than MostFound: it never returns fewer
	// than asked for and found.
	Find(ctx context.Context, model string, equal map[string]any, limit int) ([]string, error)
	// Create adds a record and returns its id.
	Create(ctx context.Context, model string, values map[string]any) (string, error)
	// Update changes a record that has the version which the caller has seen, and returns its new version.
	Update(ctx context.Context, model, id string, version int64, values map[string]any) (int64, error)
	// Delete removes a record.
	Delete(ctx context.Context, model, id string) error
}

// Limits of Find.
const (
	All       = 0       // every record
	MostFound = 100_000 // the largest limit
)

// Record is a record as the caller sees it.
type Record struct {
	ID      string
	Version int64
	Values  map[string]any // wire values; numbers are json.Number, exact decimals are texts
}

// New makes an Endpoint of a function whose input is read into In. The schemas are JSON texts.
func New[In, Out any](name, input, output string, run func(ctx context.Context, call Call, in In) (Out, error)) Endpoint {
	return typed[In, Out]{name: name, input: input, output: output, run: run}
}

type typed[In, Out any] struct {
	name, input, output string
	run                 func(context.Context, Call, In) (Out, error)
}

func (t typed[In, Out]) Name() string    { return t.name }
func (t typed[In, Out]) Options() []byte { return nil }
func (t typed[In, Out]) Input() []byte   { return []byte(t.input) }
func (t typed[In, Out]) Output() []byte  { return []byte(t.output) }

func (t typed[In, Out]) Run(ctx context.Context, call Call) (any, error) {
	var in In
	if err := json.Unmarshal(call.Body, &in); err != nil {
		return nil, err
	}
	return t.run(ctx, call, in)
}
