package flow

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
)

// RejectTargets are the nodes that the person of an item may send the instance back to, nearest first.
func (t *Template) RejectTargets(s *State, item int) (out []string) {
	i := s.Item(item)
	if i == nil {
		return nil
	}
	a := s.Activity(i.Activity)
	token, from := *s.Token(a.Token), t.at(a.Node)
	for _, id := range t.offered(s, token, from) {
		if t.reachable(s, token, from, id) == nil {
			out = append(out, id)
		}
	}
	return out
}

// offered are the nodes that a node's rule names, nearest first.
func (t *Template) offered(s *State, token Token, from *Node) (out []string) {
	targets := from.Reject.Targets
	if len(targets) == 0 {
		targets = []string{"start"}
	}
	add := func(id string) {
		if id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	for _, name := range targets {
		switch name {
		case "start":
			add(t.start.ID)
		case "previous":
			for _, id := range token.Last {
				add(s.Activity(id).Node)
			}
		case "any":
			nodes := slices.Clone(t.Nodes)
			slices.SortFunc(nodes, func(a, b *Node) int { return b.rank - a.rank })
			for _, n := range nodes {
				if n.decisive() && n != from {
					add(n.ID)
				}
			}
		default:
			add(name)
		}
	}
	return out
}

// reachable says why a token cannot be sent back to a node; nil = it can.
func (t *Template) reachable(s *State, token Token, from *Node, id string) error {
	n := t.Node(id)
	if n == nil || n == from || !n.decisive() || !t.before(n, from) {
		return fault.New(fault.RejectNoTarget)
	}
	a := s.passed(token, id)
	if a == nil {
		return fault.New(fault.RejectNoTarget)
	}
	if !within(token.Scope, a.Scope) {
		return fault.New(fault.RejectCrosses)
	}
	return nil
}

// passed is the activity of a node on the way that led a token where it is; nil when it has not been there this time.
func (s *State) passed(token Token, node string) *Activity {
	for _, id := range slices.Backward(token.Trail) {
		if a := s.Activity(id); a.Node == node {
			return a
		}
	}
	return nil
}

// target is where a token goes back to: the node that was asked for, or the first that the rule allows.
func (r *run) target(t Token, from *Node, asked string) (string, error) {
	var first error = fault.New(fault.RejectNoTarget)
	for _, id := range r.t.offered(r.s, t, from) {
		if asked != "" && id != asked {
			continue
		}
		err := r.t.reachable(r.s, t, from, id)
		if err == nil {
			return id, nil
		}
		if asked != "" {
			first = err
		}
	}
	return "", first
}

// reject is a person sending an instance back.
func (r *run) reject(item Item, n *Node) error {
	if item.Type == ItemAssist || !slices.Contains(n.Actions, OpReject) && r.c.Rule == "" {
		return fault.New(fault.RejectNoTarget)
	}
	a := *r.s.Activity(item.Activity)
	t := *r.s.Token(a.Token)
	asked := r.c.Node
	if asked == "start" {
		asked = r.t.start.ID
	}
	target, err := r.target(t, n, asked)
	if err != nil {
		return err
	}
	how := n.Reject.Resubmit
	if r.c.Resubmit != "" {
		how = r.c.Resubmit
	}
	if r.c.Resubmit == ToRejector && !r.t.direct(r.s, t, target) {
		return fault.New(fault.RejectNotDirect)
	}
	r.finish(item, Sent)
	r.cancel(a.ID, rejected)
	r.activity(a.ID, func(a *Activity) { a.State, a.Closed = ActivityFailed, r.c.At })
	return r.back(t, a, target, how, item)
}

// rejected is why items are canceled whose node somebody has sent back.
const rejected = "rejected"

// Direct reports whether what the person of an item sends back to a node can come back to them without passing the nodes between: not where
// that node lies before the branches of an open split, which all run again.
func (t *Template) Direct(s *State, item int, node string) bool {
	i := s.Item(item)
	return i != nil && t.direct(s, *s.Token(s.Activity(i.Activity).Token), node)
}

func (t *Template) direct(s *State, token Token, node string) bool {
	a := s.passed(token, node)
	return a != nil && a.Scope == token.Scope
}

// back puts a token on a node that it passed. Where that node lies outside of an open split, the whole split ends: every branch runs again
// afterwards, also for those who asked to get the instance back directly. of is what was rejected.
func (r *run) back(t Token, from Activity, target string, how Resubmit, of Item) error {
	before := *r.s.passed(t, target)
	n := r.t.at(target)
	seats := r.again(before.ID, n)
	id := t.ID
	if !r.t.direct(r.s, t, target) {
		r.leaveBranches(before.Scope, from.ID)
		id = r.newToken(target, before.Scope, Token{}).ID
		r.token(id, func(t *Token) { t.Back = from.ID })
		how = Rerun
	}
	r.token(id, func(t *Token) {
		t.Last, t.Trail, t.Fixed = before.Last, before.Trail, false
		t.Return, t.From = 0, ""
		if how == ToRejector {
			t.Return, t.From = from.ID, target
		}
	})
	if err := r.enter(id, target, EntryReject, seats); err != nil {
		return err
	}
	r.tellRejected(target, of)
	return nil
}

// leaveBranches ends the tokens of a scope because an activity sent the instance back out of it. What it takes to bring them back is kept, unless
// one of them is where nothing can be brought back: at work that people don't do, or stuck.
func (r *run) leaveBranches(scope string, by int) {
	var gone []Token
	whole := true
	for _, t := range r.s.Live() {
		if !within(t.Scope, scope) {
			continue
		}
		gone = append(gone, t)
		whole = whole && (t.ID == r.s.Activity(by).Token || t.State == TokenWaiting || t.Fault == "" && r.t.at(t.Node).decisive())
	}
	for _, t := range gone {
		if whole {
			r.token(t.ID, func(t *Token) { t.Back = by })
		}
		r.kill(t.ID, rejected)
	}
}

// tellRejected tells the initiator and those to whom an instance has come back that something was rejected.
func (r *run) tellRejected(target string, of Item) {
	initiator := r.s.Initiator
	for _, id := range r.s.itemsOf(r.s.latest(target).ID) {
		if item := *r.s.Item(id); item.Ready() && item.counts() {
			r.message(17, item, item.Person)
			if item.Person == r.s.Initiator {
				initiator = ""
			}
		}
	}
	r.message(17, of, initiator)
}

// revoke takes an instance back to its draft.
func (r *run) revoke() error {
	allowed := r.t.AllowRevoke
	touched := slices.ContainsFunc(r.s.Items, func(i Item) bool {
		return i.State == ItemDone && i.Rule == "" && i.Type != ItemCirculate && r.s.Activity(i.Activity).Node != r.t.start.ID
	})
	if r.c.By != r.s.Initiator || r.s.Status != Processing || allowed == RevokeNever || allowed != RevokeAnytime && touched || !slices.Contains(r.t.start.Actions, OpRevoke) {
		return fault.New(fault.WithdrawRefused)
	}
	r.stop("revoked")
	r.emit(Event{Kind: Logged, Operation: OpRevoke, Text: r.c.Opinion})
	r.status(Draft, "")
	return nil
}

// void ends an instance for good.
func (r *run) void() error {
	if r.s.Status != Processing && r.s.Status != Exception || r.c.By != r.s.Initiator && !r.c.Admin {
		return fault.New(fault.VoidRefused)
	}
	r.stop("voided")
	r.emit(Event{Kind: Logged, Operation: OpVoid, Text: r.c.Opinion})
	r.status(Canceled, Void)
	r.emit(Event{Kind: Finishing, Status: Canceled, Result: Void})
	r.message(104, Item{}, r.s.Initiator)
	r.message(3, Item{}, r.followers()...)
	return nil
}

// stop ends every token.
func (r *run) stop(reason string) {
	for _, t := range r.s.Live() {
		r.kill(t.ID, reason)
	}
}

// meant is the token that an administrator's command is about: that of the activity it names, else the one that is stuck; a copy.
func (r *run) meant() *Token {
	if a := r.s.Activity(r.c.Activity); a != nil {
		if a.State != ActivityActive {
			return nil
		}
		t := *r.s.Token(a.Token)
		return &t
	}
	for _, t := range r.s.Live() {
		if t.Fault != "" {
			return &t
		}
	}
	return nil
}

// retry tries again what an instance is stuck on: the node is entered again, unless somebody still works on it.
func (r *run) retry() error {
	t := r.meant()
	if !r.c.Admin || t == nil || t.Fault == "" {
		return fault.New(fault.JumpRefused)
	}
	r.emit(Event{Kind: Logged, Operation: OpRetry, Node: t.Node, Text: r.c.Opinion})
	r.token(t.ID, func(t *Token) { t.Fault = "" })
	a := r.s.current(t.ID)
	if a != nil && slices.ContainsFunc(r.s.Items, func(i Item) bool { return i.Activity == a.ID && i.Open() && i.counts() }) {
		return r.turn(a.ID)
	}
	if a != nil {
		r.close(*a, "retried")
	}
	return r.enter(t.ID, t.Node, EntryJump, nil)
}
