package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Call answers the call of a pack's route with the JSON of its data: rights, input, the action in one transaction, output.
// GET calls only read, so they run beside writers. Another call with a token runs once: a repeat gets the first one's answer.
func (a *App) Call(ctx context.Context, s *State, view *authz.View, r *catalog.Route, input []byte, token string) (json.RawMessage, error) {
	if !view.Call(r) {
		return nil, fault.New(fault.Forbidden)
	}
	var mismatch *action.Mismatch
	if err := r.Input.Check(input); errors.As(err, &mismatch) {
		return nil, fault.Wrap(err, fault.BadParameter, mismatch)
	} else if err != nil {
		return nil, fault.Wrap(err, fault.BadJSON, err)
	}
	call := action.Call{Body: input}
	if r.Model != nil {
		call.Model = r.Model.Code
	}
	if r.Method == http.MethodGet {
		var out []byte
		err := a.db.Read(ctx, func(tx *store.Tx) (err error) {
			call.World = &transaction{app: a, view: view, tx: tx}
			out, err = answer(ctx, r, call)
			return err
		})
		return out, err
	}
	var out []byte
	err := a.writer.Together(ctx, view, func(b *record.Batch) (err error) {
		call.World = a.within(b, false)
		out, err = b.Once(token, r.Method+" "+r.Path+" "+string(input), func() ([]byte, error) { return answer(ctx, r, call) })
		return err
	})
	return out, err
}

// answer runs the action and compares what it returns with what it promised.
func answer(ctx context.Context, r *catalog.Route, call action.Call) ([]byte, error) {
	data, err := r.Action.Run(ctx, call)
	if err != nil {
		return nil, err
	}
	out, err := json.Marshal(data)
	if err == nil {
		err = r.Output.Check(out)
	}
	if err != nil {
		return nil, fmt.Errorf("the answer of action %s: %w", r.Action.Name(), err)
	}
	return out, nil
}
