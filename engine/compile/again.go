package compile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/source"
)

// compilation is one that had no errors. Where nothing but what roles give has changed since, it is taken on and the roles alone are
// compiled: a change of rights is to be in force at once, however much else an installation has.
type compilation struct {
	c      *compiler
	inputs []input
}

// input is a document of a compilation: the text itself, whose tree is kept as long as the text is the same. Of a role it is the code and
// the names, which other documents refer to and show.
type input struct {
	pack, code string
	kind       def.Kind
	node       *source.Node
	beside     string // what stands beside it
	name       string
	i18n       map[string]string
}

func (i input) same(o input) bool {
	return i.pack == o.pack && i.code == o.code && i.kind == o.kind && i.node == o.node && i.beside == o.beside && i.name == o.name && maps.Equal(i.i18n, o.i18n)
}

// inputs lists what a compilation depends on; ok is false where a document could not be read.
func (c *compiler) inputs(packs []*def.Pack) (out []input, ok bool) {
	for _, p := range packs {
		if len(p.Broken) > 0 {
			return nil, false
		}
		of := input{pack: p.Code, kind: def.KindPack, node: p.Node}
		if p.Bundle != nil {
			of.beside = p.Bundle.Digest
		}
		out = append(out, of, input{pack: p.Code, kind: def.KindPack, beside: fmt.Sprintf("%s %x", interfaceCodes, p.Codes.Sum())}) // it is read anew each time
		for _, d := range p.Documents {
			h := d.Header()
			of := input{pack: p.Code, code: h.Code, kind: d.Kind, node: h.Node}
			if d.Kind == def.KindAccess {
				of.node, of.name, of.i18n = nil, h.Name, h.NameI18n
			}
			for _, f := range filesOf(c.stage(d.Kind).Kind, d.Document) {
				if *f.To == nil {
					continue
				}
				if (*f.To).Err != nil {
					return nil, false
				}
				of.beside += (*f.To).Name + "\x00" + (*f.To).Text + "\x00"
			}
			out = append(out, of)
		}
	}
	return out, true
}

// whole gives the packs for a compilation of everything.
func (c *compiler) whole(packs []*def.Pack) []*def.Pack {
	if c.options.Cache == nil {
		return packs
	}
	out := make([]*def.Pack, len(packs))
	for i, p := range packs {
		own := *p
		own.Documents = slices.Clone(p.Documents)
		for n, d := range own.Documents {
			own.Documents[n].Document = c.options.Cache.unused(c.stage(d.Kind).Kind, d.Document)
		}
		out[i] = &own
	}
	return out
}

// keep remembers a compilation for again.
func (k *Cache) keep(c *compiler, packs []*def.Pack, found diag.List) {
	if k == nil || found.HasErrors() {
		return
	}
	inputs, ok := c.inputs(packs)
	if !ok {
		return
	}
	k.compiling.Lock()
	defer k.compiling.Unlock()
	k.last = &compilation{c: c, inputs: inputs}
}

// again compiles the roles alone; ok is false where something else has changed, so that everything has to be compiled.
func (k *Cache) again(packs []*def.Pack, o Options) (cat *catalog.Catalog, found diag.List, ok bool) {
	if k == nil {
		return nil, nil, false
	}
	k.compiling.Lock()
	defer k.compiling.Unlock()
	last := k.last
	if last == nil || last.c.options.Zone != o.Zone || last.c.options.Places != o.Places {
		return nil, nil, false
	}
	if inputs, readable := last.c.inputs(packs); !readable || !slices.EqualFunc(inputs, last.inputs, input.same) {
		return nil, nil, false
	}
	c := *last.c
	c.packs, c.roles = packs, index[*def.Access]{partial: last.c.roles.partial}
	for _, p := range packs {
		for _, d := range def.Of[*def.Access](p) {
			declareIn(&c, &c.roles, d.Head, d)
		}
	}
	c.cat = last.c.cat.WithRoles(nil)
	c.compileRoles(last.c.own)
	c.cat = c.cat.WithRoles(c.cat.Roles)
	c.checkShown()
	if !maps.EqualFunc(c.rowColumns(), last.c.rights, slices.Equal) {
		return nil, nil, false // the tables get other indexes
	}
	c.cat.Digest = c.digest(packs)
	c.cat.Earlier, c.cat.Meaning = c.earlier()
	if !c.foundInRoles.HasErrors() {
		last.c = &c
	}
	return c.cat, append(slices.Clone(c.out), c.foundInRoles...).Sorted(), true
}
