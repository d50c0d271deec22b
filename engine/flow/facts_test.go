package flow_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
)

// world is what the tests say the world is.
type world struct {
	people    map[string][]string // by node
	delegates map[string]string
	holds     func(plan.Expr) bool
	missing   map[string]bool
	left      map[string]bool // people who can no longer take part
	noAdmin   bool
}

func (w *world) People(n *flow.Node, _ *flow.State) (out []flow.Seat, err error) {
	for _, p := range w.people[n.ID] {
		out = append(out, flow.Seat{Person: p})
	}
	return out, nil
}
func (w *world) Holds(when plan.Expr) (bool, error) { return w.holds(when), nil }
func (w *world) Missing(n *flow.Node) (bool, error) { return w.missing[n.ID], nil }
func (w *world) Present(people []string) []string {
	return slices.DeleteFunc(slices.Clone(people), func(p string) bool { return p == "" || w.left[p] })
}
func (w *world) Delegate(p string) string { return w.delegates[p] }
func (w *world) Superior(string) string   { return "boss" }
func (w *world) Due(_ *flow.Node, minutes int) time.Time {
	return clock.Add(time.Duration(minutes) * time.Minute)
}
func (w *world) Admins() []string {
	if w.noAdmin {
		return nil
	}
	return []string{"admin"}
}

var clock = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

// trace runs commands on one instance and keeps everything that happened.
type trace struct {
	*testing.T
	t   *flow.Template
	s   *flow.State
	w   *world
	log []flow.Event
}

func begin(t *testing.T, template *flow.Template, w *world) *trace {
	t.Helper()
	if err := template.Link(); err != nil {
		t.Fatal(err)
	}
	tr := &trace{T: t, t: template, s: &flow.State{}, w: w}
	tr.do(flow.Command{Do: flow.OpStart, By: "i"})
	return tr
}

func (tr *trace) try(c flow.Command) error {
	c.At = clock
	before := tr.s.Clone()
	events, err := tr.t.Do(tr.s, c, tr.w)
	if !reflect.DeepEqual(before, tr.s.Clone()) {
		tr.Fatalf("%v changed the state that it was given", c.Do)
	}
	if err != nil {
		return err
	}
	for _, e := range events {
		tr.s.Apply(e)
	}
	for _, e := range events {
		if e.By == (flow.By{}) {
			tr.Fatalf("%+v: nobody did %+v", c, e)
		}
	}
	tr.log = append(tr.log, events...)
	if again := flow.Rebuild(tr.log); !reflect.DeepEqual(again, tr.s) {
		tr.Fatalf("the log does not give the state after %v:\n%+v\n%+v", c.Do, again, tr.s)
	}
	if faults := invariants(tr.t, tr.s); len(faults) > 0 {
		tr.Fatalf("after %+v: %s\n%s", c, strings.Join(faults, "; "), tr.show())
	}
	return nil
}

func (tr *trace) do(c flow.Command) {
	tr.Helper()
	if err := tr.try(c); err != nil {
		tr.Fatalf("%+v: %v\n%s", c, err, tr.show())
	}
}

// refuse runs a command that has to be refused with a code.
func (tr *trace) refuse(code fault.Code, c flow.Command) {
	tr.Helper()
	err := tr.try(c)
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != code {
		tr.Fatalf("%+v: got %v, want %d\n%s", c, err, code, tr.show())
	}
}

// open is the item of a person that they may act on.
func (tr *trace) open(person string) flow.Item {
	tr.Helper()
	for _, i := range tr.s.Items {
		if i.Person == person && i.Ready() {
			return i
		}
	}
	tr.Fatalf("%s has nothing to do\n%s", person, tr.show())
	return flow.Item{}
}

func (tr *trace) by(person string, do flow.Operation) {
	tr.Helper()
	tr.do(flow.Command{Do: do, By: person, Item: tr.open(person).ID})
}

// want compares who has what to do: "u@B2" is u in the second round of B, "q?C1" waits for its turn.
func (tr *trace) want(texts ...string) {
	tr.Helper()
	slices.Sort(texts)
	if got := tr.todo(); !slices.Equal(got, texts) {
		tr.Fatalf("got %v, want %v\n%s", got, texts, tr.show())
	}
}

func (tr *trace) todo() (out []string) {
	for _, i := range tr.s.Items {
		if i.Open() {
			a := tr.s.Activity(i.Activity)
			sign := "@"
			if i.State == flow.ItemWait {
				sign = "?"
			}
			out = append(out, fmt.Sprintf("%s%s%s%d", i.Person, sign, a.Node, a.Round))
		}
	}
	slices.Sort(out)
	return out
}

// tokens compares the live tokens: "g1:1 j1 WAITING" waits at the join for other branches.
func (tr *trace) tokens(texts ...string) {
	tr.Helper()
	var got []string
	for _, t := range tr.s.Live() {
		text := strings.TrimSpace(fmt.Sprintf("%s %s", t.Scope, t.Node))
		if t.State == flow.TokenWaiting {
			text += " WAITING"
		}
		got = append(got, text)
	}
	slices.Sort(got)
	slices.Sort(texts)
	if !slices.Equal(got, texts) {
		tr.Fatalf("tokens %v, want %v\n%s", got, texts, tr.show())
	}
}

// messages counts the messages of a number since an event.
func (tr *trace) messages(number int, since int) (to []string) {
	for _, e := range tr.log[since:] {
		if e.Kind == flow.Messaged && e.Message == number {
			to = append(to, e.To...)
		}
	}
	slices.Sort(to)
	return to
}

func (tr *trace) show() string {
	var b strings.Builder
	fmt.Fprintln(&b, tr.s.Status, tr.s.Result)
	for _, t := range tr.s.Tokens {
		fmt.Fprintf(&b, "token %+v\n", t)
	}
	for _, a := range tr.s.Activities {
		fmt.Fprintf(&b, "activity %d %s round %d %s token %d\n", a.ID, a.Node, a.Round, a.State, a.Token)
	}
	for _, i := range tr.s.Items {
		fmt.Fprintf(&b, "item %d of %d %s %s %s %s %s %s\n", i.ID, i.Activity, i.Type, i.State, i.Person, i.Verdict, i.Rule, i.Reason)
	}
	return b.String()
}

// invariants are the rules that hold after every command.
func invariants(t *flow.Template, s *flow.State) (faults []string) {
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	live := s.Live()
	scopes := map[string]bool{}
	for _, token := range live {
		if scopes[token.Scope] {
			say("two tokens in scope %q", token.Scope)
		}
		scopes[token.Scope] = true
		for _, other := range live {
			if token.ID != other.ID && (token.Scope == "" || strings.HasPrefix(other.Scope, token.Scope+"/")) {
				say("token %d lives around token %d", token.ID, other.ID)
			}
		}
	}
	if running := s.Status == flow.Processing || s.Status == flow.Exception; running != (len(live) > 0) {
		say("%s with %d live tokens", s.Status, len(live))
	}
	active := map[int]int{}
	for _, a := range s.Activities {
		if a.State == flow.ActivityActive {
			active[a.Token]++
			if !s.Token(a.Token).Live() {
				say("activity %d is open without its token", a.ID)
			}
		}
	}
	rounds, last := map[string]int{}, map[string]int{}
	for _, a := range s.Activities {
		rounds[a.Node]++
		if a.Round != rounds[a.Node] {
			say("activity %d of %s has round %d", a.ID, a.Node, a.Round)
		}
		last[a.Node] = a.ID
	}
	for _, a := range s.Activities {
		if a.State == flow.ActivityActive && last[a.Node] != a.ID {
			say("an old round of %s is open", a.Node)
		}
	}
	for _, token := range live {
		n := t.Node(token.Node)
		if n.Type != flow.Approve && n.Type != flow.Fill && n.Type != flow.Start {
			continue
		}
		if active[token.ID] != 1 && token.Fault == "" {
			say("token %d on %s has %d activities", token.ID, n.ID, active[token.ID])
		}
		ready := slices.ContainsFunc(s.Items, func(i flow.Item) bool {
			return i.Ready() && i.Type != flow.ItemAssist && i.Type != flow.ItemCirculate && s.Activity(i.Activity).Token == token.ID && s.Activity(i.Activity).State == flow.ActivityActive
		})
		if !ready && token.Fault == "" {
			say("token %d on %s waits for nobody", token.ID, n.ID)
		}
	}
	type seat struct {
		activity int
		person   string
	}
	people := map[seat]int{}
	todo := map[int]int{}
	for _, i := range s.Items {
		a := s.Activity(i.Activity)
		if i.Open() && i.Type != flow.ItemCirculate && a.State != flow.ActivityActive {
			say("item %d is open in a %s activity", i.ID, a.State)
		}
		if i.Open() && i.Type != flow.ItemAssist && i.Type != flow.ItemCirculate {
			people[seat{i.Activity, i.Person}]++
			if n := t.Node(a.Node); i.Ready() && (n.Mode == flow.Seq || n.Mode == flow.Levels) {
				todo[i.Activity]++
			}
		}
	}
	for at, n := range people {
		if n > 1 {
			say("%s has %d items of activity %d", at.person, n, at.activity)
		}
	}
	for id, n := range todo {
		if n > 1 {
			say("%d people of sequence %d have their turn", n, id)
		}
	}
	for _, a := range s.Activities {
		if a.State != flow.ActivityActive || !slices.Contains([]flow.NodeType{flow.Approve, flow.Fill}, t.Node(a.Node).Type) {
			continue
		}
		if v := t.Count(s, a.ID); v.For+v.Against+v.Open != v.All {
			say("votes of activity %d: %+v", a.ID, v)
		}
	}
	slices.Sort(faults)
	return faults
}
