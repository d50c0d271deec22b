package flow_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sluice-platform/sluice/engine/flow"
)

// again sends an instance back from D to A, for all of its people to decide once more.
func (tr *trace) again() {
	tr.Helper()
	tr.atD()
	tr.do(flow.Command{Do: flow.OpReject, By: "w", Item: tr.open("w").ID, Node: "A", Resubmit: flow.Rerun})
}

// counts compares the votes of the open activity of a person: all, for, open and needed.
func (tr *trace) counts(person string, want flow.Tally) {
	tr.Helper()
	if got := tr.t.Count(tr.s, tr.open(person).Activity); got != want {
		tr.Errorf("votes %+v, want %+v", got, want)
	}
}

// TestVotesOfTheNextRound: who held two votes in one round has both in the next, with one task; a vote that was given away is not there
// twice, and who stood in for somebody has gone.
func TestVotesOfTheNextRound(t *testing.T) {
	give := func(tr *trace, do flow.Operation, from, to string) {
		tr.Helper()
		c := flow.Command{Do: do, By: from, Item: tr.open(from).ID, People: []string{to}}
		if do == flow.OpHandOver {
			c = flow.Command{Do: do, By: "root", Admin: true, Remove: []string{from}, People: []string{to}}
		}
		tr.do(c)
	}

	tr := begin(t, template(66), crew())
	tr.by("y", flow.OpAgree)
	give(tr, flow.OpTransfer, "x", "y") // y has voted, and gets a vote more
	tr.want("y@A1", "z@A1")
	tr.counts("y", flow.Tally{All: 3, For: 1, Open: 2, Need: 2})
	tr.by("y", flow.OpAgree)
	tr.again()
	tr.want("y@A2", "z@A2")
	tr.counts("y", flow.Tally{All: 3, Open: 3, Need: 2})
	tr.by("y", flow.OpAgree) // two of three
	tr.want("u@B2", "v@B2", "p@C2", "q?C2")

	tr = begin(t, template(66), crew())
	give(tr, flow.OpTransfer, "x", "k")
	tr.by("k", flow.OpAgree)
	tr.by("y", flow.OpAgree)
	tr.again()
	tr.want("k@A2", "y@A2", "z@A2")
	tr.counts("k", flow.Tally{All: 3, Open: 3, Need: 2})

	tr = begin(t, template(100), crew())
	give(tr, flow.OpHandOver, "x", "y") // who takes part already has one vote, as before
	tr.want("y@A1", "z@A1")
	tr.by("y", flow.OpAgree)
	tr.by("z", flow.OpAgree)
	tr.again()
	tr.want("y@A2", "z@A2")
	tr.counts("y", flow.Tally{All: 2, Open: 2, Need: 2})

	w := crew()
	w.delegates = map[string]string{"x": "k"}
	tr = begin(t, template(100), w)
	tr.want("k@A1", "y@A1", "z@A1")
	for _, p := range []string{"k", "y", "z"} {
		tr.by(p, flow.OpAgree)
	}
	w.delegates = nil
	tr.again()
	tr.want("x@A2", "y@A2", "z@A2")
}

// TestWithdrawOneOfTwoVotes: who takes one of two decisions back has that one again, and not the one that was not needed any more.
func TestWithdrawOneOfTwoVotes(t *testing.T) {
	tr := begin(t, template(66), crew())
	mine := tr.open("y").ID
	tr.by("y", flow.OpAgree)
	tr.do(flow.Command{Do: flow.OpTransfer, By: "x", Item: tr.open("x").ID, People: []string{"y"}})
	tr.by("z", flow.OpAgree) // decided, without the second vote of y
	tr.do(flow.Command{Do: flow.OpWithdraw, By: "y", Item: mine})
	tr.want("y@A2")
	tr.counts("y", flow.Tally{All: 2, For: 1, Open: 1, Need: 2})
	tr.by("y", flow.OpAgree)
	tr.want("u@B2", "v@B2", "p@C2", "q?C2")
}

// TestWithdrawOfAnOlderRound: whatever happens, a decision of an older round of a node stays.
func TestWithdrawOfAnOlderRound(t *testing.T) {
	t.Parallel()
	tried := 0
	for seed := range uint64(320) {
		r := rand.New(rand.NewPCG(seed, 3))
		template, w := random(r, true)
		tr := begin(t, template, w)
		for range 40 {
			c := randomCommand(r, tr)
			switch r.IntN(6) {
			case 0:
				c = moved(r, tr)
			case 1, 2:
				if m, ok := machineCommand(r, tr); ok {
					c = m
				}
			}
			if tr.try(c) != nil {
				continue
			}
			latest := map[string]int{}
			for _, a := range tr.s.Activities {
				latest[a.Node] = a.ID
			}
			for _, i := range tr.s.Items {
				if i.State != flow.ItemDone || i.Activity == 0 || latest[tr.s.Activity(i.Activity).Node] == i.Activity {
					continue
				}
				tried++
				if _, err := tr.t.Do(tr.s, flow.Command{Do: flow.OpWithdraw, By: i.Person, Item: i.ID, At: clock}, tr.w); err == nil {
					t.Fatalf("seed %d: %s takes item %d back, after %s\n%s", seed, i.Person, i.ID, c.Do, tr.show())
				}
			}
		}
	}
	if tried < 300 {
		t.Errorf("tried %d only", tried)
	}
}
