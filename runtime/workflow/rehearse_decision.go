package workflow

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/record"
)

// fits looks the names of the request up.
func (p *play) fits() error {
	var ids []string
	for _, n := range p.w.Template.Nodes {
		ids = append(ids, n.ID)
	}
	who := func(name string) (string, bool) {
		if found := (&facts{ctx: p.ctx, s: p.s}).named([]string{name}); len(found) > 0 {
			return found[0], true
		}
		return "", false
	}
	misfit := func(decision int, key, word string, near []string) error {
		return &Misfit{Decision: decision, Key: key, Word: word, Near: diag.Nearest(word, near)}
	}
	names := func() (out []string) {
		for _, one := range p.s.cfg.People.People(p.ctx) {
			out = append(out, one.Username)
		}
		return out
	}
	var known bool
	starter := cmp.Or(p.in.Initiator, p.anyStarter())
	if p.in.Initiator, known = who(starter); !known {
		return misfit(-1, "initiator", starter, names())
	}
	p.in.Decisions = slices.Clone(p.in.Decisions)
	for i := range p.in.Decisions {
		d := &p.in.Decisions[i]
		d.Do = cmp.Or(d.Do, "agree")
		at := slices.IndexFunc(ids, func(id string) bool { return strings.EqualFold(id, d.Node) })
		switch {
		case at < 0:
			return misfit(i, "activityCode", d.Node, ids)
		case !slices.Contains(Moves, d.Do):
			return misfit(i, "action", d.Do, Moves)
		}
		d.Node = ids[at]
		if name := d.Person; name != "" {
			if d.Person, known = who(name); !known {
				return misfit(i, "person", name, names())
			}
		}
		switch name := d.To; {
		case d.Do == "transfer":
			if d.To, known = who(name); !known {
				return misfit(i, "to", name, names())
			}
		case d.Do == "reject" && name != "":
			if at := slices.IndexFunc(ids, func(id string) bool { return strings.EqualFold(id, name) }); at >= 0 {
				d.To = ids[at]
			} else {
				return misfit(i, "to", name, ids)
			}
		}
	}
	return nil
}

// decision takes the next one of the script for a task, if there is any: that of its node, of its person where it names one.
func (p *play) decision(r *running, i flow.Item) (RehearsalDecision, bool) {
	return p.take(r.state.Activity(i.Activity).Node, i.Person)
}

func (p *play) take(node, person string) (RehearsalDecision, bool) {
	for k, d := range p.in.Decisions {
		if !p.used[k] && d.Node == node && (d.Person == "" || d.Person == person) {
			p.used[k] = true
			return d, true
		}
	}
	return RehearsalDecision{}, false
}

// person lets the person of a task act. d without an action is what happens where the script says nothing: they agree.
func (p *play) person(r *running, i flow.Item, d RehearsalDecision) error {
	node := p.w.Nodes[r.state.Activity(i.Activity).Node]
	if d.Do == "timeout" {
		return p.pass(r, i, node)
	}
	r.view = p.as(i.Person)
	c := flow.Command{Do: flow.OpAgree, By: i.Person, At: p.now, Item: i.ID, Opinion: d.Opinion}
	switch d.Do {
	case "disagree", "reject", "transfer":
		c.Do = flow.Operation(d.Do)
	case "fail":
		c.Do = flow.OpDisagree
	}
	if node.Node.Type != flow.Approve && c.Do == flow.OpAgree {
		c.Do = flow.OpSubmit
	}
	switch c.Do {
	case flow.OpTransfer:
		c.People = []string{d.To}
	case flow.OpReject:
		if c.Node = d.To; c.Node == "" {
			if targets := p.w.Template.RejectTargets(r.state, i.ID); len(targets) > 0 {
				c.Node = targets[0]
			}
		}
	}
	if len(d.Values) > 0 {
		refused, err := p.write(r, node, d.Values)
		if err != nil {
			return err
		}
		if refused != nil {
			p.refuse(i, node, c, *refused)
			return nil
		}
	}
	if decides(c.Do) {
		if err := p.complete(r, node.Node.ID); err != nil {
			return err
		}
	}
	p.decided(i, node, c, d.Do != "")
	p.s.notes.forget()
	err := r.do(c)
	var refused *fault.Error
	if errors.As(err, &refused) && refused.Code != fault.Internal {
		words := said(err)
		last := &p.out.Steps[len(p.out.Steps)-1]
		last.Refused = &words
		p.out.Outcome = OutcomeRefused
		return nil
	}
	if err != nil {
		return err
	}
	return p.tell(r)
}

// write saves what the person of a task writes, with the rights of the node.
func (p *play) write(r *running, node *catalog.WorkflowNode, set map[string]json.RawMessage) (*Words, error) {
	version, err := r.version()
	if err != nil {
		return nil, err
	}
	var words *Words
	err = p.tx.Try(p.ctx, func() error {
		_, err := p.s.cfg.Writer.SaveIn(p.ctx, p.tx, r.view.Through(atItem(p.w, node, p.record, true)),
			record.Change{Model: p.w.Model.Code, ID: p.record, Version: &version, Set: set, InProcess: true, MadeUp: true})
		return err
	})
	var refused *fault.Error
	if errors.As(err, &refused) && refused.Code != fault.Internal {
		text := said(err)
		words, err = &text, nil
	}
	r.face() // the record is another one now
	return words, err
}

// pass lets time go by until the task is no longer open to its person, or nothing more happens.
func (p *play) pass(r *running, i flow.Item, node *catalog.WorkflowNode) error {
	p.passed(i, node)
	for range 50 {
		var next timer
		found := p.tx.System().Where("instance = ? AND done = ?", p.id, false).Order("due, subject, step").Limit(1).Find(&next)
		if found.Error != nil {
			return found.Error
		}
		if found.RowsAffected == 0 || next.Kind == timerRemind && next.Step >= 2*max(1, len(node.Time.OnTimeout)) {
			break
		}
		if err := p.fire(next); err != nil {
			return err
		}
		if r, err := p.hold(p.s.systemView()); err != nil {
			return err
		} else if now := r.state.Item(i.ID); !now.Ready() || r.state.Status != flow.Processing {
			return nil
		}
	}
	p.out.Outcome = OutcomeWaits // the task stays open, and its person does nothing
	return nil
}

// fire moves the clock to a timer and does what is due.
func (p *play) fire(t timer) error {
	if t.Due.After(p.now) {
		p.now = t.Due.UTC()
	}
	p.s.notes.forget()
	if err := p.s.fire(p.ctx, p.tx, t); err != nil {
		return err
	}
	r, err := p.hold(p.s.systemView())
	if err != nil {
		return err
	}
	p.elapsed(r, t)
	return p.tell(r)
}

// machine passes what the system does by itself: nothing is called or started in a rehearsal, and it counts as done.
func (p *play) machine(r *running, a flow.Activity, n *catalog.WorkflowNode) (bool, error) {
	d, known := p.take(a.Node, "")
	c := flow.Command{Do: flow.OpResume, At: p.now, Activity: a.ID}
	if known && d.Do == "fail" {
		c.Failed, c.Opinion = true, cmp.Or(d.Opinion, flow.StuckFailed)
	}
	if n.Node.Type == flow.Wait && !c.Failed {
		var due timer
		found := p.tx.System().Where("instance = ? AND subject = ? AND kind = ? AND done = ?", p.id, a.ID, string(flow.TimerWait), false).Limit(1).Find(&due)
		if found.Error != nil {
			return true, found.Error
		}
		if found.RowsAffected > 0 {
			return true, p.fire(due)
		}
	}
	p.automatic(a, n, c.Failed)
	return true, p.command(r, c)
}
