package flow

import (
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
)

// machine is what the runtime says of a node without people: a service, a wait, or instances that it started.
func (r *run) machine() error {
	a := r.s.Activity(r.c.Activity)
	if a == nil || a.State != ActivityActive {
		return fault.New(fault.ItemFinished)
	}
	n := r.t.at(a.Node)
	if n == gone {
		return fault.New(fault.WorkflowStepGone)
	}
	switch r.c.Do {
	case OpTry:
		if n.Type != Service {
			return fault.New(fault.ItemFinished)
		}
		r.activity(a.ID, func(a *Activity) { a.Attempt++ })
		return nil
	case OpChildren, OpChild:
		if n.Type != Sub {
			return fault.New(fault.ItemFinished)
		}
		if len(r.c.People) > 0 && r.c.People[0] != r.s.Initiator {
			r.assigned(n, r.s.Initiator, r.c.People[0])
		}
		r.activity(a.ID, func(a *Activity) {
			switch {
			case r.c.Do == OpChildren:
				a.Started = r.c.Count
			case r.c.Failed:
				a.Ended, a.Failed = a.Ended+1, a.Failed+1
			default:
				a.Ended++
			}
		})
		return r.gather(*r.s.Activity(a.ID), n)
	}
	if r.c.Failed {
		switch {
		case r.c.Opinion == StuckNobody: // nobody can start the instances
			r.assigned(n, r.s.Initiator)
		case r.c.Rule != "":
			r.emit(Event{Kind: Logged, Operation: OpStop, On: r.c.Item, Node: n.ID})
		}
		r.stuck(a.Token, r.c.Opinion)
		return nil
	}
	if n.decisive() {
		return fault.New(fault.ItemFinished)
	}
	if n.Type == Wait {
		r.emit(Event{Kind: Logged, Operation: OpResume, Node: n.ID})
	}
	return r.pass(*a, n)
}

// pass goes on behind a node without people.
func (r *run) pass(a Activity, n *Node) error {
	r.activity(a.ID, func(a *Activity) { a.State, a.Closed = ActivityPassed, r.c.At })
	r.token(a.Token, func(t *Token) { t.Fault, t.Fixed = "", t.Fixed || n.Effects || n.Type != Wait })
	return r.enter(a.Token, n.Next, EntryNormal, nil)
}

// gather goes on behind a SUB once enough of its children have ended. One that was voided holds it, unless the node ignores that.
func (r *run) gather(a Activity, n *Node) error {
	well := a.Ended
	if !n.IgnoreVoid {
		well -= a.Failed
	}
	switch {
	case n.Waits == WaitsNone || a.Started == 0:
		return r.pass(a, n)
	case n.Waits == WaitsAny && well > 0:
		if a.Ended < a.Started {
			r.emit(Event{Kind: Orphaned, On: a.ID, Node: n.ID})
		}
		return r.pass(a, n)
	case well == a.Started:
		return r.pass(a, n)
	case well < a.Ended && (n.Waits != WaitsAny || a.Ended == a.Started):
		if r.s.Token(a.Token).Fault == "" {
			r.stuck(a.Token, StuckChild)
		}
	}
	return nil
}

// close ends an activity before its time, with what it started.
func (r *run) close(a Activity, reason string) {
	r.cancel(a.ID, reason)
	r.activity(a.ID, func(a *Activity) { a.State, a.Closed = ActivityCancelled, r.c.At })
	if a.Started > a.Ended {
		r.emit(Event{Kind: Orphaned, On: a.ID, Node: a.Node})
	}
}

// choose keeps whom a person chose for nodes that come.
func (r *run) choose() {
	for _, id := range slices.Sorted(maps.Keys(r.c.Choices)) {
		r.emit(Event{Kind: ChoiceIs, Node: id, To: r.c.Choices[id]})
	}
}
