package compile

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
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
		for _, r := range p.Routes {
			if _, ok := c.set.Actions.Get(r.Action); !ok && r.Action != "" {
				c.suggest("PACK007", member(r.Node, "action"), r.Action, c.set.Actions.Names())
			}
		}
	}
}

// compileData links the rows that packs bring. Their values are parsed when they are written.
func (c *compiler) compileData() {
	for i, p := range c.packs {
		for _, d := range p.Data {
			m, ok := lookup(c, &c.models, d.Code, d.Node, "PACK008")
			if !ok {
				continue
			}
			c.checkDataCodes(m, d)
			c.cat.Packs[i].Data = append(c.cat.Packs[i].Data,
				catalog.Data{Model: m.Model, Key: d.Key, Rows: d.Rows, Pack: p.Code, File: d.Node.File()})
		}
	}
}

func (c *compiler) checkDataCodes(m *model, d *def.Data) {
	for i, k := range d.Key {
		if !m.has(k) {
			c.suggest("PACK009", d.Node.Get("key").At(itoa(i)), k, m.codes(), m.Code)
		}
	}
	reported := map[string]bool{}
	for i, row := range d.Rows {
		at := d.Node.Get("rows").At(itoa(i))
		for _, code := range sortedKeys(row) {
			if !m.has(code) && !reported[code] {
				reported[code] = true
				c.suggest("PACK009", member(at, code), code, m.codes(), m.Code)
			}
		}
		for _, k := range d.Key {
			if row[k] == nil && m.has(k) && !slices.Contains(sortedKeys(row), k) {
				c.report("PACK011", at, k)
			}
		}
	}
}
