package compile

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// heldKind is the kind whose codes a property holds, by the word in "holds".
func heldKind(word string) names.Kind {
	if word == "role" {
		return names.Role
	}
	return names.Kind(word)
}

// Codes implements property.Scope: the documents of a kind, or their parts, as options, with the codes that they had before. The values of
// records, histories and drafts follow what is renamed as they follow a renamed option.
func (c *compiler) Codes(word, of string) ([]property.Option, bool) {
	key := word + " " + fold(of)
	if known, ok := c.held[key]; ok {
		return known, true
	}
	var out []property.Option
	ok := true
	switch k := heldKind(word); k {
	case names.Property, names.Option, names.Node:
		out, ok = c.heldParts(k, of)
	default:
		out = c.heldDocuments(k)
	}
	if !ok {
		return nil, false
	}
	if c.held == nil {
		c.held = map[string][]property.Option{}
	}
	c.held[key] = out
	return out, true
}

func (c *compiler) heldDocuments(k names.Kind) (out []property.Option) {
	taken := map[string]bool{}
	add := func(code string, label plan.Label, former def.Former) {
		if !taken[fold(code)] {
			taken[fold(code)] = true
			out = append(out, property.Option{Code: code, Label: label, Former: names.Former(former)})
		}
	}
	for _, p := range c.packs {
		for _, d := range p.Documents {
			if h := d.Header(); names.Kind(d.Kind) == k {
				add(h.Code, h.Label(plan.Label{Zh: h.Code}), h.RenamedFrom)
			}
		}
		for _, b := range p.Broken {
			if names.Kind(b.Kind) == k {
				add(b.Code, plan.Label{Zh: b.Code}, nil)
			}
		}
	}
	if k == names.List || k == names.Form {
		for _, m := range c.withoutOwn(k) {
			add(m.Code, m.def.Label(plan.Label{Zh: m.Code}), m.def.RenamedFrom)
		}
	}
	return out
}

// withoutOwn are the models that get a list or a form without an author, under their own code.
func (c *compiler) withoutOwn(k names.Kind) (out []*model) {
	own := map[string]bool{}
	for _, l := range c.lists.all {
		own[fold(l.def.SchemaCode)] = own[fold(l.def.SchemaCode)] || k == names.List
	}
	for _, f := range c.forms.all {
		own[fold(f.def.SchemaCode)] = own[fold(f.def.SchemaCode)] || k == names.Form
	}
	for _, m := range c.models.all {
		if m.def != nil && !own[fold(m.Code)] {
			out = append(out, m)
		}
	}
	return out
}

// heldIn is what the values of a property are codes of; nil for others.
func heldIn(d def.Property) *catalog.Held {
	if d.Node.Get("holds") == nil {
		return nil
	}
	return &catalog.Held{Kind: heldKind(d.Node.Get("holds").Text()), Owner: d.Node.Get("of").Text()}
}

// noteHolder remembers what the options of a property are codes of, so that what names an option names that.
func (c *compiler) noteHolder(f *catalog.Field) {
	if f.Holds == nil || c.options.References == nil {
		return
	}
	if c.holders == nil {
		c.holders = map[string]catalog.Held{}
	}
	c.holders[fold(names.Join(f.Model.Code, f.Code))] = *f.Holds
}

// noteOwner notes what "of" names.
func (c *compiler) noteOwner(n *source.Node) {
	at := n.Get("of")
	if at == nil {
		return
	}
	switch heldKind(n.Get("holds").Text()) {
	case names.Property:
		c.note(names.Model, at.Text(), at.Text(), source.In(at), false)
	case names.Node:
		c.note(names.Workflow, at.Text(), at.Text(), source.In(at), false)
	case names.Option:
		c.noteHeld(catalog.Held{Kind: names.Property}, at.Text(), at.Text(), source.In(at))
	}
}
