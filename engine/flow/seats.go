package flow

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
)

// people asks who takes part in a node: everybody once, and not more than it takes.
func (r *run) people(n *Node) ([]Seat, error) {
	if n.Broken != nil {
		return nil, n.Broken
	}
	found, err := r.named(n)
	if err != nil {
		return nil, err
	}
	var seats []Seat
	seen := make(map[string]bool, len(found))
	for _, seat := range found {
		if !seen[seat.Person] && r.able(seat.Person) {
			seen[seat.Person] = true
			seats = append(seats, seat)
		}
	}
	limit := n.Most
	if limit == 0 {
		limit = most
	}
	if len(seats) > limit {
		return nil, fault.New(fault.TooManyParticipants, limit)
	}
	return seats, nil
}

// named are those whom a node names; the START names the initiator.
func (r *run) named(n *Node) ([]Seat, error) {
	if n.Type == Start {
		return []Seat{{Person: r.s.Initiator}}, nil
	}
	return r.f.People(n, r.s)
}

// nobody applies the policy for a node without participants; pass means that it goes on without anybody.
func (r *run) nobody(n *Node) (seats []Seat, pass bool) {
	policy := n.Empty
	if policy.Action == "" {
		policy = r.t.Empty
	}
	var people []string
	switch policy.Action {
	case EmptyAutoPass:
		return nil, true
	case EmptyToUser:
		people = []string{policy.User}
	case EmptyToSuperior:
		people = []string{r.f.Superior(r.s.Initiator)}
	case EmptyError:
	default:
		people = r.f.Admins()
	}
	for _, p := range r.ables(people) {
		seats = append(seats, Seat{Person: p})
	}
	return seats, false
}

// instead are those who have a node that names nobody; pass means that it goes on without anybody.
func (r *run) instead(n *Node) (seats []Seat, pass bool, err error) {
	if seats, pass = r.nobody(n); !pass {
		return seats, false, nil
	}
	if n.Lost || n.Type == Start { // what was sent back is not mended by itself
		seats, _ = r.nobody(&Node{Empty: EmptyPolicy{Action: EmptyToAdmin}})
		return seats, false, nil
	}
	missing, err := r.f.Missing(n)
	if err != nil || !missing {
		return nil, err == nil, err
	}
	seats, _ = r.nobody(&Node{Empty: EmptyPolicy{Action: EmptyToAdmin}})
	return seats, false, nil
}

// passByItself leaves an activity by a rule.
func (r *run) passByItself(activity int, rule Rule) error {
	done := Item{Activity: activity, Type: ItemNormal, State: ItemDone, Weight: 1, Verdict: Agree, Rule: rule, Received: r.c.At, Finished: r.c.At}
	r.newItemBy(done, By{Rule: rule})
	return r.leave(activity, true)
}

// byRule reports whether a node agrees by itself: its condition holds, and nothing that only a person can fill is empty.
func (r *run) byRule(n *Node) (bool, error) {
	holds, err := r.f.Holds(n.AutoWhen)
	if err != nil || !holds {
		return false, err
	}
	missing, err := r.f.Missing(n)
	return !missing, err
}

// stand lets somebody's delegate have an item, unless the delegate has one already.
func (r *run) stand(item *Item) {
	to := r.f.Delegate(item.Person)
	if to == item.Person || !r.able(to) || r.takesPart(item.Activity, to) {
		return
	}
	item.From, item.Person = item.Person, to
}

// standApart lets somebody's delegate have an item, unless the delegate has a seat too.
func (r *run) standApart(item *Item, seats []Seat) {
	if to := r.f.Delegate(item.Person); !slices.ContainsFunc(seats, func(s Seat) bool { return s.Person == to }) {
		r.stand(item)
	}
}

// takesPart reports whether a person has an open item of an activity that counts.
func (r *run) takesPart(activity int, person string) bool {
	return slices.ContainsFunc(r.s.Items, func(i Item) bool {
		return i.Activity == activity && i.Person == person && i.Open() && i.counts()
	})
}

// already returns by which rule somebody's agreement of before counts; nil = no rule applies to the node.
func (r *run) already(t Token, n *Node) (func(person string) Rule, error) {
	if n.Type != Approve {
		return nil, nil
	}
	dedupe, self := n.Dedupe, n.SkipSelf || r.t.SkipSelf
	if dedupe == "" {
		dedupe = r.t.Dedupe
	}
	if dedupe != DedupeAdjacent && dedupe != DedupeAny && !self {
		return nil, nil
	}
	if missing, err := r.f.Missing(n); err != nil || missing {
		return nil, err
	}
	where := map[Dedupe][]int{DedupeAdjacent: t.Last, DedupeAny: t.Trail}[dedupe]
	return func(person string) Rule {
		if self && person == r.s.Initiator {
			return RuleSkip
		}
		for _, item := range r.s.Items {
			if item.Person == person && item.State == ItemDone && item.Verdict == Agree && slices.Contains(where, item.Activity) {
				return RuleDedupe
			}
		}
		return ""
	}, nil
}

// turn makes ready what may be done now: everything, or the first of a sequence.
func (r *run) turn(activity int) error {
	n := r.t.at(r.s.Activity(activity).Node)
	ids := r.s.itemsOf(activity)
	slices.SortStableFunc(ids, func(a, b int) int { return r.s.Item(a).Seq - r.s.Item(b).Seq })
	for _, id := range ids {
		item := *r.s.Item(id)
		if !item.counts() || !item.Open() {
			continue
		}
		begins := item.State == ItemWait && !r.blocked(id)
		if begins && !r.able(item.Person) {
			if goes, err := r.vacate(item, n); err != nil || !goes {
				return err
			}
			return r.turn(activity)
		}
		if begins {
			r.ready(id, n)
		}
		if n.sequential() {
			if begins {
				r.announce(ids, id)
			}
			return nil
		}
	}
	return nil
}
