package quality

import (
	"context"

	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// beforeHidden names who checked concealed works: the person who says whether they are accepted, where nobody else is named. It is never
// somebody of the contractor.
func beforeHidden(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) || e.Delete {
		return next()
	}
	now := e.New()
	named := text(e.Set[codes.Checker])
	if v, says := e.Set[codes.Accepted]; says && v != nil && changes(e, codes.Accepted) && text(now[codes.Checker]) == "" && e.Principal.UserID != "" {
		named = e.Principal.UserID
		e.Set[codes.Checker] = named
	}
	if named == "" || !e.Create && !changes(e, codes.Checker) {
		return next()
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	n, ok, err := r.read(ctx, text(now[codes.QbsID]))
	if err != nil || !ok {
		return or(err, next)
	}
	if party, err := r.partyOfUser(ctx, named, n.Text(codes.ContractID)); err != nil {
		return err
	} else if party == rule.Contractor {
		if text(e.Set[codes.Checker]) == e.Principal.UserID { // who may say so belongs to both
			delete(e.Set, codes.Checker)
			return next()
		}
		return refuse(codes.Checker, InspectorOthers, n.Text(codes.Name))
	}
	return next()
}
