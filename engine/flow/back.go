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
	token, from := *s.Token(a.Token), t.Node(a.Node)
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
	a := s.latest(id)
	if a == nil || a.State != ActivityPassed && a.State != ActivityFailed {
		return fault.New(fault.RejectNoTarget)
	}
	if !within(token.Scope, a.Scope) {
		return fault.New(fault.RejectCrosses)
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
	r.finish(item, Sent)
	r.cancel(a.ID, "rejected")
	r.activity(a.ID, func(a *Activity) { a.State, a.Closed = ActivityFailed, r.c.At })
	r.message(17, item, r.s.Initiator)
	return r.back(t, a, target, how)
}

// back puts a token on a node that it passed. Where that node lies outside of an open split, the whole split ends: every branch runs again
// afterwards, also for those who asked to get the instance back directly.
func (r *run) back(t Token, from Activity, target string, how Resubmit) error {
	before := *r.s.latest(target)
	n := r.t.Node(target)
	seats := r.again(before.ID, n)
	id := t.ID
	if before.Scope != t.Scope {
		for _, other := range r.s.Live() {
			if within(other.Scope, before.Scope) {
				r.kill(other.ID, "rejected")
			}
		}
		id = r.newToken(target, before.Scope, Token{}).ID
		how = Rerun
	}
	r.token(id, func(t *Token) {
		t.Last, t.Trail, t.Fixed = before.Last, before.Trail, false
		t.Return, t.From = 0, ""
		if how == ToRejector {
			t.Return, t.From = from.ID, target
		}
	})
	return r.enter(id, target, EntryReject, seats)
}

// revoke takes an instance back to its draft.
func (r *run) revoke() error {
	allowed := r.t.AllowRevoke
	touched := slices.ContainsFunc(r.s.Items, func(i Item) bool {
		return i.State == ItemDone && i.Rule == "" && i.Type != ItemCirculate && r.s.Activity(i.Activity).Node != r.t.start.ID
	})
	if r.c.By != r.s.Initiator || r.s.Status != Processing || allowed == RevokeNever || allowed != RevokeAnytime && touched {
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

// withdraw takes back what a person decided, as long as nobody went on from it.
func (r *run) withdraw() error {
	refused := fault.New(fault.WithdrawRefused)
	item := r.s.Item(r.c.Item)
	if item == nil || item.Person != r.c.By || item.Activity == 0 {
		return fault.New(fault.ItemNotYours)
	}
	a := *r.s.Activity(item.Activity)
	n := r.t.Node(a.Node)
	switch {
	case n == nil, !slices.Contains(n.Actions, OpWithdraw): // nil = of an older version
		return refused
	case item.State != ItemDone || item.Rule != "" || item.Verdict == Sent || !item.counts() || n.Type == Start,
		r.s.Status != Processing && r.s.Status != Exception, r.later(*item):
		return refused
	case a.State == ActivityActive && r.takesPart(a.ID, item.Person): // somebody gave them another one since
		return refused
	case a.State == ActivityActive:
		r.log(*item, "")
		r.reopen(*item, a.ID)
		return nil
	case a.State != ActivityPassed || a.ID != r.s.latest(a.Node).ID:
		return refused
	}
	var next []Token
	for _, t := range r.s.Live() {
		if slices.Contains(t.Last, a.ID) {
			if t.Fixed || len(t.Last) > 1 {
				return refused
			}
			next = append(next, t)
		} else if within(t.Scope, a.Scope) { // an administrator began it
			return refused
		}
	}
	if len(next) == 0 {
		return refused
	}
	for _, one := range r.s.Activities {
		if slices.Contains(one.Last, a.ID) && !r.untouched(one, n.Strict) {
			return refused
		}
	}
	for _, t := range r.s.Tokens { // a branch that ended was passed by somebody, or led to an END
		if !within(t.Scope, a.Scope) || t.Live() || !slices.Contains(t.Last, a.ID) || t.ID == a.Token {
			continue
		}
		if t.State == TokenDone && !r.wasSplit(t) {
			return refused
		}
	}
	r.log(*item, "")
	for _, t := range next {
		r.kill(t.ID, "withdrawn")
	}
	token := r.newToken(a.Node, a.Scope, Token{Last: a.Last, Trail: a.Trail})
	fresh := r.newRound(token, EntryWithdraw, a.Live)
	var copies []Item
	now := map[int]int{} // who asked for whom stays, in the new numbers
	for _, id := range r.s.itemsOf(a.ID) {
		old := *r.s.Item(id)
		if !old.counts() && old.Reason != decided || old.Type == ItemAssist || old.Type == ItemCirculate || id != item.ID && old.State == ItemCancelled && old.Person == item.Person {
			continue
		}
		copied := old
		copied.Activity = fresh.ID
		if id == item.ID || old.State == ItemCancelled {
			copied.State, copied.Verdict, copied.Opinion, copied.Reason, copied.IsRead = ItemWait, "", "", "", false
		}
		copies = append(copies, copied)
		now[id] = len(r.s.Items) + len(copies)
	}
	for _, copied := range copies {
		copied.Parent = now[copied.Parent]
		r.newItem(copied)
	}
	r.turn(fresh.ID)
	return nil
}

// wasSplit reports whether a token ended by becoming the branches of a split.
func (r *run) wasSplit(t Token) bool { n := r.t.Node(t.Node); return n != nil && n.Type == Split }

// later reports whether somebody after a person in the order has decided already.
func (r *run) later(item Item) bool {
	n := r.t.Node(r.s.Activity(item.Activity).Node)
	return slices.ContainsFunc(r.s.Items, func(i Item) bool {
		return i.Activity == item.Activity && i.ID != item.ID && i.State == ItemDone && i.Rule == "" &&
			(n.sequential() && i.Seq > item.Seq || i.Parent == item.ID || item.Placing == Before && i.ID == item.Parent)
	})
}

// untouched reports whether nobody has done anything in an activity yet.
func (r *run) untouched(a Activity, strict bool) bool {
	n := r.t.Node(a.Node)
	if n == nil || !n.decisive() && n.Type != Circulate {
		return false
	}
	return !slices.ContainsFunc(r.s.Items, func(i Item) bool {
		return i.Activity == a.ID && i.Type != ItemCirculate && (i.State == ItemDone || strict && i.IsRead)
	})
}

// reopen gives a person their decision back while the activity still runs.
func (r *run) reopen(item Item, activity int) {
	r.item(item.ID, func(i *Item) { i.State, i.Reason = ItemCancelled, "withdrawn" })
	n := r.t.Node(r.s.Activity(activity).Node)
	if n.sequential() {
		for _, id := range r.s.itemsOf(activity) {
			if next := *r.s.Item(id); next.Seq > item.Seq && next.Ready() {
				r.item(id, func(i *Item) { i.State = ItemWait })
			}
		}
	}
	if asked := r.s.Item(item.Parent); asked != nil && item.Placing == Before && asked.Ready() { // who asked waits again
		r.item(asked.ID, func(i *Item) { i.State = ItemWait })
	}
	if n.Mode == Claim && item.pooled() { // who took it from the pool by deciding puts it back
		r.refill(activity, decided, nil)
	}
	item.State, item.Verdict, item.Opinion, item.IsRead = ItemWait, "", "", false
	r.newItem(item)
	r.turn(activity)
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
		return nil
	}
	if a != nil {
		r.close(*a, "retried")
	}
	return r.enter(t.ID, t.Node, EntryJump, nil)
}
