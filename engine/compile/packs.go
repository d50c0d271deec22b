package compile

import (
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/source"
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
	loaded := map[string]*def.Pack{}
	for _, p := range c.packs {
		codes = append(codes, p.Code)
		loaded[fold(p.Code)] = p
	}
	for _, p := range c.packs {
		c.cat.Packs = append(c.cat.Packs, &catalog.Pack{Code: p.Code, Label: c.label(p.Node, p.Named, p.Code), Version: p.Version, Bundle: p.Bundle})
		c.notePack(p.Code, p.Node.Get("code"), true)
		for i, r := range p.Requires {
			if needed := loaded[fold(r.Code)]; needed != nil {
				c.notePack(needed.Code, member(p.Node.Get("requires").At(itoa(i)), "code"), false)
				c.requiredVersion(r, needed)
				continue
			}
			if strings.EqualFold(r.Code, corePack) {
				continue
			}
			if c.set.Offers(r.Code) {
				c.report("PACK036", p.Node.Get("requires").At(itoa(i)), r.Code)
			} else {
				c.suggest("PACK003", p.Node.Get("requires").At(itoa(i)), r.Code, codes)
			}
			if diag.Nearest(r.Code, codes) == "" { // not a slip: what it defines is missing, and everything that refers to it
				for _, k := range c.stages {
					if k.names != nil {
						k.names(c).setPartial()
					}
				}
			}
		}
	}
}

// notePack notes the code of a pack, which is that of its application.
func (c *compiler) notePack(code string, at *source.Node, defines bool) {
	if at != nil {
		c.note(names.App, code, at.Text(), source.In(at), defines)
	}
}

// requiredVersion checks the version of a pack that another one needs.
func (c *compiler) requiredVersion(r def.Required, p *def.Pack) {
	if r.Version == "" {
		return
	}
	at := r.Node.Get("version")
	wanted, err := semver.NewConstraint(r.Version)
	if err != nil {
		c.report("PACK029", at, r.Version)
		return
	}
	wanted.IncludePrerelease = true
	if has, err := semver.NewVersion(p.Version); err != nil || !wanted.Check(has) {
		c.report("PACK030", at, p.Code, p.Version, r.Version)
	}
}
