package flow_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
)

func gone(people ...string) map[string]bool {
	out := map[string]bool{}
	for _, p := range people {
		out[p] = true
	}
	return out
}

// leave lets somebody leave, with a handover of all that is open for them, or lets one come back. Two are away at most.
func leave(r *rand.Rand, tr *trace) {
	if len(tr.w.left) == 2 {
		for _, p := range staff {
			delete(tr.w.left, p)
		}
		return
	}
	if tr.w.left == nil {
		tr.w.left = map[string]bool{}
	}
	who := pick(r, staff...)
	tr.w.left[who] = true
	to := pick(r, append(slices.Clone(staff), "s1")...)
	for tr.w.left[to] {
		to = pick(r, append(slices.Clone(staff), "s1")...)
	}
	err := tr.try(flow.Command{Do: flow.OpHandOver, By: "admin", Admin: true, Remove: []string{who}, People: []string{to}})
	if err != nil && fault.Of(err) != fault.AdjustRefused {
		tr.Fatalf("%s hands over to %s: %v", who, to, err)
	}
	tr.staysFree()
}

// staysFree checks that nobody who left has their turn: what waits for its turn goes elsewhere when that comes.
func (tr *trace) staysFree() {
	tr.Helper()
	for _, i := range tr.s.Items {
		a := tr.s.Activity(i.Activity)
		if i.Ready() && i.Type != flow.ItemCirculate && tr.w.left[i.Person] && tr.s.Token(a.Token).Fault == "" {
			tr.Fatalf("item %d is open for %s, who has left\n%s", i.ID, i.Person, tr.show())
		}
	}
	if running := tr.s.Status == flow.Processing || tr.s.Status == flow.Exception; running && tr.w.left[tr.s.Initiator] {
		tr.Fatalf("it belongs to %s, who has left", tr.s.Initiator)
	}
}

// TestDepartedInitiator: what goes back to an initiator who has left goes to those who have a node without people, and the log says so.
func TestDepartedInitiator(t *testing.T) {
	for _, policy := range []flow.Empty{"", flow.EmptyAutoPass} { // nothing that was sent back is mended by itself
		tpl := template(100)
		tpl.Empty = flow.EmptyPolicy{Action: policy}
		tr := past(t, 100).atD()
		tr.t.Empty = tpl.Empty
		tr.w.left = gone("i")
		since := len(tr.log)
		tr.do(flow.Command{Do: flow.OpReject, By: "w", Item: tr.open("w").ID, Node: "start"})
		tr.want("admin@start2")
		tr.acted(since, flow.OpAssign, flow.By{Rule: flow.RuleEmpty}, "admin")
		tr.by("admin", flow.OpSubmit)
		tr.want("x@A2", "y@A2", "z@A2")
	}
	tr := past(t, 100).atD()
	tr.t.Empty = flow.EmptyPolicy{Action: flow.EmptyError}
	tr.w.left = gone("i")
	since := len(tr.log)
	tr.do(flow.Command{Do: flow.OpReject, By: "w", Item: tr.open("w").ID, Node: "start"})
	tr.want()
	tr.acted(since, flow.OpStop, flow.By{Rule: flow.RuleEmpty})
	if tr.s.Status != flow.Exception {
		t.Errorf("it is %s", tr.s.Status)
	}
}

// TestDepartedInTurn: a turn that comes to somebody who has left goes where the policy of the node says.
func TestDepartedInTurn(t *testing.T) {
	turn := func(policy flow.EmptyPolicy, left ...string) *trace {
		tr := past(t, 100)
		tr.t.Node("C").Empty = policy
		tr.w.left = gone(left...)
		tr.by("p", flow.OpAgree)
		return tr
	}
	tr := turn(flow.EmptyPolicy{}, "q")
	tr.want("admin@C1", "u@B1", "v@B1")
	tr.was("q TRANSFERRED")
	tr.acted(0, flow.OpAssign, flow.By{For: "q", Rule: flow.RuleEmpty}, "admin")
	if i := tr.open("admin"); i.Weight != 1 || i.Original != "q" || i.Type != flow.ItemForward {
		t.Errorf("%+v", i)
	}
	turn(flow.EmptyPolicy{Action: flow.EmptyToUser, User: "m"}, "q").want("m@C1", "u@B1", "v@B1")
	turn(flow.EmptyPolicy{Action: flow.EmptyToSuperior}, "q").want("boss@C1", "u@B1", "v@B1")

	tr = turn(flow.EmptyPolicy{Action: flow.EmptyAutoPass}, "q")
	tr.tokens("g1:1 B", "g1:2 j1 WAITING")
	tr = past(t, 100)
	tr.t.Node("C").Empty, tr.w.missing, tr.w.left = flow.EmptyPolicy{Action: flow.EmptyAutoPass}, map[string]bool{"C": true}, gone("q")
	tr.by("p", flow.OpAgree)
	tr.want("admin@C1", "u@B1", "v@B1") // what only a person can fill is empty

	tr = turn(flow.EmptyPolicy{Action: flow.EmptyToUser, User: "m"}, "q", "m")
	tr.want("q?C1", "u@B1", "v@B1")
	tr.acted(0, flow.OpStop, flow.By{For: "q", Rule: flow.RuleEmpty})
	tr.do(flow.Command{Do: flow.OpRetry, By: "root", Admin: true})
	if tr.s.Status != flow.Exception {
		t.Errorf("tried again it is %s, and waits for nobody", tr.s.Status)
	}
	delete(tr.w.left, "m")
	tr.do(flow.Command{Do: flow.OpRetry, By: "root", Admin: true})
	tr.want("m@C1", "u@B1", "v@B1")
}

// TestDepartedGetsNothing: nobody gives work to people who have left.
func TestDepartedGetsNothing(t *testing.T) {
	tr := begin(t, template(100), crew())
	tr.w.left = gone("g")
	item, to := tr.open("x").ID, []string{"g"}
	for do, code := range map[flow.Operation]fault.Code{flow.OpTransfer: fault.TransferRefused, flow.OpAddSign: fault.AddSignRefused, flow.OpAssist: fault.BadParameter, flow.OpCirculate: fault.BadParameter} {
		tr.refuse(code, flow.Command{Do: do, By: "x", Item: item, People: to})
	}
	tr.refuse(fault.TransferRefused, flow.Command{Do: flow.OpTransfer, By: "x", Item: item, People: to, Rule: flow.RuleTimeout})
	tr.refuse(fault.TransferRefused, flow.Command{Do: flow.OpDelegate, By: "x", Item: item, People: to, Rule: flow.RuleDelegation})
	tr.refuse(fault.AdjustRefused, flow.Command{Do: flow.OpAdjust, By: "root", Admin: true, Activity: 2, People: to})
	tr.refuse(fault.AdjustRefused, flow.Command{Do: flow.OpHandOver, By: "root", Admin: true, Remove: []string{"x"}, People: to})
	tr.w.people["B"], tr.w.delegates = []string{"g", "u"}, map[string]string{"p": "g"}
	for _, p := range []string{"x", "y", "z"} {
		tr.by(p, flow.OpAgree)
	}
	tr.want("u@B1", "p@C1", "q?C1")
}

// TestDepartedFromPool: what is put back into a pool is not for those who have left since.
func TestDepartedFromPool(t *testing.T) {
	tpl := template(100)
	tpl.Nodes[1].Mode = flow.Claim
	tr := begin(t, tpl, crew())
	tr.by("x", flow.OpClaim)
	tr.w.left = gone("y")
	tr.by("x", flow.OpRelease)
	tr.want("x@A1", "z@A1")
}

// TestDepartedStarter: instances of a SUB are started in the name of the initiator, or of who has the node when the initiator has left.
func TestDepartedStarter(t *testing.T) {
	tr := begin(t, &flow.Template{Code: "s", Nodes: []*flow.Node{{ID: "start", Type: flow.Start, Next: "sub"}, {ID: "sub", Type: flow.Sub, Next: "end"}, {ID: "end", Type: flow.End}}}, crew())
	if who := tr.t.Starter(tr.s, "sub", tr.w); who != "i" {
		t.Errorf("started for %q", who)
	}
	tr.w.left = gone("i")
	for policy, want := range map[flow.Empty]string{"": "admin", flow.EmptyAutoPass: "admin", flow.EmptyToSuperior: "boss", flow.EmptyError: ""} {
		tr.t.Node("sub").Empty = flow.EmptyPolicy{Action: policy}
		if who := tr.t.Starter(tr.s, "sub", tr.w); who != want {
			t.Errorf("%s: started for %q, want %q", policy, who, want)
		}
	}
	tr.do(flow.Command{Do: flow.OpChildren, Activity: 2, Count: 1, People: []string{"admin"}})
	tr.acted(0, flow.OpAssign, flow.By{For: "i", Rule: flow.RuleEmpty}, "admin")

	w := crew()
	w.missing, w.left = map[string]bool{"start": true}, gone("i") // a form that its initiator cannot fill any more
	tpl := template(100)
	if err := tpl.Link(); err != nil {
		t.Fatal(err)
	}
	child := &trace{T: t, t: tpl, s: &flow.State{}, w: w}
	child.do(flow.Command{Do: flow.OpStart, By: "i", Rule: flow.RuleSub})
	child.want("admin@start1")
}

// TestSuccessor: who gets all that is open for an initiator who has left is the initiator from then on.
func TestSuccessor(t *testing.T) {
	tr := begin(t, template(100), crew())
	hand := flow.Command{Do: flow.OpHandOver, By: "root", Admin: true, Remove: []string{"i"}, People: []string{"m"}}
	tr.refuse(fault.AdjustRefused, hand) // somebody who is there keeps what they began
	tr.w.left = gone("i")
	one := hand
	one.Item = 1
	tr.refuse(fault.AdjustRefused, one)
	since := len(tr.log)
	tr.do(hand)
	if tr.s.Initiator != "m" || tr.s.Status != flow.Processing {
		t.Errorf("%s %s", tr.s.Initiator, tr.s.Status)
	}
	tr.acted(since, flow.OpHandOver, flow.By{Person: "root", For: "i", Rule: flow.RuleLeaver}, "m")
}
