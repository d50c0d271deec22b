package flow_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
)

// envSeeds is how many templates the property tests make; unset = few enough for every run.
const envSeeds = "SLUICE_FLOW_SEEDS"

func seeds(t *testing.T, usual uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(envSeeds), 10, 64); err == nil {
		t.Logf("%d templates", n)
		return n
	}
	return usual
}

// machine adds a node without people, or one of readers.
func (m *maker) machine(next string) string {
	id := fmt.Sprintf("m%d", len(m.nodes))
	n := &flow.Node{ID: id, Type: pick(m.Rand, flow.Service, flow.Sub, flow.Wait, flow.Circulate), Next: next, Effects: m.IntN(2) == 0,
		Waits: pick(m.Rand, flow.WaitsAll, flow.WaitsAny, flow.WaitsNone), IgnoreVoid: m.IntN(2) == 0}
	if n.Type == flow.Circulate {
		m.w.people[id] = []string{pick(m.Rand, staff...)}
	}
	m.nodes = append(m.nodes, n)
	return id
}

// random makes a template and its world: what conditions hold is the same each time they are asked.
func random(r *rand.Rand, rich bool) (*flow.Template, *world) {
	m := &maker{Rand: r, rich: rich, w: &world{people: map[string][]string{}, delegates: map[string]string{"a": "x1", "b": "c", "c": "d"}, missing: map[string]bool{}}}
	m.nodes = append(m.nodes, &flow.Node{ID: "end", Type: flow.End})
	m.nodes = append(m.nodes, &flow.Node{ID: "start", Type: flow.Start, Actions: initiators, Next: m.block(4, "end")})
	truths := map[plan.Expr]bool{}
	for _, n := range m.nodes {
		for _, route := range n.Routes {
			truths[route.When] = r.IntN(2) == 0
		}
		if rich && n.Type == flow.Approve && r.IntN(12) == 0 {
			n.AutoWhen = &plan.Const{Value: n.ID}
			truths[n.AutoWhen] = r.IntN(2) == 0
		}
		if rich && r.IntN(3) == 0 {
			n.Expect, n.Timeout = 60, 120
		}
		m.w.missing[n.ID] = rich && r.IntN(6) == 0
	}
	m.w.holds = func(e plan.Expr) bool { return truths[e] }
	return &flow.Template{Code: "r", AllowRevoke: flow.RevokeAnytime, StopAll: r.IntN(8) == 0, Nodes: m.nodes}, m.w
}

// step runs a command twice, which has to come to the same, and then in earnest, and audits what happened.
func (tr *trace) step(c flow.Command) error {
	before := tr.s.Clone()
	c.At = clock
	follows := c.Do == flow.OpFollow && tr.unclaimed(c.Activity)
	predicted, refused := tr.t.Do(tr.s, c, tr.w)
	since := len(tr.log)
	err := tr.try(c)
	if fmt.Sprint(err) != fmt.Sprint(refused) || !reflect.DeepEqual(predicted, append([]flow.Event(nil), tr.log[since:]...)) {
		tr.Fatalf("%+v came to something else than it did on trial: %v, %v", c, refused, err)
	}
	if c.Do == flow.OpFollow && follows != (err == nil) {
		tr.Fatalf("%+v: %v; an unclaimed pool: %v\n%s", c, err, follows, tr.show())
	}
	if err != nil {
		return err
	}
	if faults := audit(tr.t, tr.w, before, tr.log[since:], tr.s, c); len(faults) > 0 {
		tr.Fatalf("%+v: %s\n%s", c, strings.Join(faults, "; "), tr.show())
	}
	return nil
}

// auditor compares what a command did with the rules of tokens, votes, joins and messages, told a second time and in another way than the
// reducer tells them.
type auditor struct {
	t      *flow.Template
	w      *world
	c      flow.Command
	s      *flow.State    // follows the events
	merged map[string]int // tokens that joins have merged so far
	faults []string
}

func (a *auditor) say(format string, args ...any) {
	a.faults = append(a.faults, fmt.Sprintf(format, args...))
}

func audit(t *flow.Template, w *world, before *flow.State, events []flow.Event, after *flow.State, c flow.Command) []string {
	a := &auditor{t: t, w: w, c: c, s: before.Clone(), merged: map[string]int{}}
	for i, e := range events {
		switch e.Kind {
		case flow.TokenIs:
			a.token(*e.Token)
		case flow.ActivityIs:
			a.closes(*e.Activity)
		case flow.Timed:
			if item := a.s.Item(e.On); e.Timer != flow.TimerWait && (item == nil || !item.Ready()) {
				a.say("a timer of item %d, which nobody has", e.On)
			}
		case flow.EndedAt:
			if t.Node(e.Node).Type != flow.End {
				a.say("%s is no end", e.Node)
			}
		}
		if e.Kind == flow.InstanceIs && i > 0 && e.Status == flow.Completed && !slices.ContainsFunc(a.s.Tokens, func(o flow.Token) bool {
			return o.State == flow.TokenDone && t.Node(o.Node).Type == flow.End
		}) {
			a.say("completed without an end")
		}
		a.s.Apply(e)
	}
	a.splits(before, events)
	a.told(before, after, events)
	a.seats(before, after)
	a.open(after)
	a.sentBack(before, after)
	a.endures(before, after)
	a.followed(before, after, events)
	return a.faults
}

// token checks one step of a token: what is over stays over, and what goes on is not stuck any more.
func (a *auditor) token(next flow.Token) {
	was := a.s.Token(next.ID)
	if was == nil {
		return
	}
	if !was.Live() {
		a.say("token %d lives again", next.ID)
	}
	if was.Node != next.Node && next.Fault != "" {
		a.say("token %d went on to %s and is stuck with %q of before", next.ID, next.Node, next.Fault)
	}
	n := a.t.Node(was.Node)
	if n.Type == flow.Split && n.Kind == flow.XOR && was.Node != next.Node && !slices.ContainsFunc(n.Routes, func(r flow.Route) bool { return r.To == next.Node }) {
		a.say("token %d left %s for %s", next.ID, n.ID, next.Node)
	}
	if n.Type == flow.Join && was.State == flow.TokenWaiting && next.State == flow.TokenDone {
		a.joins(n, *was)
	}
}

// joins checks the moment in which a token that waits is merged: enough of them wait, and nobody is waited for.
func (a *auditor) joins(n *flow.Node, token flow.Token) {
	around, _, _ := cutLast(token.Scope)
	waiting, others := 1+a.merged[around+" "+n.ID], 0
	for _, o := range a.s.Live() {
		up, _, _ := cutLast(o.Scope)
		switch {
		case o.ID == token.ID:
		case o.Node == n.ID && up == around && o.State == flow.TokenWaiting:
			waiting++
		case o.Scope != around && (around == "" && o.Scope != "" || strings.HasPrefix(o.Scope, around+"/")):
			others++
		}
	}
	a.merged[around+" "+n.ID]++
	if n.Needs == 0 && others > 0 {
		a.say("%s merged while %d branches run", n.ID, others)
	}
	if n.Needs > 0 && (waiting > n.Needs || others > 0 && waiting < n.Needs) {
		a.say("%s needs %d and has waited for %d", n.ID, n.Needs, waiting)
	}
}

func cutLast(scope string) (string, string, bool) {
	i := strings.LastIndexByte(scope, '/')
	if i < 0 {
		return "", scope, false
	}
	return scope[:i], scope[i+1:], true
}

// splits checks that a split sends a token on by one route, by those that hold, or by all, and that a join makes one token at a time.
func (a *auditor) splits(before *flow.State, events []flow.Event) {
	for i, e := range events {
		if e.Kind != flow.TokenIs || e.Token.State != flow.TokenDone {
			continue
		}
		n := a.t.Node(e.Token.Node)
		if n.Type != flow.Split || n.Kind == flow.XOR {
			continue
		}
		var branches []string
		for _, next := range events[i+1:] {
			if next.Kind != flow.TokenIs || next.Token.ID <= len(before.Tokens) || next.Token.Node != n.ID || next.Token.State != flow.TokenActive {
				break
			}
			branches = append(branches, next.Token.Scope)
		}
		var want []string
		other := ""
		for k, route := range n.Routes {
			scope := fmt.Sprintf("%s:%d", n.ID, k+1)
			if e.Token.Scope != "" {
				scope = e.Token.Scope + "/" + scope
			}
			switch {
			case route.Default && n.Kind == flow.OR:
				other = scope
			case n.Kind == flow.AND || a.w.holds(route.When):
				want = append(want, scope)
			}
		}
		if len(want) == 0 {
			want = []string{other}
		}
		// The first branch may go on before the loop sees the others: only the number of distinct scopes counts.
		if !slices.Equal(branches, want) {
			a.say("%s made %v of the routes, not %v", n.ID, branches, want)
		}
	}
}

// verdict counts the votes of an activity by the rules, with fractions instead of rounding.
func (a *auditor) verdict(n *flow.Node, activity int) (pass, fail, all bool) {
	var n1, yes, no int64
	rest := map[int]bool{}
	items := slices.DeleteFunc(slices.Clone(a.s.Items), func(i flow.Item) bool { return i.Activity != activity })
	for _, i := range items {
		if i.Open() || i.State == flow.ItemCancelled && i.Reason == "decided" && n.Mode != flow.Claim {
			rest[i.ID] = true
		}
	}
	var pending func(id int) bool
	pending = func(id int) bool { // what was put after it is not decided
		for _, i := range items {
			if i.Parent == id && i.Placing == flow.After && (rest[i.ID] || pending(i.ID)) {
				return true
			}
		}
		return false
	}
	single := n.Mode != flow.All && n.Mode != flow.Seq && n.Mode != flow.Levels
	all = true
	for _, i := range items {
		counts := (i.Type == flow.ItemNormal || i.Type == flow.ItemForward || i.Type == flow.ItemAdd) && (i.State == flow.ItemDone || rest[i.ID])
		if !counts || single && i.Placing == flow.Before {
			continue
		}
		n1 += i.Weight
		switch {
		case rest[i.ID] || pending(i.ID):
			all = false
		case i.Verdict == flow.Agree || i.Verdict == flow.Submit:
			yes += i.Weight
		default:
			no += i.Weight
		}
	}
	least := func(share int64) *big.Rat {
		if share == 0 {
			share = flow.Full
		}
		return new(big.Rat).SetFrac64(n1*share, flow.Full)
	}
	atLeast := func(votes int64, need *big.Rat) bool { return new(big.Rat).SetInt64(votes).Cmp(need) >= 0 }
	open := n1 - yes - no
	switch {
	case single:
		pass, fail = yes >= 1, no >= 1 && !n.EveryVote || all && yes == 0
	case n.Mode == flow.All:
		pass, fail = atLeast(yes, least(n.AgreeExit)), !atLeast(yes+open, least(n.AgreeExit))
		if n.DisagreeExit > 0 {
			fail = atLeast(no, least(n.DisagreeExit)) || all && !pass
		}
	default:
		share := int64(flow.Full)
		if n.Vote {
			share = n.AgreeExit
		}
		pass, fail = atLeast(yes, least(share)), !atLeast(yes+open, least(share))
		if n.Vote && n.DisagreeExit > 0 {
			fail = atLeast(no, least(n.DisagreeExit)) || all && !pass
		}
	}
	return pass && !fail, fail, all
}

// closes checks the end of a node of people: what it came to is what the votes say, and no earlier than they say it.
func (a *auditor) closes(next flow.Activity) {
	was, n := a.s.Activity(next.ID), a.t.Node(next.Node)
	if was == nil || was.State == next.State {
		return
	}
	if was.State != flow.ActivityActive {
		a.say("activity %d is %s again", next.ID, next.State)
	}
	if n.Type != flow.Approve && n.Type != flow.Fill {
		return
	}
	if next.State == flow.ActivityCancelled || a.c.Do == flow.OpReject && a.s.Item(a.c.Item).Activity == next.ID {
		return
	}
	pass, fail, every := a.verdict(n, next.ID)
	single := n.Mode != flow.All && n.Mode != flow.Seq && n.Mode != flow.Levels
	switch {
	case next.State == flow.ActivityPassed && !pass, next.State == flow.ActivityFailed && pass:
		a.say("activity %d is %s; by its votes it passes: %v, fails: %v", next.ID, next.State, pass, fail)
	case !every && !n.Early && !single:
		a.say("activity %d is over before all have voted", next.ID)
	}
}

// open checks the nodes that go on: nobody has decided them, and sequences are decided in their order.
func (a *auditor) open(after *flow.State) {
	for _, activity := range after.Activities {
		n := a.t.Node(activity.Node)
		if activity.State != flow.ActivityActive || n.Type != flow.Approve && n.Type != flow.Fill || after.Token(activity.Token).Fault != "" {
			continue
		}
		single := n.Mode != flow.All && n.Mode != flow.Seq && n.Mode != flow.Levels
		if pass, fail, every := a.verdict(n, activity.ID); every || (n.Early || single) && (pass || fail) {
			a.say("activity %d is decided (%v, %v, %v) and goes on", activity.ID, pass, fail, every)
		}
		if n.Mode != flow.Seq && n.Mode != flow.Levels {
			continue
		}
		for _, done := range after.Items {
			for _, open := range after.Items {
				if done.Activity == activity.ID && open.Activity == activity.ID && done.State == flow.ItemDone && done.Rule == "" && done.Type != flow.ItemAssist && done.Type != flow.ItemCirculate &&
					open.Open() && open.Type != flow.ItemAssist && open.Type != flow.ItemCirculate && open.Seq < done.Seq {
					a.say("item %d is done before item %d, whose turn comes first", done.ID, open.ID)
				}
			}
		}
	}
}

// told checks that the person who can act since this command hears of it once, and nobody else does.
func (a *auditor) told(before, after *flow.State, events []flow.Event) {
	type who struct {
		item   int
		person string
	}
	heard := map[who]int{}
	for _, e := range events {
		if e.Kind == flow.Messaged && e.Message == 101 {
			for _, to := range e.To {
				heard[who{e.On, to}]++
			}
		}
	}
	for at, n := range heard {
		if n > 1 {
			a.say("%s hears %d times of item %d", at.person, n, at.item)
		}
	}
	for _, i := range after.Items {
		if i.Type == flow.ItemCirculate || !i.Ready() {
			continue
		}
		was := before.Item(i.ID)
		fresh := was == nil || !was.Ready() || was.Person != i.Person
		if told := heard[who{i.ID, i.Person}] > 0; fresh != told {
			a.say("item %d came to %s: %v, told: %v", i.ID, i.Person, fresh, told)
		}
	}
	for at := range heard {
		if i := after.Item(at.item); i.State == flow.ItemWait || i.Person != at.person {
			a.say("%s hears of item %d, which is %s of %s", at.person, at.item, i.State, i.Person)
		}
	}
}

// seats checks who got the new items: a delegate in place of the person who delegated, one hop away, and nobody in place of themselves.
func (a *auditor) seats(before, after *flow.State) {
	byHand := a.c.Do == flow.OpHandOver || a.c.Do == flow.OpWithdraw || a.c.Do == flow.OpReturn || a.c.Do == flow.OpDelegate
	for _, i := range after.Items {
		if i.From != "" && i.From == i.Person {
			a.say("%s stands in for themselves with item %d", i.Person, i.ID)
		}
		if i.ID <= len(before.Items) || i.Type == flow.ItemAssist || i.Type == flow.ItemCirculate || byHand || i.Rule != "" || a.t.Node(after.Activity(i.Activity).Node).Type == flow.Start {
			continue
		}
		if i.From != "" && a.w.delegates[i.From] != i.Person {
			a.say("item %d is %s's for %s, whose delegate is %q", i.ID, i.Person, i.From, a.w.delegates[i.From])
		}
		to := a.w.delegates[i.Person]
		if a.w.left[to] {
			to = ""
		}
		if i.From == "" && to != "" && i.Open() && !slices.ContainsFunc(after.Items, func(o flow.Item) bool {
			return o.Activity == i.Activity && o.ID != i.ID && (o.Person == to || o.From == to)
		}) {
			a.say("item %d came to %s, whose delegate is %s", i.ID, i.Person, to)
		}
	}
}

// endures tells what no command undoes: a copy that was read stays read, and of what is over nothing changes but copies that are read.
func (a *auditor) endures(before, after *flow.State) {
	for _, was := range before.Items {
		now := *after.Item(was.ID)
		copied := was.Type == flow.ItemCirculate
		if copied && was.State == flow.ItemDone && (now.State != was.State || now.Person != was.Person || !now.Finished.Equal(was.Finished)) {
			a.say("copy %d was read and is %s", was.ID, now.State)
		}
		if before.Status == flow.Completed && !reflect.DeepEqual(was, now) && (!copied || now.State != flow.ItemDone) {
			a.say("item %d changed after the end", was.ID)
		}
	}
	if before.Status != flow.Completed {
		return
	}
	if after.Status != before.Status || after.Result != before.Result || len(after.Items) != len(before.Items) ||
		!reflect.DeepEqual(before.Tokens, after.Tokens) || !reflect.DeepEqual(before.Activities, after.Activities) {
		a.say("something changed after the end")
	}
}

// unclaimed reports whether an activity is a live pool that nobody has taken, by its log instead of its items.
func (tr *trace) unclaimed(id int) bool {
	activity := tr.s.Activity(id)
	if activity == nil || activity.State != flow.ActivityActive || tr.t.Node(activity.Node).Mode != flow.Claim || tr.s.Status != flow.Processing && tr.s.Status != flow.Exception {
		return false
	}
	type round struct{ open, taken bool }
	rounds := map[int]round{}
	for _, e := range tr.log {
		switch {
		case e.Kind == flow.ActivityIs && e.Activity.State == flow.ActivityActive:
			if _, known := rounds[e.Activity.ID]; known {
				continue
			}
			one := round{open: e.Activity.Live} // not where somebody gets a task again that they had
			for before := e.Activity.ID - 1; before > 0 && e.Activity.Entry == flow.EntryWithdraw; before-- {
				if tr.s.Activity(before).Node == e.Activity.Node { // it is as it was
					one = rounds[before]
					break
				}
			}
			rounds[e.Activity.ID] = one
		case e.Kind == flow.Logged && (e.Operation == flow.OpClaim || e.Operation == flow.OpRelease):
			at := tr.s.Item(e.On).Activity
			one := rounds[at]
			one.taken = e.Operation == flow.OpClaim
			rounds[at] = one
		}
	}
	said := slices.ContainsFunc(tr.s.Items, func(i flow.Item) bool {
		return i.Activity == id && (i.Type == flow.ItemNormal || i.Type == flow.ItemForward) && i.Placing == "" && i.Verdict != "" && i.State == flow.ItemDone
	})
	return rounds[id].open && !rounds[id].taken && !said
}

// followed checks that a pool has the people whom its node names, beside those who got a share by hand, and that nothing else has changed.
func (a *auditor) followed(before, after *flow.State, events []flow.Event) {
	if a.c.Do != flow.OpFollow {
		return
	}
	was, is := before.Activity(a.c.Activity), after.Activity(a.c.Activity)
	n := a.t.Node(is.Node)
	share := func(i flow.Item) bool {
		return i.Activity == is.ID && (i.Type == flow.ItemNormal || i.Type == flow.ItemForward) && i.Placing == ""
	}
	named, byHand := map[string]bool{}, false
	for _, p := range a.w.people[n.ID] {
		if !a.w.left[p] {
			named[p] = true
		}
	}
	for _, i := range before.Items {
		for _, p := range []string{i.Person, i.From} {
			if share(i) && (i.State == flow.ItemTransferred || i.Reason == "adjusted") && (p == i.From || i.From == "") {
				delete(named, p)
			}
		}
		byHand = byHand || share(i) && i.Open() && !i.Named
	}
	pass := false
	if len(named) == 0 && !byHand {
		switch n.Empty.Action {
		case flow.EmptyAutoPass:
			if pass = !a.w.missing[n.ID]; !pass {
				named["admin"] = true
			}
		case flow.EmptyToAdmin:
			named["admin"] = true
		}
	}
	if pass != (is.State == flow.ActivityPassed) {
		a.say("activity %d is %s, by its policy it passes: %v", is.ID, is.State, pass)
	}
	if pass {
		return
	}
	has := map[string]bool{}
	for _, i := range after.Items {
		if i.Activity == is.ID && i.Open() && i.Type != flow.ItemAssist && i.Type != flow.ItemCirculate {
			has[i.Person], has[i.From] = true, true
		}
		of := i.Person
		if i.From != "" {
			of = i.From
		}
		if share(i) && i.Open() && i.Named && !named[of] {
			a.say("item %d is %s's, whom %s does not name", i.ID, of, n.ID)
		}
		if old := before.Item(i.ID); old != nil && old.Activity != is.ID && *old != i {
			a.say("item %d of another step changed", i.ID)
		} else if old != nil && share(i) && !i.Named && *old != i && !slices.Contains([]flow.ItemState{flow.ItemWait, flow.ItemTodo}, i.State) {
			a.say("item %d, given by hand, changed", i.ID)
		}
	}
	for p := range named {
		if !has[p] {
			a.say("%s names %s, who has nothing", n.ID, p)
		}
	}
	if len(named) == 0 && !byHand && after.Token(is.Token).Fault == "" {
		a.say("%s has nobody and is not stuck", n.ID)
	}
	if before.Status == flow.Processing && after.Status != flow.Processing && (len(named) > 0 || byHand) {
		a.say("a pool with people is %s", after.Status)
	}
	logged := slices.ContainsFunc(events, func(e flow.Event) bool { return e.Kind == flow.Logged && e.Operation == flow.OpFollow })
	changed := slices.ContainsFunc(events, func(e flow.Event) bool {
		return e.Kind == flow.ItemIs && e.Item.Named && (before.Item(e.Item.ID) == nil || !e.Item.Open())
	})
	if logged != changed {
		a.say("activity %d changed: %v, logged: %v", was.ID, changed, logged)
	}
}

// sentBack checks that behind a step back exactly one token lives where it led to.
func (a *auditor) sentBack(before, after *flow.State) {
	for _, one := range after.Activities[len(before.Activities):] {
		if one.Entry != flow.EntryReject || one.State != flow.ActivityActive {
			continue
		}
		a.onPath(before, one)
		live := 0
		for _, t := range after.Live() {
			if one.Scope == "" || t.Scope == one.Scope || strings.HasPrefix(t.Scope, one.Scope+"/") {
				live++
			}
		}
		if live != 1 {
			a.say("%d tokens live where activity %d was sent back to", live, one.ID)
		}
	}
}

// onPath checks that what was sent back goes where it has been on the way that led to who sent it back: by the steps directly before each step.
func (a *auditor) onPath(before *flow.State, to flow.Activity) {
	item := before.Item(a.c.Item)
	if a.c.Do != flow.OpReject || item == nil {
		return
	}
	seen := map[int]bool{}
	var found, byHand func(id int) bool
	found = func(id int) bool {
		if seen[id] {
			return false
		}
		seen[id] = true
		one := before.Activity(id)
		return one.Node == to.Node || slices.ContainsFunc(one.Last, found)
	}
	byHand = func(id int) bool { // an administrator began it, or it came back directly: then the steps before say nothing
		one := before.Activity(id)
		direct := slices.ContainsFunc(before.Activities[:id-1], func(o flow.Activity) bool { return o.Node == one.Node })
		blank := len(one.Last) == 0 && a.t.Node(one.Node).Type != flow.Start // behind a node without people that an administrator began
		return direct || blank || one.Entry == flow.EntryJump || slices.ContainsFunc(one.Last, byHand)
	}
	if !byHand(item.Activity) && !found(item.Activity) {
		a.say("sent back to %s, where it has not been", to.Node)
	}
}

// face is what people see of an instance: who has what to do, where the tokens are, and how far it is. Rounds and numbers are left out.
func face(tr *trace) string {
	var out []string
	for _, i := range tr.s.Items {
		if i.Open() && i.Type != flow.ItemCirculate && i.Type != flow.ItemAssist {
			state := i.State
			if state == flow.ItemDoing {
				state = flow.ItemTodo
			}
			out = append(out, fmt.Sprintf("%s %s %s of %s", i.Person, tr.s.Activity(i.Activity).Node, state, i.From))
		}
	}
	slices.Sort(out)
	var tokens []string
	for _, t := range tr.s.Live() {
		tokens = append(tokens, fmt.Sprintf("%s %s %s", t.Scope, t.Node, t.State))
		if t.Return != 0 { // to whom it goes on from here
			tokens = append(tokens, fmt.Sprintf("%s from %s to %s", t.Scope, t.From, tr.s.Activity(t.Return).Node))
		}
		if t.State == flow.TokenActive {
			for _, activity := range tr.s.Activities {
				if n := tr.t.Node(t.Node); activity.Token == t.ID && activity.State == flow.ActivityActive && (n.Type == flow.Approve || n.Type == flow.Fill) {
					v := tr.t.Count(tr.s, activity.ID)
					tokens = append(tokens, fmt.Sprintf("%s %+v", t.Node, v))
				}
			}
		}
	}
	slices.Sort(tokens)
	status := tr.s.Status
	if status == flow.Exception { // a decision lets go on what was stuck
		status = flow.Processing
	}
	return fmt.Sprint(status, out, tokens)
}

// TestRandomProperties runs random commands on random templates of all types of nodes. After each the auditor tells the rules a second time,
// and a decision that is taken back at once leaves everything as it was. In the end everybody agrees, and the instance has to be over after
// at most one step for each item.
func TestRandomProperties(t *testing.T) {
	t.Parallel()
	done, ended := map[flow.Operation]int{}, map[flow.Status]int{}
	taken := map[flow.Operation]int{}
	left, read := 0, 0 // people, and copies of ended instances
	for seed := range seeds(t, 700) {
		r := rand.New(rand.NewPCG(seed, 2))
		template, w := random(r, true)
		tr := begin(t, template, w)
		for range 40 {
			if r.IntN(15) == 0 && tr.s.Status != flow.Draft {
				leave(r, tr)
				left++
			}
			c := randomCommand(r, tr)
			if tr.w.left[c.By] && c.Rule == "" { // they cannot sign in
				continue
			}
			if r.IntN(3) == 0 {
				if m, ok := machineCommand(r, tr); ok {
					c = m
				}
			}
			if r.IntN(6) == 0 {
				c = moved(r, tr)
			}
			before, over := face(tr), tr.s.Status == flow.Completed
			if k := slices.IndexFunc(tr.s.Items, func(i flow.Item) bool { return i.Type == flow.ItemCirculate && i.Ready() }); over && k >= 0 && r.IntN(2) == 0 {
				c = flow.Command{Do: flow.OpRead, By: tr.s.Items[k].Person, Item: tr.s.Items[k].ID}
			}
			err := tr.step(c)
			tr.staysFree()
			if over && err == nil && c.Do == flow.OpRead {
				read++
			}
			var f *fault.Error
			switch {
			case err == nil:
				done[c.Do]++
			case !errors.As(err, &f):
				t.Fatalf("seed %d: %+v: %v", seed, c, err)
			}
			if err == nil && slices.Contains([]flow.Operation{flow.OpAgree, flow.OpDisagree, flow.OpSubmit, flow.OpReject}, c.Do) && r.IntN(2) == 0 {
				if tr.step(flow.Command{Do: flow.OpWithdraw, By: c.By, Item: c.Item}) == nil {
					taken[c.Do]++
					if after := face(tr); after != before {
						t.Fatalf("seed %d: %+v was taken back\n%s\n%s\n%s", seed, c, before, after, tr.show())
					}
				}
			}
		}
		finish(tr, seed)
		ended[tr.s.Status]++
	}
	t.Log(done, ended, "taken back", taken, left, "left", read, "copies were read after the end")
	if left < 500 || read < 20 {
		t.Errorf("%d left, %d copies were read after the end", left, read)
	}
	if taken[flow.OpAgree]+taken[flow.OpSubmit] < 120 || taken[flow.OpAgree] < 60 || taken[flow.OpSubmit] < 30 || taken[flow.OpReject] == 0 {
		t.Errorf("%v were taken back", taken)
	}
	for _, op := range []flow.Operation{flow.OpResume, flow.OpTry, flow.OpChildren, flow.OpChild, flow.OpRetry, flow.OpFollow} {
		if done[op] == 0 {
			t.Errorf("%s never succeeded", op)
		}
	}
}

// finish lets everybody agree until the instance is over, or stuck.
func finish(tr *trace, seed uint64) {
	tr.Helper()
	if tr.s.Status == flow.Draft {
		tr.w.left = nil
		tr.do(flow.Command{Do: flow.OpStart, By: "i"})
	}
	budget := 0
	for _, n := range tr.t.Nodes {
		budget += 1 + 2*len(tr.w.people[n.ID]) + len(staff)
	}
	budget += 2 * len(tr.s.Items)
	for steps := 0; tr.s.Status == flow.Processing || tr.s.Status == flow.Exception; steps++ {
		if steps > budget {
			tr.Fatalf("seed %d does not end in %d steps\n%s", seed, budget, tr.show())
		}
		c, ok := onward(tr)
		if !ok || tr.step(c) != nil {
			if !slices.ContainsFunc(tr.s.Live(), func(token flow.Token) bool { return token.Fault != "" }) {
				tr.Fatalf("seed %d: %v waits for nobody\n%s", seed, c, tr.show())
			}
			return
		}
	}
}

// onward is a command that brings an instance on.
func onward(tr *trace) (flow.Command, bool) {
	for _, i := range tr.s.Items {
		if i.Ready() && i.Type != flow.ItemCirculate && i.Type != flow.ItemAssist {
			return agreeing(tr, i), true
		}
	}
	for _, a := range tr.s.Activities {
		if a.State != flow.ActivityActive || tr.s.Token(a.Token).Fault != "" {
			continue
		}
		switch n := tr.t.Node(a.Node); {
		case n.Type == flow.Sub && a.Started == 0:
			return flow.Command{Do: flow.OpChildren, Activity: a.ID, Count: 2}, true
		case n.Type == flow.Sub:
			return flow.Command{Do: flow.OpChild, Activity: a.ID}, true
		case n.Type == flow.Service || n.Type == flow.Wait:
			return flow.Command{Do: flow.OpResume, Activity: a.ID}, true
		}
	}
	return flow.Command{}, false
}

// machineCommand is what the runtime may say of a node at that moment, also that a time is over.
func machineCommand(r *rand.Rand, tr *trace) (flow.Command, bool) {
	for _, k := range r.Perm(len(tr.s.Activities)) {
		a := tr.s.Activities[k]
		if a.State != flow.ActivityActive {
			continue
		}
		c := flow.Command{Do: flow.OpResume, Activity: a.ID, Failed: r.IntN(6) == 0, Opinion: "failed"}
		switch n := tr.t.Node(a.Node); n.Type {
		case flow.Service:
			if r.IntN(3) == 0 {
				c.Do = flow.OpTry
			}
		case flow.Wait:
		case flow.Sub:
			c.Do, c.Count = flow.OpChildren, r.IntN(3)
			if a.Started > a.Ended {
				c.Do = flow.OpChild
			}
		default:
			c.Failed = true
			if r.IntN(8) > 0 {
				continue
			}
		}
		return c, true
	}
	if tr.s.Status == flow.Exception {
		return flow.Command{Do: flow.OpRetry, By: "admin", Admin: true}, true
	}
	return flow.Command{}, false
}

// TestSingleIsAll: a node that one person decides is the same whether one is enough or all are needed.
func TestSingleIsAll(t *testing.T) {
	t.Parallel()
	for seed := range seeds(t, 200) {
		var pair [2]*trace
		for k := range pair {
			r := rand.New(rand.NewPCG(seed, 3))
			template, w := random(r, false)
			for _, n := range template.Nodes {
				if n.Type != flow.Approve && n.Type != flow.Fill {
					continue
				}
				n.Mode, n.AgreeExit, n.DisagreeExit, n.EveryVote = [2]flow.Mode{flow.Any, flow.All}[k], flow.Full, 0, false
				w.people[n.ID] = append(w.people[n.ID], "e")[:1]
			}
			pair[k] = begin(t, template, w)
		}
		r := rand.New(rand.NewPCG(seed, 4))
		for range 30 {
			c := randomCommand(r, pair[0])
			if slices.Contains([]flow.Operation{flow.OpAddSign, flow.OpAdjust, flow.OpClaim, flow.OpHandOver}, c.Do) { // two people in a node
				continue
			}
			one, other := pair[0].step(c), pair[1].step(c)
			if fmt.Sprint(one) != fmt.Sprint(other) {
				t.Fatalf("seed %d: %+v: %v, %v", seed, c, one, other)
			}
			if a, b := pair[0].show(), pair[1].show(); a != b {
				t.Fatalf("seed %d: %+v\n%s\n%s", seed, c, a, b)
			}
		}
	}
}

// TestOrderOfBranches: in which order the branches of a split are drawn changes nothing that people see.
func TestOrderOfBranches(t *testing.T) {
	t.Parallel()
	for seed := range seeds(t, 200) {
		var pair [2]*trace
		for k := range pair {
			r := rand.New(rand.NewPCG(seed, 5))
			template, w := random(r, false)
			for _, n := range template.Nodes {
				n.Needs = 0
				if k == 1 && n.Type == flow.Split && n.Kind == flow.AND {
					slices.Reverse(n.Routes)
				}
			}
			pair[k] = begin(t, template, w)
		}
		r := rand.New(rand.NewPCG(seed, 6))
		for range 60 {
			var ready []flow.Item
			for _, i := range pair[0].s.Items {
				if i.Ready() && i.Type == flow.ItemNormal {
					ready = append(ready, i)
				}
			}
			if len(ready) == 0 {
				break
			}
			mine := ready[r.IntN(len(ready))]
			at := pair[0].s.Activity(mine.Activity)
			k := slices.IndexFunc(pair[1].s.Items, func(i flow.Item) bool {
				a := pair[1].s.Activity(i.Activity)
				return i.Ready() && i.Person == mine.Person && a.Node == at.Node && a.Round == at.Round
			})
			if k < 0 {
				t.Fatalf("seed %d: %s has no item of %s\n%s\n%s", seed, mine.Person, at.Node, pair[0].show(), pair[1].show())
			}
			c := agreeing(pair[0], mine)
			if c.Do == flow.OpAgree && r.IntN(4) == 0 {
				c.Do = flow.OpDisagree
			}
			one := pair[0].step(c)
			c.Item = pair[1].s.Items[k].ID
			other := pair[1].step(c)
			if fmt.Sprint(one) != fmt.Sprint(other) || !slices.Equal(pair[0].todo(), pair[1].todo()) || pair[0].s.Status != pair[1].s.Status {
				t.Fatalf("seed %d: %+v: %v, %v\n%s\n%s", seed, c, one, other, pair[0].show(), pair[1].show())
			}
		}
		for _, number := range []int{14, 16, 17, 101, 102} {
			if a, b := pair[0].messages(number, 0), pair[1].messages(number, 0); !slices.Equal(a, b) {
				t.Fatalf("seed %d: message %d to %v, %v", seed, number, a, b)
			}
		}
	}
}
