package compile

import (
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
)

// names are what is called what in all documents, with the former codes that their definitions give.
func (c *compiler) names() names.Set {
	out := names.Set{}
	for _, p := range c.packs {
		out[names.Pack] = append(out[names.Pack], names.Entry{Code: p.Code, Former: names.Former(p.RenamedFrom), Pack: p.Code})
		for _, d := range p.Documents {
			h := d.Header()
			s := c.stage(d.Kind)
			if s.Data || d.Kind == def.KindModel {
				continue
			}
			e := names.Entry{Code: h.Code, Former: names.Former(h.RenamedFrom), Pack: h.Pack}
			if d.Kind == def.KindApp && e.Former == nil { // it has the code of its pack
				e.Former = names.Former(p.RenamedFrom)
			}
			for _, part := range s.Parts {
				for _, one := range partClaims(h.Node, part) {
					e.Add(part.Kind, one.code, names.Former(one.former))
				}
			}
			out[names.Kind(d.Kind)] = append(out[names.Kind(d.Kind)], e)
		}
	}
	for _, m := range c.models.all {
		out[names.Model] = append(out[names.Model], names.Entry{Code: m.Code, Former: names.Former(m.def.RenamedFrom), Pack: m.Pack, Parts: c.propertyNames(m)})
	}
	return out.Sorted()
}

func (c *compiler) propertyNames(m *model) names.Set {
	out := names.Set{}
	for _, f := range m.Fields {
		d := m.defs[f]
		e := names.Entry{Code: f.Code, Former: names.Former(d.RenamedFrom)}
		if f.Sheet != nil {
			e.Parts = c.propertyNames(c.of[f.Sheet])
		}
		for _, o := range options(f.Property) {
			e.Add(names.Option, o.Code, o.Former)
		}
		out[names.Property] = append(out[names.Property], e)
	}
	return out
}
