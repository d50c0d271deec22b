package quality

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// workflowOfSheet refuses a binding, of a node or in the library, whose workflow is not one of its model: no record of the sheet could start it.
func workflowOfSheet(_ context.Context, e *hook.Record, next func() error) error {
	_, sheet := e.Set[codes.SchemaCode]
	_, workflow := e.Set[codes.WorkflowCode]
	now := e.New()
	code := text(now[codes.WorkflowCode])
	if e.Delete || e.World == nil || code == "" || !sheet && !workflow {
		return next()
	}
	m, known := e.World.ModelOf(text(now[codes.SchemaCode]))
	if known && !slices.ContainsFunc(m.Workflows, func(w world.Workflow) bool { return w.Code == code }) {
		return refuse(codes.WorkflowCode, WorkflowOfOther, code, m.Name)
	}
	return next()
}
