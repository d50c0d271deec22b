package query

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

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
