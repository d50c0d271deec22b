package app

import (
	"context"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// auditWorkflows is the kind of the job that looks at all instances in progress, and the code of its schedule.
const auditWorkflows = "workflow audit"

// auditWorkers do the audit of workflows: some instances a step, taken up again behind the last one.
func (a *App) auditWorkers() map[string]job.Worker {
	return map[string]job.Worker{auditWorkflows: job.WorkerFunc(func(ctx context.Context, r *job.Run) (any, error) {
		var at workflow.Audited
		if _, err := r.Progress(&at); err != nil {
			return nil, err
		}
		for !at.Over {
			err := r.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
				next, err := a.flows.Audit(ctx, tx, at)
				if err == nil {
					at = next
					r.Report(at.Looked, 0)
				}
				return next, err
			})
			if err != nil {
				return nil, err
			}
		}
		return at, nil
	})}
}

// startAudit makes the job of an audit, in the name of who asked for it; "" = the schedule. One that waits or runs serves everybody.
func (a *App) startAudit(ctx context.Context, tx *store.Tx, owner string) (string, error) {
	return a.jobs.Enqueue(ctx, tx, auditWorkflows, struct{}{}, job.Options{Owner: owner, Lane: job.Long, UniqueKey: auditWorkflows, Title: job.Title{Zh: "检查进行中的流程", En: "Checking running workflows"}})
}

// AuditWorkflows starts an audit of all instances in progress for somebody who administers workflows, and returns the id of its job.
func (a *App) AuditWorkflows(ctx context.Context, view *authz.View) (id string, err error) {
	if !view.Has(workflow.AdminPermission) {
		return "", fault.New(fault.Forbidden)
	}
	err = a.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		id, err = a.startAudit(ctx, tx, view.User())
		return err
	})
	return id, err
}
