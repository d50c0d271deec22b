package flow_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
)

// pair is START -> A -> B (w) -> END, with people and a mode for A.
func pair(t *testing.T, mode flow.Mode, people ...string) *trace {
	t.Helper()
	return begin(t, &flow.Template{Code: "p", Nodes: []*flow.Node{
		{ID: "start", Type: flow.Start, Next: "A"},
		{ID: "A", Type: flow.Approve, Mode: mode, AgreeExit: flow.Full, Resign: true, EveryVote: true, Actions: all, Next: "B"},
		{ID: "B", Type: flow.Approve, Mode: flow.Any, Actions: all, Next: "end"},
		{ID: "end", Type: flow.End},
	}}, &world{people: map[string][]string{"A": people, "B": {"w"}}})
}

func (tr *trace) asks(person, signer string, placing flow.Placing) {
	tr.Helper()
	tr.do(flow.Command{Do: flow.OpAddSign, By: person, Item: tr.open(person).ID, People: []string{signer}, Placing: placing})
}

func withdrawal(person string, item int) flow.Command {
	return flow.Command{Do: flow.OpWithdraw, By: person, Item: item}
}

// TestStuckGoesOn: a decision at a node that an instance is stuck on lets it go on, and it is not stuck any more.
func TestStuckGoesOn(t *testing.T) {
	t.Parallel()
	tr := pair(t, flow.Any, "x")
	tr.do(flow.Command{Do: flow.OpResume, Activity: tr.open("x").Activity, Failed: true, Opinion: "timeout"})
	if tr.s.Status != flow.Exception {
		t.Fatal(tr.show())
	}
	tr.by("x", flow.OpAgree)
	tr.want("w@B1")
	if tr.s.Status != flow.Processing {
		t.Fatal(tr.show())
	}
}

// TestPoolWithSigner: whom somebody asks before does not decide what is in a pool.
func TestPoolWithSigner(t *testing.T) {
	t.Parallel()
	tr := pair(t, flow.Claim, "x", "y")
	tr.asks("x", "m", flow.Before)
	tr.by("m", flow.OpAgree)
	tr.want("x@A1", "y@A1")
	tr.by("y", flow.OpAgree)
	tr.want("w@B1")
}

// TestSignerLeavesPool: a signer, and who gets their task, have no share in the pool that they could take.
func TestSignerLeavesPool(t *testing.T) {
	t.Parallel()
	tr := pair(t, flow.Claim, "x", "y")
	tr.asks("x", "m", flow.Before)
	if tr.t.Claimable(tr.s, tr.open("m").ID) || !tr.t.Claimable(tr.s, tr.open("y").ID) {
		t.Error(tr.show())
	}
	tr.refuse(fault.BadParameter, flow.Command{Do: flow.OpClaim, By: "m", Item: tr.open("m").ID})
	tr.do(flow.Command{Do: flow.OpTransfer, By: "m", Item: tr.open("m").ID, People: []string{"k"}})
	tr.refuse(fault.BadParameter, flow.Command{Do: flow.OpClaim, By: "k", Item: tr.open("k").ID})
	tr.by("k", flow.OpAgree)
	tr.want("x@A1", "y@A1")
}

// TestPoolIsFilledAgain: who decided without claiming first and takes it back puts the task back for everybody.
func TestPoolIsFilledAgain(t *testing.T) {
	t.Parallel()
	tr := pair(t, flow.Claim, "x", "y")
	mine := tr.open("x").ID
	tr.by("x", flow.OpAgree)
	tr.want("w@B1")
	tr.do(withdrawal("x", mine))
	tr.want("x@A2", "y@A2")
	mine = tr.open("x").ID
	tr.do(flow.Command{Do: flow.OpClaim, By: "x", Item: mine})
	tr.by("x", flow.OpAgree)
	tr.do(withdrawal("x", mine))
	tr.want("x@A3") // it was x's alone

	tr = pair(t, flow.Claim, "x", "y")
	tr.asks("x", "m", flow.Parallel) // whose vote the node waits for
	mine = tr.open("x").ID
	tr.do(flow.Command{Do: flow.OpDisagree, By: "x", Item: mine})
	tr.want("m@A1")
	tr.do(withdrawal("x", mine))
	tr.want("m@A1", "x@A1", "y@A1")

	tr = pair(t, flow.Claim, "x", "y")
	tr.asks("y", "m", flow.Before)
	mine = tr.open("x").ID
	tr.do(flow.Command{Do: flow.OpClaim, By: "x", Item: mine})
	tr.do(flow.Command{Do: flow.OpRelease, By: "x", Item: mine})
	tr.want("m@A1", "x@A1", "y?A1") // y still waits for m
}

// TestSignersOfOneWhoTakesBack: who asked whom is known also in the round that a withdrawal opens.
func TestSignersOfOneWhoTakesBack(t *testing.T) {
	t.Parallel()
	tr := pair(t, flow.Any, "x")
	tr.asks("x", "m", flow.After)
	mine := tr.open("m").ID
	tr.by("m", flow.OpAgree)
	tr.want("w@B1")
	tr.do(withdrawal("m", mine))
	tr.want("m@A2")
	if v := tr.t.Count(tr.s, tr.open("m").Activity); v.For != 0 {
		t.Fatalf("x's vote waits for m: %+v", v)
	}
}

// TestOrphanedSigner: a signer whose asker was taken out counts as little in the round of a withdrawal as before.
func TestOrphanedSigner(t *testing.T) {
	t.Parallel()
	tr := pair(t, flow.Any, "x", "y")
	tr.asks("x", "m", flow.Before)
	tr.do(flow.Command{Do: flow.OpAdjust, By: "root", Admin: true, Activity: tr.open("m").Activity, Remove: []string{"x"}})
	mine := tr.open("y").ID
	tr.by("y", flow.OpAgree)
	tr.do(withdrawal("y", mine))
	tr.want("m@A2", "y@A2")
	tr.by("m", flow.OpAgree)
	tr.want("y@A2")
}

// TestSignerTakesBack: who was asked before decides again while the other waits again, and not once the other has decided.
func TestSignerTakesBack(t *testing.T) {
	t.Parallel()
	tr := pair(t, flow.All, "x", "y")
	tr.asks("x", "m", flow.Before)
	mine := tr.open("m").ID
	tr.by("m", flow.OpAgree)
	tr.want("x@A1", "y@A1")
	tr.do(withdrawal("m", mine))
	tr.want("m@A1", "x?A1", "y@A1")
	mine = tr.open("m").ID
	tr.by("m", flow.OpAgree)
	tr.by("x", flow.OpAgree)
	tr.refuse(fault.WithdrawRefused, withdrawal("m", mine))
}

// TestSignersOfSigners: a vote waits for those whom the signers behind it have asked.
func TestSignersOfSigners(t *testing.T) {
	t.Parallel()
	tr := pair(t, flow.Any, "x", "y")
	tr.asks("x", "m", flow.After)
	tr.asks("m", "n", flow.After)
	tr.do(flow.Command{Do: flow.OpDisagree, By: "y", Item: tr.open("y").ID})
	tr.want("n@A1")
	tr.by("n", flow.OpAgree)
	tr.want("w@B1")
}

// TestHandedBack: a task that goes back to whom it is for is nobody's in their place.
func TestHandedBack(t *testing.T) {
	t.Parallel()
	tr := pair(t, flow.All, "x", "y")
	tr.do(flow.Command{Do: flow.OpDelegate, By: "x", Rule: "delegation", Item: tr.open("x").ID, People: []string{"k"}})
	tr.do(flow.Command{Do: flow.OpHandOver, By: "root", Admin: true, Remove: []string{"k"}, People: []string{"x"}})
	if i := tr.open("x"); i.From != "" {
		t.Fatalf("%+v", i)
	}
}

// TestBranchOfAdministrator: what led into a split is not taken back while a branch runs there that an administrator began.
func TestBranchOfAdministrator(t *testing.T) {
	t.Parallel()
	truth := map[plan.Expr]bool{}
	routes := []flow.Route{{To: "L", When: &plan.Const{Value: "l"}}, {To: "R", When: &plan.Const{Value: "r"}}}
	truth[routes[1].When] = true
	tr := begin(t, &flow.Template{Code: "b", Nodes: []*flow.Node{
		{ID: "start", Type: flow.Start, Next: "A"},
		{ID: "A", Type: flow.Approve, Mode: flow.Any, Actions: all, Next: "g"},
		{ID: "g", Type: flow.Split, Kind: flow.OR, Routes: routes},
		{ID: "L", Type: flow.Approve, Mode: flow.Any, Actions: all, Next: "j"},
		{ID: "R", Type: flow.Approve, Mode: flow.Any, Actions: all, Next: "j"},
		{ID: "j", Type: flow.Join, Of: "g", Next: "end"},
		{ID: "end", Type: flow.End},
	}}, &world{people: map[string][]string{"A": {"x"}, "L": {"l"}, "R": {"r"}}, holds: func(e plan.Expr) bool { return truth[e] }})
	mine := tr.open("x").ID
	tr.by("x", flow.OpAgree)
	tr.want("r@R1")
	tr.do(order(flow.OpActivate, "L"))
	tr.want("l@L1", "r@R1")
	tr.refuse(fault.WithdrawRefused, withdrawal("x", mine))
	tr.do(order(flow.OpCancel, "L"))
	tr.do(withdrawal("x", mine))
	tr.want("x@A2")
}
