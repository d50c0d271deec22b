package compile

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
)

// corePack is always there and need not be required.
const corePack = "core"

// distinct returns the packs, without those whose code another one has: their documents are most often the same ones.
func (c *compiler) distinct(packs []*def.Pack) (out []*def.Pack) {
	files := map[string]string{}
	for _, p := range packs {
		if first, taken := files[fold(p.Code)]; taken {
			c.report("PACK002", member(p.Node, "code"), p.Code, first)
			continue
		}
		files[fold(p.Code)] = p.Node.File()
		out = append(out, p)
	}
	return out
}

func (c *compiler) compilePacks() {
	var codes []string
	for _, p := range c.packs {
		codes = append(codes, p.Code)
	}
	for _, p := range c.packs {
		c.cat.Packs = append(c.cat.Packs, &catalog.Pack{Code: p.Code, Label: c.label(p.Node, p.Named, p.Code), Version: p.Version, Bundle: p.Bundle})
		for i, r := range p.Requires {
			loaded := slices.ContainsFunc(codes, func(code string) bool { return strings.EqualFold(code, r) })
			if loaded || strings.EqualFold(r, corePack) {
				continue
			}
			c.suggest("PACK003", p.Node.Get("requires").At(itoa(i)), r, codes)
			if diag.Nearest(r, codes) == "" { // not a slip: what it defines is missing, and everything that refers to it
				for _, k := range c.stages {
					if k.names != nil {
						k.names(c).setPartial()
					}
				}
			}
		}
	}
}
