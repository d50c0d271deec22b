package app

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// makeWorkflows makes what runs workflows.
func (a *App) makeWorkflows() {
	a.flows = workflow.New(workflow.Config{DB: a.db, Reader: a.reader, Writer: a.writer, People: a.people, Notify: a.messages, Clock: a.cfg.Clock, Zone: a.cfg.Zone,
		Log: a.cfg.Log, Caller: a.caller, Policy: a.policy, Compile: a.workflowOf})
	a.writer.EndProcesses(a.flows.RecordGoes)
}

// followRecords lets workflows hear of writes of records. It is an outbox of the record writer.
func (a *App) followRecords(ctx context.Context, tx *store.Tx, e *hook.Record) error {
	if a.flows == nil { // data of the packs, before there are workflows
		return nil
	}
	return a.flows.RecordChanged(ctx, tx, e)
}

// Workflows runs workflows.
func (a *App) Workflows() *workflow.Service { return a.flows }

// workflowOf compiles a document that a workflow had before, with the other documents as they are now.
func (a *App) workflowOf(pack, code string, document []byte) (*catalog.Workflow, error) {
	text := string(document)
	d := a.cfg.Documents
	held := maps.Clone(d.Held)
	if held == nil {
		held = map[string]map[string]*string{}
	}
	of := maps.Clone(held[pack])
	if of == nil {
		of = map[string]*string{}
	}
	of["workflows/"+code+".json"] = &text
	held[pack] = of
	d.Held = held
	c, list, err := a.compiled(d)
	switch {
	case err != nil:
		return nil, err
	case c == nil:
		return nil, &Faulty{List: list}
	}
	if w := c.Workflow(code); w != nil {
		return w, nil
	}
	return nil, fmt.Errorf("the pack %s has no workflow %s", pack, code)
}

// fireEvery is how often due timers of workflows are looked for.
const fireEvery = 20 * time.Second

// fireTimers does what is due in workflows, while the system serves.
func (a *App) fireTimers() {
	tick := time.NewTicker(fireEvery)
	defer tick.Stop()
	for {
		select {
		case <-a.background.Done():
			return
		case <-tick.C:
		}
		for {
			n, err := a.flows.Fire(a.background)
			if err != nil && a.background.Err() == nil {
				a.cfg.Log.Error("fire timers of workflows", "error", err)
			}
			if n == 0 || err != nil || a.background.Err() != nil {
				break
			}
		}
	}
}
