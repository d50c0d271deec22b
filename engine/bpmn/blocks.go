package bpmn

import (
	"slices"
)

// open is a parallel split whose branch a node is in.
type open struct {
	split  *node
	branch int
}

// blocks brings the graph into the form that documents have: one START, ways that lead forward only, every parallel split with its join.
func (im *importer) blocks() {
	im.links()
	if !im.begin() {
		return
	}
	im.implicit()
	im.backward()
	if im.items.Refused() {
		return
	}
	im.outcomesOf()
	im.prune()
	im.pairs()
	im.parallel()
	im.jumps()
	if im.items.Refused() {
		return
	}
	im.merges()
	im.dissolve()
	for _, n := range im.nodes {
		if n.typ == "FILL" && !n.own && (n.decides || n.approve) {
			n.typ = "APPROVE"
		}
		if n.typ == "" {
			n.typ = "SPLIT"
		}
		if n.typ == "SPLIT" && len(n.out) > maxRoutes {
			im.add("BPMN016", n.e, len(n.out))
		}
		if n.typ == "SPLIT" && n.gate == "XOR" {
			im.certain(n)
		}
	}
	if len(im.nodes) > maxNodes {
		im.add("BPMN002", im.process, reason("节点超过 500 个", "more than 500 elements"))
	}
}

// links lets throwing link events lead to the catching ones of the same name.
func (im *importer) links() {
	caught := map[string]*node{}
	linkName := func(n *node) string {
		if n.e == nil || n.gate != "PASS" {
			return ""
		}
		return n.e.model("linkEventDefinition").attr("", "name")
	}
	for _, n := range im.nodes {
		if name := linkName(n); name != "" && n.e.local == "intermediateCatchEvent" {
			caught[name] = n
		}
	}
	for _, n := range im.nodes {
		if name := linkName(n); name != "" && n.e.local == "intermediateThrowEvent" {
			if to := caught[name]; to != nil {
				im.link(nil, n, to)
			} else {
				im.add("BPMN013", n.e, "linkEventDefinition", name)
			}
		}
	}
}

// begin finds the one START, which it adds where the file leaves it out.
func (im *importer) begin() bool {
	var starts, first []*node
	for _, n := range im.nodes {
		switch {
		case n.typ == "START":
			starts = append(starts, n)
		case len(n.in) == 0 && (len(n.out) > 0 || len(im.nodes) == 1) && !n.isCaught():
			first = append(first, n)
		}
	}
	switch {
	case len(starts) == 1:
	case len(starts) == 0 && len(first) == 1:
		n := im.make(nil, "START")
		n.id = "start"
		im.link(nil, n, first[0])
		starts = []*node{n}
	case len(starts) == 0:
		im.add("BPMN014", im.process, len(starts))
		return false
	default:
		for _, n := range starts[1:] {
			im.add("BPMN014", n.e, len(starts))
		}
		return false
	}
	im.nodes = slices.DeleteFunc(im.nodes, func(n *node) bool { return n == starts[0] })
	im.nodes = append([]*node{starts[0]}, im.nodes...)
	im.prune()
	return true
}

func (n *node) isCaught() bool {
	return n.gate == "PASS" && n.e != nil && n.e.local == "intermediateCatchEvent"
}

// prune removes what no way from the start leads to.
func (im *importer) prune() {
	for _, n := range im.nodes {
		n.reached = false
	}
	var visit func(n *node)
	visit = func(n *node) {
		if n.reached {
			return
		}
		n.reached = true
		for _, g := range n.out {
			visit(g.to)
		}
	}
	visit(im.nodes[0])
	for _, n := range im.nodes {
		if n.reached {
			continue
		}
		for _, g := range slices.Clone(n.out) {
			im.cut(g)
		}
		if n.e != nil && n.gate == "" {
			im.add("BPMN030", n.e, reason("从开始走不到它", "no way from the start leads to it"))
		}
	}
	im.nodes = slices.DeleteFunc(im.nodes, func(n *node) bool { return !n.reached })
}

// cut removes an edge.
func (im *importer) cut(g *edge) {
	is := func(x *edge) bool { return x == g }
	g.from.out, g.to.in = slices.DeleteFunc(g.from.out, is), slices.DeleteFunc(g.to.in, is)
	im.edges = slices.DeleteFunc(im.edges, is)
}

// turn lets an edge lead to another node.
func turn(g *edge, to *node) {
	g.to.in = slices.DeleteFunc(g.to.in, func(x *edge) bool { return x == g })
	g.to = to
	to.in = append(to.in, g)
}

// added is a node that the file does not have, behind or before another.
func (im *importer) added(near *node, suffix, typ, gate string) *node {
	n := im.make(nil, typ)
	n.id, n.gate, n.reached = near.id+suffix, gate, true
	return n
}

func gateway(n *node) bool { return n.gate != "" && n.typ == "" || n.typ == "SPLIT" || n.typ == "JOIN" }

func people2(n *node) bool { return n.typ == "FILL" || n.typ == "APPROVE" }

// implicit adds the gateways and ends that BPMN lets authors leave out. A node of our own that is a SPLIT or JOIN is a gateway again.
func (im *importer) implicit() {
	for _, n := range slices.Clone(im.nodes) {
		if n.typ == "SPLIT" || n.typ == "JOIN" {
			n.typ = ""
		}
		if len(n.out) == 0 && n.typ != "END" {
			end := im.added(n, "_end", "END", "")
			im.link(nil, n, end)
		}
		if n.typ == "END" && len(n.out) > 0 {
			for _, g := range slices.Clone(n.out) {
				im.add("BPMN010", g.e, reason("从结束事件出发的连线", "a flow that leaves an end event"), reason("删去它", "remove it"))
				im.cut(g)
			}
		}
		if n.gate != "" || len(n.out) < 2 || slices.ContainsFunc(n.out, func(g *edge) bool { return g.exit != "" }) {
			continue
		}
		kind := "AND"
		conditional := 0
		for _, g := range n.out {
			if g.when != "" || g.usual || g.e.model("conditionExpression") != nil {
				conditional++
			}
		}
		switch {
		case conditional == len(n.out) && len(n.out) == 2, conditional == 1 && len(n.out) == 2:
			kind = "XOR"
		case conditional > 0:
			kind = "OR"
		}
		split := im.added(n, "_split", "", kind)
		outs := n.out
		n.out = nil
		im.link(nil, n, split)
		for _, g := range outs {
			g.from = split
			split.out = append(split.out, g)
		}
		if conditional > 0 {
			im.add("BPMN040", n.e, reason("带条件的出线之前加了网关", "a gateway was added before its conditional flows"))
		}
	}
}

// decider is the task whose decision a gateway takes; nil where something else is before it.
func decider(n *node) *node {
	for range maxNodes {
		if people2(n) {
			return n
		}
		if !gateway(n) && n.gate != "PASS" || len(n.in) != 1 {
			return nil
		}
		n = n.in[0].from
	}
	return nil
}

// ahead is what gateways that only lead on lead to.
func ahead(n *node) *node {
	for range maxNodes {
		if n.typ != "" || len(n.out) != 1 {
			return n
		}
		n = n.out[0].to
	}
	return n
}
