package quality

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// A sheet whose model has the property outcome (yes or no) answers by it: concealed works that are accepted, documents that were all found. One that
// answers no is not done, whatever its workflow says, and opens a corrective action; when that was carried out the sheet is filled in again.

// mostAnswers is how many records of one binding are read for its answer.
const mostAnswers = 500

// answerOf is what the write of a sheet says: "" of a model without an answer. speaks is false when neither answer nor date was written.
func (r *roller) answerOf(ctx context.Context, e *hook.Record) (answer string, speaks bool) {
	if e.World == nil {
		return "", false
	}
	m, ok := e.World.ModelOf(e.Model)
	if !ok {
		return "", false
	}
	if slices.ContainsFunc(m.Properties, func(p world.Property) bool { return p.Code == codes.Outcome }) {
		answer = codes.OptionNotOk
		now := e.New()
		if stored, err := r.w.Get(ctx, e.Model, e.ID); err == nil && !e.Delete { // with its formulas
			now = stored.Values
		}
		if is(now[codes.Outcome]) {
			answer = codes.OptionOk
		}
	}
	for _, code := range []string{codes.CheckDate, codes.WorkDate} {
		_, set := e.Set[code]
		speaks = speaks || set
	}
	return answer, speaks || answer != ""
}

// says adds to the values of a binding what its records answer, and their first and last day.
func (r *roller) says(ctx context.Context, e *hook.Record, answer string, bound, values map[string]any) {
	day := dayOf(e.New())
	if e.Create && (!is(bound[codes.Multi]) || whole(bound[codes.Instances]) == 0) {
		values[codes.Answer], values[codes.FirstDay], values[codes.LastDay] = orNil(answer), orNil(day), orNil(day)
		return
	}
	from, to := text(bound[codes.FirstDay]), text(bound[codes.LastDay])
	if e.Create {
		if from == "" || day != "" && day < from {
			from = day
		}
		to = max(to, day)
		if answer != "" && text(bound[codes.Answer]) == codes.OptionNotOk {
			answer = codes.OptionNotOk // of several each has to say yes
		}
		values[codes.Answer], values[codes.FirstDay], values[codes.LastDay] = orNil(answer), orNil(from), orNil(to)
		return
	}
	found, err := r.w.Find(ctx, e.Model, map[string]any{codes.BizID: text(either(e.Set[codes.BizID], e.Old[codes.BizID]))}, mostAnswers)
	if err != nil { // of a model that the pack does not see
		values[codes.Answer] = orNil(answer)
		return
	}
	if answer != "" {
		answer = codes.OptionOk
	}
	from, to = "", ""
	if !is(bound[codes.Multi]) && len(found) > 1 {
		found = found[len(found)-1:] // the latest one counts
	}
	for _, id := range found {
		one, err := r.w.Get(ctx, e.Model, id)
		if err != nil {
			continue
		}
		if day := dayOf(one.Values); day != "" {
			if from == "" || day < from {
				from = day
			}
			to = max(to, day)
		}
		if answer != "" && !is(one.Values[codes.Outcome]) {
			answer = codes.OptionNotOk
		}
	}
	if len(found) == 0 {
		answer = ""
	}
	values[codes.Answer], values[codes.FirstDay], values[codes.LastDay] = orNil(answer), orNil(from), orNil(to)
}

// demandSheet opens the corrective action of a completed sheet that answers no, unless it has an open one.
func (r *roller) demandSheet(ctx context.Context, id string, status, answer any, bound map[string]any) error {
	if text(status) != codes.OptionCompleted || text(answer) != codes.OptionNotOk {
		return nil
	}
	has, err := r.w.Find(ctx, ncr, map[string]any{codes.BizID: id}, mostAnswers)
	if err != nil {
		return err
	}
	for _, one := range has {
		found, err := r.w.Get(ctx, ncr, one)
		if err != nil || text(found.Values[codes.Status]) != codes.OptionReviewed {
			return err
		}
	}
	n, _, err := r.read(ctx, text(bound[codes.QbsID]))
	if err != nil {
		return err
	}
	_, err = r.w.Create(ctx, ncr, map[string]any{codes.QbsID: n.ID, codes.BizID: id, codes.Level: codes.OptionNormal, codes.Description: n.Text(codes.Name) + " · " + text(bound[codes.SheetTitle]),
		codes.Deadline: r.w.Now().In(r.w.Zone()).AddDate(0, 0, 7).Format("2006-01-02")})
	return err
}

// signer is the workflow by whose end a sheet or record of a contract is approved: nil while it runs, where somebody of the contractor approved it
// last, and where the binding names roles that check it and who approved last has none of them.
func (r *roller) signer(ctx context.Context, e *hook.Move, contractID string, roles []string) (any, error) {
	if sheetState(e) != codes.OptionCompleted || e.Instance == "" {
		return nil, nil
	}
	by := r.w.Principal()
	if party, err := r.partyOf(ctx, by, contractID); err != nil || party == rule.Contractor {
		return nil, err
	}
	if by.UserID == "" {
		if len(roles) > 0 {
			return nil, nil
		}
		return orNil(e.Workflow), nil
	}
	has, err := r.rolesOf(ctx, []string{by.UserID})
	if err != nil {
		return nil, err
	}
	if foreign, err := r.supervisesElsewhere(ctx, by, contractID, has); err != nil || foreign {
		return nil, err
	}
	if len(roles) == 0 {
		return orNil(e.Workflow), nil
	}
	if !slices.ContainsFunc(roles, func(role string) bool { return has[role] }) {
		return nil, err
	}
	return orNil(e.Workflow), nil
}

// supervisesElsewhere reports whether somebody is a supervisor, and not of this contract: a supervisor's word counts for the contracts of their
// department.
func (r *roller) supervisesElsewhere(ctx context.Context, by principal.Principal, contractID string, has map[string]bool) (bool, error) {
	if contractID == "" || !has[codes.RoleSupervisor] && !has[codes.RoleChiefSupervisor] || has[codes.RoleOwner] || has[codes.RoleDesigner] {
		return false, nil
	}
	c, err := r.w.Get(ctx, contract, contractID)
	if err != nil || text(c.Values[codes.SupDept]) == "" {
		return false, err
	}
	return !slices.Contains(by.DepartmentTree, text(c.Values[codes.SupDept])), nil
}

// lacking are the names of the items of a record that have too few readings.
func lacking(items any) string {
	var names []string
	for _, row := range rowsIn(items) {
		if c := text(row[codes.Conclusion]); c == codes.OptionIncomplete || c == "" {
			names = append(names, text(row[codes.ItemName]))
		}
	}
	return strings.Join(names, ", ")
}
