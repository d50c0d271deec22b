package bpmn

import (
	"slices"
)

// backward turns ways that lead back into rules of sending back, where people decide about them.
func (im *importer) backward() {
	for range len(im.edges) + 1 {
		g := im.firstBack()
		if g == nil {
			return
		}
		p, to := decider(g.from), ahead(g.to)
		name := to.name
		if name == "" {
			name = to.id
		}
		switch {
		case p == nil || p == to || !people2(to) && to.typ != "START":
			im.add("BPMN011", g.e, name)
			im.cut(g)
		case im.rework(p, to, g):
		default:
			p.approve = true
			im.sendBack(p, to, "")
			im.cut(g)
			im.add("BPMN040", g.e, reason("回到\""+name+"\"的连线改为驳回", "the flow back to \""+name+"\" became a target of reject"))
		}
	}
}

// rework drops a task where a record is mended before it comes again: sending back to the start does that.
func (im *importer) rework(p, to *node, g *edge) bool {
	if len(p.in) != 1 || p == to {
		return false
	}
	q := decider(p.in[0].from)
	if q == nil || q == p || !leads(to, q) {
		return false
	}
	onlyBack := ahead(p) == ahead(g.to) || len(p.out) == 1 && p.out[0] == g
	byStarter := slices.ContainsFunc(listOf(p.props["participants"]), func(x any) bool { o, _ := x.(object); return o["type"] == "initiator" })
	if !onlyBack && !byStarter {
		return false
	}
	q.approve = true
	im.sendBack(q, im.nodes[0], "toRejector")
	im.cut(p.in[0])
	im.cut(g)
	im.add("BPMN040", p.e, reason("退回后修改的任务改为驳回到发起", "the task that mends the record became sending back to the start"))
	p.gate = "PASS" // told
	im.prune()
	for _, n := range im.nodes { // what is left of gateways
		if len(n.out) == 0 && n.typ != "END" {
			im.link(nil, n, im.added(n, "_end", "END", ""))
		}
	}
	return true
}

func listOf(v any) []any {
	l, _ := v.([]any)
	return l
}

// sendBack adds a target to the rule of a task.
func (im *importer) sendBack(p, to *node, resubmit string) {
	if p.own && p.props["reject"] != nil {
		return // the file says so already
	}
	rule, _ := p.props["reject"].(object)
	if rule == nil {
		rule = object{}
		p.props["reject"] = rule
	}
	var target any = to
	if to.typ == "START" {
		target = "start"
	}
	if targets := listOf(rule["targets"]); !slices.Contains(targets, target) {
		rule["targets"] = append(targets, target)
	}
	if resubmit != "" {
		rule["resubmit"] = resubmit
	}
}

// leads reports whether a way leads from a node to another.
func leads(from, to *node) bool {
	seen := map[*node]bool{}
	var visit func(n *node) bool
	visit = func(n *node) bool {
		if n == to {
			return true
		}
		if seen[n] {
			return false
		}
		seen[n] = true
		return slices.ContainsFunc(n.out, func(g *edge) bool { return visit(g.to) })
	}
	return visit(from)
}

// firstBack finds an edge that closes a circle.
func (im *importer) firstBack() (found *edge) {
	state := map[*node]int{}
	var visit func(n *node)
	visit = func(n *node) {
		state[n] = 1
		for _, g := range n.out {
			if found != nil {
				return
			}
			switch state[g.to] {
			case 0:
				visit(g.to)
			case 1:
				found = g
			}
		}
		state[n] = 2
	}
	visit(im.nodes[0])
	return found
}
