package workflow

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// nowNodes gives the nodes of an earlier version the ids that they have now, wherever the document names them. Expressions are compiled as they
// are written (nowVars).
func (c *compiler) nowNodes() {
	renamed := map[string]string{}
	for _, n := range c.d.Nodes {
		if now := c.NowPart(names.Node, n.ID); now != n.ID {
			renamed[n.ID] = now
		}
	}
	if len(renamed) == 0 {
		return
	}
	c.then = map[string]string{}
	for was, now := range renamed {
		c.then[now] = was
	}
	c.d.eachNode(func(id *string) {
		if now, ok := renamed[*id]; ok {
			*id = now
		}
	})
}

// eachNode calls for every place of the document that holds the id of a node.
func (d *document) eachNode(do func(id *string)) {
	for i := range d.Nodes {
		n := &d.Nodes[i]
		do(&n.ID)
		for k := range n.Next {
			do(&n.Next[k].To)
		}
		for k := range n.Routes {
			do(&n.Routes[k].To)
		}
		do(&n.Of)
		for k := range n.Reject.Targets {
			if !targetWords[n.Reject.Targets[k]] {
				do(&n.Reject.Targets[k])
			}
		}
		for k := range n.Time.OnTimeout {
			do(&n.Time.OnTimeout[k].To)
		}
		eachHandler(n.Participants, do)
	}
	for i := range d.Hooks {
		do(&d.Hooks[i].At)
	}
}

// targetWords are what a rule of rejections may name besides nodes.
var targetWords = map[string]bool{"start": true, "previous": true, "any": true}

func eachHandler(of []participant, do func(id *string)) {
	for i := range of {
		do(&of[i].At)
		eachHandler(of[i].Candidates, do)
		eachHandler(of[i].Exclude, do)
	}
}

// nowVars is an expression of an earlier version that reads what people made of nodes, by the ids that these have now.
func (c *compiler) nowVars(e plan.Expr) plan.Expr {
	if e == nil || len(c.then) == 0 {
		return e
	}
	return catalog.RenamedNodes(e, func(id string) string {
		for now, was := range c.then {
			if was == id {
				return now
			}
		}
		return id
	})
}
