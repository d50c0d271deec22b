package bpmn

import (
	"regexp"
	"slices"
	"strings"
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
