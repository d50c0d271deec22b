package compile

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// heldParts are the parts of what "of" names, by their codes; without it those of everything that has such parts, by their paths, each
// below its owner. ok is false where nothing is called so.
func (c *compiler) heldParts(k names.Kind, of string) (out []property.Option, ok bool) {
	switch k {
	case names.Property:
		return c.heldProperties(of)
	case names.Option:
		return c.heldOptions(of)
	}
	return c.heldNodes(of)
}

// heldProperties are properties of a model, those of sub-tables as "lines.amount". The ones that the engine adds have no definition and are
// not among them.
func (c *compiler) heldProperties(of string) (out []property.Option, ok bool) {
	for _, m := range c.models.all {
		switch {
		case m.def == nil:
		case of == "":
			owner := property.Option{Code: m.Code, Label: m.def.Label(plan.Label{Zh: m.Code}), Former: names.Former(m.def.RenamedFrom)}
			for _, p := range ownProperties(m.def) {
				out = append(out, below(owner, p.Option, names.Join))
			}
		case strings.EqualFold(m.Code, of):
			for _, p := range ownProperties(m.def) {
				p.Parent = ""
				out = append(out, p.Option)
			}
		}
	}
	return out, of == "" || c.models.has(of)
}

// ownProperty is a property of a model or of one of its sub-tables, as an option.
type ownProperty struct {
	property.Option
	def def.Property
}

func ownProperties(m *def.Model) (out []ownProperty) {
	for _, d := range once(m.Properties) {
		own := property.Option{Code: d.Code, Label: d.Label(plan.Label{Zh: d.Code}), Former: names.Former(d.RenamedFrom)}
		out = append(out, ownProperty{own, d})
		for _, column := range once(d.Properties) {
			one := property.Option{Code: column.Code, Label: column.Label(plan.Label{Zh: column.Code}), Former: names.Former(column.RenamedFrom)}
			out = append(out, ownProperty{below(own, one, names.Join), column})
		}
	}
	return out
}

// once are the properties that have a code of their own; of the others the compiler tells.
func once(properties []def.Property) (out []def.Property) {
	seen := map[string]bool{}
	for _, d := range properties {
		if d.Code != "" && !seen[fold(d.Code)] {
			seen[fold(d.Code)] = true
			out = append(out, d)
		}
	}
	return out
}

// heldOptions are the options of a property: its own, or those of its dictionary.
func (c *compiler) heldOptions(of string) (out []property.Option, ok bool) {
	model, path, _ := strings.Cut(of, ".")
	for _, m := range c.models.all {
		if m.def == nil || of != "" && !strings.EqualFold(m.Code, model) {
			continue
		}
		owner := property.Option{Code: m.Code, Label: m.def.Label(plan.Label{Zh: m.Code}), Former: names.Former(m.def.RenamedFrom)}
		for _, p := range ownProperties(m.def) {
			options, chooses := c.optionsIn(p.def)
			switch {
			case of == "":
				at := below(owner, p.Option, names.Join)
				for _, o := range options {
					out = append(out, below(at, o, names.OptionPath))
				}
			case strings.EqualFold(p.Code, path):
				return options, chooses
			}
		}
	}
	broken, known := c.models.get(model)
	return out, of == "" || known && broken == nil
}

// optionsIn are the options that a property defines, or its dictionary. A property that holds codes itself has none of its own.
func (c *compiler) optionsIn(d def.Property) (out []property.Option, ok bool) {
	if at := d.Node.Get("dictionary"); at != nil {
		return c.Dictionary(at.Text())
	}
	if d.Node.Get("options") == nil {
		return nil, false
	}
	var own struct {
		Options []def.Option `json:"options"`
	}
	d.Decode(&own)
	seen := map[string]bool{}
	var add func(options []def.Option, parent string)
	add = func(options []def.Option, parent string) {
		for _, o := range options {
			if o.Code != "" && !seen[o.Code] {
				seen[o.Code] = true
				out = append(out, property.Option{Code: o.Code, Label: o.Label(plan.Label{Zh: o.Code}), Color: o.Color, Disabled: o.Disabled,
					Parent: parent, Former: names.Former(o.RenamedFrom)})
			}
			add(o.Items, o.Code)
		}
	}
	add(own.Options, "")
	return out, true
}

// heldNodes are the nodes of a workflow.
func (c *compiler) heldNodes(of string) (out []property.Option, ok bool) {
	s := c.stage(def.Kind(names.Workflow))
	for _, p := range c.packs {
		for _, b := range p.Broken {
			ok = ok || b.Kind == s.Code && strings.EqualFold(b.Code, of)
		}
		for _, d := range p.Documents {
			h := d.Header()
			if d.Kind != s.Code || of != "" && !strings.EqualFold(h.Code, of) {
				continue
			}
			ok = true
			owner := property.Option{Code: h.Code, Label: h.Label(plan.Label{Zh: h.Code}), Former: names.Former(h.RenamedFrom)}
			for _, part := range s.Parts {
				for _, one := range partClaims(h.Node, part) {
					var named def.Named
					source.Decode(one.node, &named)
					o := property.Option{Code: one.code, Label: named.Label(plan.Label{Zh: one.code}), Former: names.Former(one.former)}
					if of == "" {
						o = below(owner, o, names.Join)
					}
					out = append(out, o)
				}
			}
		}
	}
	return out, ok || of == ""
}

// below is a part by its path, with the paths that it had, the latest first: those below the owner as it is called, then those below each code
// that the owner had before.
func below(owner, part property.Option, join func(owner, code string) string) property.Option {
	var paths names.Former
	for _, of := range append(names.Former{owner.Code}, owner.Former...) {
		for _, code := range append(names.Former{part.Code}, part.Former...) {
			paths = append(paths, join(of, code))
		}
	}
	part.Code, part.Former, part.Parent = paths[0], paths[1:], owner.Code
	part.Label = pathLabel(owner.Label, part.Label)
	return part
}

func pathLabel(owner, part plan.Label) plan.Label {
	out := plan.Label{Zh: owner.Zh + " / " + part.Zh, I18n: map[string]string{}}
	for _, l := range []plan.Label{owner, part} {
		for locale := range l.I18n {
			out.I18n[locale] = owner.In(locale) + " / " + part.In(locale)
		}
	}
	return out
}

// optionHolder is the property whose options a property holds that says so with "of"; nil for others.
func (c *compiler) optionHolder(n *source.Node) *catalog.Field {
	if n.Get("holds").Text() != "option" || n.Get("of") == nil {
		return nil
	}
	return c.fieldAt(n.Get("of").Text())
}

// fieldAt is a property by the path that it has now, "model.property" or "model.subtable.property"; nil when there is none.
func (c *compiler) fieldAt(path string) *catalog.Field {
	model, path, _ := strings.Cut(path, ".")
	for _, m := range c.models.all {
		if strings.EqualFold(m.Code, model) {
			return m.At(path)
		}
	}
	return nil
}

// heldBy is what holds an option and the code in it; false when it is an option of its own.
func (c *compiler) heldBy(option string) (h catalog.Held, code string, ok bool) {
	owner, code, _ := strings.Cut(option, ":")
	h, ok = c.holders[fold(owner)]
	return h, code, ok
}

// heldNames are what a value names.
func (c *compiler) heldNames(h catalog.Held, value string) []catalog.HeldName {
	return h.Names(value, func(path string) string {
		if f := c.fieldAt(path); f != nil {
			return c.optionOwner(f)
		}
		return path
	})
}

// noteHeld notes what a value names, each name at its part of the value. Where another text is written, the whole of it is the place.
func (c *compiler) noteHeld(h catalog.Held, value, word string, at source.Place) {
	for _, one := range c.heldNames(h, value) {
		place, written := at, word
		if value == word {
			place.Offset, written = at.Offset+one.Offset, one.Word
		}
		c.note(one.Kind, one.Path, written, place, false)
	}
}

// linkOptions says what has the options of a choice.
func (c *compiler) linkOptions(m *model, f *catalog.Field) {
	if options(f.Property) == nil || f.Holds != nil && c.optionHolder(m.defs[f].Node) == nil {
		return
	}
	f.OptionsOf = c.optionOwner(f)
}
