package app

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Press answers a button of a list: what the client is to open, or what the action that the button runs answered. The records
// are checked in the transaction that the action writes in.
func (a *App) Press(ctx context.Context, s *State, view *authz.View, req query.ActionRequest) (*query.ActionAnswer, error) {
	b, err := a.reader.Button(view, req)
	if err != nil {
		return nil, err
	}
	var out *query.ActionAnswer
	if b.Call() == nil {
		err := a.db.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) { out, _, err = b.Prepare(ctx, tx); return err })
		return out, err
	}
	err = a.together(ctx, view, func(batch *record.Batch) error {
		var input json.RawMessage
		var err error
		if out, input, err = b.Prepare(ctx, batch.Tx()); err != nil {
			return err
		}
		var mismatch *action.Mismatch
		if err := b.Call().Input.Check(input); errors.As(err, &mismatch) {
			return fault.Wrap(err, fault.BadParameter, mismatch)
		} else if err != nil {
			return err
		}
		call := action.Call{World: a.within(batch, false), Model: b.Call().Model.Code, IDs: b.IDs(), Body: input}
		out.Data, err = answer(ctx, b.Call(), call)
		return err
	})
	return out, err
}
