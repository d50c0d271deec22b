package workflow

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/source"
)

// edge is a drawn way from a node to another.
type edge struct {
	to     string
	at     *source.Node
	branch int // of a split, from 1; 0 = of another node
}

// edges are the ways out of a node, in the order of the document.
func (n *node) edges() (out []edge) {
	switch flow.NodeType(n.Type) {
	case flow.End:
	case flow.Split:
		for i, r := range n.Routes {
			out = append(out, edge{r.To, member(r.Node, "to"), i + 1})
		}
	default:
		for _, w := range n.Next {
			out = append(out, edge{w.To, member(w.Node, "to"), 0})
		}
	}
	return out
}

// parallel reports whether the node makes several branches of one.
func (n *node) parallel() bool {
	return n != nil && n.Type == string(flow.Split) && n.Kind != string(flow.XOR)
}

var types = []flow.NodeType{flow.Start, flow.Fill, flow.Approve, flow.Circulate, flow.Split, flow.Join, flow.Service, flow.Sub, flow.Wait, flow.End}

var splits = []flow.SplitKind{flow.XOR, flow.OR, flow.AND}

// collect finds the nodes by their ids. Where the schema has something against a node's id, type or ways, nothing is said of how the
// nodes hang together.
func (c *compiler) collect() {
	c.whole = len(c.d.Nodes) > 0 && len(c.d.Nodes) <= mostNodes
	folded, named := map[string]bool{}, map[string]bool{}
	for i := range c.d.Nodes {
		n := &c.d.Nodes[i]
		if n.ID == "" || !slices.Contains(types, flow.NodeType(n.Type)) {
			c.whole = false
			continue
		}
		switch t := flow.NodeType(n.Type); {
		case t != flow.End && len(n.edges()) == 0, t == flow.Join && n.Of == "", t == flow.Split && !slices.Contains(splits, flow.SplitKind(n.Kind)):
			c.whole = false
		}
		for _, e := range n.edges() {
			c.whole = c.whole && e.to != ""
		}
		if id := strings.ToLower(n.ID); folded[id] {
			c.Report("WF400036", n.Node.Get("id"), "id", n.ID, reason("重复", "is taken"))
			if c.byID[n.ID] != nil {
				continue
			}
		} else {
			folded[id] = true
		}
		if n.Name != "" {
			if named[n.Name] {
				c.Report("WF400036", n.Node.Get("name"), "name", n.Name, reason("重复", "is taken"))
			}
			named[n.Name] = true
		}
		c.nodes, c.ids = append(c.nodes, n), append(c.ids, n.ID)
		c.byID[n.ID] = n
	}
}

// structure judges how the nodes hang together: each check only where those before found nothing that it builds upon.
func (c *compiler) structure() {
	if !c.whole {
		return
	}
	start, ends := c.count()
	known := true
	for _, n := range c.nodes {
		for _, e := range n.edges() {
			known = c.exists(e.to, e.at) && known
		}
	}
	matched := c.joins()
	if start == nil || !ends || !known {
		return
	}
	if c.circles() {
		return
	}
	if isolated := c.isolated(start); isolated || !matched {
		return
	}
	w := walk{c: c, paths: map[string][]string{}}
	w.enter(start.ID, nil, nil)
	for _, n := range c.nodes {
		if of := c.byID[n.Of]; n.Type == string(flow.Join) && !of.parallel() && !w.wrong {
			if !slices.Equal(w.paths[n.ID], w.paths[of.ID]) || !c.leads(of, n) {
				c.mismatch(n.Node.Get("of"), "汇聚 "+n.ID+" 不在 "+of.ID+" 之后的同一层", "JOIN "+n.ID+" is not behind "+of.ID+" in the same block")
			}
		}
	}
	if !w.wrong {
		c.rejects(w.paths)
	}
}

// count checks that there is one start and an end, and returns the start; nil after a report.
func (c *compiler) count() (start *node, ends bool) {
	starts := 0
	for _, n := range c.nodes {
		switch flow.NodeType(n.Type) {
		case flow.Start:
			if starts++; starts == 1 {
				start = n
			}
		case flow.End:
			ends = true
		}
	}
	list := c.d.Node.Get("nodes")
	if !ends {
		c.Report("WF400002", list)
	}
	if starts == 0 {
		c.Report("WF400001", list, starts)
	}
	for _, n := range c.nodes {
		if n != start && n.Type == string(flow.Start) {
			c.Report("WF400001", n.Node.Get("type"), starts)
		}
	}
	if starts != 1 {
		return nil, ends
	}
	return start, ends
}

func (c *compiler) mismatch(at *source.Node, zh, en string) {
	c.Report("WF400004", at, reason(zh, en))
}

// joins checks that each JOIN has a SPLIT of its own, and each parallel SPLIT a JOIN.
func (c *compiler) joins() bool {
	of := map[string]*node{}
	ok := true
	for _, n := range c.nodes {
		if n.Type != string(flow.Join) || n.Of == "" {
			continue
		}
		at := n.Node.Get("of")
		switch split := c.byID[n.Of]; {
		case !c.exists(n.Of, at):
		case split.Type != string(flow.Split):
			c.mismatch(at, n.Of+" 不是分支", n.Of+" is no SPLIT")
		case of[n.Of] != nil:
			c.mismatch(at, n.Of+" 已由 "+of[n.Of].ID+" 汇聚", n.Of+" ends in "+of[n.Of].ID+" already")
		default:
			of[n.Of] = n
			continue
		}
		ok = false
	}
	for _, n := range c.nodes {
		if n.parallel() && of[n.ID] == nil && ok {
			c.mismatch(n.Node.Get("id"), n.ID+" 没有汇聚", n.ID+" has no JOIN")
			ok = false
		}
	}
	return ok
}

// circles reports ways that lead back.
func (c *compiler) circles() (found bool) {
	state := map[string]int{}
	var visit func(n *node)
	visit = func(n *node) {
		state[n.ID] = 1
		for _, e := range n.edges() {
			switch state[e.to] {
			case 0:
				visit(c.byID[e.to])
			case 1:
				c.Report("WF400007", e.at, e.to)
				found = true
			}
		}
		state[n.ID] = 2
	}
	for _, n := range c.nodes {
		if state[n.ID] == 0 {
			visit(n)
		}
	}
	return found
}

// isolated reports nodes that the start does not lead to. Every other node leads to an END, for ways neither end nor turn back.
func (c *compiler) isolated(start *node) (found bool) {
	reached := map[*node]bool{}
	c.reach(start, reached)
	for _, n := range c.nodes {
		if !reached[n] {
			c.Report("WF400003", n.Node.Get("id"), n.ID, reason("从发起走不到它", "no way from the start leads to it"))
			found = true
		}
	}
	return found
}

// leads reports whether a node leads to another, or is it.
func (c *compiler) leads(from, to *node) bool {
	reached := map[*node]bool{}
	c.reach(from, reached)
	return reached[to]
}

// reach marks a node and all that it leads to.
func (c *compiler) reach(n *node, reached map[*node]bool) {
	if reached[n] {
		return
	}
	reached[n] = true
	for _, e := range n.edges() {
		c.reach(c.byID[e.to], reached)
	}
}

// walk finds the open parallel splits around each node, outermost first: "g1:2".
type walk struct {
	c     *compiler
	paths map[string][]string
	wrong bool
}

func (w *walk) enter(id string, path []string, at *source.Node) {
	n := w.c.byID[id]
	if n.Type == string(flow.Join) && w.c.byID[n.Of].parallel() {
		if len(path) == 0 || !strings.HasPrefix(path[len(path)-1], n.Of+":") {
			w.mismatch(at, "从 "+n.Of+" 之外走到了它的汇聚 "+id, id+" is reached from outside of its SPLIT "+n.Of)
			return
		}
		path = path[:len(path)-1]
	}
	if before, seen := w.paths[id]; seen {
		if !slices.Equal(before, path) {
			w.mismatch(at, id+" 从不同的分支走到", id+" is reached from different branches")
		}
		return
	}
	w.paths[id] = path
	for _, e := range n.edges() {
		inner := path
		if n.parallel() {
			inner = append(slices.Clone(path), n.ID+":"+strconv.Itoa(e.branch))
		}
		w.enter(e.to, inner, e.at)
	}
}

func (w *walk) mismatch(at *source.Node, zh, en string) {
	w.wrong = true
	w.c.mismatch(at, zh, en)
}

// rejects checks that instances can come back from each node to the nodes that its rule names.
func (c *compiler) rejects(paths map[string][]string) {
	for _, n := range c.nodes {
		c.direct(n, paths)
		for i, target := range n.Reject.Targets {
			at := n.Node.Get("reject").Get("targets").Items()[i]
			to := c.byID[target]
			if to != nil && !targetWords[target] {
				c.Refers(names.Node, names.Join(c.d.Code, to.ID), source.In(at))
			}
			switch {
			case target == "" || targetWords[target]:
			case to == nil:
				c.Suggest("WF400032", at, target, append([]string{"start", "previous"}, c.ids...), reason("没有此节点", "there is no such node"))
			case to == n:
				c.Report("WF400032", at, target, reason("就是此节点", "it is this node"))
			case to.Type != string(flow.Start) && to.Type != string(flow.Fill) && to.Type != string(flow.Approve):
				c.Report("WF400032", at, target, reason("那里没有人办理", "nobody handles anything there"))
			case !c.leads(to, n):
				c.Report("WF400032", at, target, reason("它不在到此节点的途中", "it is not on the way to this node"))
			case len(paths[target]) > len(paths[n.ID]) || !slices.Equal(paths[target], paths[n.ID][:len(paths[target])]):
				c.Report("WF400032", at, target, reason("它在另一个并行分支中", "it is inside a parallel block that has ended"))
			}
		}
	}
}

// direct warns of a node that wants back directly what it sends to before the branches of its own split.
func (c *compiler) direct(n *node, paths map[string][]string) {
	targets := n.Reject.Targets
	if len(targets) == 0 {
		targets = []string{"start"}
	}
	if n.Reject.Resubmit != string(flow.ToRejector) {
		return
	}
	for _, target := range targets {
		path, known := paths[target]
		if target == "start" {
			path, known = nil, true
		}
		if known && len(path) < len(paths[n.ID]) {
			c.Report("WF400044", n.Node.Get("reject").Get("resubmit"), cmp.Or(n.Name, n.ID), target)
			return
		}
	}
}
