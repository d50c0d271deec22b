package compile

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
)

// corePack is always there and need not be required.
const corePack = "core"

func (c *compiler) compilePacks() {
	var codes []string
	files := map[string]string{}
	for _, p := range c.packs {
		if first, taken := files[fold(p.Code)]; taken {
			c.report("PACK002", member(p.Node, "code"), p.Code, first)
			continue
		}
		files[fold(p.Code)] = p.Node.File()
		codes = append(codes, p.Code)
	}
	for _, p := range c.packs {
		c.cat.Packs = append(c.cat.Packs, &catalog.Pack{Code: p.Code, Label: c.label(p.Node, p.Named, p.Code), Version: p.Version})
		for i, r := range p.Requires {
			if _, loaded := files[fold(r)]; !loaded && !strings.EqualFold(r, corePack) {
				c.suggest("PACK003", p.Node.Get("requires").At(itoa(i)), r, codes)
			}
		}
	}
}
