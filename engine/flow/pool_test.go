package flow_test

import (
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
)

// pool is START -> A (a live pool) -> B (w) -> END.
func pool(t *testing.T, people ...string) *trace {
	t.Helper()
	return begin(t, &flow.Template{Code: "p", Nodes: []*flow.Node{
		{ID: "start", Type: flow.Start, Next: "A"},
		{ID: "A", Type: flow.Approve, Mode: flow.Claim, Live: true, Actions: all, Next: "B"},
		{ID: "B", Type: flow.Approve, Mode: flow.Any, Actions: all, Reject: flow.Reject{Targets: []string{"A"}}, Next: "end"},
		{ID: "end", Type: flow.End},
	}}, &world{people: map[string][]string{"A": people, "B": {"w"}}, delegates: map[string]string{}})
}

// follow lets a pool have the people whom its node names from now on, and returns what happened.
func (tr *trace) follow(people ...string) []flow.Event {
	tr.Helper()
	tr.w.people["A"] = people
	since := len(tr.log)
	tr.do(flow.Command{Do: flow.OpFollow, Rule: "directory", Activity: len(tr.s.Activities)})
	return tr.log[since:]
}

// TestPoolFollows: who joins gets the task and hears of it, who leaves loses it, and the log tells of both.
func TestPoolFollows(t *testing.T) {
	t.Parallel()
	tr := pool(t, "x", "y")
	if events := tr.follow("y", "x"); len(events) > 0 {
		t.Fatalf("nothing changed: %+v", events)
	}
	since := len(tr.log)
	events := tr.follow("y", "z")
	tr.want("y@A1", "z@A1")
	if to := tr.messages(101, since); !slices.Equal(to, []string{"z"}) {
		t.Errorf("told %v of their task", to)
	}
	if to := tr.messages(14, since); !slices.Equal(to, []string{"x"}) {
		t.Errorf("told %v that their task is gone", to)
	}
	k := slices.IndexFunc(events, func(e flow.Event) bool { return e.Kind == flow.Logged })
	if e := events[k]; e.Operation != flow.OpFollow || e.Node != "A" || !slices.Equal(e.To, []string{"z"}) || !slices.Equal(e.Gone, []string{"x"}) {
		t.Errorf("%+v", e)
	}
	tr.refuse(fault.ItemFinished, flow.Command{Do: flow.OpFollow, By: "x", Activity: 2}) // nobody asks for it
	tr.by("z", flow.OpAgree)
	tr.refuse(fault.ItemFinished, flow.Command{Do: flow.OpFollow, Rule: "directory", Activity: 2})
}

// TestClaimedStays: a claimed task stays with who claimed it, also when they leave; put back, it is for those whom the node names by then.
func TestClaimedStays(t *testing.T) {
	t.Parallel()
	tr := pool(t, "x", "y")
	mine := tr.open("x").ID
	tr.by("x", flow.OpClaim)
	tr.w.people["A"] = []string{"z"}
	tr.refuse(fault.ItemFinished, flow.Command{Do: flow.OpFollow, Rule: "directory", Activity: 2})
	since := len(tr.log)
	tr.do(flow.Command{Do: flow.OpRelease, By: "x", Item: mine})
	if to := tr.messages(101, since); len(to) > 0 {
		t.Errorf("%v are told of a task that they may not have", to)
	}
	tr.follow("z")
	tr.want("z@A1")

	tr = pool(t, "x") // alone in the pool
	mine = tr.open("x").ID
	tr.by("x", flow.OpClaim)
	tr.w.people["A"] = []string{"x", "z"}
	tr.refuse(fault.ItemFinished, flow.Command{Do: flow.OpFollow, Rule: "directory", Activity: 2})
	tr.do(flow.Command{Do: flow.OpRelease, By: "x", Item: mine})
	tr.follow("x", "z")
	tr.want("x@A1", "z@A1")
	tr.by("z", flow.OpSave) // which is no claim
	tr.follow("x")
	tr.want("x@A1")
}

// TestPoolOfNobody: where nobody is left, the policy of the node decides, and gives way when somebody comes.
func TestPoolOfNobody(t *testing.T) {
	t.Parallel()
	tr := pool(t, "x")
	tr.follow()
	tr.want("admin@A1")
	tr.follow("y")
	tr.want("y@A1")
	tr.t.Node("A").Empty.Action = flow.EmptyError
	tr.follow()
	tr.want()
	if tr.s.Status != flow.Exception || tr.s.Live()[0].Fault != flow.StuckNobody {
		t.Fatal(tr.show())
	}
	since := len(tr.log)
	tr.follow()
	if to := tr.messages(103, since); len(to) > 0 {
		t.Errorf("told %v again", to)
	}
	tr.follow("z")
	tr.want("z@A1")
	if tr.s.Status != flow.Processing {
		t.Fatal(tr.show())
	}
	tr.t.Node("A").Empty.Action = flow.EmptyAutoPass
	tr.follow()
	tr.want("w@B1")
}

// TestPoolByHand: what people did by hand stays.
func TestPoolByHand(t *testing.T) {
	t.Parallel()
	tr := pool(t, "x", "y", "z")
	tr.do(flow.Command{Do: flow.OpTransfer, By: "x", Item: tr.open("x").ID, People: []string{"k"}})
	tr.do(flow.Command{Do: flow.OpAdjust, By: "root", Admin: true, Activity: 2, People: []string{"m"}, Remove: []string{"y"}})
	tr.follow("x", "y")
	tr.want("k@A1", "m@A1") // z left; x gave theirs away, y was taken out
	tr.follow()
	tr.want("k@A1", "m@A1") // somebody has it: no policy is asked
}

// TestPoolOfDelegates: a delegate has the task as long as the node names the person.
func TestPoolOfDelegates(t *testing.T) {
	t.Parallel()
	tr := pool(t, "x")
	tr.w.delegates["y"] = "d"
	tr.follow("x", "y")
	tr.want("x@A1", "d@A1")
	if i := tr.open("d"); i.From != "y" {
		t.Errorf("%+v", i)
	}
	tr.follow("x", "y", "d")
	tr.want("x@A1", "d@A1")
	tr.follow("x", "d")
	tr.want("x@A1", "d@A1")
	if i := tr.open("d"); i.From != "" {
		t.Errorf("%+v", i)
	}
}

// TestPoolAgain: a further round is for the person who handled the node before; a decision that is taken back opens the pool again.
func TestPoolAgain(t *testing.T) {
	t.Parallel()
	tr := pool(t, "x", "y")
	tr.by("x", flow.OpAgree)
	tr.do(withdrawal("x", 2))
	tr.want("x@A2", "y@A2")
	tr.follow("y")
	tr.want("y@A2")
	tr.by("y", flow.OpAgree)
	tr.do(flow.Command{Do: flow.OpReject, By: "w", Item: tr.open("w").ID, Node: "A"})
	tr.want("y@A3")
	tr.w.people["A"] = []string{"z"}
	tr.refuse(fault.ItemFinished, flow.Command{Do: flow.OpFollow, Rule: "directory", Activity: len(tr.s.Activities)})
}

// TestSignersOfWhoLeaves: what somebody asked of others goes with them; a signer whom the node names has the task then.
func TestSignersOfWhoLeaves(t *testing.T) {
	t.Parallel()
	tr := pool(t, "x", "y")
	tr.asks("x", "m", flow.Before)
	tr.follow("y")
	tr.want("y@A1")
	tr = pool(t, "x", "y")
	tr.asks("x", "m", flow.Before)
	tr.do(flow.Command{Do: flow.OpAdjust, By: "root", Admin: true, Activity: 2, Remove: []string{"x"}})
	tr.want("m@A1", "y@A1")
	tr.follow("m")
	tr.want("m@A1")
	if !tr.t.Claimable(tr.s, tr.open("m").ID) {
		t.Error(tr.show())
	}
	tr.by("m", flow.OpAgree)
	tr.want("w@B1")
}

// TestReleaseBesideAdded: who was given a share by hand while another had the task has it once when that one puts it back.
func TestReleaseBesideAdded(t *testing.T) {
	t.Parallel()
	tr := pool(t, "x", "y")
	tr.by("x", flow.OpClaim)
	tr.do(flow.Command{Do: flow.OpAdjust, By: "admin", Admin: true, Activity: 2, People: []string{"y"}})
	tr.by("x", flow.OpRelease)
	tr.want("x@A1", "y@A1")
}
