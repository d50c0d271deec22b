package flow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
)

var all = []flow.Action{flow.OpAgree, flow.OpDisagree, flow.OpWithdraw, flow.OpReject, flow.OpTransfer, flow.OpAddSign, flow.OpAssist, flow.OpCirculate, flow.OpUrge, flow.OpAdjust}

var initiators = []flow.Action{flow.OpSubmit, flow.OpRevoke, flow.OpUrge}

// template is START -> A (all of x, y, z) -> both B (one of u, v) and C (p, then q) -> D (w) -> END.
func template(exit int64) *flow.Template {
	return &flow.Template{Code: "t", AllowRevoke: flow.RevokeUntouched, Nodes: []*flow.Node{
		{ID: "start", Type: flow.Start, Actions: initiators, Next: "A"},
		{ID: "A", Type: flow.Approve, Mode: flow.All, AgreeExit: exit * flow.Full / 100, Early: true, Actions: all, Next: "g1"},
		{ID: "g1", Type: flow.Split, Kind: flow.AND, Routes: []flow.Route{{To: "B"}, {To: "C"}}},
		{ID: "B", Type: flow.Approve, Mode: flow.Any, Actions: all, Next: "j1"},
		{ID: "C", Type: flow.Approve, Mode: flow.Seq, Actions: all, Reject: flow.Reject{Targets: []string{"A"}}, Next: "j1"},
		{ID: "j1", Type: flow.Join, Of: "g1", Next: "D"},
		{ID: "D", Type: flow.Approve, Mode: flow.Any, Actions: all, Reject: flow.Reject{Targets: []string{"start", "A"}}, Next: "end"},
		{ID: "end", Type: flow.End},
	}}
}

func crew() *world {
	return &world{people: map[string][]string{"A": {"x", "y", "z"}, "B": {"u", "v"}, "C": {"p", "q"}, "D": {"w"}}}
}

// past runs an instance until A has passed.
func past(t *testing.T, exit int64) *trace {
	tr := begin(t, template(exit), crew())
	for _, p := range []string{"x", "y", "z"} {
		if tr.s.Activity(2).State == flow.ActivityActive {
			tr.by(p, flow.OpAgree)
		}
	}
	return tr
}

// was compares what became of the last item of people.
func (tr *trace) was(texts ...string) {
	tr.Helper()
	last := map[string]flow.ItemState{}
	for _, i := range tr.s.Items {
		last[i.Person] = i.State
	}
	for _, text := range texts {
		if who, state, _ := strings.Cut(text, " "); string(last[who]) != state {
			tr.Errorf("%s: %s, want %s", who, last[who], state)
		}
	}
}

// rounds compares every round of every node: "B 2 ACTIVE".
func (tr *trace) rounds(texts ...string) {
	tr.Helper()
	var got []string
	for _, a := range tr.s.Activities {
		got = append(got, fmt.Sprintf("%s %d %s", a.Node, a.Round, a.State))
	}
	slices.Sort(got)
	if !slices.Equal(got, texts) {
		tr.Errorf("rounds %v, want %v", got, texts)
	}
}

// killed compares the scopes of the tokens that were ended.
func (tr *trace) killed(scopes ...string) {
	tr.Helper()
	var got []string
	for _, t := range tr.s.Tokens {
		if t.State == flow.TokenKilled {
			got = append(got, t.Scope)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, scopes) {
		tr.Errorf("ended %v, want %v", got, scopes)
	}
}

func (tr *trace) atD() *trace {
	tr.by("u", flow.OpAgree)
	tr.by("p", flow.OpAgree)
	tr.by("q", flow.OpAgree)
	return tr
}

func TestShareOfVotes(t *testing.T) {
	tr := begin(t, template(66), crew())
	if need := tr.t.Count(tr.s, 2).Need; need != 2 {
		t.Fatalf("need %d of 3 at 66 %%", need)
	}
	tr.by("x", flow.OpAgree)
	tr.by("y", flow.OpDisagree)
	tr.want("z@A1")
	if v := tr.t.Count(tr.s, 2); v.Open != 1 || v.For != 1 || v.For+v.Open < v.Need {
		t.Errorf("after two of three at 66 %%: %+v", v)
	}
	tr.by("z", flow.OpAgree)
	if a := tr.s.Activity(2); a.State != flow.ActivityPassed {
		t.Errorf("two agreed, A is %s", a.State)
	}
	tr.want("u@B1", "v@B1", "p@C1", "q?C1")

	tr = begin(t, template(67), crew())
	if need := tr.t.Count(tr.s, 2).Need; need != 3 {
		t.Fatalf("need %d of 3 at 67 %%", need)
	}
	tr.by("x", flow.OpAgree)
	since := len(tr.log)
	tr.by("y", flow.OpDisagree)
	if a := tr.s.Activity(2); a.State != flow.ActivityFailed {
		t.Fatalf("A is %s", a.State)
	}
	if to := tr.messages(14, since); !slices.Equal(to, []string{"z"}) {
		t.Errorf("told %v that their task is gone", to)
	}
	tr.was("x DONE", "y DONE", "z CANCELLED")
	tr.want("i@start2")
}

func TestBranchesMeet(t *testing.T) {
	tr := past(t, 100)
	tr.tokens("g1:1 B", "g1:2 C")
	tr.by("u", flow.OpAgree)
	tr.want("p@C1", "q?C1")
	tr.was("u DONE", "v CANCELLED")
	tr.tokens("g1:1 j1 WAITING", "g1:2 C")
	tr.by("p", flow.OpAgree)
	tr.want("q@C1")
	tr.by("q", flow.OpAgree)
	tr.tokens("D")
	tr.want("w@D1")
	tr.by("w", flow.OpAgree)
	if tr.s.Status != flow.Completed || tr.s.Result != flow.Agreed {
		t.Errorf("%s %s", tr.s.Status, tr.s.Result)
	}
	if got := tr.messages(101, 0); !slices.Equal(got, []string{"p", "q", "u", "v", "w", "x", "y", "z"}) {
		t.Errorf("messages of tasks: %v", got)
	}
}

func TestRejectAndComeBack(t *testing.T) {
	tr := past(t, 100).atD()
	since := len(tr.log)
	tr.do(flow.Command{Do: flow.OpReject, By: "w", Item: tr.open("w").ID, Node: "A", Resubmit: flow.ToRejector})
	tr.want("x@A2", "y@A2", "z@A2")
	for _, p := range []string{"x", "y", "z"} {
		tr.by(p, flow.OpAgree)
	}
	tr.want("w@D2")
	tr.tokens("D")
	var skipped []string
	for _, e := range tr.log[since:] {
		if e.Kind == flow.Skipped {
			skipped = append(skipped, e.Node)
		}
	}
	if !slices.Equal(skipped, []string{"B", "C"}) {
		t.Errorf("skipped %v", skipped)
	}
	tr.rounds("A 1 PASSED", "A 2 PASSED", "B 1 PASSED", "C 1 PASSED", "D 1 FAILED", "D 2 ACTIVE", "start 1 PASSED")

	tr = past(t, 100).atD()
	tr.do(flow.Command{Do: flow.OpReject, By: "w", Item: tr.open("w").ID, Node: "A", Resubmit: flow.Rerun})
	for _, p := range []string{"x", "y", "z"} {
		tr.by(p, flow.OpAgree)
	}
	tr.want("u@B2", "v@B2", "p@C2", "q?C2")
	tr.rounds("A 1 PASSED", "A 2 PASSED", "B 1 PASSED", "B 2 ACTIVE", "C 1 PASSED", "C 2 ACTIVE", "D 1 FAILED", "start 1 PASSED")
}

// TestSentBackToWhoLeft: another round is for those of the last one who are still here, and for whom the node names where none of them is.
func TestSentBackToWhoLeft(t *testing.T) {
	tr := past(t, 100).atD()
	w := tr.w
	w.left = map[string]bool{"x": true}
	tr.do(flow.Command{Do: flow.OpReject, By: "w", Item: tr.open("w").ID, Node: "A", Resubmit: flow.Rerun})
	tr.want("y@A2", "z@A2")

	tr = past(t, 100).atD()
	tr.w.left = map[string]bool{"x": true, "y": true, "z": true}
	tr.w.people["A"] = []string{"new"}
	tr.do(flow.Command{Do: flow.OpReject, By: "w", Item: tr.open("w").ID, Node: "A", Resubmit: flow.Rerun})
	tr.want("new@A2")
}

// TestRefusalEndsASequence: a sequence with votes ends at the share of refusals that its node names.
func TestRefusalEndsASequence(t *testing.T) {
	tpl := template(100)
	n := tpl.Nodes[1]
	n.Mode, n.Vote, n.DisagreeExit, n.AgreeExit = flow.Seq, true, 34*flow.Full/100, 10*flow.Full/100
	tr := begin(t, tpl, crew())
	tr.by("x", flow.OpDisagree)
	if a := tr.s.Activity(2); a.State != flow.ActivityActive {
		t.Fatalf("one of three: %s", a.State)
	}
	tr.by("y", flow.OpDisagree)
	if a := tr.s.Activity(2); a.State != flow.ActivityFailed {
		t.Errorf("two of three: %s", a.State)
	}
}

// TestActionsOfANode: what a node does not offer is refused, not only hidden.
func TestActionsOfANode(t *testing.T) {
	tpl := template(100)
	tpl.Nodes[1].Actions = []flow.Action{flow.OpAgree}
	tr := begin(t, tpl, crew())
	for _, op := range []flow.Operation{flow.OpDisagree, flow.OpReject, flow.OpTransfer} {
		if _, err := tr.t.Do(tr.s, flow.Command{Do: op, By: "x", Item: tr.open("x").ID, People: []string{"n"}}, tr.w); err == nil {
			t.Errorf("%s is done", op)
		}
	}
	tr.by("x", flow.OpAgree)
	if _, err := tr.t.Do(tr.s, flow.Command{Do: flow.OpWithdraw, By: "x", Item: 2}, tr.w); err == nil {
		t.Error("withdraw is done")
	}
}

// TestFillIsSubmitted: what people fill is submitted, and nobody agrees to it; neither does its initiator to what came back.
func TestFillIsSubmitted(t *testing.T) {
	template := template(100)
	template.Nodes[1].Type = flow.Fill
	template.Nodes[1].Actions = append(slices.Clone(all), flow.OpSubmit)
	tr := begin(t, template, crew())
	for _, op := range []flow.Operation{flow.OpAgree, flow.OpDisagree} {
		tr.refuse(fault.BadParameter, flow.Command{Do: op, By: "x", Item: tr.open("x").ID})
	}
	tr.do(flow.Command{Do: flow.OpReject, By: "y", Item: tr.open("y").ID, Node: "start"})
	tr.refuse(fault.BadParameter, flow.Command{Do: flow.OpAgree, By: "i", Item: tr.open("i").ID})
	tr.by("i", flow.OpSubmit)
	tr.by("x", flow.OpSubmit)
	if i := tr.s.Items[len(tr.s.Items)-3]; i.Person != "x" || i.Verdict != flow.Submit {
		t.Errorf("%+v", i)
	}
}

// TestAskedOnce: who has not answered yet is not asked again.
func TestAskedOnce(t *testing.T) {
	tr := begin(t, template(100), crew())
	ask := flow.Command{Do: flow.OpAssist, By: "x", Item: tr.open("x").ID, People: []string{"m"}}
	tr.do(ask)
	if _, err := tr.t.Do(tr.s, ask, tr.w); err == nil {
		t.Error("asked twice")
	}
	tr.by("m", flow.OpSubmit)
	tr.do(ask)
}

func TestRejectOutOfBranches(t *testing.T) {
	tr := past(t, 100)
	since := len(tr.log)
	tr.do(flow.Command{Do: flow.OpReject, By: "p", Item: tr.open("p").ID, Node: "A"})
	tr.tokens("A")
	tr.want("x@A2", "y@A2", "z@A2")
	tr.was("u CANCELLED", "v CANCELLED")
	tr.killed("g1:1", "g1:2")
	if to := tr.messages(14, since); !slices.Equal(to, []string{"q", "u", "v"}) {
		t.Errorf("told %v", to)
	}
	tr = past(t, 100)
	tr.refuse(fault.RejectNoTarget, flow.Command{Do: flow.OpReject, By: "p", Item: tr.open("p").ID, Node: "B"})
	tr.t.Node("C").Reject.Targets = []string{"any"}
	tr.by("u", flow.OpAgree)
	if got := tr.t.RejectTargets(tr.s, tr.open("p").ID); !slices.Equal(got, []string{"A", "start"}) {
		t.Errorf("targets %v", got)
	}
}

func TestWithdraw(t *testing.T) {
	tr := past(t, 100)
	mine := tr.open("u").ID
	tr.by("u", flow.OpAgree)
	tr.do(flow.Command{Do: flow.OpWithdraw, By: "u", Item: mine})
	tr.want("u@B2", "v@B2", "p@C1", "q?C1")
	tr.tokens("g1:1 B", "g1:2 C")
	mine = tr.open("u").ID
	tr.atD()
	tr.refuse(fault.WithdrawRefused, flow.Command{Do: flow.OpWithdraw, By: "u", Item: mine})
	tr.want("w@D1")

	tr = begin(t, template(66), crew())
	mine = tr.open("x").ID
	tr.by("x", flow.OpAgree)
	tr.do(flow.Command{Do: flow.OpWithdraw, By: "x", Item: mine}) // while the others still decide
	tr.want("x@A1", "y@A1", "z@A1")
	tr.by("x", flow.OpAgree)
	mine = tr.open("y").ID
	tr.by("y", flow.OpAgree) // decided: the branches begin
	tr.do(flow.Command{Do: flow.OpWithdraw, By: "y", Item: mine})
	tr.want("y@A2", "z@A2") // x has agreed as before
	tr.tokens("A")
	mine = tr.open("y").ID
	tr.by("y", flow.OpAgree)
	tr.by("u", flow.OpAgree)
	tr.refuse(fault.WithdrawRefused, flow.Command{Do: flow.OpWithdraw, By: "y", Item: mine})
	tr.refuse(fault.ItemNotYours, flow.Command{Do: flow.OpWithdraw, By: "z", Item: mine})
}

func TestTransferAndAddedSigners(t *testing.T) {
	tr := begin(t, template(66), crew())
	transfer := func(to string) flow.Command {
		return flow.Command{Do: flow.OpTransfer, By: "x", Item: tr.open("x").ID, People: []string{to}}
	}
	tr.refuse(fault.TransferRefused, transfer("y"))
	tr.refuse(fault.TransferToSelf, transfer("x"))
	tr.refuse(fault.ItemNotYours, flow.Command{Do: flow.OpTransfer, By: "k", Item: tr.open("x").ID, People: []string{"m"}})
	tr.do(flow.Command{Do: flow.OpAddSign, By: "x", Item: tr.open("x").ID, People: []string{"m"}, Placing: flow.Parallel})
	if v := tr.t.Count(tr.s, 2); v.All != 4 || v.Need != 3 {
		t.Errorf("with one more: %+v", v)
	}
	tr.do(transfer("k"))
	if v := tr.t.Count(tr.s, 2); v.All != 4 || v.Open != 4 {
		t.Errorf("after the transfer: %+v", v)
	}
	tr.want("k@A1", "m@A1", "y@A1", "z@A1")

	tr = begin(t, template(66), crew())
	tr.do(transfer("k")) // alone
	if v := tr.t.Count(tr.s, 2); v.All != 3 || v.Need != 2 {
		t.Errorf("after the transfer alone: %+v", v)
	}
	tr.want("k@A1", "y@A1", "z@A1")

	tr = begin(t, template(100), crew())
	tr.do(flow.Command{Do: flow.OpAddSign, By: "x", Item: tr.open("x").ID, People: []string{"m"}, Placing: flow.Before})
	tr.want("m@A1", "x?A1", "y@A1", "z@A1")
	tr.refuse(fault.NotYourTurn, flow.Command{Do: flow.OpAgree, By: "x", Item: 2})
	tr.by("m", flow.OpAgree)
	tr.want("x@A1", "y@A1", "z@A1")
	tr.do(flow.Command{Do: flow.OpAddSign, By: "x", Item: tr.open("x").ID, People: []string{"n"}, Placing: flow.After})
	tr.want("n@A1", "y@A1", "z@A1")
	tr.refuse(fault.AddSelf, flow.Command{Do: flow.OpAddSign, By: "y", Item: tr.open("y").ID, People: []string{"y"}})
	for _, p := range []string{"y", "z", "n"} {
		tr.by(p, flow.OpAgree)
	}
	tr.want("u@B1", "v@B1", "p@C1", "q?C1")

	tr.do(flow.Command{Do: flow.OpAddSign, By: "u", Item: tr.open("u").ID, People: []string{"m"}, Placing: flow.Before})
	tr.by("m", flow.OpAgree) // where one is enough, the opinion asked for does not decide
	tr.want("u@B1", "v@B1", "p@C1", "q?C1")
	tr.do(flow.Command{Do: flow.OpAddSign, By: "p", Item: tr.open("p").ID, People: []string{"m"}, Placing: flow.Before})
	tr.want("m@C1", "p?C1", "q?C1", "u@B1", "v@B1")
	tr.by("m", flow.OpAgree)
	tr.want("p@C1", "q?C1", "u@B1", "v@B1")
}

// TestSameMillisecond: x and y agree at once. The lock of the instance puts one behind the other; whichever comes first, both votes are
// kept, A is left once, z hears once that the task is gone, and u, v and p hear once of theirs.
func TestSameMillisecond(t *testing.T) {
	for _, order := range [][]string{{"x", "y"}, {"y", "x"}} {
		tr := begin(t, template(66), crew())
		since := len(tr.log)
		for _, p := range order {
			tr.by(p, flow.OpAgree)
		}
		tr.want("u@B1", "v@B1", "p@C1", "q?C1")
		var votes []string
		left := 0
		for _, e := range tr.log[since:] {
			switch {
			case e.Kind == flow.ItemIs && e.Item.Activity == 2 && e.Item.State == flow.ItemDone:
				votes = append(votes, e.Item.Person)
			case e.Kind == flow.ActivityIs && e.Activity.ID == 2 && e.Activity.State == flow.ActivityPassed:
				left++
			}
		}
		if !slices.Equal(votes, order) || left != 1 {
			t.Errorf("votes of %v, left %d times", votes, left)
		}
		if to := tr.messages(14, since); !slices.Equal(to, []string{"z"}) {
			t.Errorf("told %v that their task is gone", to)
		}
		if to := tr.messages(101, since); !slices.Equal(to, []string{"p", "u", "v"}) {
			t.Errorf("told %v of a task", to)
		}
		tr.refuse(fault.ItemFinished, flow.Command{Do: flow.OpAgree, By: "z", Item: 4})
	}
}

func TestDelegate(t *testing.T) {
	w := crew()
	w.delegates = map[string]string{"x": "k", "y": "z"}
	tr := begin(t, template(100), w)
	tr.want("k@A1", "z@A1", "y@A1") // z cannot stand in for y: z decides already
	if i := tr.open("k"); i.From != "x" {
		t.Errorf("k stands in for %q", i.From)
	}
}

func TestJumpIntoSplit(t *testing.T) {
	tr := past(t, 100).atD()
	jump := flow.Command{Do: flow.OpJump, By: "root", Admin: true, Activity: tr.open("w").Activity, Node: "C"}
	stranger := jump
	stranger.Admin = false
	tr.refuse(fault.JumpRefused, stranger)
	tr.do(jump)
	tr.tokens("g1:2 C")
	tr.want("p@C2", "q?C2") // the join expects one branch
	tr.by("p", flow.OpAgree)
	tr.by("q", flow.OpAgree)
	tr.want("w@D2")
	tr.tokens("D")
}

// TestJoinOfTwo: a join that needs two of three goes on with the second and ends the third; after a step back it needs two again.
func TestJoinOfTwo(t *testing.T) {
	tr := begin(t, &flow.Template{Code: "n", Nodes: []*flow.Node{
		{ID: "start", Type: flow.Start, Next: "g"},
		{ID: "g", Type: flow.Split, Kind: flow.AND, Routes: []flow.Route{{To: "K"}, {To: "L"}, {To: "M"}}},
		{ID: "K", Type: flow.Approve, Mode: flow.Any, Next: "j"},
		{ID: "L", Type: flow.Approve, Mode: flow.Any, Next: "j"},
		{ID: "M", Type: flow.Approve, Mode: flow.Any, Next: "j"},
		{ID: "j", Type: flow.Join, Of: "g", Needs: 2, Next: "D"},
		{ID: "D", Type: flow.Approve, Mode: flow.Any, Actions: all, Next: "end"},
		{ID: "end", Type: flow.End},
	}}, &world{people: map[string][]string{"K": {"k"}, "L": {"l"}, "M": {"m"}, "D": {"w"}}})
	for round := range 2 {
		tr.by("k", flow.OpAgree)
		tr.want(fmt.Sprint("l@L", round+1), fmt.Sprint("m@M", round+1))
		since := len(tr.log)
		tr.by("m", flow.OpAgree)
		tr.want(fmt.Sprint("w@D", round+1))
		tr.tokens("D")
		if to := tr.messages(14, since); !slices.Equal(to, []string{"l"}) {
			t.Errorf("told %v that their task is gone", to)
		}
		if round == 0 {
			tr.by("w", flow.OpReject)
			tr.by("i", flow.OpSubmit)
		}
	}
}

func TestVoidAndRevoke(t *testing.T) {
	for _, steps := range []int{0, 1, 2, 3} {
		tr := past(t, 100)
		for _, p := range []string{"u", "p", "q"}[:steps] {
			tr.by(p, flow.OpAgree)
		}
		tr.refuse(fault.VoidRefused, flow.Command{Do: flow.OpVoid, By: "w"})
		tr.do(flow.Command{Do: flow.OpVoid, By: "i"})
		tr.want()
		tr.tokens()
		tr.refuse(fault.VoidRefused, flow.Command{Do: flow.OpVoid, By: "i"})
	}
	tr := begin(t, template(100), crew())
	tr.do(flow.Command{Do: flow.OpRevoke, By: "i"})
	if tr.s.Status != flow.Draft {
		t.Errorf("revoked, it is %s", tr.s.Status)
	}
	tr.want()
	tr.do(flow.Command{Do: flow.OpStart, By: "i"})
	tr.want("x@A2", "y@A2", "z@A2")
	tr.by("x", flow.OpAgree)
	tr.refuse(fault.WithdrawRefused, flow.Command{Do: flow.OpRevoke, By: "i"})
}

func TestNobody(t *testing.T) {
	for policy, want := range map[flow.Empty][]string{
		flow.EmptyToAdmin:    {"admin@D1"},
		flow.EmptyToSuperior: {"boss@D1"},
		flow.EmptyAutoPass:   nil,
		flow.EmptyError:      nil,
	} {
		w := crew()
		w.people["D"] = nil
		tt := template(100)
		tt.Empty = flow.EmptyPolicy{Action: policy}
		tr := begin(t, tt, w)
		for _, p := range []string{"x", "y", "z"} {
			tr.by(p, flow.OpAgree)
		}
		tr.atD()
		tr.want(want...)
		if status := map[flow.Empty]flow.Status{flow.EmptyAutoPass: flow.Completed, flow.EmptyError: flow.Exception}[policy]; status != "" && tr.s.Status != status {
			t.Errorf("%s: %s", policy, tr.s.Status)
		}
	}
}

// TestTooManyPeople: more people than a node takes, 200 unless it says otherwise, hold the instance for an administrator; nobody gets a task.
func TestTooManyPeople(t *testing.T) {
	crowd := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprint("x", i))
		}
		return out
	}
	for _, c := range []struct{ most, people, tasks int }{{0, 200, 200}, {0, 201, 0}, {0, 10_000, 0}, {10_000, 10_000, 10_000}, {3, 4, 0}} {
		w := crew()
		w.people["A"] = append(crowd(c.people), "x0") // who is named twice counts once
		tt := template(100)
		tt.Nodes[1].Most = c.most
		tr := begin(t, tt, w)
		if got := len(tr.todo()); got != c.tasks {
			t.Fatalf("%+v: %d tasks", c, got)
		}
		if c.tasks > 0 {
			continue
		}
		if fault := tr.s.Live()[0].Fault; tr.s.Status != flow.Exception || !strings.Contains(fault, "403060") {
			t.Errorf("%+v: %s %s", c, tr.s.Status, fault)
		}
		w.people["A"] = []string{"x"}
		tr.do(flow.Command{Do: flow.OpRetry, By: "admin", Admin: true})
		tr.want("x@A1")
	}
}

func TestAgreementOfBefore(t *testing.T) {
	for rule, want := range map[flow.Dedupe][]string{flow.DedupeNone: {"x@D1"}, flow.DedupeAdjacent: {"x@D1"}, flow.DedupeAny: nil} {
		w := crew()
		w.people["D"] = []string{"x"}
		tt := template(100)
		tt.Dedupe = rule
		tr := begin(t, tt, w)
		for _, p := range []string{"x", "y", "z"} {
			tr.by(p, flow.OpAgree)
		}
		tr.atD()
		tr.want(want...)
	}
	w := crew()
	w.people["D"], w.missing = []string{"q"}, map[string]bool{"D": true}
	tt := template(100)
	tt.Dedupe = flow.DedupeAdjacent
	tr := begin(t, tt, w)
	for _, p := range []string{"x", "y", "z"} {
		tr.by(p, flow.OpAgree)
	}
	tr.atD().want("q@D1") // a required field is empty: no rule decides
}

func TestAgreementByCondition(t *testing.T) {
	for _, missing := range []bool{false, true} {
		w := crew()
		w.holds, w.missing = func(plan.Expr) bool { return true }, map[string]bool{"D": missing}
		tt := template(100)
		for _, n := range tt.Nodes {
			if n.ID == "D" {
				n.AutoWhen = &plan.Const{Value: true}
			}
		}
		tr := begin(t, tt, w)
		for _, p := range []string{"x", "y", "z"} {
			tr.by(p, flow.OpAgree)
		}
		tr.atD()
		if !missing {
			tr.want()
			if last := tr.s.Items[len(tr.s.Items)-1]; tr.s.Status != flow.Completed || last.Rule != "autoWhen" || last.Person != "" {
				t.Errorf("%s %+v", tr.s.Status, last)
			}
			continue
		}
		tr.want("w@D1") // a required field is empty
	}
}

func TestRetry(t *testing.T) {
	w := crew()
	nobody := w.people["D"]
	w.people["D"], w.noAdmin = nil, true
	tr := begin(t, template(100), w)
	for _, p := range []string{"x", "y", "z"} {
		tr.by(p, flow.OpAgree)
	}
	tr.atD()
	if tr.s.Status != flow.Exception {
		t.Fatal(tr.s.Status)
	}
	if err := tr.try(flow.Command{Do: flow.OpRetry, By: "x"}); fault.Of(err) != fault.JumpRefused {
		t.Errorf("not an administrator: %v", err)
	}
	w.people["D"] = nobody
	tr.do(flow.Command{Do: flow.OpRetry, By: "admin", Admin: true})
	if tr.s.Status != flow.Processing {
		t.Error(tr.s.Status)
	}
	tr.want("w@D2")
	if err := tr.try(flow.Command{Do: flow.OpRetry, By: "admin", Admin: true}); fault.Of(err) != fault.JumpRefused {
		t.Errorf("nothing is stuck: %v", err)
	}
}
