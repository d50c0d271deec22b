package workflow

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Known is a workflow by its name (api.yaml KnownWorkflow).
type Known struct {
	Code     string            `json:"workflowCode"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
}

// What Known is asked for beside the lists of tasks.
const (
	knownMine    = "mine"    // the caller has started
	knownAll     = "query"   // has instances: for those who oversee workflows
	knownDecided = "decided" // the caller decides in, or has decided in: what they can delegate
)

// Known are the workflows of one of the caller's lists, by name: all of them, whatever page of it is shown and whatever the caller may start.
func (s *Service) Known(ctx context.Context, view *authz.View, list string) ([]Known, error) {
	if list == knownAll && !oversees(view) {
		return nil, fault.New(fault.Forbidden)
	}
	if !slices.Contains(lists, list) && !slices.Contains([]string{knownMine, knownAll, knownDecided}, list) {
		return nil, fault.New(fault.BadParameter, "list")
	}
	out := []Known{}
	err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var codes []string
		if err := codesOf(tx, view, list).Distinct().Pluck("code", &codes).Error; err != nil {
			return err
		}
		if list == knownDecided {
			leads, err := s.leads(tx, view)
			if err != nil {
				return err
			}
			codes = s.alsoDecides(view, codes, leads)
		}
		for _, code := range codes {
			label, err := s.calledNow(tx, view.Catalog, code)
			if err != nil {
				return err
			}
			out = append(out, Known{Code: code, Name: label.Zh, NameI18n: i18n(label)})
		}
		return nil
	})
	slices.SortFunc(out, func(a, b Known) int { return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Code, b.Code)) })
	return out, err
}

// codesOf finds what a list holds.
func codesOf(tx *store.Tx, view *authz.View, list string) *gorm.DB {
	switch list {
	case knownMine:
		return tx.System().Model(&instance{}).Where("initiator = ?", view.User())
	case knownAll:
		return tx.System().Model(&instance{})
	case knownDecided:
		return tx.System().Model(&item{}).Where("person = ? AND list IN ? AND type NOT IN ?", view.User(), []string{listUnfinished, listFinished},
			[]string{string(flow.ItemAssist), string(flow.ItemCirculate)})
	}
	return listed(tx, view, list)
}

// listed are the tasks in a list of the caller's.
func listed(tx *store.Tx, view *authz.View, list string) *gorm.DB {
	if list == listDelegated {
		return tx.System().Model(&item{}).Where("sl_wf_item.delegate_from = ? AND sl_wf_item.copy = ? AND sl_wf_item.list <> ''", view.User(), true)
	}
	return tx.System().Model(&item{}).Where("sl_wf_item.person = ? AND sl_wf_item.list = ?", view.User(), list)
}

// leads reports whether the caller leads a department.
func (s *Service) leads(tx *store.Tx, view *authz.View) (bool, error) {
	m := view.Catalog.Model(directory.Department)
	if m == nil || m.Field("leader") == nil {
		return false, nil
	}
	leader := &plan.Field{Column: m.Field("leader").Property.Columns()[0].Name, K: plan.ID}
	n, err := tx.Count(tx.Context(), view.Catalog, &plan.Query{Model: m.Code, Where: &plan.Compare{Op: plan.EQ, A: leader, B: &plan.Const{K: plan.ID, Value: view.User()}}})
	return n > 0, err
}

// alsoDecides adds the workflows of now in which a step names the caller, as themselves, by a role, a department or a group, or as one who leads a
// department, whichever: a task may come any time. Of those whose people only an instance tells, such as a property of the record, those are left in
// which the caller had a task; so are those that are gone, which nobody can delegate.
func (s *Service) alsoDecides(view *authz.View, had []string, leads bool) (out []string) {
	for _, w := range view.Catalog.Workflows() {
		code := w.Template.Code
		names := func(p catalog.Participant) bool { return s.names(view, p, leads) }
		if slices.Contains(had, code) || w.Published && slices.ContainsFunc(w.Template.Nodes, func(n *flow.Node) bool {
			of := w.Nodes[n.ID]
			return of != nil && (n.Type == flow.Approve || n.Type == flow.Fill) && slices.ContainsFunc(of.Participants, names)
		}) {
			out = append(out, code)
		}
	}
	return out
}

// names reports whether a participant of a step, or one of those whom somebody chooses from, is the caller.
func (s *Service) names(view *authz.View, p catalog.Participant, leads bool) bool {
	return leads && (p.Kind == catalog.FromDeptLeader || p.Kind == catalog.FromSuperiors) || s.isOne(view, p) ||
		slices.ContainsFunc(p.Candidates, func(c catalog.Participant) bool { return s.names(view, c, leads) })
}

// isOne reports whether a participant names the caller: as themselves, or by a role, a department or a group.
func (s *Service) isOne(view *authz.View, of catalog.Participant) bool {
	p := view.Principal()
	switch of.Kind {
	case catalog.FromPerson:
		who, _ := s.cfg.People.Person(context.Background(), p.UserID)
		return slices.Contains(of.Values, p.UserID) || who.Username != "" && slices.ContainsFunc(of.Values, func(v string) bool { return strings.EqualFold(v, who.Username) })
	case catalog.FromRole:
		return slices.ContainsFunc(of.Values, view.Holds)
	case catalog.FromDept:
		in := of.Values
		if of.Recursive {
			in = s.cfg.People.Below(context.Background(), of.Values)
		}
		return slices.ContainsFunc(p.Departments, func(d string) bool { return slices.Contains(in, d) })
	case catalog.FromGroup:
		return s.inGroup(context.Background(), p.UserID, of.Values)
	}
	return false
}

// calledNow is the name of a workflow: of now, and of one that is gone as its last version had it.
func (s *Service) calledNow(tx *store.Tx, c *catalog.Catalog, code string) (plan.Label, error) {
	if w := c.Workflow(code); w != nil {
		return w.Label, nil
	}
	var last int
	if err := tx.System().Model(&template{}).Select("COALESCE(MAX(version), 0)").Where("code = ?", code).Scan(&last).Error; err != nil {
		return plan.Label{}, err
	}
	w, err := s.workflow(tx, c, code, last)
	if err != nil {
		return plan.Label{}, err
	}
	return w.Label, nil
}
