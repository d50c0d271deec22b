package compile

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// heldKind is the kind of document whose codes a property holds, by the word in "holds".
func heldKind(word string) names.Kind {
	if word == "role" {
		return names.Role
	}
	return names.Kind(word)
}

// Codes implements property.Scope: the documents of a kind as options, with the codes that they had before. The values of records, histories and
// drafts follow a renamed document as they follow a renamed option.
func (c *compiler) Codes(word string) []property.Option {
	if known, ok := c.held[word]; ok {
		return known
	}
	k := heldKind(word)
	var out []property.Option
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
	if c.held == nil {
		c.held = map[string][]property.Option{}
	}
	c.held[word] = out
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

// noteHolder remembers that the options of a property are codes of documents, so that what names an option names the document.
func (c *compiler) noteHolder(m *model, d def.Property) {
	n := d.Node.Get("holds")
	if n == nil || c.options.References == nil {
		return
	}
	if c.holders == nil {
		c.holders = map[string]names.Kind{}
	}
	c.holders[fold(names.Join(m.Code, d.Code))] = heldKind(n.Text())
}

// heldBy is the document that an option is the code of; false when it is an option of its own.
func (c *compiler) heldBy(option string) (k names.Kind, code string, ok bool) {
	owner, code, _ := strings.Cut(option, ":")
	k, ok = c.holders[fold(owner)]
	return k, code, ok
}
