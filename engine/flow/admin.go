package flow

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
)

// AdminActions are the commands of administrators that a node admits now: jump (to it), activate, cancelActivity and adjust.
func (t *Template) AdminActions(s *State, node string) (out []Operation) {
	n := t.Node(node)
	if n == nil || s.Status != Processing && s.Status != Exception {
		return nil
	}
	if slices.ContainsFunc(s.Live(), func(from Token) bool { return from.State == TokenActive && t.jumps(s, from, n) }) {
		out = append(out, OpJump)
	}
	if _, ok := t.activates(s, n); ok {
		out = append(out, OpActivate)
	}
	if s.on(node) != nil && len(s.Live()) > 1 {
		out = append(out, OpCancel)
	}
	if n.decisive() && slices.ContainsFunc(s.Activities, func(a Activity) bool { return a.Node == node && a.State == ActivityActive }) {
		out = append(out, OpAdjust)
	}
	return out
}

// on is the token that works on a node; nil when there is none. Tokens that wait at a join do not.
func (s *State) on(node string) *Token {
	for _, t := range s.Live() {
		if t.Node == node && t.State == TokenActive {
			return &t
		}
	}
	return nil
}

// jumps reports whether a token can move to a node: every other token has to be in another branch of the splits around the node.
func (t *Template) jumps(s *State, from Token, n *Node) bool {
	if n.Type == Join || n.Type == Start {
		return false
	}
	scope := n.scope()
	return !slices.ContainsFunc(s.Live(), func(o Token) bool {
		return o.ID != from.ID && !apart(o.Scope, scope)
	})
}

// jump moves a token to any node. Into a split that is closed it goes alone: the join expects one branch.
func (r *run) jump() error {
	n := r.t.Node(r.c.Node)
	if !r.c.Admin || n == nil {
		return fault.New(fault.JumpRefused)
	}
	old := r.mover(n)
	if old == nil || !r.t.jumps(r.s, *old, n) {
		return fault.New(fault.JumpRefused)
	}
	r.kill(old.ID, "jumped")
	r.emit(Event{Kind: Logged, Operation: OpJump, Node: n.ID, Text: r.c.Opinion})
	next := r.newToken(n.ID, n.scope(), Token{Last: old.Last, Trail: old.Trail, Fixed: true})
	r.message(4, Item{}, append([]string{r.s.Initiator}, r.followers()...)...)
	if err := r.enter(next.ID, n.ID, EntryJump, nil); err != nil {
		return err
	}
	return r.rejoin(old.Scope)
}

// mover is the token that a jump moves: that of the activity it names, else the one that is stuck, else the only one that can go there.
func (r *run) mover(n *Node) (only *Token) {
	if r.c.Activity != 0 {
		return r.meant()
	}
	if stuck := r.meant(); stuck != nil {
		return stuck
	}
	for _, t := range r.s.Live() {
		if t.State == TokenActive && r.t.jumps(r.s, t, n) {
			if only != nil {
				return nil
			}
			only = &t
		}
	}
	return only
}

// activates reports whether a node can start beside what runs, and the token that goes back for it: one that waits at the join behind the
// node. The branch of the node must not be worked in, and nothing may be worked on around it.
func (t *Template) activates(s *State, n *Node) (back *Token, ok bool) {
	if n.Type == Join || n.Type == Start || n.Type == End || s.Status != Processing && s.Status != Exception {
		return nil, false
	}
	scope := n.scope()
	for _, o := range s.Live() {
		switch {
		case apart(o.Scope, scope):
		case o.State == TokenWaiting && within(scope, o.Scope):
			back = &o
		default:
			return nil, false
		}
	}
	return back, true
}

// activate starts a node in a branch where nobody works: one that waits for the others, was ended, or was not taken. Scopes of splits that are
// closed inside the branch open again for it, as with a jump.
func (r *run) activate() error {
	n := r.t.Node(r.c.Node)
	if !r.c.Admin || n == nil {
		return fault.New(fault.ActivateRefused)
	}
	back, ok := r.t.activates(r.s, n)
	if !ok {
		return fault.New(fault.ActivateRefused)
	}
	like := Token{Fixed: true}
	if back != nil {
		like.Last, like.Trail = back.Last, back.Trail
		r.kill(back.ID, "activated")
	} else {
		like.Last, like.Trail = r.intoBranch(n)
	}
	r.emit(Event{Kind: Logged, Operation: OpActivate, Node: n.ID, Text: r.c.Opinion})
	next := r.newToken(n.ID, n.scope(), like)
	r.message(4, Item{}, append([]string{r.s.Initiator}, r.followers()...)...)
	return r.enter(next.ID, n.ID, EntryJump, nil)
}

// intoBranch is what was passed on the way to a node of a branch where nobody works: as the node had it in this pass, else what lies before the
// split, as the other branches have it.
func (r *run) intoBranch(n *Node) (last, trail []int) {
	scope := n.scope()
	for _, t := range r.s.Live() {
		for _, id := range t.Trail {
			if within(scope, r.s.Activity(id).Scope) {
				trail = union(trail, []int{id})
			}
		}
	}
	before := r.s.latest(n.ID)
	if before == nil || slices.ContainsFunc(trail, func(id int) bool { return !slices.Contains(before.Trail, id) }) {
		return nil, trail
	}
	return before.Last, before.Trail
}

// cancelBranch ends what is open at a node, and its branch with it. The only branch stays: it can be moved, or the instance voided.
func (r *run) cancelBranch() error {
	t := r.s.on(r.c.Node)
	if !r.c.Admin || t == nil || len(r.s.Live()) < 2 {
		return fault.New(fault.CancelRefused)
	}
	r.emit(Event{Kind: Logged, Operation: OpCancel, Node: t.Node, Text: r.c.Opinion})
	r.kill(t.ID, "canceled")
	return r.rejoin(t.Scope)
}

// handOver gives what is open for a person to another: everything, or the item of the command. Copies stay. A draft changes its initiator.
func (r *run) handOver() error {
	if !r.c.Admin || len(r.c.Remove) != 1 || len(r.c.People) != 1 || r.c.People[0] == r.c.Remove[0] || !r.able(r.c.People[0]) {
		return fault.New(fault.AdjustRefused)
	}
	from, to := r.c.Remove[0], r.c.People[0]
	if r.s.Status == Draft && r.s.Initiator == from && r.c.Item == 0 {
		r.emit(Event{Kind: Logged, Operation: OpHandOver, To: r.c.People, Text: r.c.Opinion})
		r.emit(Event{Kind: InstanceIs, Status: Draft, To: r.c.People})
		return nil
	}
	found := r.succeeds(from)
	var activities []int
	for id := 1; id <= len(r.s.Items); id++ {
		item := *r.s.Item(id)
		if !item.Open() || item.Type == ItemCirculate || item.Person != from || r.c.Item != 0 && id != r.c.Item {
			continue
		}
		r.replace(item, to)
		activities = append(activities, item.Activity)
	}
	if len(activities) == 0 && !found {
		return fault.New(fault.AdjustRefused)
	}
	for _, activity := range slices.Compact(activities) {
		if r.s.Activity(activity).State != ActivityActive {
			continue
		}
		if err := r.turn(activity); err != nil {
			return err
		}
		if err := r.judge(activity); err != nil {
			return err
		}
	}
	return nil
}

// succeeds makes who gets all that is open for an initiator who has left the initiator; it reports whether it does.
func (r *run) succeeds(from string) bool {
	if r.s.Initiator != from || r.c.Item != 0 || r.able(from) || r.s.Status != Processing && r.s.Status != Exception {
		return false
	}
	r.emit(Event{Kind: Logged, Operation: OpHandOver, To: r.c.People, Text: r.c.Opinion})
	r.emit(Event{Kind: InstanceIs, Status: r.s.Status, Result: r.s.Result, To: r.c.People})
	return true
}

// replace gives an open item to somebody else. Somebody who takes part already has one item less.
func (r *run) replace(item Item, to string) {
	r.emit(Event{Kind: Logged, Operation: OpHandOver, On: item.ID, Node: r.s.Activity(item.Activity).Node, To: []string{to}, Text: r.c.Opinion})
	if r.has(item, to) {
		r.item(item.ID, func(i *Item) { i.State, i.Reason, i.Finished = ItemCancelled, "adjusted", r.c.At })
		r.message(14, item, item.Person)
		return
	}
	r.move(item, to)
}

// move gives an open item to somebody else, with its weight, its turn and the people who work for it.
func (r *run) move(item Item, to string) {
	n := r.node(item)
	r.item(item.ID, func(i *Item) { i.State, i.Finished = ItemTransferred, r.c.At })
	r.message(14, item, item.Person)
	next := item
	next.Person, next.Original, next.IsRead, next.Urged, next.Opinion, next.Named = to, item.Person, false, 0, "", false
	if next.From == to { // it is back with whom it is for
		next.From = ""
	}
	if next.Type == ItemNormal {
		next.Type = ItemForward
	}
	if next.State != ItemWait || next.Type == ItemAssist {
		next.State = ItemTodo
	}
	next = r.newItem(next)
	for _, id := range r.s.itemsOf(item.Activity) {
		if child := r.s.Item(id); child.Parent == item.ID {
			r.item(id, func(i *Item) { i.Parent = next.ID })
		}
	}
	if next.State == ItemTodo {
		r.ready(next.ID, n)
	}
}

// has reports whether a person has the work of an item already: another that counts in its activity, or the same advice to give, or it is
// they who asked for the advice.
func (r *run) has(item Item, person string) bool {
	if item.Type != ItemAssist {
		return r.takesPart(item.Activity, person)
	}
	if asked := r.s.Item(item.Parent); asked != nil && asked.Person == person {
		return true
	}
	return slices.ContainsFunc(r.s.Items, func(i Item) bool {
		return i.Activity == item.Activity && i.Type == ItemAssist && i.Person == person && i.Open()
	})
}
