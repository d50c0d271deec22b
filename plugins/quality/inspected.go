package quality

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// Who is inspected does not choose what they are inspected by. The rules below keep the contractor of a node from making less due of it: by its
// place and level, by its processes and sheets, and by taking back what failed.

// inspected reports whether the writer belongs to the contractor of a contract.
func (r *roller) inspected(ctx context.Context, e *hook.Record, contractID any) (bool, error) {
	party, err := r.partyOf(ctx, e.Principal, text(contractID))
	return party == rule.Contractor, err
}

// changes reports whether a write gives a column another value.
func changes(e *hook.Record, column string) bool {
	v, set := e.Set[column]
	return set && flat(v) != flat(e.Old[column])
}

// flat is a value as a text; the order of a set says nothing.
func flat(v any) string {
	switch v.(type) {
	case []any, []string:
		list := slices.Sorted(slices.Values(ids(v)))
		return strings.Join(list, " ")
	}
	return written(v)
}

// partsStay keeps the parts and levels of a node together once its evaluation has begun: a failed part that is moved away, and a level of which less
// is due, would make what remains qualified.
func (r *roller) partsStay(ctx context.Context, e *hook.Record) error {
	if e.Create || !e.Delete && !changes(e, codes.ParentID) && !changes(e, codes.NodeType) {
		return nil
	}
	inspected, err := r.inspected(ctx, e, e.Old[codes.ContractID])
	if err != nil || !inspected {
		return err
	}
	if text(e.Old["creator"]) != e.Principal.UserID { // they take back what they have added themselves, while nothing has begun
		if due, err := r.isDue(ctx, e.ID); err != nil {
			return err
		} else if due {
			return fault.New(PartDue, text(e.Old[codes.Name]))
		}
	}
	for _, id := range []string{e.ID, text(e.Old[codes.ParentID])} {
		if id == "" {
			continue
		}
		n, ok, err := r.read(ctx, id)
		if err != nil {
			return err
		}
		if ok && n.Text(codes.EvalStatus) != rule.None && n.Text(codes.EvalStatus) != "" {
			return fault.New(PartsStay, seenName(ctx, e.World, id, n.Text(codes.Name)))
		}
	}
	return nil
}

// isDue reports whether something is due of a node.
func (r *roller) isDue(ctx context.Context, id string) (bool, error) {
	n, ok, err := r.read(ctx, id)
	if err != nil || !ok {
		return false, err
	}
	at, err := r.dueAt(ctx, n)
	return err == nil && at.set != nil, err
}

// staysAt refuses that a record or sheet goes to another node or binding: its round, its party and what was asked of it are those of the place that it
// was made for.
func staysAt(e *hook.Record) error {
	if e.Create || e.Delete {
		return nil
	}
	if changes(e, codes.BizID) {
		return refuse(codes.BizID, PlaceStays)
	}
	if changes(e, codes.QbsID) && (e.Model == record || text(e.Old[codes.BizID]) != "") {
		return refuse(codes.QbsID, PlaceStays)
	}
	return nil
}

// filled is mayFill for a change or deletion of a sheet that is there.
func filled(ctx context.Context, e *hook.Record) error {
	id := text(e.Old[codes.BizID])
	if id == "" {
		return nil
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	bound, err := r.w.Get(ctx, binding, id)
	if err != nil {
		return err
	}
	return r.mayFill(ctx, e, bound.Values)
}

// mayFill refuses a sheet to people who don't fill it in: a new one to those without a role that its binding names, and one for tests or for checks of the
// supervisor to the contractor. A test is theirs where the binding names a role of theirs, and where what is due of the node takes their own laboratory's.
func (r *roller) mayFill(ctx context.Context, e *hook.Record, bound map[string]any) error {
	return r.fills(ctx, e.Principal, e.Create, bound)
}

func (r *roller) fills(ctx context.Context, who principal.Principal, begins bool, bound map[string]any) error {
	roles, title := ids(bound[codes.FillRole]), text(bound[codes.SheetTitle])
	named := false
	if len(roles) > 0 {
		has, err := r.rolesOf(ctx, []string{who.UserID})
		if err != nil {
			return err
		}
		if named = slices.ContainsFunc(roles, func(role string) bool { return has[role] }); !named && begins {
			return fault.New(SheetRole, title)
		}
	}
	kind := text(bound[codes.BizKind])
	if kind != rule.Sup && kind != rule.Test || kind == rule.Test && named {
		return nil
	}
	party, err := r.partyOf(ctx, who, text(bound[codes.ContractID]))
	if err != nil || party != rule.Contractor {
		return err
	}
	if kind == rule.Test {
		if witnessed, err := r.witnessed(ctx, text(bound[codes.QbsID])); err != nil || witnessed {
			return err
		}
	}
	return fault.New(SheetOthers, title)
}

// fillable are bindings as sheets, each with whether the caller may begin it, by the rules that refuse its records.
func fillable(ctx context.Context, c action.Call, bound []world.Row) ([]Sheet, error) {
	out := make([]Sheet, len(bound))
	if len(bound) == 0 {
		return out, nil
	}
	r, err := rollerOf(c.World)
	if err != nil {
		return nil, err
	}
	adds := map[string]bool{} // by model
	for i, row := range bound {
		out[i] = sheetOf(row)
		may, known := adds[out[i].SchemaCode]
		if !known {
			may = c.Allowed(ctx, "add", out[i].SchemaCode, "") == nil
			adds[out[i].SchemaCode] = may
		}
		if may {
			err, refusal := r.fills(ctx, c.Principal(), true, row.Values), &fault.Error{}
			if may = err == nil; !may && !errors.As(err, &refusal) {
				return nil, err
			}
		}
		out[i].MayFill = &may
	}
	return out, nil
}

// witnessed reports whether tests of the contractor's own laboratory count at a node.
func (r *roller) witnessed(ctx context.Context, id string) (bool, error) {
	n, ok, err := r.read(ctx, id)
	if err != nil || !ok {
		return false, err
	}
	at, err := r.dueAt(ctx, n)
	return err == nil && at.witnessed(), err
}

func (d *dueAt) witnessed() bool {
	return slices.ContainsFunc(d.due.Kinds, func(k rule.DueKind) bool { return k.Kind == rule.Test && k.Witnessed })
}

// askedOfSheet are the columns of a binding that say what is asked.
var askedOfSheet = []string{codes.Required, codes.Active, codes.WorkflowCode, codes.AuditRole, codes.FillRole, codes.BizKind, codes.Multi, codes.SchemaCode}

// placeOfSheet are the columns of a binding that say of what part its records are.
var placeOfSheet = []string{codes.QbsID, codes.JbsID, codes.SchemaCode, codes.MbsID}

// askedBinding keeps what is asked by a binding: one that has records stays where it is, and who is inspected changes and removes none that the library
// or somebody else asks for, and makes no tests and no checks of the supervisor.
func (r *roller) askedBinding(ctx context.Context, e *hook.Record) error {
	used := !e.Create && whole(e.Old[codes.Instances]) > 0
	if used && !e.Delete && slices.ContainsFunc(placeOfSheet, func(column string) bool { return changes(e, column) }) {
		return fault.New(SheetUsed, whole(e.Old[codes.Instances]))
	}
	stays, err := r.askedStays(ctx, e, bindBase, append(slices.Clone(placeOfSheet), askedOfSheet...))
	if err != nil || stays {
		return askedRefusal(err, e, codes.SheetTitle)
	}
	kind := text(e.New()[codes.BizKind])
	ownTest := (kind == rule.Test || kind == rule.Sup) && text(e.New()[codes.BaseID]) == "" && (e.Create || changes(e, codes.BizKind))
	if unseals := used && (changes(e, codes.WorkflowCode) || changes(e, codes.AuditRole) || changes(e, codes.Multi)); e.Delete || !ownTest && !unseals {
		return nil
	}
	inspected, err := r.inspectedAt(ctx, e)
	if err != nil || !inspected {
		return err
	}
	return askedRefusal(nil, e, codes.SheetTitle)
}

// askedProcess keeps the processes that the library or somebody else asks for, and their order.
func (r *roller) askedProcess(ctx context.Context, e *hook.Record) error {
	stays, err := r.askedStays(ctx, e, library, []string{codes.Required, codes.Active, codes.Code, codes.QbsID, codes.PrevIDs})
	if err != nil || stays {
		return askedRefusal(err, e, codes.Title)
	}
	return nil
}

func askedRefusal(err error, e *hook.Record, title string) error {
	if err != nil {
		return err
	}
	return fault.New(AskedStays, text(either(e.Old[title], e.Set[title])))
}

// inspectedAt is inspected, of the node that a process or binding belongs to.
func (r *roller) inspectedAt(ctx context.Context, e *hook.Record) (bool, error) {
	n, ok, err := r.read(ctx, text(either(e.Old[codes.QbsID], e.Set[codes.QbsID])))
	if err != nil || !ok {
		return false, err
	}
	return r.inspected(ctx, e, n.Values[codes.ContractID])
}

// askedStays reports whether the write of a process or binding by who is inspected changes what the library or somebody else asks by it. What a
// synchronization writes is what the library says now.
func (r *roller) askedStays(ctx context.Context, e *hook.Record, libraryModel string, columns []string) (bool, error) {
	base := text(either(e.Old[codes.BaseID], e.Set[codes.BaseID]))
	if base == "" && (e.Create || text(e.Old["creator"]) == e.Principal.UserID) && !changes(e, codes.BaseID) {
		return false, nil
	}
	inspected, err := r.inspectedAt(ctx, e)
	if err != nil || !inspected {
		return false, err
	}
	var says map[string]any
	if base != "" {
		found, err := r.w.Get(ctx, libraryModel, base)
		if err != nil {
			return e.Create, nil // what is gone from the library is asked no more
		}
		says = found.Values
	}
	if e.Delete && text(e.Old["creator"]) == e.Principal.UserID { // they take back what they have attached themselves, while nothing has begun
		n, _, err := r.read(ctx, text(e.Old[codes.QbsID]))
		return n.Text(codes.EvalStatus) != rule.None, err
	}
	if e.Delete || changes(e, codes.BaseID) && !e.Create {
		return true, nil
	}
	for _, column := range columns {
		v, set := e.Set[column]
		if !set || !e.Create && !changes(e, column) {
			continue
		}
		if column == codes.PrevIDs && base != "" {
			same, err := r.sameOrder(ctx, e, ids(v), ids(says[column]))
			if err != nil || !same {
				return true, err
			}
			continue
		}
		is, known := says[column]
		if column == codes.Active && base != "" {
			is, known = true, true
		}
		if place := slices.Contains([]string{codes.QbsID, codes.JbsID, codes.MbsID}, column); place && e.Create {
			continue
		}
		if column == codes.Code && e.Create {
			continue
		}
		if !known || flat(is) != flat(v) {
			return true, nil
		}
	}
	return false, nil
}

// sameOrder reports whether processes of a node are those of the library that come before another one.
func (r *roller) sameOrder(ctx context.Context, e *hook.Record, before, library []string) (bool, error) {
	all, err := rows(ctx, r.w, "quality.processesEver", world.Args{"id": text(either(e.Old[codes.QbsID], e.Set[codes.QbsID]))})
	if err != nil {
		return false, err
	}
	var of []string
	for _, p := range all {
		if slices.Contains(before, p.ID) {
			of = append(of, p.Text(codes.BaseID))
		}
	}
	for _, id := range library {
		if !slices.Contains(of, id) && slices.ContainsFunc(all, func(p world.Row) bool { return p.Text(codes.BaseID) == id }) {
			return false, nil
		}
	}
	return true, nil
}

// failureStays reports whether what failed stays as it was decided: nobody sends it for approval again, and who is inspected does not void it.
func (r *roller) failureStays(ctx context.Context, state, contractID string) (bool, error) {
	by := r.w.Principal()
	if by.UserID == "" {
		return false, nil
	}
	if state != codes.OptionCanceled {
		return true, nil
	}
	party, err := r.partyOf(ctx, by, contractID)
	return party == rule.Contractor, err
}

// actionIsHere refuses a corrective action that names a record or sheet of another node: it would stand there for the one that is due here.
func actionIsHere(ctx context.Context, e *hook.Record) error {
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	now := e.New()
	for column, model := range map[string]string{codes.RecordID: record, codes.BizID: binding} {
		id := text(now[column])
		if id == "" || !e.Create && !changes(e, column) && !changes(e, codes.QbsID) {
			continue
		}
		found, err := r.w.Get(ctx, model, id)
		if err != nil {
			continue // the reference is refused with the others
		}
		if of := text(found.Values[codes.QbsID]); of != text(now[codes.QbsID]) && strings.TrimSpace(of) != "" {
			n, _, err := r.read(ctx, of)
			if err != nil {
				return err
			}
			return refuse(codes.QbsID, SheetElsewhere, seenName(ctx, e.World, of, n.Text(codes.Name)))
		}
	}
	return nil
}
