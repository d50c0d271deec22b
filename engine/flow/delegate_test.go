package flow_test

import (
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
)

// TestStandIn: an open item goes to a delegate and comes back; nobody gets two, and nothing goes further.
func TestStandIn(t *testing.T) {
	t.Parallel()
	one := func() *trace {
		return begin(t, &flow.Template{Code: "d", Nodes: []*flow.Node{
			{ID: "start", Type: flow.Start, Next: "A"},
			{ID: "A", Type: flow.Approve, Mode: flow.All, AgreeExit: flow.Full, Next: "B", Actions: all},
			{ID: "B", Type: flow.Approve, Mode: flow.Seq, AgreeExit: flow.Full, Next: "end", Actions: all},
			{ID: "end", Type: flow.End},
		}}, &world{people: map[string][]string{"A": {"x", "y"}, "B": {"p", "q"}}})
	}
	move := func(tr *trace, person, to string) flow.Command {
		return flow.Command{Do: flow.OpDelegate, By: person, Rule: "delegation", Item: tr.open(person).ID, People: []string{to}}
	}
	tr := one()
	since := len(tr.log)
	tr.do(move(tr, "x", "k"))
	tr.want("k@A1", "y@A1")
	if got := tr.messages(101, since); !slices.Equal(got, []string{"k"}) {
		t.Fatal(got)
	}
	item := tr.open("k")
	if item.From != "x" {
		t.Fatalf("%+v", item)
	}
	tr.refuse(fault.TransferRefused, move(tr, "k", "m")) // one hop
	tr.refuse(fault.TransferRefused, move(tr, "y", "k")) // who has one
	tr.refuse(fault.TransferRefused, move(tr, "y", "y"))
	tr.refuse(fault.ItemNotYours, flow.Command{Do: flow.OpDelegate, By: "y", Item: tr.open("y").ID, People: []string{"m"}}) // by hand
	tr.do(flow.Command{Do: flow.OpReturn, Rule: "delegation", Item: item.ID})
	tr.want("x@A1", "y@A1")
	tr.refuse(fault.TransferRefused, flow.Command{Do: flow.OpReturn, Rule: "delegation", Item: item.ID})
	tr.do(move(tr, "x", "k"))
	tr.by("k", flow.OpAgree)
	tr.refuse(fault.TransferRefused, move(tr, "y", "k")) // who had one
	tr.refuse(fault.ItemFinished, flow.Command{Do: flow.OpReturn, Rule: "delegation", Item: item.ID})
	tr.by("y", flow.OpAgree)
	tr.want("p@B1", "q?B1")
	for _, i := range tr.s.Items { // one whose turn has not come moves without a message
		if i.Person == "q" {
			since = len(tr.log)
			tr.do(flow.Command{Do: flow.OpDelegate, Rule: "delegation", Item: i.ID, People: []string{"k"}})
		}
	}
	tr.want("p@B1", "k?B1")
	if got := tr.messages(101, since); len(got) > 0 {
		t.Fatal(got)
	}
	tr.by("p", flow.OpAgree)
	tr.by("k", flow.OpAgree)
	if tr.s.Status != flow.Completed {
		t.Fatal(tr.show())
	}
}
