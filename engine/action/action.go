// Package action is the contract of actions: list buttons and domain calls that packs bring (docs/architecture.md, Words).
package action

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/registry"
	"github.com/sluice-platform/sluice/engine/world"
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
// Of an Endpoint whose Output is the shape of its Go type (New) the answer fits by itself.
// Both stand in /api/openapi.json.
type Endpoint interface {
	Action
	Runner
	Input() []byte
	Output() []byte
}

// ErrRehearsed is what a Run returns beside its answer when the caller only asks what would happen: the answer is given, and nothing of what was
// written is stored. So a dry run is the run itself, with all that refuses it.
var ErrRehearsed = errors.New("a rehearsal: nothing is stored")

// Call is all that an action gets: the world, with who asks, and for what. All that one Run writes is stored when it returns without an
// error, and nothing of it otherwise. A GET call only reads.
type Call struct {
	world.World
	Model string // schemaCode of the route or list; "" = none
	IDs   []string
	// Body is the call's input as one JSON object: the body, for GET and DELETE the query, with the parameters of the path.
	Body   json.RawMessage
	Upload *world.File // of an Uploader
}

// New makes an Endpoint of a function whose input is read into In. The schemas are JSON texts; without one of the answer it is the shape of Out
// (Shape), which has a struct for every object that an answer holds: then the answer and its description can't differ.
func New[In, Out any](name, input, output string, run func(ctx context.Context, call Call, in In) (Out, error)) Endpoint {
	return newTyped(name, input, output, run)
}

func newTyped[In, Out any](name, input, output string, run func(ctx context.Context, call Call, in In) (Out, error)) typed[In, Out] {
	t := typed[In, Out]{name: name, input: input, output: output, run: run}
	if t.shaped = output == ""; t.shaped {
		t.output = Shape[Out]()
	}
	return t
}

type typed[In, Out any] struct {
	name, input, output string
	shaped              bool // output is the shape of Out
	run                 func(context.Context, Call, In) (Out, error)
}

func (t typed[In, Out]) fits() bool { return t.shaped }

func (t typed[In, Out]) Name() string    { return t.name }
func (t typed[In, Out]) Options() []byte { return nil }
func (t typed[In, Out]) Input() []byte   { return []byte(t.input) }
func (t typed[In, Out]) Output() []byte  { return []byte(t.output) }

func (t typed[In, Out]) Run(ctx context.Context, call Call) (any, error) {
	var in In
	if err := read(call.Body, &in); err != nil {
		return nil, err
	}
	return t.run(ctx, call, in)
}

// written is the path of a Go field as callers write it: "corrections.row".
func written(field string) string {
	parts := strings.Split(field, ".")
	for i, part := range parts {
		first, size := utf8.DecodeRuneInString(part)
		parts[i] = string(unicode.ToLower(first)) + part[size:]
	}
	return strings.Join(parts, ".")
}

// read reads the input. It has passed the schema, so what does not go into In is a number that the schema takes and In cannot hold: one beyond what
// it counts, 2.0 or 1e3 for a whole number, or a decimal with more digits than there is memory for.
func read(body json.RawMessage, in any) error {
	err := json.Unmarshal(body, in)
	var of *json.UnmarshalTypeError
	if errors.As(err, &of) {
		return fault.Wrap(err, fault.BadParameter, written(of.Field))
	}
	if err != nil {
		return fault.Wrap(err, fault.BadJSON, err)
	}
	return nil
}
