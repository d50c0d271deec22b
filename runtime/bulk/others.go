package bulk

import (
	"context"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// whole is what changes that need no log of their own have in common: they go through a selection.
type whole struct {
	s *Service

	view *authz.View
	sel  *query.Selection
}

func (s *Service) newWhole(ctx context.Context, view *authz.View, req *Request, action string) (whole, error) {
	sel, err := s.Reader.Select(ctx, view, req.Selection, action)
	if err != nil {
		return whole{}, err
	}
	sel.Before(req.At)
	return whole{s, view, sel}, nil
}

func (w whole) total(ctx context.Context, tx *store.Tx) (int64, error) {
	counts, err := w.sel.Count(ctx, tx)
	return counts.Total, err
}

func (whole) begin(*store.Tx, *progress) error { return nil }

func (w whole) next(ctx context.Context, tx *store.Tx, p *progress, limit int) ([]query.Chosen, error) {
	units, err := w.sel.Next(ctx, tx, p.After, limit, nil)
	if err == nil && len(units) > 0 {
		p.After = units[len(units)-1].ID
	}
	return units, err
}

func (whole) end(*store.Tx, *progress) error { return nil }

// owner gives records to another owner.
type owner struct {
	whole
	to record.Owner
}

func (s *Service) newOwner(ctx context.Context, view *authz.View, req *Request) (operation, error) {
	w, err := s.newWhole(ctx, view, req, record.OwnerRight)
	if err != nil {
		return nil, err
	}
	to, err := s.Writer.CheckOwner(ctx, req.Owner)
	return &owner{w, to}, err
}

func (o *owner) one(ctx context.Context, tx *store.Tx, u query.Chosen) ([]fault.FieldError, error) {
	return nil, o.s.Writer.ChangeOwnerIn(ctx, tx, o.view, o.sel.Model.Code, u.ID, u.Version, o.to)
}

// deletion removes records.
type deletion struct{ whole }

func (s *Service) newDeletion(ctx context.Context, view *authz.View, req *Request) (operation, error) {
	w, err := s.newWhole(ctx, view, req, "delete")
	if err != nil {
		return nil, err
	}
	return &deletion{w}, nil
}

func (d *deletion) one(ctx context.Context, tx *store.Tx, u query.Chosen) ([]fault.FieldError, error) {
	state, err := d.s.Writer.DeleteIn(ctx, tx, d.view, d.sel.Model.Code, u.ID)
	switch {
	case err != nil:
		return nil, err
	case !record.Deletable(state.ResultCode):
		if state.Code != 0 {
			return nil, fault.New(state.Code, state.Args...)
		}
		return nil, fault.New(fault.DeleteRefused, state.ResultDesc)
	}
	return nil, nil
}
