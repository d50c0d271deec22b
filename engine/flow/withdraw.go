package flow

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
)

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
	case item.State != ItemDone || item.Rule != "" || !item.counts() || n.Type == Start,
		r.s.Status != Processing && r.s.Status != Exception, r.later(*item):
		return refused
	case a.State == ActivityActive && r.takesPart(a.ID, item.Person): // somebody gave them another one since
		return refused
	case a.State == ActivityActive:
		r.log(*item, "")
		return r.reopen(*item, a.ID)
	case a.State == ActivityCancelled || a.ID != r.s.latest(a.Node).ID, item.Verdict != Sent && r.sent(a.ID):
		return refused
	}
	var next []Token
	if a.State == ActivityFailed && (item.Verdict == Sent || n.Disagree == "") {
		next = r.sentBackBy(a, n.Strict)
	} else {
		next = r.wentOn(a, n.Strict)
	}
	if len(next) == 0 {
		return refused
	}
	r.log(*item, "")
	for _, t := range next {
		r.kill(t.ID, withdrawn)
	}
	if err := r.revive(a); err != nil {
		return err
	}
	fresh, err := r.bringBack(a, *item)
	if err != nil {
		return err
	}
	if over, _ := r.t.outcome(r.s, fresh); over { // the others have decided it without this vote
		return refused
	}
	return nil
}

// bringBack brings an activity back as a further round on a token of its own: with what people decided there, but for the decision that is taken
// back (none without mine), and with the tasks that had waited. It returns the new activity.
func (r *run) bringBack(a Activity, mine Item) (int, error) {
	token := r.newToken(a.Node, a.Scope, Token{Last: a.Last, Trail: a.Trail, Return: a.Return, From: a.From, Fixed: a.Fixed})
	fresh := r.newRound(token, EntryWithdraw, a.Live)
	var copies []Item
	now := map[int]int{} // who asked for whom stays, in the new numbers
	for _, id := range r.s.itemsOf(a.ID) {
		old := *r.s.Item(id)
		waited := old.Reason == decided || old.Reason == rejected
		if !old.counts() && !waited || old.Type == ItemAssist || old.Type == ItemCirculate || id != mine.ID && old.State == ItemCancelled && old.Person == mine.Person {
			continue
		}
		copied := old
		copied.Activity = fresh.ID
		if id == mine.ID || old.State == ItemCancelled {
			copied.State, copied.Verdict, copied.Opinion, copied.Reason, copied.IsRead = ItemWait, "", "", "", false
		}
		copies = append(copies, copied)
		now[id] = len(r.s.Items) + len(copies)
	}
	for _, copied := range copies {
		copied.Parent = now[copied.Parent]
		r.newItem(copied)
	}
	return fresh.ID, r.turn(fresh.ID)
}

// revive brings the other branches back that ended when an activity sent the instance back out of them.
func (r *run) revive(a Activity) error {
	for _, t := range r.s.Tokens {
		if t.Back != a.ID || within(a.Scope, t.Scope) { // its own, and the one that went back
			continue
		}
		if r.t.at(t.Node).Type == Join {
			r.token(r.newToken(t.Node, t.Scope, t).ID, func(t *Token) { t.State = TokenWaiting })
			continue
		}
		for _, open := range slices.Backward(r.s.Activities) {
			if open.Token == t.ID {
				if _, err := r.bringBack(open, Item{}); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

// sent reports whether somebody has sent an activity back: only they can take that back.
func (r *run) sent(activity int) bool {
	return slices.ContainsFunc(r.s.Items, func(i Item) bool { return i.Activity == activity && i.Verdict == Sent })
}

// withdrawn is why items are canceled whose node somebody has taken back.
const withdrawn = "withdrawn"

// wentOn are the tokens that went on from an activity; none where somebody has done something since, or what happened cannot be undone.
func (r *run) wentOn(a Activity, strict bool) (next []Token) {
	for _, t := range r.s.Live() {
		if slices.Contains(t.Last, a.ID) {
			if t.Fixed || len(t.Last) > 1 {
				return nil
			}
			next = append(next, t)
		} else if within(t.Scope, a.Scope) { // an administrator began it
			return nil
		}
	}
	for _, one := range r.s.Activities {
		if slices.Contains(one.Last, a.ID) && !r.untouched(one, strict) {
			return nil
		}
	}
	for _, t := range r.s.Tokens { // a branch that ended was passed by somebody, or led to an END
		if !within(t.Scope, a.Scope) || t.Live() || !slices.Contains(t.Last, a.ID) || t.ID == a.Token {
			continue
		}
		if t.State == TokenDone && !r.wasSplit(t) {
			return nil
		}
	}
	return next
}

// sentBackBy is the token that an activity sent back; none where somebody has done something there since, or where a branch that ended with it
// cannot come to life again.
func (r *run) sentBackBy(a Activity, strict bool) []Token {
	t := *r.s.Token(a.Token)
	if !t.Live() {
		if t.Back != a.ID {
			return nil
		}
		for _, other := range r.s.Tokens {
			if other.Back == a.ID && within(a.Scope, other.Scope) && other.State != TokenKilled {
				t = other
			}
		}
		if !t.Live() {
			return nil
		}
	}
	for _, one := range r.s.Activities[a.ID:] {
		if one.Token != t.ID {
			continue
		}
		if one.Entry != EntryReject || one.State != ActivityActive || !r.untouched(one, strict) {
			return nil
		}
		return []Token{t}
	}
	return nil
}

// wasSplit reports whether a token ended by becoming the branches of a split.
func (r *run) wasSplit(t Token) bool { n := r.t.Node(t.Node); return n != nil && n.Type == Split }

// later reports whether somebody after a person in the order has decided already.
func (r *run) later(item Item) bool {
	n := r.t.at(r.s.Activity(item.Activity).Node)
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
func (r *run) reopen(item Item, activity int) error {
	r.item(item.ID, func(i *Item) { i.State, i.Reason = ItemCancelled, withdrawn })
	n := r.t.at(r.s.Activity(activity).Node)
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
	return r.turn(activity)
}
