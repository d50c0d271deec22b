package flow

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
)

// Tally is the votes of an activity so far, in weights.
type Tally struct {
	All, For, Against, Open int64
	Need                    int64 // For passes from here on
}

// share is the least weight that makes up a share of all, rounded up.
func share(all, millionths int64) int64 { return (all*millionths + Full - 1) / Full }

// Count returns the votes of an activity so far.
func (t *Template) Count(s *State, activity int) Tally {
	n := t.at(s.Activity(activity).Node)
	var out Tally
	for _, item := range s.Items {
		if item.Activity != activity || !item.counts() || n.single() && item.Placing == Before {
			continue // where one is enough, those who were asked before only hold up who asked them
		}
		switch {
		case item.Open() || t.open(s, item.ID):
			out.Open += item.Weight
		case item.agrees():
			out.For += item.Weight
		default:
			out.Against += item.Weight
		}
		out.All += item.Weight
	}
	switch n.Mode {
	case All:
		out.Need = share(out.All, exit(n))
	case Seq, Levels:
		out.Need = out.All
		if n.Vote {
			out.Need = share(out.All, exit(n))
		}
	default:
		out.Need = 1
	}
	return out
}

// open reports whether the vote of an item waits for signers that its person put after it.
func (t *Template) open(s *State, id int) bool {
	return slices.ContainsFunc(s.Items, func(i Item) bool { return i.Parent == id && i.Placing == After && (i.Open() || t.open(s, i.ID)) })
}

func exit(n *Node) int64 {
	if n.AgreeExit == 0 {
		return Full
	}
	return n.AgreeExit
}

// outcome says whether an activity is decided, and how.
func (t *Template) outcome(s *State, activity int) (decided, pass bool) {
	n := t.at(s.Activity(activity).Node)
	v := t.Count(s, activity)
	early := n.Early
	var passed, failed bool
	switch n.Mode {
	case All:
		passed, failed = v.For >= v.Need, v.For+v.Open < v.Need
		if n.DisagreeExit > 0 {
			failed = v.Against >= share(v.All, n.DisagreeExit)
		}
	case Seq, Levels:
		passed, failed = v.For >= v.Need, v.For+v.Open < v.Need
		if n.Vote && n.DisagreeExit > 0 {
			failed = v.Against >= share(v.All, n.DisagreeExit)
		}
	default:
		early = true
		passed, failed = v.For > 0, v.Against > 0 && !n.EveryVote
	}
	switch {
	case v.Open == 0:
		return true, passed && !failed
	case !early:
		return false, false
	}
	return passed || failed, passed && !failed
}

// decided is why items are canceled that the decision of a node no longer waits for.
const decided = "decided"

// judge leaves an activity that is decided.
func (r *run) judge(activity int) error {
	if a := r.s.Activity(activity); a.State != ActivityActive {
		return nil
	}
	if over, pass := r.t.outcome(r.s, activity); over {
		return r.leave(activity, pass)
	}
	return nil
}

// decide is a person's agreement or disagreement, or what they completed.
func (r *run) decide(item Item, n *Node) error {
	if r.c.Do == OpDisagree && r.c.Rule == "" && !slices.Contains(n.Actions, OpDisagree) {
		return fault.New(fault.BadParameter, string(OpDisagree))
	}
	if r.c.Do != OpSubmit && n.Type != Approve || r.c.Do == OpSubmit && n.Type == Approve && item.Type != ItemAssist {
		return fault.New(fault.BadParameter, string(r.c.Do))
	}
	if n.AwaitsAdvice && r.c.Rule == "" && slices.ContainsFunc(r.s.Items, func(i Item) bool { return i.Parent == item.ID && i.Type == ItemAssist && i.Open() }) {
		return fault.New(fault.NotYourTurn)
	}
	if n.Mode == Claim && item.pooled() {
		r.take(item, decided)
	}
	r.choose()
	verdict := map[Operation]Verdict{OpAgree: Agree, OpDisagree: Disagree, OpSubmit: Submit}[r.c.Do]
	r.finish(item, verdict)
	if item.Type == ItemAssist {
		return nil
	}
	if err := r.turn(item.Activity); err != nil {
		return err
	}
	return r.judge(item.Activity)
}

// finish closes an item with what its person said.
func (r *run) finish(item Item, verdict Verdict) {
	r.item(item.ID, func(i *Item) {
		i.State, i.Verdict, i.Opinion, i.Rule, i.Finished, i.IsRead = ItemDone, verdict, r.c.Opinion, r.c.Rule, r.c.At, true
	})
	r.log(item, r.c.Opinion)
}

// leave ends an activity. What passed goes on, directly to the person who sent it back if they want it so; what failed takes its drawn exit, or goes
// back.
func (r *run) leave(activity int, pass bool) error {
	a := *r.s.Activity(activity)
	n, t := r.t.at(a.Node), *r.s.Token(a.Token)
	r.cancel(activity, decided)
	state := ActivityPassed
	if !pass {
		state = ActivityFailed
	}
	r.activity(activity, func(a *Activity) { a.State, a.Closed = state, r.c.At })
	if !pass && n.Disagree == "" {
		target, err := r.target(t, n, "")
		if err != nil {
			r.message(17, Item{Activity: activity}, r.s.Initiator)
			r.stuck(t.ID, StuckRejected)
			return nil
		}
		return r.back(t, a, target, n.Reject.Resubmit, Item{Activity: activity})
	}
	if n.Type == Approve {
		r.message(map[bool]int{true: 16, false: 17}[pass], Item{Activity: activity}, r.s.Initiator)
	}
	r.token(t.ID, func(t *Token) {
		if n.decisive() {
			t.Last, t.Trail, t.Fixed = []int{activity}, union(t.Trail, []int{activity}), false
		}
		if !pass {
			t.Return, t.From = 0, ""
		}
	})
	if !pass {
		return r.enter(t.ID, n.Disagree, EntryNormal, nil)
	}
	if t.Return != 0 && t.From == a.Node {
		return r.comeBack(t, n)
	}
	return r.enter(t.ID, n.Next, EntryNormal, nil)
}

// comeBack takes a token directly to the node that sent it back. What was passed on the way there holds as before.
func (r *run) comeBack(t Token, from *Node) error {
	wanted := *r.s.Activity(t.Return)
	n := r.t.at(wanted.Node)
	var kept []int
	for _, id := range wanted.Trail {
		if between := r.t.Node(r.s.Activity(id).Node); between != nil && between != from && between != n && r.t.before(from, between) && r.t.before(between, n) {
			kept = append(kept, id)
			r.emit(Event{Kind: Skipped, Node: between.ID})
		}
	}
	r.token(t.ID, func(t *Token) { t.Return, t.From, t.Trail = 0, "", union(t.Trail, kept) })
	return r.enter(t.ID, wanted.Node, EntryNormal, r.again(wanted.ID, n))
}

// again returns who takes part in another round of an activity: the person who handled it where one is enough, else everybody; nil where
// none of them can take part any more, so that the node is asked.
func (r *run) again(activity int, n *Node) []Seat {
	single := n.single()
	seats := []Seat{}
	for _, id := range r.s.itemsOf(activity) {
		item := r.s.Item(id)
		if item.Type != ItemNormal && item.Type != ItemForward || item.State == ItemTransferred || item.Person == "" || item.Reason == "adjusted" {
			continue
		}
		if single && item.State != ItemDone {
			continue
		}
		person := item.Person
		if item.From != "" { // the person, not who stood in: a delegation may be over
			person = item.From
		}
		if !r.able(person) { // they have left since
			continue
		}
		if k := slices.IndexFunc(seats, func(s Seat) bool { return s.Person == person }); k >= 0 {
			seats[k].Weight += item.Weight // somebody handed theirs to a person who had one
			continue
		}
		seats = append(seats, Seat{Person: person, Weight: item.Weight})
	}
	if len(seats) == 0 {
		return nil
	}
	return seats
}
