package quality

import (
	"cmp"
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// A record has two people: who wrote it and who inspected. Both belong to one party, and neither has made the other inspection that is due of the node: a name on
// paper says who looked.

// inspectorFits refuses an inspector of another party than that which records, and one who has made another kind of inspection that is due of the node.
func (r *roller) inspectorFits(ctx context.Context, e *hook.Record, n world.Row, due *dueAt) error {
	now := e.New()
	id, party := text(now[codes.Inspector]), text(now[codes.Party])
	if id == "" || !e.Create && !changes(e, codes.Inspector) && !changes(e, codes.RecordKind) {
		return nil
	}
	other := func() error { return refuse(codes.Inspector, InspectorOthers, n.Text(codes.Name)) }
	if id != e.Principal.UserID || !e.Create {
		of, err := r.partyOfUser(ctx, id, n.Text(codes.ContractID))
		if err != nil {
			return err
		}
		kind := text(now[codes.RecordKind])
		foreign := of == rule.Contractor && kind != rule.Self || of == rule.Supervisor && kind == rule.Test
		if of != party && (party == rule.Contractor || party == rule.Supervisor || foreign) {
			return other()
		}
		if gone, err := r.isDisabled(ctx, id); err != nil || gone { // nobody inspects whose account is closed
			return cmp.Or(err, other())
		}
	}
	f, err := r.parts(ctx, n.ID)
	if err != nil {
		return err
	}
	if due.notBoth(id, text(now[codes.RecordKind]), n, &f, e.ID) != nil {
		return other()
	}
	return nil
}

// isDisabled reports whether the account of somebody is closed.
func (r *roller) isDisabled(ctx context.Context, id string) (bool, error) {
	row, _, err := first(r.w.Rows(ctx, "quality.departmentsOf", world.Args{"id": id}))
	return row.Is(codes.Disabled), err
}

// notBoth refuses a record of somebody who has recorded or made another kind of the node, where both are due: nobody checks their own inspection.
// itself is the id of the record.
func (d *dueAt) notBoth(who, kind string, n world.Row, f *facts, itself string) error {
	isDue := func(kind string) bool {
		return slices.ContainsFunc(d.due.Kinds, func(k rule.DueKind) bool { return k.Kind == kind })
	}
	for _, other := range f.records {
		was := other.Text(codes.RecordKind)
		theirs := other.Text("creator") == who || other.Text(codes.Inspector) == who
		if theirs && other.ID != itself && was != kind && isDue(was) && isDue(kind) {
			return fault.New(SecondKind, n.Text(codes.Name))
		}
	}
	return nil
}
