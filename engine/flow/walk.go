package flow

import (
	"errors"
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
)

// most is how many people a node has at most, unless it says otherwise.
const most = 200

// begin starts an instance: its form was submitted, so the start is done.
func (r *run) begin() error {
	if r.s.Status != "" && r.s.Status != Draft {
		return fault.New(fault.InstanceNotOpen)
	}
	r.emit(Event{Kind: InstanceIs, Status: Processing})
	start := r.t.start
	token := r.newToken(start.ID, "", Token{})
	activity := r.newActivity(token, EntryNormal)
	r.choose()
	if r.c.Rule != "" { // started by a workflow or by code: what only a person can fill, the initiator fills first
		number := 1
		if r.c.Rule == RuleSub {
			number = 108
		}
		r.message(number, Item{Activity: activity.ID}, r.c.By)
		missing, err := r.f.Missing(start)
		if err != nil {
			return r.or(token.ID, err)
		}
		if missing {
			seats, err := r.people(start)
			if err != nil {
				return r.or(token.ID, err)
			}
			return r.fill(activity, token, start, seats, true)
		}
	}
	item := r.newItem(Item{Activity: activity.ID, Type: ItemNormal, State: ItemDone, Person: r.c.By, Weight: 1, Verdict: Submit, Opinion: r.c.Opinion,
		Received: r.c.At, Finished: r.c.At, IsRead: true})
	r.log(item, r.c.Opinion)
	return r.leave(activity.ID, true)
}

func (r *run) newActivity(t Token, how Entry) Activity { return r.newRound(t, how, false) }

// newRound begins an activity; live = its people follow whom the node names.
func (r *run) newRound(t Token, how Entry, live bool) Activity {
	round := 1
	if before := r.s.latest(t.Node); before != nil {
		round = before.Round + 1
	}
	next := Activity{ID: len(r.s.Activities) + 1, Token: t.ID, Node: t.Node, Scope: t.Scope, Round: round, State: ActivityActive, Entry: how, Live: live,
		Last: t.Last, Trail: t.Trail, Return: t.Return, From: t.From, Fixed: t.Fixed, Opened: r.c.At}
	r.emit(Event{Kind: ActivityIs, Activity: &next})
	return next
}

// enter puts a token on a node, and goes on for as long as nobody has to be waited for. People are those of an earlier round who come
// again; nil = the people that the node names.
func (r *run) enter(token int, id string, how Entry, people []Seat) error {
	n := r.t.Node(id)
	r.token(token, func(t *Token) { t.Node, t.Fault = id, "" })
	switch {
	case n == nil: // of a version that the instance has left
		return r.or(token, fault.New(fault.WorkflowStepGone))
	case n.Broken != nil && people == nil:
		return r.or(token, n.Broken)
	}
	t := *r.s.Token(token)
	switch n.Type {
	case Split:
		return r.split(t, n)
	case Join:
		return r.arrive(t, n)
	case End:
		return r.end(t, n)
	case Circulate:
		return r.hand(t, n)
	case Service, Sub, Wait:
		a := r.newActivity(t, how)
		kind := map[NodeType]EventKind{Service: Called, Sub: Children, Wait: Timed}[n.Type]
		e := Event{Kind: kind, On: a.ID, Node: id}
		if n.Type == Wait {
			e.Timer = TimerWait
		}
		r.emit(e)
		return nil
	}
	return r.open(t, n, how, people)
}

// split sends a token on, or makes one of each branch.
func (r *run) split(t Token, n *Node) error {
	var taken []int
	other := -1
	for i, route := range n.Routes {
		if route.Default {
			other = i
			continue
		}
		if route.Broken != nil && n.Kind != AND {
			return r.or(t.ID, route.Broken)
		}
		holds := n.Kind == AND || route.When == nil
		if !holds {
			var err error
			if holds, err = r.f.Holds(route.When); err != nil {
				return r.or(t.ID, err)
			}
		}
		if holds {
			taken = append(taken, i)
			if n.Kind == XOR {
				break
			}
		}
	}
	if n.Kind == AND && other >= 0 {
		taken = append(taken, other)
		slices.Sort(taken)
	} else if len(taken) == 0 && other >= 0 {
		taken = []int{other}
	}
	if len(taken) == 0 {
		return r.or(t.ID, fault.New(fault.NoRoute, n.ID))
	}
	if n.Kind == XOR {
		return r.enter(t.ID, n.Routes[taken[0]].To, EntryNormal, nil)
	}
	r.token(t.ID, func(t *Token) { t.State = TokenDone })
	var made []Token
	for _, i := range taken { // all of them first: a branch that ends at once must not be taken for the last
		made = append(made, r.newToken(n.ID, inner(t.Scope, branch{n.ID, i + 1}), t))
	}
	for k, i := range taken {
		if r.s.Token(made[k].ID).Live() { // an earlier branch may have ended the others
			if err := r.enter(made[k].ID, n.Routes[i].To, EntryNormal, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// or leaves a token where a definition or a record cannot be evaluated; other errors end the command.
func (r *run) or(token int, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	r.stuck(token, Reason(f))
	return nil
}

// arrive is a token at a join.
func (r *run) arrive(t Token, n *Node) error {
	if !r.t.nodes[n.Of].parallel() {
		return r.enter(t.ID, n.Next, EntryNormal, nil)
	}
	r.token(t.ID, func(t *Token) { t.State = TokenWaiting })
	return r.merge(n, outer(t.Scope))
}

// merge makes one token of those that wait at a join, once there are enough of them.
func (r *run) merge(n *Node, scope string) error {
	var waiting, others []Token
	for _, t := range r.s.Live() {
		switch {
		case !within(t.Scope, scope) || t.Scope == scope:
		case t.State == TokenWaiting && t.Node == n.ID:
			waiting = append(waiting, t)
		default:
			others = append(others, t)
		}
	}
	if len(waiting) == 0 || len(others) > 0 && (n.Needs == 0 || len(waiting) < n.Needs) {
		return nil
	}
	var like Token
	like.Fixed = true
	for _, t := range waiting {
		r.token(t.ID, func(t *Token) { t.State = TokenDone })
		like.Last, like.Trail = union(like.Last, t.Last), union(like.Trail, t.Trail)
	}
	for _, t := range others {
		r.kill(t.ID, "joined")
	}
	next := r.newToken(n.ID, scope, like)
	return r.enter(next.ID, n.Next, EntryNormal, nil)
}

func union(a, b []int) []int {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// end is a token at an END. Branches around it may have waited for it at their join.
func (r *run) end(t Token, n *Node) error {
	r.token(t.ID, func(t *Token) { t.State = TokenDone })
	r.emit(Event{Kind: EndedAt, Node: n.ID})
	if n.Ends {
		for _, other := range r.s.Live() {
			r.kill(other.ID, "ended")
		}
		return nil
	}
	return r.rejoin(t.Scope)
}

// rejoin looks at the join around a scope again, after a token of it is gone.
func (r *run) rejoin(scope string) error {
	if scope == "" {
		return nil
	}
	around := outer(scope)
	for _, t := range r.s.Live() {
		if t.State == TokenWaiting && outer(t.Scope) == around {
			return r.merge(r.t.Node(t.Node), around)
		}
	}
	return r.rejoin(around)
}

// kill ends a token before its time, with everything that waits for it.
func (r *run) kill(token int, reason string) {
	if a := r.s.current(token); a != nil {
		r.close(*a, reason)
	}
	r.token(token, func(t *Token) { t.State, t.Fault = TokenKilled, "" })
}

// cancel closes the open items of an activity.
func (r *run) cancel(activity int, reason string) {
	for _, id := range r.s.itemsOf(activity) {
		if item := *r.s.Item(id); item.Open() && item.Type != ItemCirculate {
			r.item(id, func(i *Item) { i.State, i.Reason, i.Finished = ItemCancelled, reason, r.c.At })
			r.message(14, item, item.Person)
		}
	}
}

// hand gives the readers of a node their items and goes on.
func (r *run) hand(t Token, n *Node) error {
	seats, err := r.people(n)
	if err != nil {
		return r.or(t.ID, err)
	}
	a := r.newActivity(t, EntryNormal)
	for _, seat := range seats {
		r.copyTo(a.ID, seat.Person, 0)
	}
	r.activity(a.ID, func(a *Activity) { a.State, a.Closed = ActivityPassed, r.c.At })
	return r.enter(t.ID, n.Next, EntryNormal, nil)
}

func (r *run) copyTo(activity int, person string, by int) {
	item := r.newItem(Item{Activity: activity, Type: ItemCirculate, State: ItemTodo, Person: person, Parent: by, Received: r.c.At})
	r.message(106, item, person)
}

// open begins a node of people.
func (r *run) open(t Token, n *Node, how Entry, seats []Seat) error {
	again := seats != nil
	if !again {
		var err error
		if seats, err = r.people(n); err != nil {
			return r.or(t.ID, err)
		}
	}
	a := r.newRound(t, how, n.live() && !again) // a further round is for the person who handled the node before
	return r.fill(a, t, n, seats, again)
}

// fill gives an activity that has begun its people, or those who have the node where it has none. again = they had it before.
func (r *run) fill(a Activity, t Token, n *Node, seats []Seat, again bool) error {
	if len(seats) == 0 {
		var pass bool
		var err error
		if seats, pass, err = r.instead(n); err != nil {
			return r.or(t.ID, err)
		}
		if pass {
			return r.passByItself(a.ID, RuleAutoPass)
		}
		r.assigned(n, "", personsOf(seats)...)
		if len(seats) == 0 {
			r.stuck(t.ID, StuckNobody)
			return nil
		}
	}
	if n.AutoWhen != nil && !again {
		holds, err := r.byRule(n)
		if err != nil {
			return r.or(t.ID, err)
		}
		if holds {
			return r.passByItself(a.ID, RuleAutoWhen)
		}
	}
	var rule func(string) Rule
	if !again {
		var err error
		if rule, err = r.already(t, n); err != nil {
			return r.or(t.ID, err)
		}
	}
	for i, seat := range seats {
		item := Item{Activity: a.ID, Type: ItemNormal, State: ItemWait, Person: seat.Person, Seq: i + 1, Weight: max(seat.Weight, 1), Named: a.Live}
		if rule != nil {
			if item.Rule = rule(seat.Person); item.Rule != "" {
				item.State, item.Verdict, item.Received, item.Finished = ItemDone, Agree, r.c.At, r.c.At
				r.newItemBy(item, By{Rule: item.Rule, For: item.Person})
				continue
			}
		}
		r.standApart(&item, seats)
		r.newItem(item)
	}
	if err := r.turn(a.ID); err != nil {
		return r.or(t.ID, err)
	}
	return r.judge(a.ID)
}

func personsOf(seats []Seat) (out []string) {
	for _, s := range seats {
		out = append(out, s.Person)
	}
	return out
}

// announce tells the person behind another one in a sequence that their turn is near.
func (r *run) announce(ids []int, before int) {
	for _, id := range ids[slices.Index(ids, before)+1:] {
		if next := *r.s.Item(id); next.State == ItemWait && next.counts() {
			r.message(11, next, next.Person)
			return
		}
	}
}

// blocked reports whether an item waits for signers that its person put before it.
func (r *run) blocked(id int) bool {
	return slices.ContainsFunc(r.s.Items, func(i Item) bool {
		return i.Parent == id && i.Placing == Before && i.Open()
	})
}

// receive gives a person their item.
func (r *run) receive(id int) {
	r.item(id, func(i *Item) { i.State, i.Received = ItemTodo, r.c.At })
	item := *r.s.Item(id)
	r.message(101, item, item.Person)
}

// ready gives a person their item, and begins its time.
func (r *run) ready(id int, n *Node) {
	r.receive(id)
	for _, timer := range []struct {
		kind    Timer
		minutes int
	}{{TimerExpect, n.Expect}, {TimerTimeout, n.Timeout}} {
		if timer.minutes > 0 {
			r.emit(Event{Kind: Timed, On: id, Node: n.ID, Timer: timer.kind, Due: r.f.Due(n, timer.minutes)})
		}
	}
}
