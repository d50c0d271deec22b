package bpmn

import (
	"regexp"
	"slices"
	"strings"
)

// merges finds the joins of exclusive splits.
func (im *importer) merges() {
	all := im.forward()
	place := map[*node]int{}
	nearest := map[*node]*node{} // dominator
	for i, n := range all {
		place[n] = i
		for _, g := range n.in {
			d := g.from
			if nearest[n] == nil {
				nearest[n] = d
				continue
			}
			for x := nearest[n]; ; {
				if x == d {
					nearest[n] = x
					break
				}
				if place[x] > place[d] {
					x = nearest[x]
				} else {
					d = nearest[d]
				}
			}
		}
	}
	taken := map[*node]bool{}
	for _, n := range slices.Backward(all) {
		if n.typ != "" || len(n.in) < 2 || len(n.out) != 1 {
			continue
		}
		d := nearest[n]
		for d != nil && len(d.out) < 2 {
			d = nearest[d]
		}
		if d != nil && d.gate == "XOR" && d.typ == "" && !taken[d] && slices.Equal(d.stack, n.stack) {
			taken[d] = true
			n.typ, n.of = "JOIN", d
		}
	}
}

// dissolve removes gateways that only lead on.
func (im *importer) dissolve() {
	for _, n := range slices.Clone(im.nodes) {
		if n.typ != "" || len(n.out) != 1 {
			continue
		}
		to := n.out[0].to
		im.cut(n.out[0])
		for _, g := range slices.Clone(n.in) {
			turn(g, to)
		}
		im.nodes = slices.DeleteFunc(im.nodes, func(x *node) bool { return x == n })
		if n.e != nil && n.name != "" && isFlowNode(n.e.local) && n.e.local != "subProcess" && len(n.in) > 0 {
			im.add("BPMN040", n.e, reason("只有一条出线的网关或事件已省去", "a gateway or event with one way on was left out"))
		}
	}
}

// certain gives an exclusive split a default where it has none.
func (im *importer) certain(n *node) {
	var bare []*edge
	for _, g := range n.out {
		if g.usual {
			bare = nil
			break
		}
		if g.when == "" {
			bare = append(bare, g)
		}
	}
	if slices.ContainsFunc(n.out, func(g *edge) bool { return g.usual }) {
		for _, g := range n.out {
			if !g.usual && g.when == "" && g.e.model("conditionExpression") == nil {
				im.add("BPMN021", g.e, cmpText(g.name))
			}
		}
		return
	}
	if n.own {
		return
	}
	switch len(bare) {
	case 0:
		n.out[len(n.out)-1].usual = true
		if len(n.out) != 2 || !opposite(n.out[0].when, n.out[1].when) {
			im.add("BPMN027", n.e)
		}
	case 1:
		if bare[0].e.model("conditionExpression") == nil {
			bare[0].usual = true
		}
	default:
		last := bare[len(bare)-1]
		last.usual = true
		for _, g := range bare[:len(bare)-1] {
			if g.e.model("conditionExpression") == nil {
				im.add("BPMN021", g.e, cmpText(g.name))
			}
		}
		im.add("BPMN027", n.e)
	}
}

var comparison = regexp.MustCompile(`^([^<>=!]+?) ?(<=|>=|<|>|==|!=) ?([^<>=!]+)$`)

// opposite reports whether one of two conditions holds where the other does not.
func opposite(a, b string) bool {
	if a == "not "+b || b == "not "+a {
		return true
	}
	x, y := comparison.FindStringSubmatch(a), comparison.FindStringSubmatch(b)
	if x == nil || y == nil || strings.ContainsAny(a+b, "()") || strings.Contains(a+b, " and ") || strings.Contains(a+b, " or ") {
		return false
	}
	other := map[string]string{"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
	return x[1] == y[1] && x[3] == y[3] && other[x[2]] == y[2]
}
