package app

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/outbound"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// makeWorkflows makes what runs workflows.
func (a *App) makeWorkflows() {
	a.flows = workflow.New(workflow.Config{DB: a.db, Reader: a.reader, Writer: a.writer, People: a.people, Notify: a.messages, Clock: a.cfg.Clock, Zone: a.cfg.Zone,
		Log: a.cfg.Log, Caller: a.caller, Policy: a.policy, Proposed: a.proposed,
		Work: a.lend, Services: a.cfg.Set.Services.Get, Rules: a.cfg.Set.Rules.Get, HTTP: outbound.New(outbound.Options{Private: a.cfg.Channels.Private, Timeout: longestCall}),
		Sources: a.sources(), World: func(view *authz.View, tx *store.Tx) world.World { return &transaction{app: a, view: view, tx: tx} }})
	a.writer.EndProcesses(a.flows.RecordGoes)
	a.writer.LinkedProcesses(workflow.Linked)
	a.writer.SealedBy(a.flows, workflow.Held)
}

// lend runs code of packs inside a transaction, with the role that pack.json declares for a reason in the name of a person.
func (a *App) lend(ctx context.Context, tx *store.Tx, user, reason string, f func(w world.World) error) error {
	s := a.State()
	who, _ := a.caller(ctx, user) // somebody who has left has no rights but those of the reason
	if reason != "" {
		r := s.Catalog.Reason(reason)
		if r == nil {
			return fmt.Errorf("no pack.json declares the reason %q", reason)
		}
		if who.UserID == "" {
			who.Name, who.Locale = r.Label.In("zh"), "zh"
		}
		who.Roles, who.System, who.Reason = []string{r.Role}, "", r.Code
	}
	return a.writer.Within(ctx, tx, s.Policy.View(who, a.Now(), a.cfg.Zone), func(b *record.Batch) error { return f(a.within(b, false)) })
}

// sources are the packs' answers to who takes part in workflows.
func (a *App) sources() (out []world.ParticipantSource) {
	for _, name := range a.cfg.Set.Participants.Names() {
		if source, ok := a.cfg.Set.Participants.Get(name); ok {
			out = append(out, source)
		}
	}
	return out
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

// proposed compiles a document that somebody proposes for a workflow, with the other documents as they are published now.
func (a *App) proposed(ctx context.Context, pack, code string, document []byte) (*catalog.Workflow, error) {
	d, err := a.cfg.WithPublished(ctx, a.db)
	if err != nil {
		return nil, err
	}
	if d.only, err = a.aside(d); err != nil {
		return nil, err
	}
	text := string(document)
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
		folders, _, err := d.Folders()
		return nil, cmp.Or(err, error(&Faulty{List: inPacks(folders, list)}))
	}
	if w := c.Workflow(code); w != nil {
		return w, nil
	}
	return nil, fmt.Errorf("the pack %s has no workflow %s", pack, code)
}

// longestCall is how long a call of a SERVICE may take; a node may say less.
const longestCall = 5 * time.Minute

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
		case <-a.flows.Stirred:
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
