package flow

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
)

// depth is how often added signers may add signers.
const depth = 3

func (r *run) read(item Item) {
	r.item(item.ID, func(i *Item) { i.State, i.Verdict, i.IsRead, i.Finished = ItemDone, Read, true, r.c.At })
}

// claim takes an item out of the pool: it is the person's alone.
func (r *run) claim(item Item, n *Node) error {
	if n.Mode != Claim || !item.counts() || !item.pooled() {
		return fault.New(fault.BadParameter, string(OpClaim))
	}
	r.take(item, claimed)
	r.item(item.ID, func(i *Item) { i.State, i.Claimed = ItemDoing, true })
	r.log(item, "")
	return nil
}

// take ends the others' share in a pool. Signers that somebody added stay.
func (r *run) take(item Item, reason string) {
	for _, id := range r.s.itemsOf(item.Activity) {
		if other := *r.s.Item(id); id != item.ID && other.Open() && other.pooled() {
			r.item(id, func(i *Item) { i.State, i.Reason, i.Finished = ItemCancelled, reason, r.c.At })
			r.message(14, other, other.Person)
		}
	}
}

// transfer gives an item to somebody else, with its weight and its turn.
func (r *run) transfer(item Item, n *Node) error {
	if len(r.c.People) != 1 || item.Type == ItemAssist || !slices.Contains(n.Actions, OpTransfer) && r.c.Rule == "" {
		return fault.New(fault.TransferRefused)
	}
	to := r.c.People[0]
	if to == item.Person {
		return fault.New(fault.TransferToSelf)
	}
	if !r.able(to) || r.takesPart(item.Activity, to) {
		return fault.New(fault.TransferRefused)
	}
	r.item(item.ID, func(i *Item) { i.State, i.Opinion, i.Finished = ItemTransferred, r.c.Opinion, r.c.At })
	r.log(item, r.c.Opinion)
	next := item
	next.Type, next.State, next.Person, next.Original, next.From = ItemForward, ItemWait, to, item.Person, ""
	next.IsRead, next.Urged, next.Named = false, 0, false
	r.stand(&next)
	next = r.newItem(next)
	for _, id := range r.s.itemsOf(item.Activity) { // signers and assistants work for the new person
		if child := r.s.Item(id); child.Parent == item.ID && child.ID != next.ID {
			r.item(id, func(i *Item) { i.Parent = next.ID })
		}
	}
	if r.c.Rule != "" { // a time limit that is over does not begin anew: its next steps follow
		r.receive(next.ID)
		return nil
	}
	r.ready(next.ID, n)
	return nil
}

// MayAddSign reports whether the person of an item may ask more people to decide: who was asked so only where the node lets them, and not endlessly.
func (t *Template) MayAddSign(s *State, item int) bool {
	i := s.Item(item)
	return i != nil && i.Type != ItemAssist && i.Depth < depth && (i.Depth == 0 || t.at(s.Activity(i.Activity).Node).Resign)
}

// addSign asks more people to decide: before the person, after them, or beside them.
func (r *run) addSign(item Item, n *Node) error {
	switch {
	case !slices.Contains(n.Actions, OpAddSign), !r.t.MayAddSign(r.s, item.ID), len(r.c.People) == 0:
		return fault.New(fault.AddSignRefused)
	case slices.Contains(r.c.People, item.Person):
		return fault.New(fault.AddSelf)
	}
	for i, p := range r.c.People {
		if !r.able(p) || slices.Contains(r.c.People[:i], p) || r.takesPart(item.Activity, p) {
			return fault.New(fault.AddSignRefused)
		}
	}
	placing := r.c.Placing
	if n.sequential() && placing == Parallel {
		placing = After // one at a time
	}
	add := Item{Activity: item.Activity, Type: ItemAdd, State: ItemWait, Seq: item.Seq, Weight: 1, Parent: item.ID, Placing: placing, Depth: item.Depth + 1}
	if n.sequential() {
		r.shift(item, len(r.c.People), placing)
	}
	for k, p := range r.c.People {
		one := add
		one.Person = p
		if n.sequential() {
			one.Seq = item.Seq + k
			if placing == After {
				one.Seq++
			}
		}
		r.stand(&one)
		if !r.takesPart(item.Activity, one.Person) { // a delegate may be among them
			r.newItem(one)
		}
	}
	switch placing {
	case Before:
		r.item(item.ID, func(i *Item) { i.State, i.Opinion = ItemWait, r.c.Opinion })
		r.log(item, r.c.Opinion)
	case After:
		r.finish(item, Agree)
	default:
		r.log(item, r.c.Opinion)
	}
	return r.turn(item.Activity)
}

// shift makes room in the order of a sequence.
func (r *run) shift(item Item, by int, placing Placing) {
	for _, id := range r.s.itemsOf(item.Activity) {
		if other := r.s.Item(id); other.Seq > item.Seq || placing == Before && other.ID == item.ID {
			r.item(id, func(i *Item) { i.Seq += by })
		}
	}
}

// assist asks for opinions that are not counted.
func (r *run) assist(item Item, n *Node) error {
	if slices.Contains(r.c.People, item.Person) || len(r.c.People) == 0 || !slices.Contains(n.Actions, OpAssist) {
		return fault.New(fault.AssistSelf)
	}
	if !r.allAble(r.c.People) {
		return fault.New(fault.BadParameter, "people")
	}
	asked := func(i Item) bool {
		return i.Activity == item.Activity && i.Type == ItemAssist && i.Open() && slices.Contains(r.c.People, i.Person)
	}
	if slices.ContainsFunc(r.s.Items, asked) {
		return fault.New(fault.BadParameter, "people") // they have not answered yet
	}
	for _, p := range r.c.People {
		one := r.newItem(Item{Activity: item.Activity, Type: ItemAssist, State: ItemTodo, Person: p, Parent: item.ID, Received: r.c.At})
		r.message(101, one, p)
	}
	r.log(item, r.c.Opinion)
	return nil
}

// circulate shows the instance to readers.
func (r *run) circulate(item Item, n *Node) error {
	if len(r.c.People) == 0 || !slices.Contains(n.Actions, OpCirculate) || !r.allAble(r.c.People) {
		return fault.New(fault.BadParameter, string(OpCirculate))
	}
	for _, p := range r.c.People {
		r.copyTo(item.Activity, p, item.ID)
	}
	r.log(item, r.c.Opinion)
	return nil
}

// urge reminds everybody whom the instance waits for. It is a button of the initiator where the start has it, and of those who handled a node
// that has it.
func (r *run) urge() error {
	may := func(n *Node) bool { return n != nil && slices.Contains(n.Actions, OpUrge) }
	part := r.c.By == r.s.Initiator && may(r.t.start) || slices.ContainsFunc(r.s.Items, func(i Item) bool {
		return i.Person == r.c.By && i.State == ItemDone && i.Type != ItemCirculate && may(r.node(i))
	})
	if !part || r.s.Status != Processing {
		return fault.New(fault.UrgeRefused)
	}
	var urged []Item
	var people []string
	for _, item := range r.s.Items {
		if item.Ready() && item.Type != ItemCirculate && item.Person != r.c.By {
			if urged = append(urged, item); !slices.Contains(people, item.Person) {
				people = append(people, item.Person)
			}
		}
	}
	r.emit(Event{Kind: Logged, Operation: OpUrge, To: people, Text: r.c.Opinion})
	for _, item := range urged {
		r.item(item.ID, func(i *Item) { i.Urged++ })
		r.message(107, item, item.Person)
	}
	return nil
}

// remind is a time limit that tells somebody, or the people of the command, of a task.
func (r *run) remind() error {
	i := r.s.Item(r.c.Item)
	if i == nil || r.c.Rule == "" || !i.Ready() {
		return fault.New(fault.ItemFinished)
	}
	item, to := *i, r.c.People
	if len(to) == 0 {
		to = []string{item.Person}
	}
	on := item
	if !slices.Contains(to, item.Person) { // the task is not theirs
		on = Item{Activity: item.Activity}
	}
	r.emit(Event{Kind: Logged, Operation: OpRemind, On: item.ID, Node: r.place(item), To: to})
	r.message(r.c.Message, on, to...)
	return nil
}

// Adjustable are the nodes whose people somebody can change because they handled the node before, which has the action adjust.
func (t *Template) Adjustable(s *State, person string) (out []string) {
	for _, a := range s.Activities {
		if a.State == ActivityActive && t.adjusts(s, person, a) {
			out = append(out, a.Node)
		}
	}
	return out
}

// adjusts reports whether a person handled the node directly before an open activity and may change its people.
func (t *Template) adjusts(s *State, person string, a Activity) bool {
	n := t.Node(a.Node)
	if person == "" || n == nil || !n.decisive() || n.Type == Start || s.Status != Processing && s.Status != Exception {
		return false
	}
	return slices.ContainsFunc(s.Items, func(i Item) bool {
		if i.Person != person || i.State != ItemDone || i.Rule != "" || !i.counts() || !slices.Contains(a.Last, i.Activity) {
			return false
		}
		before := t.Node(s.Activity(i.Activity).Node)
		return before != nil && slices.Contains(before.Actions, OpAdjust)
	})
}

// adjust changes who takes part in an open activity: by an administrator, or by who handled the node before, though not for themselves.
func (r *run) adjust() error {
	a := r.s.Activity(r.c.Activity)
	if a == nil || a.State != ActivityActive || !r.t.at(a.Node).decisive() || !r.c.Admin && !r.t.adjusts(r.s, r.c.By, *a) {
		return fault.New(fault.AdjustRefused)
	}
	if !r.c.Admin && slices.Contains(r.c.People, r.c.By) {
		return fault.New(fault.AdjustToSelf)
	}
	if !r.allAble(r.c.People) {
		return fault.New(fault.AdjustRefused)
	}
	activity, n := a.ID, r.t.Node(a.Node)
	left, last := 0, 0
	for _, id := range r.s.itemsOf(activity) {
		item := r.s.Item(id)
		last = max(last, item.Seq)
		if item.counts() && item.Open() && !slices.Contains(r.c.Remove, item.Person) {
			left++
		}
	}
	var added []string
	for _, p := range r.c.People {
		if p != "" && !slices.Contains(added, p) && (!r.takesPart(activity, p) || slices.Contains(r.c.Remove, p)) {
			added = append(added, p)
		}
	}
	if left+len(added) == 0 {
		return fault.New(fault.AdjustRefused)
	}
	for _, id := range r.s.itemsOf(activity) {
		if item := *r.s.Item(id); item.counts() && item.Open() && slices.Contains(r.c.Remove, item.Person) {
			r.item(id, func(i *Item) { i.State, i.Reason, i.Finished = ItemCancelled, "adjusted", r.c.At })
			r.message(14, item, item.Person)
		}
	}
	for k, p := range added {
		item := Item{Activity: activity, Type: ItemNormal, State: ItemWait, Person: p, Seq: last + k + 1, Weight: 1}
		r.stand(&item)
		if !r.takesPart(activity, item.Person) { // a delegate may be among them
			r.newItem(item)
		}
	}
	r.emit(Event{Kind: Logged, Operation: OpAdjust, Node: n.ID, To: added, Text: r.c.Opinion})
	r.token(r.s.Activity(activity).Token, func(t *Token) { t.Fault = "" })
	if err := r.turn(activity); err != nil {
		return err
	}
	return r.judge(activity)
}
