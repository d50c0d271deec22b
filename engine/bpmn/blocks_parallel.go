package bpmn

import (
	"slices"
)

// pairs divides gateways that join and split.
func (im *importer) pairs() {
	for _, n := range slices.Clone(im.nodes) {
		if n.typ != "" || len(n.in) < 2 || len(n.out) < 2 {
			continue
		}
		join := im.added(n, "_join", "", n.gate)
		join.e = n.e
		for _, g := range slices.Clone(n.in) {
			turn(g, join)
		}
		im.link(nil, join, n)
	}
}

// forward are the nodes so that each is behind all that lead to it.
func (im *importer) forward() []*node {
	seen := map[*node]bool{}
	var out []*node
	var visit func(n *node)
	visit = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, g := range slices.Backward(n.out) {
			visit(g.to)
		}
		out = append(out, n)
	}
	visit(im.nodes[0])
	slices.Reverse(out)
	return out
}

func splitsParallel(n *node) bool {
	return n.typ == "" && (n.gate == "AND" || n.gate == "OR") && len(n.out) > 1
}

// path is the open splits at an edge.
func path(g *edge) []open {
	if !splitsParallel(g.from) {
		return g.from.stack
	}
	return append(slices.Clone(g.from.stack), open{g.from, slices.Index(g.from.out, g)})
}

// parallel finds the join of each parallel split.
func (im *importer) parallel() {
	joined := map[*node]*node{}
	for _, n := range im.forward() {
		im.meet(n, joined)
	}
	if im.items.Refused() {
		return
	}
	all := im.forward()
	for _, n := range slices.Backward(all) {
		if splitsParallel(n) && joined[n] == nil {
			im.endsOf(n, joined)
		}
	}
}

// meet finds which splits the edges into a node join.
func (im *importer) meet(n *node, joined map[*node]*node) {
	join := func(at, split *node) {
		if other := joined[split]; other != nil && other != at {
			im.mismatch(at, reason("分支在多处汇聚", "its branches are joined at several places"))
		}
		joined[split], at.of, at.typ = at, split, "JOIN"
		at.stack = split.stack
	}
	for range maxNodes {
		if len(n.in) == 0 {
			return
		}
		deepest, same := 0, true
		paths := make([][]open, len(n.in))
		for i, g := range n.in {
			paths[i] = path(g)
			deepest = max(deepest, len(paths[i]))
			same = same && slices.Equal(paths[i], paths[0])
		}
		n.stack = paths[0]
		if same {
			if n.gate == "AND" && n.typ == "" && len(n.in) > 1 {
				im.mismatch(n, reason("并行网关汇聚的不是并行的分支", "a parallel gateway joins branches that are not parallel"))
			}
			return
		}
		var group []*edge
		var split *node
		for i, g := range n.in {
			p := paths[i]
			if len(p) != deepest {
				continue
			}
			if top := p[deepest-1].split; split == nil || split == top {
				split, group = top, append(group, g)
			}
		}
		joins := n.typ == "END" || n.typ == "" && n.gate != "XOR" && len(n.out) < 2
		if !joins {
			im.mismatch(n, reason("并行的分支未经网关在此会合", "parallel branches meet here without a gateway that joins them"))
			return
		}
		if len(group) == len(n.in) && n.typ == "" {
			join(n, split)
			return
		}
		j := im.added(split, "_join", "", split.gate)
		for _, g := range group {
			turn(g, j)
		}
		im.link(nil, j, n)
		join(j, split)
	}
}

func (im *importer) mismatch(n *node, why any) {
	e := n.e
	for x := n; e == nil && len(x.in) > 0; e = x.e {
		x = x.in[0].from
	}
	im.add("BPMN012", e, why)
}

// endsOf joins the branches of a split that each have an end of their own.
func (im *importer) endsOf(split *node, joined map[*node]*node) {
	var ends []*node
	for _, n := range im.nodes {
		if n.typ == "END" && !n.terminate && len(n.stack) > 0 && n.stack[len(n.stack)-1].split == split {
			ends = append(ends, n)
		}
	}
	if len(ends) == 0 {
		im.mismatch(split, reason("没有汇聚", "it has no join"))
		return
	}
	j := im.added(split, "_join", "JOIN", split.gate)
	j.of, j.stack = split, split.stack
	joined[split] = j
	for i, end := range ends {
		for _, g := range slices.Clone(end.in) {
			turn(g, j)
		}
		if i > 0 && end.e != nil {
			im.add("BPMN040", end.e, reason("各并行分支的结束合为一个", "the ends of parallel branches became one"))
		}
	}
	im.link(nil, j, ends[0])
	ends[0].stack = split.stack
	im.nodes = slices.DeleteFunc(im.nodes, func(n *node) bool { return slices.Contains(ends[1:], n) })
}
