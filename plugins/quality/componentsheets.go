package quality

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// beforeOwner gives the binding of a sheet to a component the node that the component is bound to: there the sheet counts. Of a component in
// several nodes the binding says which one.
func beforeOwner(ctx context.Context, e *hook.Record, next func() error) error {
	now := e.New()
	_, typed := e.Set[codes.OwnerType]
	_, owned := e.Set[codes.MbsID]
	_, placed := e.Set[codes.QbsID]
	if byPack(e) || e.Delete || !(e.Create || typed || owned || placed) || text(now[codes.OwnerType]) != codes.OptionMbs {
		return next()
	}
	id := text(now[codes.MbsID])
	if id == "" {
		return refuse(codes.MbsID, fault.FieldRequired)
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if err := r.w.Lock(ctx, "quality.component."+id); err != nil {
		return err
	}
	nodes, err := r.nodesOf(ctx, id)
	if err != nil {
		return err
	}
	at := text(now[codes.QbsID])
	if at == "" && len(nodes) == 1 {
		at = nodes[0]
	}
	if !slices.Contains(nodes, at) {
		c, err := e.World.Get(ctx, component, id)
		if err != nil {
			return next() // the reference is refused with the others
		}
		return refuse(codes.MbsID, ComponentPlace, text(c.Values[codes.Code]))
	}
	e.Set[codes.QbsID] = at
	return next()
}

// nodesOf are the nodes that a component is bound to.
func (r *roller) nodesOf(ctx context.Context, id string) (out []string, err error) {
	found, err := rows(ctx, r.w, "quality.boundTo", world.Args{"id": id})
	for _, one := range found {
		out = append(out, one.Text(codes.QbsID))
	}
	return out, err
}

// carried lets the sheets of a component that nobody has begun go with it, when it is bound to another node: what was filled in stays where it
// was done. Those that were put away come back.
func (r *roller) carried(ctx context.Context, id, to string) error {
	sheets, nodes, err := r.sheetsOf(ctx, id)
	if err != nil {
		return err
	}
	for _, s := range sheets {
		if slices.Contains(nodes, s.Text(codes.QbsID)) && !putAway(s) {
			continue
		}
		if err := r.settle(ctx, s, to); err != nil {
			return err
		}
	}
	return nil
}

// leftBehind lets the sheets of a component that nobody has begun follow it when it leaves a node: to another one that it is bound to, or away, until it is bound
// again. What is due of a node names no component, so nothing is asked of it by a component that is gone.
func (r *roller) leftBehind(ctx context.Context, id, from string) error {
	sheets, nodes, err := r.sheetsOf(ctx, id)
	if err != nil {
		return err
	}
	to := ""
	if len(nodes) > 0 {
		to = nodes[0]
	}
	for _, s := range sheets {
		if s.Text(codes.QbsID) != from || putAway(s) {
			continue
		}
		if err := r.settle(ctx, s, to); err != nil {
			return err
		}
	}
	return nil
}

// sheetsOf are the sheets of a component that nobody has begun, and the nodes that it is bound to.
func (r *roller) sheetsOf(ctx context.Context, id string) (sheets []world.Row, nodes []string, err error) {
	if sheets, err = rows(ctx, r.w, "quality.bindingsOfComponentEver", world.Args{"id": id}); err != nil || len(sheets) == 0 {
		return nil, nil, err
	}
	sheets = slices.DeleteFunc(sheets, func(s world.Row) bool {
		return s.Text(codes.OwnerType) != codes.OptionMbs || whole(s.Values[codes.Instances]) > 0 || !s.Is(codes.Active) && !putAway(s)
	})
	nodes, err = r.nodesOf(ctx, id)
	return sheets, nodes, err
}

// putAway reports whether a sheet waits for its component to be bound again.
func putAway(s world.Row) bool {
	return !s.Is(codes.Active) && s.Text(codes.Status) == codes.OptionCanceled
}

// settle moves a sheet of a component to a node, or puts it away where it is ("").
func (r *roller) settle(ctx context.Context, s world.Row, to string) error {
	from := s.Text(codes.QbsID)
	values := map[string]any{codes.Active: false, codes.Status: codes.OptionCanceled}
	if to != "" {
		values = map[string]any{codes.QbsID: to, codes.Active: true, codes.Status: codes.OptionNone}
	}
	if _, err := r.w.Update(ctx, binding, s.ID, whole(s.Values["version"]), values); err != nil {
		return err
	}
	if err := r.roll(ctx, from); err != nil || to == "" || to == from {
		return err
	}
	return r.roll(ctx, to)
}

// componentStays refuses the contractor to take a component away from a node while it has sheets there that somebody else asks for.
func (r *roller) componentStays(ctx context.Context, e *hook.Record) error {
	if e.Create || !e.Delete && !changes(e, codes.QbsID) && !changes(e, codes.MbsID) {
		return nil
	}
	inspected, err := r.inspectedAt(ctx, e)
	if err != nil || !inspected {
		return err
	}
	sheets, _, err := r.sheetsOf(ctx, text(e.Old[codes.MbsID]))
	for _, s := range sheets {
		asked := s.Text("creator") != e.Principal.UserID || s.Text(codes.BaseID) != ""
		if asked && s.Is(codes.Required) && s.Is(codes.Active) && s.Text(codes.QbsID) == text(e.Old[codes.QbsID]) {
			return fault.New(AskedStays, s.Text(codes.SheetTitle))
		}
	}
	return err
}
