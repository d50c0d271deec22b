package quality

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// beforeDueSet gives the items of a set what the library asks of them where the set says nothing, and keeps the revision that was in force.
func beforeDueSet(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) || e.Delete {
		return next()
	}
	list, set := e.Set[codes.Items].([]map[string]any)
	seen := map[string]bool{}
	for i, row := range list {
		id := text(row[codes.ItemID])
		if seen[id] && id != "" {
			return &fault.Error{Code: fault.RecordInvalid, Args: []any{1}, Data: fault.Invalid{Errors: []fault.FieldError{
				{PropertyCode: codes.Items + "." + codes.ItemID, Row: rowName(row, i+1), Code: ItemTwice, Args: []any{text(row[codes.ItemName])}}}}}
		}
		seen[id] = true
		if text(row[codes.ItemName]) != "" || id == "" || text(row["id"]) != "" {
			continue
		}
		found, err := e.World.Get(ctx, checkItem, id)
		if err != nil {
			continue // the reference is refused with the others
		}
		for _, code := range asked {
			if row[code] == nil {
				row[code] = found.Values[code]
			}
		}
	}
	delete(e.Set, codes.Outdated)
	if set {
		if err := digestRows(ctx, e, list); err != nil {
			return err
		}
		e.Set[codes.Items] = list
	}
	return keepRevision(ctx, e, next, dueSets, dueColumns)
}

// dueColumns are the columns of a due set that a revision keeps.
var dueColumns = []string{codes.Code, codes.Title, codes.Revision, codes.Remark, codes.Items, codes.Kinds, codes.Sheets, codes.Consents}

// kindOfTemplate gives a node without a kind of work that of its template, where the writer may say what is due; lots keep that of what is above them.
func (r *roller) kindOfTemplate(ctx context.Context, e *hook.Record) error {
	now := e.New()
	template := text(e.Set[codes.JbsTemplateID])
	if template == "" || text(now[codes.DueSetID]) != "" || e.World.Allowed(ctx, "add", dueChange, "") != nil {
		return nil
	}
	if up := text(now[codes.ParentID]); up != "" && text(now[codes.NodeType]) == codes.OptionLot {
		above, ok, err := r.above(ctx, up)
		if err != nil || ok && above.Text(codes.DueSetID) != "" {
			return err
		}
	}
	found, err := r.w.Get(ctx, library, template)
	if err != nil {
		return nil // the reference is refused with the others
	}
	if kind := text(found.Values[codes.DueSetID]); kind != "" {
		e.Set[codes.DueSetID] = kind
	}
	return nil
}

// beforeDueChange checks that a change names what it is of. Changes are neither changed nor deleted: another one restores what the set says.
func beforeDueChange(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	if !e.Create {
		return fault.New(ChangesStay)
	}
	what, effect := text(e.Set[codes.What]), text(e.Set[codes.Effect])
	of := map[string]string{codes.OptionItem: codes.ItemID, codes.OptionKind: codes.RecordKind, codes.OptionSheet: codes.SchemaCode, codes.OptionConsent: codes.DueCode, codes.OptionOrder: codes.JbsID}[what]
	if what == codes.OptionOrder && text(e.Set[codes.SchemaCode]) != "" { // of a sheet
		of = codes.SchemaCode
	}
	if of != "" && text(e.Set[of]) == "" {
		return refuse(of, fault.FieldRequired)
	}
	fits := map[string][]string{codes.OptionItem: {codes.OptionChange, codes.OptionLeaveOut, codes.OptionAdd, codes.OptionRestore},
		codes.OptionKind: {codes.OptionChange, codes.OptionLeaveOut, codes.OptionAdd, codes.OptionRestore}, codes.OptionSheet: {codes.OptionLeaveOut, codes.OptionAdd, codes.OptionRestore},
		codes.OptionConsent: {codes.OptionLeaveOut, codes.OptionRestore}, codes.OptionOrder: {codes.OptionLeaveOut, codes.OptionRestore}}[what]
	if !slices.Contains(fits, effect) {
		return refuse(codes.Effect, EffectUnfit)
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	n, ok, err := r.read(ctx, text(e.Set[codes.QbsID]))
	if err != nil || !ok {
		return or(err, next)
	}
	if err := r.unsigned(ctx, n); err != nil {
		return err
	}
	return next()
}

// unsigned refuses a change of what is due of a node whose evaluation was signed.
func (r *roller) unsigned(ctx context.Context, n world.Row) error {
	signed, err := r.isSigned(ctx, n.ID)
	if err == nil && signed {
		return fault.New(EvaluationSigned, n.Text(codes.Name))
	}
	return err
}

// afterDueChange counts the changes of a node and evaluates it and the lots that take its set.
func afterDueChange(ctx context.Context, e *hook.Record, next func() error) error {
	if err := next(); err != nil || byPack(e) {
		return err
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	id := text(e.New()[codes.QbsID])
	if err := r.note(ctx, e, id); err != nil {
		return err
	}
	list, err := rows(ctx, r.w, "quality.dueChanges", world.Args{"id": id})
	if err != nil {
		return err
	}
	if err := update(ctx, r.w, node, id, map[string]any{codes.DueChanges: decimal.NewFromInt(int64(len(list)))}); err != nil {
		return err
	}
	return r.rollWithLots(ctx, id)
}

// rollWithLots evaluates a node and the lots that take what is due from it.
func (r *roller) rollWithLots(ctx context.Context, id string) error {
	below, err := rows(ctx, r.w, "quality.children", world.Args{"id": id})
	if err != nil {
		return err
	}
	for _, c := range below {
		if c.Text(codes.EvalStatus) != rule.None && c.Text(codes.DueSetID) == "" {
			if err := r.roll(ctx, c.ID); err != nil {
				return err
			}
		}
	}
	return r.roll(ctx, id)
}

// beforeConsent lets people release hold points that are due of a node, who have one of the roles that may and do not belong to the contractor.
func beforeConsent(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	n, ok, err := r.read(ctx, text(either(e.Old[codes.QbsID], e.Set[codes.QbsID])))
	if err != nil || !ok {
		return or(err, next)
	}
	if !e.Create {
		delete(e.Set, codes.QbsID)
		delete(e.Set, codes.DueCode)
		delete(e.Set, codes.Title)
	}
	at, err := r.dueAt(ctx, n)
	if err != nil {
		return err
	}
	key := text(e.New()[codes.DueCode])
	i := slices.IndexFunc(at.due.Consents, func(c rule.DueConsent) bool { return c.Key == key })
	if i < 0 {
		if e.Delete {
			return next()
		}
		return refuse(codes.DueCode, ConsentUnknown, key)
	}
	c := at.due.Consents[i]
	if e.Create {
		e.Set[codes.Title] = c.Title
	}
	party, err := r.partyOf(ctx, e.Principal, n.Text(codes.ContractID))
	if err != nil {
		return err
	}
	has, err := r.rolesOf(ctx, []string{e.Principal.UserID})
	if err != nil {
		return err
	}
	if party == rule.Contractor || !slices.ContainsFunc(c.Roles, func(role string) bool { return has[role] }) {
		return fault.New(ConsentForeign, c.Title)
	}
	return next()
}

// partyOf is the party of a person, by the departments against the contract; "" where the contract names none.
func (r *roller) partyOf(ctx context.Context, who principal.Principal, contractID string) (string, error) {
	return r.party(ctx, who.Departments, contractID)
}

// partyOfUser is partyOf of somebody who isn't here.
func (r *roller) partyOfUser(ctx context.Context, id, contractID string) (string, error) {
	row, _, err := first(r.w.Rows(ctx, "quality.departmentsOf", world.Args{"id": id}))
	if err != nil {
		return "", err
	}
	return r.party(ctx, append(row.Set(codes.Departments), row.Text(codes.MainDepartment)), contractID)
}

// party is the party of somebody of some departments. Whose department is that of the contractor or below it belongs to them, whatever else they are.
func (r *roller) party(ctx context.Context, departments []string, contractID string) (string, error) {
	if contractID == "" {
		return "", nil
	}
	c, err := r.w.Get(ctx, contract, contractID)
	if err != nil {
		return "", err
	}
	of, by := text(c.Values[codes.PartyBDept]), text(c.Values[codes.SupDept])
	if of == "" {
		return "", nil
	}
	any := func(inside func(own string) (bool, error)) (bool, error) {
		for _, own := range departments {
			if yes, err := inside(own); err != nil || yes {
				return yes, err
			}
		}
		return false, nil
	}
	for _, side := range []struct{ department, party string }{{of, rule.Contractor}, {by, rule.Supervisor}} {
		if yes, err := any(func(own string) (bool, error) { return r.within(ctx, own, side.department) }); err != nil || yes {
			return side.party, err
		}
	}
	aboveOf, err := any(func(own string) (bool, error) { return r.within(ctx, of, own) })
	if err != nil {
		return "", err
	}
	aboveBy, err := any(func(own string) (bool, error) { return r.within(ctx, by, own) })
	switch {
	case aboveOf && !aboveBy:
		return rule.Contractor, err
	case aboveBy && !aboveOf:
		return rule.Supervisor, err
	}
	return rule.Other, err // of neither, or above both
}

// within reports whether a department is another one or below it.
func (r *roller) within(ctx context.Context, department, other string) (bool, error) {
	for seen := []string{}; department != "" && other != "" && !slices.Contains(seen, department); {
		if department == other {
			return true, nil
		}
		seen = append(seen, department)
		row, _, err := first(r.w.Rows(ctx, "quality.department", world.Args{"id": department}))
		if err != nil {
			return false, err
		}
		department = row.Text(codes.AboveDepartment)
	}
	return false, nil
}
