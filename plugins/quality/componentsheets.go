package quality

import (
	"context"
	"maps"
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
// was done.
func (r *roller) carried(ctx context.Context, id, to string) error {
	sheets, err := rows(ctx, r.w, "quality.bindingsOfComponent", world.Args{"id": id})
	if err != nil || len(sheets) == 0 {
		return err
	}
	nodes, err := r.nodesOf(ctx, id)
	if err != nil {
		return err
	}
	left := map[string]bool{}
	for _, s := range sheets {
		from := s.Text(codes.QbsID)
		if s.Text(codes.OwnerType) != codes.OptionMbs || whole(s.Values[codes.Instances]) > 0 || slices.Contains(nodes, from) {
			continue
		}
		if _, err := r.w.Update(ctx, binding, s.ID, whole(s.Values["version"]), map[string]any{codes.QbsID: to}); err != nil {
			return err
		}
		left[from] = true
	}
	if len(left) == 0 {
		return nil
	}
	for _, from := range append(slices.Sorted(maps.Keys(left)), to) {
		if err := r.roll(ctx, from); err != nil {
			return err
		}
	}
	return nil
}
