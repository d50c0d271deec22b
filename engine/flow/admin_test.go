package flow_test

import (
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
)

func order(do flow.Operation, node string) flow.Command {
	return flow.Command{Do: do, By: "root", Admin: true, Node: node}
}

// TestActivate: a branch that waits at its join starts again; a branch where somebody works does not, nor does a node around it.
func TestActivate(t *testing.T) {
	tr := past(t, 100)
	tr.refuse(fault.ActivateRefused, order(flow.OpActivate, "B"))
	tr.refuse(fault.ActivateRefused, order(flow.OpActivate, "A"))
	tr.refuse(fault.ActivateRefused, order(flow.OpActivate, "j1"))
	tr.by("u", flow.OpAgree)
	tr.tokens("g1:1 j1 WAITING", "g1:2 C")
	stranger := order(flow.OpActivate, "B")
	stranger.Admin = false
	tr.refuse(fault.ActivateRefused, stranger)
	since := len(tr.log)
	tr.do(order(flow.OpActivate, "B"))
	tr.want("u@B2", "v@B2", "p@C1", "q?C1")
	if to := tr.messages(4, since); !slices.Equal(to, []string{"i"}) {
		t.Errorf("told of the activation: %v", to)
	}
	tr.by("p", flow.OpAgree)
	tr.by("q", flow.OpAgree)
	tr.tokens("g1:1 B", "g1:2 j1 WAITING") // the join waits for the branch that goes again
	tr.by("v", flow.OpAgree)
	tr.want("w@D1")
	tr.refuse(fault.ActivateRefused, order(flow.OpActivate, "C")) // the split is closed and D is worked on: that is a jump
}

// TestCancelBranch: a branch ends without being done, and its join goes on with the others; the only branch stays.
func TestCancelBranch(t *testing.T) {
	tr := begin(t, template(100), crew())
	tr.refuse(fault.CancelRefused, order(flow.OpCancel, "A"))
	tr = past(t, 100)
	tr.refuse(fault.CancelRefused, order(flow.OpCancel, "D"))
	stranger := order(flow.OpCancel, "C")
	stranger.Admin = false
	tr.refuse(fault.CancelRefused, stranger)
	since := len(tr.log)
	tr.do(order(flow.OpCancel, "C"))
	tr.tokens("g1:1 B")
	if to := tr.messages(14, since); !slices.Equal(to, []string{"p", "q"}) {
		t.Errorf("told %v that their task is gone", to)
	}
	tr.refuse(fault.CancelRefused, order(flow.OpCancel, "B"))
	tr.do(order(flow.OpActivate, "C")) // a branch that was ended starts again
	tr.tokens("g1:1 B", "g1:2 C")
	tr.by("u", flow.OpAgree)
	tr.do(order(flow.OpCancel, "C")) // the other waits: the join goes on with it
	tr.tokens("D")
	tr.want("w@D1")
}

// TestAdminActions: what is offered is what is done, and nothing else is.
func TestAdminActions(t *testing.T) {
	tr := past(t, 100)
	tr.by("u", flow.OpAgree)
	for node, want := range map[string][]flow.Operation{
		"start": nil, "j1": nil, "g1": nil, "A": nil, "D": nil, "end": nil,
		"B": {flow.OpActivate}, "C": {flow.OpJump, flow.OpCancel, flow.OpAdjust},
	} {
		if got := tr.t.AdminActions(tr.s, node); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", node, got, want)
		}
	}
	tr.atD2()
	if got := tr.t.AdminActions(tr.s, "C"); !slices.Equal(got, []flow.Operation{flow.OpJump}) {
		t.Errorf("into the closed split: %v", got)
	}
	tr.do(order(flow.OpJump, "C")) // the only one that can go there
	tr.tokens("g1:2 C")            // the join expects one branch
	tr.do(order(flow.OpActivate, "B"))
	tr.tokens("g1:1 B", "g1:2 C") // and two, when the other is started beside it
}

func (tr *trace) atD2() {
	tr.by("p", flow.OpAgree)
	tr.by("q", flow.OpAgree)
	tr.want("w@D1")
}

// TestHandOver: what is open for a person goes to another with its turn and its weight; who takes part already has one item less.
func TestHandOver(t *testing.T) {
	give := func(from, to string) flow.Command {
		return flow.Command{Do: flow.OpHandOver, By: "root", Admin: true, Remove: []string{from}, People: []string{to}}
	}
	tr := past(t, 100)
	tr.refuse(fault.AdjustRefused, give("nobody", "k"))
	tr.refuse(fault.AdjustRefused, give("p", "p"))
	stranger := give("p", "k")
	stranger.Admin = false
	tr.refuse(fault.AdjustRefused, stranger)
	since := len(tr.log)
	tr.do(give("q", "k")) // whose turn has not come
	tr.want("k?C1", "p@C1", "u@B1", "v@B1")
	if to := tr.messages(101, since); len(to) > 0 {
		t.Errorf("told %v before their turn", to)
	}
	tr.do(give("p", "m"))
	tr.want("k?C1", "m@C1", "u@B1", "v@B1")
	tr.do(give("m", "k")) // k takes part already
	tr.want("k@C1", "u@B1", "v@B1")
	tr.by("k", flow.OpAgree)
	tr.by("u", flow.OpAgree)
	tr.want("w@D1")

	tr = begin(t, template(100), crew())
	tr.do(flow.Command{Do: flow.OpAddSign, By: "x", Item: tr.open("x").ID, People: []string{"s"}, Placing: flow.Before})
	tr.do(flow.Command{Do: flow.OpAssist, By: "y", Item: tr.open("y").ID, People: []string{"h"}})
	tr.do(give("x", "k"))
	tr.want("h@A1", "k?A1", "s@A1", "y@A1", "z@A1") // the signer works for k now
	one := give("h", "n")
	one.Item = tr.open("h").ID
	tr.do(one)
	tr.want("k?A1", "n@A1", "s@A1", "y@A1", "z@A1")
	tr.do(give("n", "y")) // who asked for the advice
	tr.by("s", flow.OpAgree)
	tr.want("k@A1", "y@A1", "z@A1")
	one = give("y", "k")
	one.Item = tr.open("z").ID
	tr.refuse(fault.AdjustRefused, one) // the item is another's

	tr = begin(t, template(100), crew())
	tr.do(flow.Command{Do: flow.OpRevoke, By: "i"})
	tr.do(give("i", "b"))
	if tr.s.Initiator != "b" || tr.s.Status != flow.Draft {
		t.Errorf("a draft of %s, %s", tr.s.Initiator, tr.s.Status)
	}
	tr.do(flow.Command{Do: flow.OpStart, By: "b"})
}
