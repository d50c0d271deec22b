package flow_test

import (
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/flow"
)

// line is a template of approvals one behind the other, with a split of two branches before the last.
func line(extra ...string) *flow.Template {
	ids := append([]string{"A"}, extra...)
	t := &flow.Template{Code: "t", Nodes: []*flow.Node{{ID: "start", Type: flow.Start, Next: ids[0]}}}
	for i, id := range ids {
		next := "g"
		if i+1 < len(ids) {
			next = ids[i+1]
		}
		t.Nodes = append(t.Nodes, &flow.Node{ID: id, Type: flow.Approve, AgreeExit: flow.Full, Next: next})
	}
	t.Nodes = append(t.Nodes,
		&flow.Node{ID: "g", Type: flow.Split, Kind: flow.AND, Routes: []flow.Route{{To: "L"}, {To: "R"}}},
		&flow.Node{ID: "L", Type: flow.Approve, AgreeExit: flow.Full, Next: "j"},
		&flow.Node{ID: "R", Type: flow.Approve, AgreeExit: flow.Full, Next: "j"},
		&flow.Node{ID: "j", Type: flow.Join, Of: "g", Next: "Z"},
		&flow.Node{ID: "Z", Type: flow.Approve, AgreeExit: flow.Full, Next: "end"},
		&flow.Node{ID: "end", Type: flow.End})
	return t
}

func linked(t *testing.T, template *flow.Template) *flow.Template {
	t.Helper()
	if template.Start() != nil {
		return template
	}
	if err := template.Link(); err != nil {
		t.Fatal(err)
	}
	return template
}

// TestFits: an instance goes on by another version only where it passed what comes before the step that it is at.
func TestFits(t *testing.T) {
	people := &world{people: map[string][]string{"A": {"a"}, "B": {"b"}, "L": {"l"}, "R": {"r"}, "Z": {"z"}}}
	at := func(deeds ...string) *trace {
		tr := begin(t, line(), people)
		for _, who := range deeds {
			tr.by(who, flow.OpAgree)
		}
		return tr
	}
	want := func(tr *trace, template *flow.Template, misfits ...flow.Misfit) {
		t.Helper()
		if got := linked(t, template).Fits(tr.s); !slices.Equal(got, misfits) {
			t.Errorf("%v, not %v", got, misfits)
		}
	}
	for _, deeds := range [][]string{nil, {"a"}, {"a", "l"}, {"a", "l", "r"}, {"a", "l", "r", "z"}} {
		want(at(deeds...), line())
	}
	want(at(), line("B"))
	want(at("a", "l"), line("B"), flow.Misfit{Kind: flow.MisfitSkipped, Node: "R", Before: "B"})
	want(at("a", "l", "r"), line("B"), flow.Misfit{Kind: flow.MisfitSkipped, Node: "Z", Before: "B"})
	without := line()
	without.Nodes = slices.DeleteFunc(without.Nodes, func(n *flow.Node) bool { return n.ID == "A" })
	without.Nodes[0].Next = "g"
	want(at("a"), without)
	want(at(), without, flow.Misfit{Kind: flow.MisfitGone, Node: "A"})
	flat := line()
	flat.Nodes[1].Next = "L"
	flat.Nodes = slices.DeleteFunc(flat.Nodes, func(n *flow.Node) bool { return n.ID == "g" || n.ID == "j" || n.ID == "R" })
	flat.Nodes[2].Next = "Z"
	want(at("a", "r"), flat, flow.Misfit{Kind: flow.MisfitBlock, Node: "L"}, flow.Misfit{Kind: flow.MisfitGone, Node: "j"})
	want(at("a", "l", "r"), flat)
	// One branch more: who is behind the join has not passed it.
	wide := line()
	for _, n := range wide.Nodes {
		if n.ID == "g" {
			n.Routes = append(n.Routes, flow.Route{To: "B"})
		}
	}
	wide.Nodes = append(wide.Nodes, &flow.Node{ID: "B", Type: flow.Approve, AgreeExit: flow.Full, Next: "j"})
	want(at("a", "l", "r"), wide, flow.Misfit{Kind: flow.MisfitSkipped, Node: "Z", Before: "B"})
}
