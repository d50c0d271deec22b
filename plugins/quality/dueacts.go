package quality

import (
	"cmp"
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// bindDue gives a node the binding of a sheet or record that is due of it, where it has none: what is due can be begun by people who may fill it in, without
// somebody who binds sheets. The binding is as the set says; kind is that of a record, or of a sheet where the set names one.
func bindDue(ctx context.Context, c action.Call, in struct{ QbsID, SchemaCode, Kind string }) (*Made, error) {
	r, here, err := dueFor(ctx, c, in.QbsID)
	if err != nil {
		return nil, err
	}
	if err := c.Allowed(ctx, "add", in.SchemaCode, ""); err != nil {
		return nil, err
	}
	n, at := here.Row, here.at
	if err := r.w.Lock(ctx, "quality.roll."+n.Text(codes.ProjectID)); err != nil { // two who begin at once get one binding
		return nil, err
	}
	leaf := len(here.children) == 0
	scope := at.due.Scope(leaf, at.lower)
	if leaf {
		scope.Kinds = at.due.Kinds // a share of the lots is recorded at lots
	}
	values := bindingOf(scope, in.SchemaCode, in.Kind)
	if values == nil {
		return nil, fault.New(fault.BadParameter, wrongName(scope, in.SchemaCode))
	}
	there, err := rows(ctx, r.w, "quality.bindings", world.Args{"id": n.ID})
	if err != nil {
		return nil, err
	}
	for _, b := range there {
		if b.Text(codes.SchemaCode) == in.SchemaCode && (in.Kind == "" || b.Text(codes.BizKind) == in.Kind) && b.Text(codes.WorkflowCode) == text(values[codes.WorkflowCode]) {
			return &Made{b.ID}, nil
		}
	}
	if text(values[codes.SheetTitle]) == "" {
		values[codes.SheetTitle], _ = sheetTitle(r.w, in.SchemaCode)
	}
	values[codes.OwnerType], values[codes.QbsID], values[codes.SchemaCode], values[codes.Status] = codes.OptionQbs, n.ID, in.SchemaCode, codes.OptionNone
	id, err := r.w.Create(ctx, binding, values)
	if err != nil {
		return nil, err
	}
	return &Made{id}, r.roll(ctx, n.ID)
}

// wrongName is the argument that names nothing which is due: the model, or the kind where sheets or records of the model are.
func wrongName(d rule.Due, model string) string {
	if model == record && len(d.Kinds) > 0 || slices.ContainsFunc(d.Sheets, func(s rule.DueSheet) bool { return s.Model == model }) {
		return "kind"
	}
	return "schemaCode"
}

// bindingOf are the values of a binding of a model that is due; nil where none is.
func bindingOf(d rule.Due, model, kind string) map[string]any {
	if model == record {
		i := slices.IndexFunc(d.Kinds, func(k rule.DueKind) bool { return k.Kind == kind })
		if i < 0 {
			return nil
		}
		return map[string]any{codes.BizKind: kind, codes.WorkflowCode: orNil(d.Kinds[i].Workflow), codes.Multi: true, codes.Required: false}
	}
	i := slices.IndexFunc(d.Sheets, func(s rule.DueSheet) bool { return s.Model == model && (kind == "" || s.Kind == kind) })
	if i < 0 {
		return nil
	}
	out := map[string]any{codes.WorkflowCode: orNil(d.Sheets[i].Workflow), codes.SheetTitle: orNil(d.Sheets[i].Title), codes.Required: true, codes.BizKind: codes.OptionRecord}
	if d.Sheets[i].Kind != "" {
		out[codes.BizKind] = d.Sheets[i].Kind
	}
	return out
}

// Upgraded counts the nodes that go over to the current revision of their set.
type Upgraded struct {
	Nodes   int64 `json:"nodes"`   // that go over
	Pending int64 `json:"pending"` // among them those that were qualified and are pending now
	Signed  int64 `json:"signed"`  // that keep revision and verdict, for their evaluation was signed
}

// upgradeDue takes nodes, or all of the project that were judged by a set, to its current revision. A dryRun does the same and stores nothing.
func upgradeDue(ctx context.Context, c action.Call, in struct {
	ProjectKey string
	Code       string
	QbsIDs     []string
	DryRun     bool
}) (*Upgraded, error) {
	project, err := projectOf(ctx, c, in.ProjectKey)
	if err != nil {
		return nil, err
	}
	if err := c.Allowed(ctx, "add", dueChange, ""); err != nil {
		return nil, err
	}
	r, err := rollerOf(c.World)
	if err != nil {
		return nil, err
	}
	if in.Code != "" {
		if named, err := r.dueRevision(ctx, in.Code, 0); err != nil || named == nil {
			return nil, cmp.Or(err, error(fault.New(fault.BadParameter, "code")))
		}
	}
	all, err := rows(ctx, c, "quality.tree", world.Args{"project": project})
	if err != nil {
		return nil, err
	}
	out := &Upgraded{}
	for _, n := range slices.Backward(all) { // lots before their work items
		code := n.Text(codes.DueCode)
		if code == "" || in.Code != "" && code != in.Code || len(in.QbsIDs) > 0 && !slices.Contains(in.QbsIDs, n.ID) {
			continue
		}
		now, err := r.dueRevision(ctx, code, 0)
		if err != nil {
			return nil, err
		}
		if now == nil || now.revision == whole(n.Values[codes.DueRevision]) {
			continue
		}
		signed, err := r.isSigned(ctx, n.ID)
		if err != nil {
			return nil, err
		}
		if signed {
			out.Signed++
			continue
		}
		out.Nodes++
		if err := update(ctx, r.w, node, n.ID, map[string]any{codes.DueRevision: decimal.NewFromInt(now.revision)}); err != nil {
			return nil, err
		}
		if err := r.roll(ctx, n.ID); err != nil {
			return nil, err
		}
		after, _, err := r.read(ctx, n.ID)
		if err != nil {
			return nil, err
		}
		out.Pending += count(passed(n) && !passed(after))
	}
	if in.DryRun {
		return out, action.ErrRehearsed
	}
	return out, nil
}

func passed(n world.Row) bool {
	return n.Text(codes.EvalStatus) == rule.Qualified || n.Text(codes.EvalStatus) == rule.Excellent
}
