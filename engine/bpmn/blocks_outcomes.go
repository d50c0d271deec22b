package bpmn

import (
	"slices"
	"strings"
)

// outcomes turns the gateways that Export draws behind approvals into the ways out of these.
func (im *importer) outcomes() {
	for _, n := range slices.Clone(im.nodes) {
		if n.outcome && len(n.in) == 1 && people2(n.in[0].from) {
			im.exits(n)
		}
	}
}

// exits gives the ways out of a gateway to the task before it.
func (im *importer) exits(n *node) {
	p := n.in[0].from
	im.cut(n.in[0])
	for _, g := range n.out {
		g.from = p
		p.out = append(p.out, g)
	}
	n.out = nil
	im.nodes = slices.DeleteFunc(im.nodes, func(x *node) bool { return x == n })
}

// verdict is what a way out of a gateway asks of the decision before it, by its condition or its name.
func (im *importer) verdict(g *edge) int {
	if g.when != "" {
		return outcome(g.when, im.property)
	}
	if g.e == nil || g.e.model("conditionExpression") != nil {
		return 0
	}
	plain := strings.Trim(g.name, " ?？.!")
	asked := outcomeName.MatchString(g.from.name) || deciding.MatchString(g.from.name) || strings.ContainsAny(plain, "同拒驳通") || outcomeName.MatchString(plain)
	switch {
	case asked && positive.MatchString(plain):
		return 1
	case asked && negative.MatchString(plain):
		return -1
	}
	return 0
}

// outcomesOf turns gateways that ask for the decision of the task before them into the two ways out of an approval.
func (im *importer) outcomesOf() {
	for _, n := range slices.Clone(im.nodes) {
		if n.typ != "" || n.gate != "XOR" || len(n.in) != 1 || len(n.out) != 2 || !people2(n.in[0].from) || len(n.in[0].from.out) != 1 {
			continue
		}
		p := n.in[0].from
		a, b := n.out[0], n.out[1]
		x, y := im.verdict(a), im.verdict(b)
		open := func(g *edge) bool { return g.usual || g.when == "" && g.e.model("conditionExpression") == nil }
		switch {
		case x*y == -1, x != 0 && y == 0 && open(b), y != 0 && x == 0 && open(a):
		default:
			continue
		}
		if x < 0 || y > 0 {
			a, b = b, a
			n.out = []*edge{a, b}
		}
		b.exit = "disagree"
		p.approve = true
		if p.own && p.typ == "FILL" {
			p.typ = "APPROVE"
		}
		im.exits(n)
		im.add("BPMN040", n.e, reason("按审批结果的网关改为任务的同意与不同意出口", "the gateway on the decision became the ways out of the task: agreed and disagreed"))
	}
	for _, n := range im.nodes {
		if n.typ == "END" && !n.own && n.props["result"] == nil && len(n.in) > 0 && !slices.ContainsFunc(n.in, func(g *edge) bool { return g.exit != "disagree" }) {
			n.props["result"] = "REJECTED"
		}
	}
}
