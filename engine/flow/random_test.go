package flow_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
)

// maker makes templates out of blocks: nodes of people, and splits with branches of blocks.
type maker struct {
	*rand.Rand
	nodes []*flow.Node
	w     *world
	rich  bool // with nodes without people, exits for what failed, and ends inside of branches
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// block adds blocks that end at a node, and returns the first of them.
func (m *maker) block(depth int, next string) string {
	for range 1 + m.IntN(3) {
		if depth > 0 && m.IntN(3) == 0 && len(m.nodes) < 18 {
			next = m.split(depth, next)
		} else if m.rich && m.IntN(5) == 0 {
			next = m.machine(next)
		} else {
			next = m.people(next)
		}
	}
	return next
}

func (m *maker) people(next string) string {
	id := fmt.Sprintf("n%d", len(m.nodes))
	n := &flow.Node{ID: id, Type: pick(m.Rand, flow.Approve, flow.Approve, flow.Fill), Next: next, Actions: all,
		Mode: pick(m.Rand, flow.Any, flow.All, flow.Seq, flow.Claim, flow.Levels), Live: true, AgreeExit: int64(1+m.IntN(100)) * flow.Full / 100,
		Early: m.IntN(2) == 0, Vote: m.IntN(2) == 0, EveryVote: m.IntN(2) == 0, Strict: m.IntN(4) == 0, Resign: m.IntN(2) == 0,
		Dedupe: pick(m.Rand, flow.DedupeNone, flow.DedupeAdjacent, flow.DedupeAny), SkipSelf: m.IntN(4) == 0,
		Reject: flow.Reject{Targets: pick(m.Rand, nil, []string{"any"}, []string{"previous", "start"}), Resubmit: pick(m.Rand, flow.Rerun, flow.ToRejector)},
		Empty:  flow.EmptyPolicy{Action: pick(m.Rand, flow.EmptyAutoPass, flow.EmptyToAdmin, flow.EmptyError)}}
	if n.Type == flow.Fill {
		n.AgreeExit = flow.Full
	}
	if m.IntN(3) == 0 {
		n.DisagreeExit = int64(1+m.IntN(100)) * flow.Full / 100
	}
	for _, p := range m.Perm(len(staff))[:m.IntN(5)] {
		m.w.people[id] = append(m.w.people[id], staff[p])
	}
	if m.rich && n.Type == flow.Approve && m.IntN(8) == 0 {
		n.Disagree = next
	}
	m.nodes = append(m.nodes, n)
	return id
}

func (m *maker) split(depth int, next string) string {
	id := fmt.Sprintf("g%d", len(m.nodes))
	join := "j" + id
	split := &flow.Node{ID: id, Type: flow.Split, Kind: pick(m.Rand, flow.XOR, flow.OR, flow.AND)}
	m.nodes = append(m.nodes, split, &flow.Node{ID: join, Type: flow.Join, Of: id, Next: next, Needs: m.IntN(3)})
	branches := 2 + m.IntN(2)
	for i := range branches {
		to := join
		switch {
		case m.rich && i == 0 && m.IntN(10) == 0: // a branch that ends, or ends everything
			end := &flow.Node{ID: fmt.Sprintf("e%d", len(m.nodes)), Type: flow.End, Ends: m.IntN(3) == 0}
			m.nodes = append(m.nodes, end)
			to = m.people(end.ID)
		case m.IntN(5) > 0:
			to = m.block(depth-1, join)
		}
		split.Routes = append(split.Routes, flow.Route{To: to, When: &plan.Const{Value: true}, Default: i == branches-1 && split.Kind != flow.AND})
	}
	return id
}

var staff = []string{"a", "b", "c", "d", "e", "f", "i"}

// TestRandomTemplates runs random commands of random people on random templates; try compares the log with the state and asks the
// invariants after each. In the end everybody agrees, and the instance has to be over.
func TestRandomTemplates(t *testing.T) {
	t.Parallel()
	done := map[flow.Operation]int{}
	ended := map[flow.Status]int{}
	for seed := range uint64(1200) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := &maker{Rand: r, w: &world{people: map[string][]string{}, delegates: map[string]string{"a": "x1", "b": "c"}, missing: map[string]bool{}}}
		m.w.holds = func(plan.Expr) bool { return r.IntN(2) == 0 }
		m.nodes = append(m.nodes, &flow.Node{ID: "end", Type: flow.End})
		m.nodes = append(m.nodes, &flow.Node{ID: "start", Type: flow.Start, Actions: initiators, Next: m.block(4, "end")})
		tr := begin(t, &flow.Template{Code: "r", AllowRevoke: flow.RevokeAnytime, Nodes: m.nodes}, m.w)
		for range 50 {
			if r.IntN(12) == 0 && tr.s.Status != flow.Draft {
				leave(r, tr)
			}
			c := randomCommand(r, tr)
			if tr.w.left[c.By] && c.Rule == "" { // they cannot sign in
				continue
			}
			if r.IntN(6) == 0 {
				c = moved(r, tr)
			}
			err := tr.try(c)
			tr.staysFree()
			var f *fault.Error
			switch {
			case err == nil:
				done[c.Do]++
			case !errors.As(err, &f):
				t.Fatalf("seed %d: %+v: %v", seed, c, err)
			}
		}
		if tr.s.Status == flow.Draft {
			tr.w.left = nil
			tr.do(flow.Command{Do: flow.OpStart, By: tr.s.Initiator})
		}
		for steps := 0; tr.s.Status == flow.Processing || tr.s.Status == flow.Exception; steps++ {
			if steps > 400 {
				t.Fatalf("seed %d does not end\n%s", seed, tr.show())
			}
			moved := false
			for _, i := range tr.s.Items {
				if i.Ready() && i.Type != flow.ItemCirculate {
					tr.do(agreeing(tr, i))
					moved = true
					break
				}
			}
			if !moved {
				if !slices.ContainsFunc(tr.s.Live(), func(token flow.Token) bool { return token.Fault != "" }) {
					t.Fatalf("seed %d waits for nobody\n%s", seed, tr.show())
				}
				break
			}
		}
		ended[tr.s.Status]++
	}
	t.Log(done, ended)
	for _, op := range []flow.Operation{flow.OpAgree, flow.OpDisagree, flow.OpSubmit, flow.OpReject, flow.OpRevoke, flow.OpWithdraw, flow.OpTransfer, flow.OpAddSign,
		flow.OpAssist, flow.OpCirculate, flow.OpRead, flow.OpClaim, flow.OpUrge, flow.OpAdjust, flow.OpJump, flow.OpVoid, flow.OpSave, flow.OpDelegate, flow.OpReturn, flow.OpActivate, flow.OpCancel, flow.OpHandOver, flow.OpRelease, flow.OpFollow} {
		if done[op] == 0 {
			t.Errorf("%s never succeeded: the test does not try it", op)
		}
	}
	if ended[flow.Completed] < 100 {
		t.Errorf("too few are completed: %v", ended)
	}
}

// agreeing is the command that brings an item on: taken from its pool, agreed to, or submitted.
func agreeing(tr *trace, i flow.Item) flow.Command {
	n := tr.t.Node(tr.s.Activity(i.Activity).Node)
	c := flow.Command{Do: flow.OpAgree, By: i.Person, Item: i.ID}
	switch {
	case n.Type != flow.Approve:
		c.Do = flow.OpSubmit
	}
	return c
}

// moved lets somebody join or leave the people of a pool, and is the command that follows.
func moved(r *rand.Rand, tr *trace) flow.Command {
	c := flow.Command{Do: flow.OpFollow, Rule: "directory", Activity: 1 + r.IntN(len(tr.s.Activities)+1)}
	for _, k := range r.Perm(len(tr.s.Activities)) {
		if a := tr.s.Activities[k]; a.State == flow.ActivityActive && tr.t.Node(a.Node).Mode == flow.Claim && r.IntN(8) > 0 {
			c.Activity = a.ID
			break
		}
	}
	if a := tr.s.Activity(c.Activity); a != nil {
		people := slices.Clone(tr.w.people[a.Node])
		for range 1 + r.IntN(2) {
			who := pick(r, append(staff, "s1")...)
			if k := slices.Index(people, who); k >= 0 {
				people = slices.Delete(people, k, k+1)
			} else {
				people = append(people, who)
			}
		}
		if r.IntN(6) == 0 {
			people = nil
		}
		tr.w.people[a.Node] = people
	}
	return c
}

func randomCommand(r *rand.Rand, tr *trace) flow.Command {
	c := flow.Command{By: pick(r, append(staff, "admin", "x1")...), Admin: r.IntN(2) == 0, Placing: pick(r, flow.Before, flow.After, flow.Parallel),
		Resubmit: pick(r, flow.Rerun, flow.ToRejector, ""), People: []string{pick(r, append(staff, "s1", "s2")...)}}
	c.Do = pick(r, flow.OpSave, flow.OpSubmit, flow.OpAgree, flow.OpAgree, flow.OpDisagree, flow.OpReject, flow.OpWithdraw, flow.OpTransfer, flow.OpAddSign,
		flow.OpAssist, flow.OpCirculate, flow.OpRead, flow.OpClaim, flow.OpUrge, flow.OpAdjust, flow.OpJump, flow.OpDelegate, flow.OpReturn,
		flow.OpActivate, flow.OpCancel, flow.OpHandOver, flow.OpRelease)
	if r.IntN(60) == 0 {
		c.Do = pick(r, flow.OpVoid, flow.OpRevoke)
	}
	if c.Do == flow.OpRevoke || c.Do == flow.OpVoid {
		c.By = tr.s.Initiator
	}
	if (c.Do == flow.OpDelegate || c.Do == flow.OpReturn) && r.IntN(8) > 0 {
		c.Rule = "delegation"
	}
	if tr.s.Status == flow.Draft {
		return flow.Command{Do: flow.OpStart, By: tr.s.Initiator}
	}
	c.Item = 1 + r.IntN(len(tr.s.Items)+1)
	if i := tr.s.Item(c.Item); i != nil && r.IntN(4) > 0 {
		c.By = i.Person
	}
	if i := tr.s.Item(c.Item); i != nil && (c.Do == flow.OpAgree || c.Do == flow.OpSubmit) && r.IntN(8) > 0 {
		c.Do = agreeing(tr, *i).Do // seldom what its node does not take
	}
	if i := tr.s.Item(c.Item); i != nil && i.Ready() && tr.t.Node(tr.s.Activity(i.Activity).Node).Mode == flow.Claim && r.IntN(3) == 0 {
		c.Do, c.By = flow.OpRelease, i.Person // few get so far
	}
	c.Activity = 1 + r.IntN(len(tr.s.Activities)+1)
	if r.IntN(2) == 0 {
		c.Node = tr.t.Nodes[r.IntN(len(tr.t.Nodes))].ID
	}
	if c.Do == flow.OpHandOver {
		if c.Remove = []string{c.By}; r.IntN(2) == 0 {
			c.Item = 0
		}
	}
	if c.Do == flow.OpAdjust && r.IntN(2) == 0 {
		c.Remove = []string{pick(r, staff...)}
	}
	return c
}
