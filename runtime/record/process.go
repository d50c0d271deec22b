package record

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// StatusProcessing is the state of a record that a workflow is moving: only tasks of the workflow change it then.
const StatusProcessing = "PROCESSING"

// MarkIn writes down which workflow a record runs in and how far it is, inside a transaction of the caller's: the system properties
// workflowInstanceId and sequenceStatus. The view is the system's own. When the state is another one, the hooks of AfterMove run in the name of
// by, who acts; without by no code of packs runs.
func (w *Writer) MarkIn(ctx context.Context, tx *store.Tx, view, by *authz.View, to Mark) error {
	m := view.Model(to.Model)
	if m == nil {
		return nil
	}
	c := &change{session: w.session(ctx, tx, view), m: m, id: to.Record, act: "edit", inProcess: true, set: map[string]any{}, sheets: map[string]*sheetChange{}}
	old, err := c.one(m, to.Record, view.Rows(m))
	if err != nil || old == nil {
		return err
	}
	version, _ := old[catalog.Version].(int64)
	if err := c.begin(&version); err != nil {
		return err
	}
	c.putSystem(catalog.WorkflowInstance, orNil(to.Instance))
	c.putSystem(catalog.SequenceStatus, to.Status)
	if err := c.loadSheets(); err != nil {
		return err
	}
	if err := c.compute(); err != nil {
		return err
	}
	if c.unchanged() {
		return nil
	}
	if err := c.store(); err != nil {
		return err
	}
	c.forget(m, to.Record)
	if err := c.flush(); err != nil || by == nil {
		return err
	}
	return c.moved(by, to.Workflow)
}

// moveDepth counts in a context how deep hooks of moves have led to moves with hooks.
type moveDepth struct{}

// moved runs the hooks of packs when the record is in another state than before. They write as hooks of writes do: in the same transaction, and
// a refusal that they pass over undoes it all the same.
func (c *change) moved(by *authz.View, workflow string) error {
	was, _ := c.old[catalog.SequenceStatus].(string)
	is, _ := c.row[catalog.SequenceStatus].(string)
	if was == is || c.w.set.AfterMove.Empty() {
		return nil
	}
	depth, _ := c.ctx.Value(moveDepth{}).(int)
	if depth++; depth > maxDepth {
		return errDepth
	}
	s := c.as(by)
	s.ctx = context.WithValue(c.ctx, moveDepth{}, depth)
	instance, _ := c.row[catalog.WorkflowInstance].(string)
	e := &hook.Move{Model: c.m.Code, ID: c.id, Instance: instance, Workflow: workflow, Old: was, New: is, As: func(reason string) (world.World, error) { return s.world().As(reason) }}
	if err := c.w.set.AfterMove.Run(s.ctx, e, func() error { return nil }); err != nil {
		return err
	}
	return s.nested.refused
}

// Mark is the workflow that a record names from now on.
type Mark struct {
	Model, Record string
	Was           string // the instance that it names until then; RemarkIn asks for it
	Instance      string // "" = none: it is as a record that never ran in a workflow
	Workflow      string // code of it; "" = none
	Status        string
}

// RemarkIn forgets a workflow that no longer exists. A record that names another one stays as it is.
func (w *Writer) RemarkIn(ctx context.Context, tx *store.Tx, view, by *authz.View, to Mark) error {
	m := view.Model(to.Model)
	if m == nil {
		return nil
	}
	row, err := w.session(ctx, tx, view).one(m, to.Record, view.Rows(m))
	if err != nil || row == nil || row[catalog.WorkflowInstance] != to.Was {
		return err
	}
	return w.MarkIn(ctx, tx, view, by, to)
}

// EndProcesses sets what ends the workflow of a record that is about to be deleted. It is called before the first write.
func (w *Writer) EndProcesses(end func(ctx context.Context, tx *store.Tx, view *authz.View, model, id string) error) {
	w.ends = end
}

// LinkedProcesses sets who knows of a workflow if it has started others, and if another started it.
func (w *Writer) LinkedProcesses(links func(tx *store.Tx, instance string) (parent, child bool, err error)) {
	w.links = links
}

// end ends the workflow of a record that may be deleted, and judges the record as it is then: what goes into the recycle bin is in no
// workflow.
func (s *session) end(m *catalog.Model, id string, d deletion) (deletion, error) {
	instance, _ := d.row[catalog.WorkflowInstance].(string)
	if s.w.ends == nil || instance == "" {
		return d, nil
	}
	if err := s.w.ends(s.ctx, s.tx, s.view, m.Code, id); err != nil {
		return d, err
	}
	s.forget(m, id)
	return s.judge(m, id)
}

// held refuses a change of a record that a workflow is moving, unless it comes from a task of the workflow, from code of the product or of
// a pack, or from somebody who administers workflows.
func (c *change) held() error {
	p := c.view.Principal()
	if c.old[catalog.SequenceStatus] != StatusProcessing || c.inProcess || p.System != "" || p.Reason != "" || administersProcesses(c.view) {
		return nil
	}
	return fault.New(fault.RecordInWorkflow)
}
