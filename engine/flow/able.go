package flow

// left is why an item is canceled whose person can no longer take part.
const left = "left"

// able reports whether somebody can take part now. Everything that gives a person a seat asks here.
func (r *run) able(person string) bool { return person != "" && len(r.ables([]string{person})) > 0 }

// ables are those of some people who can take part now.
func (r *run) ables(people []string) []string { return r.f.Present(people) }

// allAble reports whether all of some people can take part now.
func (r *run) allAble(people []string) bool {
	for _, p := range people {
		if !r.able(p) {
			return false
		}
	}
	return true
}

// assigned writes down who has a node, or the seat of somebody in it, because nobody can take part. Nobody at all stops the token.
func (r *run) assigned(n *Node, person string, to ...string) {
	e := Event{Kind: Logged, Operation: OpAssign, By: By{Rule: RuleEmpty, For: person}, Node: n.ID, To: to}
	if len(to) == 0 {
		e.Operation = OpStop
	}
	r.emit(e)
}

// vacate gives the seat of somebody who has left, and whose turn it is, to the first whom the policy of the node names. It reports whether
// the node can go on.
func (r *run) vacate(item Item, n *Node) (goes bool, err error) {
	seats, pass, err := r.instead(n)
	if err != nil {
		return false, err
	}
	if pass {
		by := By{Rule: RuleAutoPass, For: item.Person}
		r.itemBy(item.ID, by, func(i *Item) {
			i.State, i.Verdict, i.Rule, i.Received, i.Finished = ItemDone, Agree, RuleAutoPass, r.c.At, r.c.At
		})
		return true, nil
	}
	for _, seat := range seats {
		if !r.has(item, seat.Person) {
			r.assigned(n, item.Person, seat.Person)
			r.move(item, seat.Person)
			return true, nil
		}
	}
	if len(seats) > 0 { // they have a seat each
		r.assigned(n, item.Person, seats[0].Person)
		r.item(item.ID, func(i *Item) { i.State, i.Reason, i.Finished = ItemCancelled, left, r.c.At })
		return true, nil
	}
	if t := r.s.Token(r.s.Activity(item.Activity).Token); t.Fault == "" {
		r.assigned(n, item.Person)
		r.stuck(t.ID, StuckNobody)
	}
	return false, nil
}

// Starter is in whose name the instances of a SUB are started: the initiator's, or of the first who has the node where the initiator can no
// longer take part; "" = nobody's.
func (t *Template) Starter(s *State, node string, f Facts) string {
	r := &run{t: t, s: s, f: f}
	if r.able(s.Initiator) {
		return s.Initiator
	}
	n := t.at(node)
	seats, pass := r.nobody(n)
	if pass {
		seats, _ = r.nobody(&Node{Empty: EmptyPolicy{Action: EmptyToAdmin}})
	}
	if len(seats) == 0 {
		return ""
	}
	return seats[0].Person
}
