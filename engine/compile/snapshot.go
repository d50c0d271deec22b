package compile

import (
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/source"
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
			if x, ok := d.Document.(*def.Dictionary); ok {
				e.Parts = options(x.Items)
			}
			for _, part := range s.Parts {
				e.Parts = parts(e.Parts, part, h.Node)
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
		switch {
		case f.Sheet != nil:
			e.Parts = c.propertyNames(c.of[f.Sheet])
		case !f.System && d.Node.Get("options") != nil:
			var own struct {
				Options []def.Option `json:"options"`
			}
			source.Decode(d.Node, &own)
			e.Parts = options(own.Options)
		}
		out[names.Property] = append(out[names.Property], e)
	}
	return out
}

// options are the choices of all levels: a value is the code of one, on whatever level it is.
func options(of []def.Option) names.Set {
	var all []names.Entry
	var add func(of []def.Option)
	add = func(of []def.Option) {
		for _, o := range of {
			all = append(all, names.Entry{Code: o.Code})
			add(o.Items)
		}
	}
	add(of)
	if all == nil {
		return nil
	}
	return names.Set{names.Option: all}
}

// parts adds the parts of a document that stand in a list and have codes of their own.
func parts(to names.Set, p kind.Part, document *source.Node) names.Set {
	for _, n := range document.Get(p.List).Items() {
		var of struct {
			Former def.Former `json:"renamedFrom"`
		}
		source.Decode(n, &of)
		code := n.Get(p.Key).Text()
		if code == "" {
			continue
		}
		if to == nil {
			to = names.Set{}
		}
		to[p.Kind] = append(to[p.Kind], names.Entry{Code: code, Former: names.Former(of.Former)})
	}
	return to
}
