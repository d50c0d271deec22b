package workflow

import (
	"cmp"
	"strings"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/world"
)

// told is an event that hooks of a workflow may be for.
type told struct {
	on, node string
	by       string // the person of the event, or in whose place a rule acted; "" = nobody's
	activity int
	item     int
}

// toldBy tells what an event means for hooks. The state is as it was before the event.
func (r *running) toldBy(e flow.Event) (out []told) {
	one := told{by: cmp.Or(e.By.Person, e.By.For)}
	if e.Activity != nil {
		one.activity = e.Activity.ID
	}
	if e.Item != nil {
		one.activity, one.item = e.Item.Activity, e.Item.ID
	}
	add := func(on, node string) {
		one.on, one.node = on, node
		out = append(out, one)
	}
	switch e.Kind {
	case flow.InstanceIs:
		switch {
		case e.Status == flow.Processing && (r.state.Status == flow.Draft || r.state.Status == ""):
			add("instance.started", "")
		case e.Status == r.state.Status: // it has another initiator
		case e.Status == flow.Exception:
			add("instance.exception", "")
		case e.Status == flow.Completed:
			add("instance.completed", "")
		case e.Status == flow.Canceled:
			add("instance.canceled", "")
		}
	case flow.ActivityIs:
		before := r.state.Activity(e.Activity.ID)
		switch {
		case before == nil:
			add("activity.started", e.Activity.Node)
		case before.State == e.Activity.State:
		case e.Activity.State == flow.ActivityCancelled:
			add("activity.cancelled", e.Activity.Node)
		default:
			add("activity.completed", e.Activity.Node)
		}
	case flow.ItemIs:
		before, node := r.state.Item(e.Item.ID), r.state.Activity(e.Item.Activity).Node
		switch {
		case e.Item.State == flow.ItemTodo && (before == nil || before.State == flow.ItemWait):
			add("workitem.created", node)
		case e.Item.State == flow.ItemDone && (before == nil || before.State != flow.ItemDone):
			add("workitem.completed", node)
		}
	}
	return out
}

// hooks runs the code of packs that is registered for what happened. An error refuses the command.
func (r *running) hooks(happened []told) error {
	if r.s.notes != nil { // a rehearsal runs no code of packs besides that of records
		return nil
	}
	for _, one := range happened {
		for _, h := range r.w.Hooks {
			if h.On != one.on || h.Node != "" && !strings.EqualFold(h.Node, one.node) {
				continue
			}
			service, known := r.s.cfg.Services(h.Service)
			if !known {
				r.s.cfg.Log.Warn("a hook of a workflow names a service that this program does not have", "workflow", r.row.Code, "service", h.Service)
				continue
			}
			err := r.s.cfg.Work(r.ctx, r.tx, r.row.Initiator, service.Reason, func(w world.World) error {
				_, err := service.Run(r.ctx, w, world.ServiceCall{Workflow: r.row.Code, Instance: r.row.ID, Model: r.row.Model, Record: r.row.Record,
					Initiator: r.row.Initiator, Node: one.node, Event: one.on})
				return err
			})
			if err != nil {
				return err
			}
			r.facts.state = nil
		}
	}
	return nil
}
