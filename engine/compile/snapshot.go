package compile

import (
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
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
			if d.Kind == def.KindApp { // it has the code of its pack
				e.Former = formerApp(p.RenamedFrom, h.RenamedFrom)
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

// formerApp are the codes that an application had: those of its pack, and those that its own document tells beside them.
func formerApp(pack, own def.Former) (out names.Former) {
	for _, code := range slices.Concat(pack, own) {
		if !had(out, code) {
			out = append(out, code)
		}
	}
	return out
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
			e.Parts[names.Option][len(e.Parts[names.Option])-1].Words = optionWords(o)
		}
		e.Form = formOf(f)
		out[names.Property] = append(out[names.Property], e)
	}
	return out
}

// formOf is what a property holds that may become a text, or that a text may become.
func formOf(f *catalog.Field) string {
	cols := f.Columns()
	if f.System || len(cols) == 0 {
		return ""
	}
	_, converts := f.Property.(property.Converter)
	_, chooses := f.Property.(property.Chooser)
	switch {
	case cols[0].Kind == plan.ID && f.Target != nil:
		return names.FormOf + f.Target.Code
	case cols[0].Kind == plan.Text && chooses:
		return names.FormOption
	case cols[0].Kind == plan.Set && chooses:
		return names.FormOptions
	case cols[0].Kind == plan.Text && converts:
		return names.FormText
	}
	return ""
}

// optionWords are the texts by which people know an option; nil where that is its code alone.
func optionWords(o property.Option) []string {
	out := []string{o.Label.Zh}
	for _, locale := range slices.Sorted(maps.Keys(o.Label.I18n)) {
		if word := o.Label.I18n[locale]; word != "" && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	if len(out) == 1 && out[0] == o.Code {
		return nil
	}
	return out
}
