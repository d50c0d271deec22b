package flow_test

import (
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
)

// fork is START -> A (x) -> by the record B (u) or C (v) -> D (w, then k) -> E (z) -> END. The record says "left" first.
func fork(t *testing.T, resubmit flow.Resubmit) (tr *trace, left *bool) {
	t.Helper()
	left = new(bool)
	*left = true
	w := &world{people: map[string][]string{"A": {"x"}, "B": {"u"}, "C": {"v"}, "D": {"w"}, "E": {"z"}}, holds: func(plan.Expr) bool { return *left }}
	one := func(id, next string) *flow.Node {
		return &flow.Node{ID: id, Type: flow.Approve, Mode: flow.Any, Actions: all, Reject: flow.Reject{Targets: []string{"any"}, Resubmit: resubmit}, Next: next}
	}
	return begin(t, &flow.Template{Code: "f", AllowRevoke: flow.RevokeAnytime, Nodes: []*flow.Node{
		{ID: "start", Type: flow.Start, Actions: initiators, Next: "A"},
		one("A", "g"),
		{ID: "g", Type: flow.Split, Kind: flow.XOR, Routes: []flow.Route{{To: "B", When: &plan.Const{}}, {To: "C", Default: true}}},
		one("B", "D"), one("C", "D"), one("D", "E"), one("E", "end"),
		{ID: "end", Type: flow.End},
	}}, w), left
}

func (tr *trace) targets(person string, want ...string) {
	tr.Helper()
	if got := tr.t.RejectTargets(tr.s, tr.open(person).ID); !slices.Equal(got, want) {
		tr.Fatalf("%s may send back to %v, not %v", person, got, want)
	}
}

func (tr *trace) sends(person, node string) {
	tr.Helper()
	tr.do(flow.Command{Do: flow.OpReject, By: person, Item: tr.open(person).ID, Node: node})
}

// TestBackOnTheWayTaken: what counts is the way that led here this time, not what is drawn or what ran in an earlier pass.
func TestBackOnTheWayTaken(t *testing.T) {
	t.Parallel()
	tr, left := fork(t, flow.Rerun)
	tr.by("x", flow.OpAgree)
	tr.by("u", flow.OpAgree)
	tr.targets("w", "B", "A", "start")
	tr.sends("w", "A")
	*left = false
	tr.by("x", flow.OpAgree)
	tr.by("v", flow.OpAgree)
	tr.targets("w", "C", "A", "start")
	tr.refuse(fault.RejectNoTarget, flow.Command{Do: flow.OpReject, By: "w", Item: tr.open("w").ID, Node: "B"})

	tr, _ = fork(t, flow.ToRejector) // what was passed over holds: it can be sent back to, and only that was skipped
	tr.by("x", flow.OpAgree)
	tr.by("u", flow.OpAgree)
	since := len(tr.log)
	tr.sends("w", "A")
	tr.by("x", flow.OpAgree)
	tr.want("w@D2")
	tr.targets("w", "B", "A", "start")
	if k := slices.IndexFunc(tr.log[since:], func(e flow.Event) bool { return e.Kind == flow.Skipped && e.Node != "B" }); k >= 0 {
		t.Errorf("skipped %s", tr.log[since+k].Node)
	}
	tr.sends("w", "B")
	tr.want("u@B2")
}

// TestWithdrawRejection: who sent something back takes it back while nobody has done anything there.
func TestWithdrawRejection(t *testing.T) {
	t.Parallel()
	tr, _ := fork(t, flow.Rerun)
	tr.by("x", flow.OpAgree)
	tr.by("u", flow.OpAgree)
	mine := tr.open("w").ID
	tr.sends("w", "start")
	tr.want("i@start2")
	since := len(tr.log)
	tr.do(withdrawal("w", mine))
	tr.want("w@D2")
	tr.targets("w", "B", "A", "start")
	if to := tr.messages(14, since); !slices.Equal(to, []string{"i"}) {
		t.Errorf("told %v that their task is gone", to)
	}
	mine = tr.open("w").ID
	tr.sends("w", "A")
	tr.by("x", flow.OpAgree)
	tr.refuse(fault.WithdrawRefused, withdrawal("w", mine))

	tr, _ = fork(t, flow.ToRejector) // a decision on the way back directly, and a rejection of it, leave the way back
	tr.by("x", flow.OpAgree)
	tr.by("u", flow.OpAgree)
	tr.sends("w", "A")
	mine = tr.open("x").ID
	tr.by("x", flow.OpAgree)
	tr.want("w@D2")
	tr.do(withdrawal("x", mine))
	tr.want("x@A3")
	mine = tr.open("x").ID
	tr.sends("x", "start")
	tr.do(withdrawal("x", mine))
	tr.by("x", flow.OpAgree)
	tr.want("w@D3")

	tr = past(t, 100).atD() // of several who have it again one has acted
	mine = tr.open("w").ID
	tr.sends("w", "A")
	tr.by("x", flow.OpAgree)
	tr.refuse(fault.WithdrawRefused, withdrawal("w", mine))

	tr = past(t, 100) // a vote that fails sends back; the others' tasks come again
	mine = tr.open("p").ID
	tr.t.Node("C").Reject.Targets = []string{"A"}
	tr.do(flow.Command{Do: flow.OpReject, By: "p", Item: mine, Node: "A"})
	tr.do(withdrawal("p", mine)) // with the other branch, which had ended with it
	tr.want("p@C2", "q?C2", "u@B2", "v@B2")

	tr = begin(t, template(67), crew())
	tr.by("x", flow.OpAgree)
	mine = tr.open("y").ID
	tr.by("y", flow.OpDisagree)
	tr.want("i@start2")
	tr.do(withdrawal("y", mine))
	tr.want("y@A2", "z@A2")
	if v := tr.t.Count(tr.s, tr.open("y").Activity); v.For != 1 {
		t.Errorf("x has agreed: %+v", v)
	}
}

// TestWithdrawRejectionOutOfBranches: with a rejection to before a split every branch comes back as it was: what has arrived at the join, votes, who
// asked whom; not where a branch was at a service, nor once somebody has acted.
func TestWithdrawRejectionOutOfBranches(t *testing.T) {
	t.Parallel()
	back := func(tr *trace, by string) flow.Command {
		tr.t.Node("C").Reject.Targets = []string{"A"}
		tr.t.Node("B").Reject.Targets = []string{"A"}
		mine := tr.open(by).ID
		tr.sends(by, "A")
		return withdrawal(by, mine)
	}
	tr := past(t, 100)
	us := tr.open("u").ID
	tr.by("u", flow.OpAgree)
	tr.by("p", flow.OpAgree)
	since := len(tr.log)
	take := back(tr, "q")
	tr.want("x@A2", "y@A2", "z@A2")
	tr.do(take)
	tr.want("q@C2")
	tr.tokens("g1:1 j1 WAITING", "g1:2 C")
	if to := tr.messages(101, since); !slices.Equal(to, []string{"q", "x", "y", "z"}) {
		t.Errorf("%v have a task", to)
	}
	tr.refuse(fault.WithdrawRefused, take)
	tr.do(withdrawal("u", us)) // what has arrived can still be taken back
	tr.want("q@C2", "u@B2", "v@B2")
	tr.by("v", flow.OpAgree)
	tr.by("q", flow.OpAgree)
	tr.want("w@D1")

	tr = past(t, 100) // of the other branch: who decided, and who waits for a signer before them
	tr.by("p", flow.OpAgree)
	tr.do(flow.Command{Do: flow.OpAddSign, By: "q", Item: tr.open("q").ID, People: []string{"m"}, Placing: flow.Before})
	take = back(tr, "u")
	tr.do(take)
	tr.want("m@C2", "q?C2", "u@B2", "v@B2")
	tr.by("m", flow.OpAgree)
	tr.want("q@C2", "u@B2", "v@B2")
	tr.by("q", flow.OpAgree)
	tr.want("u@B2", "v@B2")

	tr = past(t, 100) // somebody has acted
	take = back(tr, "u")
	tr.by("y", flow.OpAgree)
	tr.refuse(fault.WithdrawRefused, take)

	tr = past(t, 100) // the other branch is at a service
	tr.t.Node("C").Type = flow.Service
	take = back(tr, "u")
	tr.refuse(fault.WithdrawRefused, take)

	tr = past(t, 100) // a second time, and of the right one of two
	take = back(tr, "u")
	tr.do(take)
	take = back(tr, "p")
	tr.do(take)
	tr.want("p@C3", "q?C3", "u@B3", "v@B3")
	tr.tokens("g1:1 B", "g1:2 C")
}

// TestStaysFixed: what cannot be undone before a node is still not undone after its branch has ended and come back.
func TestStaysFixed(t *testing.T) {
	t.Parallel()
	person := func(id, next string) *flow.Node {
		return &flow.Node{ID: id, Type: flow.Approve, Mode: flow.Any, Actions: all, Next: next}
	}
	tr := begin(t, &flow.Template{Code: "s", Nodes: []*flow.Node{
		{ID: "start", Type: flow.Start, Actions: initiators, Next: "g"}, {ID: "g", Type: flow.Split, Kind: flow.AND, Routes: []flow.Route{{To: "g2"}, {To: "C"}}},
		{ID: "g2", Type: flow.Split, Kind: flow.AND, Routes: []flow.Route{{To: "A"}, {To: "end2"}}}, person("A", "j2"), {ID: "end2", Type: flow.End}, {ID: "j2", Type: flow.Join, Of: "g2", Next: "B"}, person("B", "j"), person("C", "j"), {ID: "j", Type: flow.Join, Of: "g", Next: "end"}, {ID: "end", Type: flow.End},
	}}, &world{people: map[string][]string{"A": {"x"}, "B": {"u"}, "C": {"v"}}})
	xs, vs := tr.open("x").ID, tr.open("v").ID
	tr.by("x", flow.OpAgree)
	tr.refuse(fault.WithdrawRefused, withdrawal("x", xs)) // behind a join
	tr.sends("v", "start")
	tr.do(withdrawal("v", vs))
	tr.want("u@B2", "v@C2")
	tr.refuse(fault.WithdrawRefused, withdrawal("x", xs))
}

// TestWithdrawOfOthers: a vote that others would have decided without is not taken back afterwards, and a rejection only by who rejected.
func TestWithdrawOfOthers(t *testing.T) {
	t.Parallel()
	tr := begin(t, template(67), crew())
	mine := tr.open("x").ID
	tr.by("x", flow.OpAgree)
	tr.by("y", flow.OpDisagree)
	tr.refuse(fault.WithdrawRefused, withdrawal("x", mine))

	tr = begin(t, template(100), crew())
	mine = tr.open("x").ID
	tr.by("x", flow.OpAgree)
	tr.sends("y", "start")
	tr.refuse(fault.WithdrawRefused, withdrawal("x", mine))

	tr = pair(t, flow.Any, "x", "y", "z")
	mine = tr.open("x").ID
	tr.by("x", flow.OpDisagree)
	tr.sends("y", "start")
	tr.refuse(fault.WithdrawRefused, withdrawal("x", mine))

	tr = pair(t, flow.Any, "x", "y", "z") // each vote is heard
	mine = tr.open("x").ID
	tr.by("x", flow.OpDisagree)
	tr.by("y", flow.OpAgree)
	tr.want("w@B1")
	tr.refuse(fault.WithdrawRefused, withdrawal("x", mine))
}

// TestNotDirect: what goes back to before the branches of an open split comes back through all of them, and who asks for another way is told.
func TestNotDirect(t *testing.T) {
	t.Parallel()
	tr := past(t, 100)
	mine := tr.open("p").ID
	if tr.t.Direct(tr.s, mine, "A") {
		t.Error("A lies before the split")
	}
	c := flow.Command{Do: flow.OpReject, By: "p", Item: mine, Node: "A", Resubmit: flow.ToRejector}
	tr.refuse(fault.RejectNotDirect, c)
	c.Resubmit = ""
	tr.do(c)

	tr = past(t, 100).atD()
	if mine = tr.open("w").ID; !tr.t.Direct(tr.s, mine, "A") {
		t.Error("D lies in the same scope as A")
	}
}

// TestWhoHearsOfRejection: the initiator, and those to whom it comes back; each once.
func TestWhoHearsOfRejection(t *testing.T) {
	t.Parallel()
	tr := past(t, 100).atD()
	since := len(tr.log)
	tr.do(flow.Command{Do: flow.OpReject, By: "w", Item: tr.open("w").ID, Node: "A"})
	if to := tr.messages(17, since); !slices.Equal(to, []string{"i", "x", "y", "z"}) {
		t.Errorf("told %v", to)
	}
	since = len(tr.log)
	tr.by("x", flow.OpDisagree)
	if to := tr.messages(17, since); !slices.Equal(to, []string{"i"}) {
		t.Errorf("told %v", to)
	}
}

// TestFollowersHearOfMoves: who has a copy hears that an administrator has moved the instance.
func TestFollowersHearOfMoves(t *testing.T) {
	t.Parallel()
	tr := past(t, 100).atD()
	tr.do(flow.Command{Do: flow.OpCirculate, By: "w", Item: tr.open("w").ID, People: []string{"kim"}})
	since := len(tr.log)
	tr.do(flow.Command{Do: flow.OpJump, By: "root", Admin: true, Node: "C"})
	if to := tr.messages(4, since); !slices.Equal(to, []string{"i", "kim"}) {
		t.Errorf("told %v", to)
	}
}

// TestActionsOfNodes: what a node does not offer is refused.
func TestActionsOfNodes(t *testing.T) {
	t.Parallel()
	urge := flow.Command{Do: flow.OpUrge, By: "i"}
	tr, _ := fork(t, flow.Rerun)
	since := len(tr.log)
	tr.do(urge)
	if to := tr.messages(107, since); !slices.Equal(to, []string{"x"}) {
		t.Errorf("reminded %v", to)
	}
	tr.t.Start().Actions = nil
	tr.refuse(fault.UrgeRefused, urge)
	handled := urge
	handled.By = "x"
	tr.refuse(fault.UrgeRefused, handled)
	tr.by("x", flow.OpAgree)
	tr.do(handled)
	tr.t.Node("A").Actions = nil
	tr.refuse(fault.UrgeRefused, handled)

	tr, _ = fork(t, flow.Rerun)
	revoke := flow.Command{Do: flow.OpRevoke, By: "i"}
	tr.t.Start().Actions = []flow.Action{flow.OpSubmit}
	tr.refuse(fault.WithdrawRefused, revoke)
	tr.t.Start().Actions = initiators
	tr.do(revoke)

	tr, _ = fork(t, flow.Rerun)
	tr.by("x", flow.OpAgree)
	adjust := flow.Command{Do: flow.OpAdjust, By: "x", Activity: tr.open("u").Activity, People: []string{"v"}, Remove: []string{"u"}}
	stranger, self := adjust, adjust
	stranger.By, self.People = "v", []string{"x"}
	tr.refuse(fault.AdjustRefused, stranger)
	tr.refuse(fault.AdjustToSelf, self)
	if got := tr.t.Adjustable(tr.s, "x"); !slices.Equal(got, []string{"B"}) {
		t.Errorf("x may change the people of %v", got)
	}
	tr.do(adjust)
	tr.want("v@B1")
	tr.by("v", flow.OpAgree)
	adjust.Activity = tr.open("w").Activity
	tr.refuse(fault.AdjustRefused, adjust) // the node directly before alone
	adjust.By, adjust.People, adjust.Remove = "v", []string{"u"}, nil
	tr.t.Node("B").Actions = nil
	tr.refuse(fault.AdjustRefused, adjust)
	if got := tr.t.Adjustable(tr.s, "v"); len(got) > 0 {
		t.Errorf("v may change the people of %v", got)
	}
}

// TestSignerBeforeAsksAfter: the vote of a signer who was asked before waits for the signers whom they put after themselves.
func TestSignerBeforeAsksAfter(t *testing.T) {
	t.Parallel()
	tr := begin(t, template(50), crew())
	tr.t.Node("A").Resign = true
	tr.asks("x", "d", flow.Before)
	tr.asks("d", "s", flow.After)
	tr.by("y", flow.OpAgree)
	tr.want("s@A1", "x@A1", "z@A1") // y alone, not d and y: 3 of 5 are needed
	if v := tr.t.Count(tr.s, 2); v.For != 1 || v.Open != 4 {
		t.Errorf("%+v", v)
	}
	tr.by("s", flow.OpAgree)
	tr.want("u@B1", "v@B1", "p@C1", "q?C1")
}

// TestAwaitsAdvice: where a node says so, who asked for advice decides when it has been given; a time limit waits for nobody.
func TestAwaitsAdvice(t *testing.T) {
	t.Parallel()
	for _, waits := range []bool{false, true} {
		tr, _ := fork(t, flow.Rerun)
		tr.t.Node("A").AwaitsAdvice = waits
		mine := tr.open("x").ID
		tr.do(flow.Command{Do: flow.OpAssist, By: "x", Item: mine, People: []string{"m"}})
		agree := flow.Command{Do: flow.OpAgree, By: "x", Item: mine}
		if !waits {
			tr.do(agree)
			continue
		}
		tr.refuse(fault.NotYourTurn, agree)
		tr.by("m", flow.OpSubmit)
		tr.do(agree)
	}
	tr, _ := fork(t, flow.Rerun)
	tr.t.Node("A").AwaitsAdvice = true
	mine := tr.open("x").ID
	tr.do(flow.Command{Do: flow.OpAssist, By: "x", Item: mine, People: []string{"m"}})
	tr.do(flow.Command{Do: flow.OpAgree, By: "x", Item: mine, Rule: "timeout"})
	tr.want("u@B1")
}

// TestTransferByTimeLimit: a task that goes to somebody else because its time is over brings no new time limit with it.
func TestTransferByTimeLimit(t *testing.T) {
	t.Parallel()
	tr := begin(t, template(100), crew())
	tr.t.Node("A").Expect, tr.t.Node("A").Timeout = 60, 120
	timers := func(rule flow.Rule, from, to string) (n int) {
		since := len(tr.log)
		tr.do(flow.Command{Do: flow.OpTransfer, By: from, Item: tr.open(from).ID, People: []string{to}, Rule: rule})
		for _, e := range tr.log[since:] {
			if e.Kind == flow.Timed {
				n++
			}
		}
		if to != "" && !slices.Equal(tr.messages(101, since), []string{to}) {
			t.Errorf("%s does not hear of the task", to)
		}
		return n
	}
	if n := timers("", "x", "k"); n != 2 {
		t.Errorf("%d timers of a task that somebody passed on", n)
	}
	if n := timers("timeout", "k", "boss"); n != 0 {
		t.Errorf("%d timers of a task whose time is over", n)
	}
}
