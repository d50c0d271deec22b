package flow_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
)

// TestClaimIsOfPools: only a share of a pool is claimed, not a task of a node of another mode, nor advice or a copy.
func TestClaimIsOfPools(t *testing.T) {
	t.Parallel()
	for _, mode := range []flow.Mode{flow.Any, flow.All, flow.Seq} {
		tr := pair(t, mode, "x", "y")
		tr.refuse(fault.BadParameter, flow.Command{Do: flow.OpClaim, By: "x", Item: tr.open("x").ID})
		tr.was("x TODO")
	}
	tr := pair(t, flow.Claim, "x", "y")
	tr.do(flow.Command{Do: flow.OpAssist, By: "x", Item: tr.open("x").ID, People: []string{"h"}})
	tr.refuse(fault.BadParameter, flow.Command{Do: flow.OpClaim, By: "h", Item: tr.open("h").ID})
	tr.do(flow.Command{Do: flow.OpCirculate, By: "x", Item: tr.open("x").ID, People: []string{"r"}})
	tr.refuse(fault.ItemFinished, flow.Command{Do: flow.OpClaim, By: "r", Item: tr.open("r").ID})
	tr.refuse(fault.ItemNotYours, flow.Command{Do: flow.OpClaim, By: "x", Item: tr.open("y").ID})
	tr.by("x", flow.OpClaim)
	tr.was("x DOING", "y CANCELLED")
}

// TestRevoke: the initiator takes an instance back until somebody else has decided. What a rule decided, and a copy that was read, is nobody's decision.
func TestRevoke(t *testing.T) {
	t.Parallel()
	back := flow.Command{Do: flow.OpRevoke, By: "i"}
	rule := func(tr *trace) { tr.do(flow.Command{Do: flow.OpAgree, Item: tr.open("x").ID, Rule: "timeout"}) }
	person := func(tr *trace) { tr.by("x", flow.OpAgree) }
	reader := func(tr *trace) {
		tr.do(flow.Command{Do: flow.OpCirculate, By: "x", Item: tr.open("x").ID, People: []string{"r"}})
		tr.by("r", flow.OpRead)
	}
	over := func(tr *trace) { tr.do(flow.Command{Do: flow.OpVoid, By: "i"}) }
	for _, c := range []struct {
		name  string
		allow flow.Revoke
		after func(tr *trace)
		by    string
		may   bool
	}{
		{"at once", flow.RevokeUntouched, nil, "i", true},
		{"after a rule", flow.RevokeUntouched, rule, "i", true},
		{"after a reader", flow.RevokeUntouched, reader, "i", true},
		{"after a person", flow.RevokeUntouched, person, "i", false},
		{"after a person, at any time", flow.RevokeAnytime, person, "i", true},
		{"never", flow.RevokeNever, nil, "i", false},
		{"by somebody else", flow.RevokeAnytime, nil, "x", false},
		{"after the end", flow.RevokeAnytime, over, "i", false},
	} {
		template := template(100)
		template.AllowRevoke = c.allow
		tr := begin(t, template, crew())
		if c.after != nil {
			c.after(tr)
		}
		do := back
		if do.By = c.by; !c.may {
			tr.refuse(fault.WithdrawRefused, do)
			continue
		}
		if tr.do(do); tr.s.Status != flow.Draft || len(tr.s.Live()) > 0 {
			t.Errorf("%s: %s", c.name, tr.show())
		}
	}
	template := template(100)
	template.Nodes[0].Actions = []flow.Action{flow.OpSubmit}
	tr := begin(t, template, crew())
	tr.refuse(fault.WithdrawRefused, back) // its form has no such button
}

// TestVoid: an instance that runs is voided by its initiator or an administrator, and by nobody else; who is told.
func TestVoid(t *testing.T) {
	t.Parallel()
	for by, may := range map[string]bool{"i": true, "root": true, "x": false} {
		tr := begin(t, template(100), crew())
		since := len(tr.log)
		do := flow.Command{Do: flow.OpVoid, By: by, Admin: by == "root"}
		if !may {
			tr.refuse(fault.VoidRefused, do)
			continue
		}
		tr.do(do)
		tr.want()
		if tr.s.Status != flow.Canceled || tr.s.Result != flow.Void {
			t.Error(tr.show())
		}
		if to := tr.messages(104, since); !slices.Equal(to, []string{"i"}) {
			t.Errorf("told of it: %v", to)
		}
		tr.refuse(fault.VoidRefused, do) // it has ended
	}
}

// TestSentBackIsTakenBack: what somebody sent back only they take back; those who agreed before cannot, nor anybody once the initiator went on.
func TestSentBackIsTakenBack(t *testing.T) {
	t.Parallel()
	sent := func() (tr *trace, x, y int) {
		tr = begin(t, template(100), crew())
		x, y = tr.open("x").ID, tr.open("y").ID
		tr.by("x", flow.OpAgree)
		tr.do(flow.Command{Do: flow.OpReject, By: "y", Item: y, Node: "start"})
		tr.want("i@start2")
		return tr, x, y
	}
	tr, x, y := sent()
	tr.refuse(fault.WithdrawRefused, withdrawal("x", x))
	tr.refuse(fault.ItemNotYours, withdrawal("x", y))
	tr.do(withdrawal("y", y))
	tr.want("y@A2", "z@A2")
	tr, x, y = sent()
	tr.by("i", flow.OpSubmit)
	tr.want("x@A2", "y@A2", "z@A2")
	tr.refuse(fault.WithdrawRefused, withdrawal("y", y))
	tr.refuse(fault.WithdrawRefused, withdrawal("x", x))
}

// TestLastTokenStays: a branch is offered to be canceled only beside another one.
func TestLastTokenStays(t *testing.T) {
	t.Parallel()
	tr := past(t, 100)
	offered := func(node string) bool { return slices.Contains(tr.t.AdminActions(tr.s, node), flow.OpCancel) }
	if !offered("B") || !offered("C") || offered("D") {
		t.Error("two branches")
	}
	tr.do(order(flow.OpCancel, "C"))
	if offered("B") || offered("C") {
		t.Error("the last branch is offered")
	}
	tr.by("u", flow.OpAgree)
	if offered("D") {
		t.Error("the only token is offered")
	}
	tr.do(flow.Command{Do: flow.OpVoid, By: "i"})
	for _, n := range tr.t.Nodes {
		if got := tr.t.AdminActions(tr.s, n.ID); len(got) > 0 {
			t.Errorf("%s of an instance that has ended: %v", n.ID, got)
		}
	}
	if got := tr.t.AdminActions(tr.s, "none"); got != nil {
		t.Errorf("a node that is not there: %v", got)
	}
}

// TestHandOverIsLogged: each item that goes to somebody else, and a draft, is written down with its node and the new person.
func TestHandOverIsLogged(t *testing.T) {
	t.Parallel()
	logged := func(tr *trace, since int) (out []string) {
		for _, e := range tr.log[since:] {
			if e.Kind == flow.Logged {
				out = append(out, fmt.Sprint(e.Operation, " ", e.Node, " ", e.On, " ", e.To, " ", e.Text))
			}
		}
		return out
	}
	tr := past(t, 100)
	give := flow.Command{Do: flow.OpHandOver, By: "root", Admin: true, Remove: []string{"u"}, People: []string{"k"}, Opinion: "left"}
	item, since := tr.open("u").ID, len(tr.log)
	tr.do(give)
	if got, want := logged(tr, since), []string{fmt.Sprintf("%s B %d [k] left", flow.OpHandOver, item)}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if to := tr.messages(14, since); !slices.Equal(to, []string{"u"}) {
		t.Errorf("told that their task is gone: %v", to)
	}
	if to := tr.messages(101, since); !slices.Equal(to, []string{"k"}) {
		t.Errorf("told of their task: %v", to)
	}
	tr = begin(t, template(100), crew())
	tr.do(flow.Command{Do: flow.OpRevoke, By: "i"})
	since, give.Remove = len(tr.log), []string{"i"}
	one := give
	one.Item = 1
	tr.refuse(fault.AdjustRefused, one) // of a draft there are no items to give
	tr.do(give)
	if got, want := logged(tr, since), []string{fmt.Sprintf("%s  0 [k] left", flow.OpHandOver)}; !slices.Equal(got, want) {
		t.Errorf("a draft: %q, want %q", got, want)
	}
}

// TestRuleDecides: a time limit disagrees also where people have no such button, and agrees though advice is missing; people do neither.
func TestRuleDecides(t *testing.T) {
	t.Parallel()
	asked := func() *trace {
		template := template(100)
		template.Nodes[1].Actions, template.Nodes[1].AwaitsAdvice = []flow.Action{flow.OpAgree, flow.OpAssist}, true
		tr := begin(t, template, crew())
		tr.do(flow.Command{Do: flow.OpAssist, By: "x", Item: tr.open("x").ID, People: []string{"h"}})
		return tr
	}
	tr := asked()
	tr.refuse(fault.BadParameter, flow.Command{Do: flow.OpDisagree, By: "x", Item: tr.open("x").ID})
	tr.refuse(fault.NotYourTurn, flow.Command{Do: flow.OpAgree, By: "x", Item: tr.open("x").ID})
	tr.do(flow.Command{Do: flow.OpAgree, Item: tr.open("x").ID, Rule: "timeout"})
	tr.was("x DONE")
	tr = asked()
	tr.do(flow.Command{Do: flow.OpDisagree, Item: tr.open("x").ID, Rule: "timeout"})
	tr.was("x DONE")
	if v := tr.s.Items[1]; v.Verdict != flow.Disagree || v.Rule != "timeout" {
		t.Errorf("%+v", v)
	}
}

// TestStoppedByAnException: where an exception stops all branches, open tasks are told so; copies can be read.
func TestStoppedByAnException(t *testing.T) {
	t.Parallel()
	tr := pair(t, flow.All, "x", "y")
	tr.do(flow.Command{Do: flow.OpCirculate, By: "x", Item: tr.open("x").ID, People: []string{"r"}})
	tr.t.StopAll, tr.s.Status = true, flow.Exception
	tr.refuse(fault.InstanceStopped, flow.Command{Do: flow.OpAgree, By: "x", Item: tr.open("x").ID})
	tr.refuse(fault.ItemNotYours, flow.Command{Do: flow.OpAgree, By: "x", Item: tr.open("y").ID})
	_, err := tr.t.Do(tr.s, flow.Command{Do: flow.OpRead, By: "r", Item: tr.open("r").ID}, tr.w)
	require.NoError(t, err)
}
