package flow_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/flow"
)

// entries are the entries of the log since an event, by operation.
func (tr *trace) entries(since int, do flow.Operation) (out []flow.Event) {
	for _, e := range tr.log[since:] {
		if e.Kind == flow.Logged && e.Operation == do {
			out = append(out, e)
		}
	}
	return out
}

// acted compares by whom the only entry of an operation since an event is, and to whom it went.
func (tr *trace) acted(since int, do flow.Operation, by flow.By, to ...string) {
	tr.Helper()
	got := tr.entries(since, do)
	if len(got) != 1 || got[0].By != by || !slices.Equal(got[0].To, to) {
		tr.Fatalf("%s: %+v, want one by %+v to %v", do, got, by, to)
	}
}

// TestActorOnTheWire: who acts for themselves is a plain id, as older versions kept everybody; both forms are read.
func TestActorOnTheWire(t *testing.T) {
	for text, want := range map[string]flow.By{
		`"x"`:                                   flow.ByPerson("x"),
		`""`:                                    {},
		`{"for":"x","rule":"timeout","step":2}`: {For: "x", Rule: flow.RuleTimeout, Step: 2},
		`{"person":"k","for":"x"}`:              {Person: "k", For: "x"},
		`{"for":"x","rule":"pack","code":"settle"}`:   {For: "x", Rule: flow.RulePack, Code: "settle"},
		`{"person":"root","for":"x","rule":"leaver"}`: {Person: "root", For: "x", Rule: flow.RuleLeaver},
	} {
		var got flow.By
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s reads as %+v, %v", text, got, err)
		}
		if back, err := json.Marshal(want); err != nil || string(back) != text {
			t.Errorf("%+v is written as %s, %v", want, back, err)
		}
	}
	var old flow.Event
	if err := json.Unmarshal([]byte(`{"kind":"instance","at":"2026-11-23T08:00:00Z","by":"i","status":"PROCESSING"}`), &old); err != nil {
		t.Fatal(err)
	}
	if s := flow.Rebuild([]flow.Event{old}); s.Initiator != "i" {
		t.Errorf("an event of before makes %q the initiator", s.Initiator)
	}
	if text, err := json.Marshal(flow.Event{Kind: flow.Messaged}); err != nil || string(text) != `{"kind":"message","at":"0001-01-01T00:00:00Z"}` {
		t.Errorf("%s %v", text, err)
	}
}

// TestActors: each entry says who did it, in whose place and by which rule.
func TestActors(t *testing.T) {
	tr := begin(t, template(100), crew())
	tr.acted(0, flow.OpStart, flow.ByPerson("i"))
	since := len(tr.log)
	limit := flow.Command{Do: flow.OpTransfer, By: "x", Item: tr.open("x").ID, People: []string{"k"}, Rule: flow.RuleTimeout, Step: 2}
	tr.do(limit)
	tr.acted(since, flow.OpTransfer, flow.By{For: "x", Rule: flow.RuleTimeout, Step: 2}, "k")
	since = len(tr.log)
	tr.do(flow.Command{Do: flow.OpRemind, By: "y", Item: tr.open("y").ID, Message: 23, Rule: flow.RuleTimeout})
	tr.acted(since, flow.OpRemind, flow.By{For: "y", Rule: flow.RuleTimeout}, "y")
	if to := tr.messages(23, since); !slices.Equal(to, []string{"y"}) {
		t.Errorf("told %v", to)
	}
	since = len(tr.log)
	tr.do(flow.Command{Do: flow.OpRemind, By: "y", Item: tr.open("y").ID, Message: 23, Rule: flow.RuleEscalation, People: []string{"boss"}})
	tr.acted(since, flow.OpRemind, flow.By{For: "y", Rule: flow.RuleEscalation}, "boss")
	for _, e := range tr.log[since:] {
		if e.Kind == flow.Messaged && (e.On != 0 || e.Node != "A") {
			t.Errorf("a superior is told of a task that is not theirs: %+v", e)
		}
	}
	since = len(tr.log)
	tr.do(flow.Command{Do: flow.OpUrge, By: "i"})
	tr.acted(since, flow.OpUrge, flow.ByPerson("i"), "y", "z", "k")
	since = len(tr.log)
	tr.do(flow.Command{Do: flow.OpHandOver, By: "root", Admin: true, Remove: []string{"z"}, People: []string{"m"}})
	tr.acted(since, flow.OpHandOver, flow.By{Person: "root", For: "z", Rule: flow.RuleAdmin}, "m")
	tr.w.left = map[string]bool{"m": true}
	since = len(tr.log)
	tr.do(flow.Command{Do: flow.OpHandOver, By: "root", Admin: true, Remove: []string{"m"}, People: []string{"n"}})
	tr.acted(since, flow.OpHandOver, flow.By{Person: "root", For: "m", Rule: flow.RuleLeaver}, "n")
	since = len(tr.log)
	tr.do(flow.Command{Do: flow.OpDelegate, By: "y", Rule: flow.RuleDelegation, Item: tr.open("y").ID, People: []string{"q"}})
	mine := tr.open("q").ID
	tr.do(flow.Command{Do: flow.OpAgree, By: "q", Item: mine})
	tr.acted(since, flow.OpAgree, flow.By{Person: "q", For: "y"})
	since = len(tr.log)
	tr.do(flow.Command{Do: flow.OpJump, By: "root", Admin: true, Node: "D"})
	tr.acted(since, flow.OpJump, flow.By{Person: "root", Rule: flow.RuleAdmin})
	since = len(tr.log)
	tr.do(flow.Command{Do: flow.OpVoid, By: "i"})
	tr.acted(since, flow.OpVoid, flow.ByPerson("i"))
}

// TestActorsOfDecisions: what a rule decides in somebody's place is by the rule.
func TestActorsOfDecisions(t *testing.T) {
	tpl := template(100)
	tpl.Dedupe = flow.DedupeAny
	w := crew()
	w.people["B"] = []string{"x"}
	tr := begin(t, tpl, w)
	for _, p := range []string{"x", "y", "z"} {
		tr.by(p, flow.OpAgree)
	}
	last := tr.log[slices.IndexFunc(tr.log, func(e flow.Event) bool { return e.Kind == flow.ItemIs && e.Item.Rule == flow.RuleDedupe })]
	if want := (flow.By{For: "x", Rule: flow.RuleDedupe}); last.By != want {
		t.Errorf("%+v, want %+v", last.By, want)
	}
}
