package compile

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
)

// menuPage resolves an entry to a page of a pack's interface: of the menu's own pack, or of the one before the stroke. Without a bundle nobody here knows
// the pages of a pack; its interface may be part of the program.
func (c *compiler) menuPage(n *catalog.Menu, d def.MenuNode, own string) {
	at := d.Node.Get("page")
	owner, name, other := strings.Cut(d.Page, "/")
	if !other {
		owner, name = own, d.Page
	}
	i := slices.IndexFunc(c.packs, func(p *def.Pack) bool { return strings.EqualFold(p.Code, owner) })
	if i < 0 {
		var codes []string
		for _, p := range c.packs {
			codes = append(codes, p.Code)
		}
		c.suggest("APP011", at, owner, codes)
		return
	}
	p := c.packs[i]
	n.Page = p.Code + "/" + name
	if p.Bundle != nil && !slices.Contains(p.Bundle.Defines.Pages, name) {
		c.suggest("APP012", at, name, p.Bundle.Defines.Pages, p.Code)
	}
	if d.SchemaCode == "" {
		if d.Right != "" {
			c.report("APP013", d.Node.Get("right"), d.Code)
		}
		return
	}
	m, ok := lookup(c, &c.models, d.SchemaCode, d.Node.Get("schemaCode"), "APP005")
	if !ok || m.Model == nil {
		return
	}
	n.SchemaCode, n.Right = m.Code, "view"
	if d.Right != "" {
		legal := append(c.words(action.Word.Granted), c.set.Actions.Names()...)
		if n.Right = d.Right; !slices.Contains(legal, d.Right) {
			c.suggest("APP014", d.Node.Get("right"), d.Right, legal)
		}
	}
}

// views are the presentations of lists: those of the product, and those that the interface of packs draws.
func (c *compiler) views() []string {
	out := []string{"table", "tree", "gantt"}
	for _, p := range c.packs {
		if p.Bundle != nil {
			out = append(out, p.Bundle.Defines.Views...)
		}
	}
	return out
}
