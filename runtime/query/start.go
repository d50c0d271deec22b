package query

import (
	"crypto/sha256"
	"fmt"
	"net/url"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
)

// submitAction saves a record and starts the workflow of its form with it.
const submitAction = "submit"

// starter reports whether somebody can start a workflow; nil = nobody can.
type starter func(view *authz.View, code string) bool

// LetStart says who can start workflows. It is called once, before the first request.
func (r *Reader) LetStart(can func(view *authz.View, code string) bool) { r.starts = can }

// offersStart reports whether a button that starts a workflow is offered. One that imports is drawn and switched off, with the reason.
func offersStart(view *authz.View, starts starter, m *catalog.Model, a *catalog.ListAction) bool {
	switch a.Type {
	case "import":
		return true
	case "custom", "add":
		w := view.Catalog.Workflow(a.AssociationCode)
		return w != nil && starts != nil && (w.Model == m || !a.Row && a.Type == "custom") && (a.Row || view.Offers(w.Model, "add")) && starts(view, a.AssociationCode)
	}
	return false
}

// startable is the condition of records with which a workflow can be started: a workflow is not moving them.
func startable() plan.Expr {
	status := &plan.Field{Column: catalog.SequenceStatus, K: plan.Text}
	return plan.AnyOf(&plan.IsNull{X: status}, plan.Negate(&plan.Compare{Op: plan.EQ, A: status, B: &plan.Const{K: plan.Text, Value: record.StatusProcessing}}))
}

// pressable is the condition that a row's button has besides rights and formula.
func pressable(view *authz.View, a *catalog.ListAction) plan.Expr {
	if a.Association == associatedWorkflow && a.Row {
		return startable()
	}
	return acts(view, a.Type)
}

// startKey adds to the key of a plan which workflows the caller can start: that depends on more than roles.
func (r *Reader) startKey(key planKey, view *authz.View, l *catalog.List) planKey {
	for i := range l.Actions {
		if a := &l.Actions[i]; a.Association == associatedWorkflow {
			key = sha256.Sum256(fmt.Append(key[:], a.Code, offersStart(view, r.starts, l.Model, a)))
		}
	}
	return key
}

// openStart answers with the address of the form that starts the button's workflow.
func (b *Button) openStart(out *ActionAnswer) error {
	q := url.Values{"startWorkflowCode": {b.action.AssociationCode}}
	if b.action.Row {
		q.Set("key", b.ids[0])
	}
	address := "/form/detail?" + q.Encode()
	out.URL = &address
	if !b.action.Row && len(b.ids) > 0 {
		return fault.New(fault.BadParameter, "objectIds")
	}
	return nil
}
