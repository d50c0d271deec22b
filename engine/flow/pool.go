package flow

import (
	"errors"
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
)

// OpFollow gives an unclaimed pool the people whom its node names now. A rule asks for it; nobody does by hand.
const OpFollow Operation = "follow"

// unnamed is why an item of a live pool is canceled: its node no longer names the person.
const unnamed = "unnamed"

// live reports whether the people of a node follow those whom it names, until one of them claims the task.
func (n *Node) live() bool { return n.Live && n.Mode == Claim }

// Follows reports whether an activity is a live pool that nobody has claimed or decided.
func (t *Template) Follows(s *State, activity int) bool {
	a := s.Activity(activity)
	if a == nil || !a.Live || a.State != ActivityActive {
		return false
	}
	if n := t.Node(a.Node); n == nil || !n.live() || n.Lost {
		return false
	}
	return !slices.ContainsFunc(s.Items, func(i Item) bool {
		return i.Activity == activity && i.pooled() && (i.Claimed || i.State == ItemDone || i.State == ItemCancelled && (i.Reason == claimed || i.Reason == decided))
	})
}

// seat is the person whom a node named for an item: not who acts as their delegate.
func (i Item) seat() string {
	if i.From != "" {
		return i.From
	}
	return i.Person
}

// follow cancels the items of those whom the node of a pool no longer names, and gives items to those whom it names since. What people did by
// hand stays: who got a share from somebody keeps it, and who gave theirs away or was taken out gets no other one in this round.
func (r *run) follow() error {
	if r.c.Rule == "" || !r.t.Follows(r.s, r.c.Activity) || r.s.Status != Processing && r.s.Status != Exception {
		return fault.New(fault.ItemFinished)
	}
	a := *r.s.Activity(r.c.Activity)
	n := r.t.Node(a.Node)
	seats, err := r.people(n)
	if err != nil {
		return err
	}
	byHand, last := false, 0
	for _, id := range r.s.itemsOf(a.ID) {
		item := r.s.Item(id)
		last = max(last, item.Seq)
		switch {
		case !item.pooled():
		case item.Open() && !item.Named:
			byHand = true
		case item.State == ItemTransferred, item.State == ItemCancelled && item.Reason == "adjusted":
			seats = slices.DeleteFunc(seats, func(s Seat) bool { return s.Person == item.seat() })
		}
	}
	pass := false
	if len(seats) == 0 && !byHand {
		if seats, pass, err = r.instead(n); err != nil {
			return err
		}
	}
	gone := r.unname(a.ID, seats)
	if pass {
		r.followed(n, nil, gone)
		return r.passByItself(a.ID, RuleAutoPass)
	}
	added := r.name(a.ID, seats, last)
	if len(seats) > 0 && !r.shared(a.ID) { // all of them are signers whom somebody asked who is gone: now it is their own
		for _, id := range r.s.itemsOf(a.ID) {
			if item := *r.s.Item(id); item.Open() && item.counts() {
				r.drop(item)
			}
		}
		added = r.name(a.ID, seats, last)
	}
	if len(gone) > 0 || len(added) > 0 {
		r.followed(n, added, gone)
	}
	switch t := r.s.Token(a.Token); {
	case len(seats) == 0 && !byHand && t.Fault == "":
		r.assigned(n, "")
		r.stuck(t.ID, StuckNobody)
	case len(added) > 0 && t.Fault == StuckNobody:
		r.token(t.ID, func(t *Token) { t.Fault = "" })
	}
	return r.turn(a.ID)
}

// followed writes down who came to a pool, and who is no longer in it.
func (r *run) followed(n *Node, added, gone []string) {
	r.emit(Event{Kind: Logged, Operation: OpFollow, Node: n.ID, To: added, Gone: gone})
}

// shared reports whether somebody has an open share in a pool.
func (r *run) shared(activity int) bool {
	return slices.ContainsFunc(r.s.Items, func(i Item) bool { return i.Activity == activity && i.Open() && i.pooled() })
}

// drop cancels an item with what its person asked of others.
func (r *run) drop(item Item) {
	r.item(item.ID, func(i *Item) { i.State, i.Reason, i.Finished = ItemCancelled, unnamed, r.c.At })
	r.message(14, item, item.Person)
	for _, id := range r.s.itemsOf(item.Activity) {
		if asked := *r.s.Item(id); asked.Parent == item.ID && asked.Open() && asked.Type != ItemCirculate {
			r.drop(asked)
		}
	}
}

// unname cancels the items of those who have no seat any more.
func (r *run) unname(activity int, seats []Seat) (gone []string) {
	for _, id := range r.s.itemsOf(activity) {
		item := *r.s.Item(id)
		if item.Named && item.pooled() && item.Open() && !slices.ContainsFunc(seats, func(s Seat) bool { return s.Person == item.seat() }) {
			r.drop(item)
			gone = append(gone, item.Person)
		}
	}
	return gone
}

// name gives items to those who have a seat and no share yet.
func (r *run) name(activity int, seats []Seat, last int) (added []string) {
	for _, seat := range seats {
		has := slices.ContainsFunc(r.s.Items, func(i Item) bool { return i.Activity == activity && i.Open() && i.counts() && i.seat() == seat.Person })
		if has || r.takesPart(activity, seat.Person) {
			continue
		}
		last++
		item := Item{Activity: activity, Type: ItemNormal, State: ItemWait, Person: seat.Person, Seq: last, Weight: max(seat.Weight, 1), Named: true}
		r.standApart(&item, seats)
		if !r.takesPart(activity, item.Person) {
			added = append(added, r.newItem(item).Person)
		}
	}
	return added
}

// stays returns those whom the node of a live pool names now; nil where that makes no difference or cannot be told.
func (r *run) stays(activity int) (map[string]bool, error) {
	a := r.s.Activity(activity)
	if !a.Live {
		return nil, nil
	}
	seats, err := r.people(r.t.at(a.Node))
	var refused *fault.Error
	if len(seats) == 0 || errors.As(err, &refused) {
		return nil, nil
	}
	out := map[string]bool{}
	for _, s := range seats {
		out[s.Person] = true
	}
	return out, err
}
