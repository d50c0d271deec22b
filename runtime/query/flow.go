package query

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Seal is what a workflow that ended with agreement holds of a record (api.yaml Seal).
type Seal struct {
	Instance string   `json:"workflowInstanceId"`
	Open     []string `json:"open"` // codes of the properties that people change all the same
}

// sealer finds those of a model's records that workflows hold, by their ids.
type sealer func(ctx context.Context, tx *store.Tx, view *authz.View, model string, ids []string) (map[string]*Seal, error)

// LetSeal says which records workflows hold as they were approved. It is called once, before the first request.
func (r *Reader) LetSeal(find sealer) { r.seals = find }

// changeable is the condition of records that the caller may change where a workflow moves some: those only in a task of theirs, or by who
// administers workflows.
func changeable(view *authz.View) plan.Expr {
	if view.Lensed() || view.Has(authz.Workflows) {
		return plan.True
	}
	return startable()
}

// deletable is the condition of records that the caller may delete where some have been in a workflow.
func deletable(view *authz.View) plan.Expr {
	if view.Has(authz.Workflows) {
		return plan.True
	}
	return unflowed()
}

// unflowed is the condition of records that have never been in a workflow.
func unflowed() plan.Expr {
	return &plan.IsNull{X: &plan.Field{Column: catalog.WorkflowInstance, K: plan.ID}}
}

// acts is the condition that the state of a record has for a word of the product, besides rights.
func acts(view *authz.View, word string) plan.Expr {
	switch word {
	case "edit":
		return changeable(view)
	case "delete":
		return deletable(view)
	case BatchRight: // it leaves out records of workflows, for administrators too
		return unflowed()
	}
	return plan.True
}

// keepsEdit reports whether a record can be opened for changes in spite of its seal.
func (s *Seal) keepsEdit(view *authz.View, m *catalog.Model) bool {
	return s == nil || len(s.Open) > 0 || view.Can(m, catalog.AmendAction)
}

// flowPlace selects the workflow instance of a record and returns its place. People who can read the record can see that it is in a workflow,
// so no right to the property is needed.
func flowPlace(q *plan.Query) int {
	q.Select = append(q.Select, &plan.Field{Column: catalog.WorkflowInstance, K: plan.ID})
	return len(q.Select) - 1
}

// instanceAt reads what flowPlace selected; nil = the record has never been in a workflow.
func instanceAt(row []any, at int) *string {
	id, _ := row[at].(string)
	return orNull(id)
}
