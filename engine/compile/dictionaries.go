package compile

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/property"
)

type dictionary struct {
	*catalog.Dictionary
	def   *def.Dictionary
	twice bool // another document has its code: which options there are is not known
}

func (c *compiler) compileDictionaries() {
	for _, d := range c.dictionaries.all {
		d.Dictionary = &catalog.Dictionary{Code: d.def.Code, Pack: d.def.Pack, Label: c.label(d.def.Node, d.def.Named, d.def.Code)}
		c.checkOptionRenames(d.def.Items)
		c.noteOptionsOf(d.def.Code, d.def.Items)
		d.Options = c.flatten(nil, d.def.Items, "", map[string]bool{})
		c.cat.Dictionaries = append(c.cat.Dictionaries, d.Dictionary)
	}
}

// flatten lists nested items: the codes of a dictionary are one set, whatever level they stand on.
func (c *compiler) flatten(out []property.Option, items []def.Option, parent string, seen map[string]bool) []property.Option {
	for _, it := range items {
		at := member(it.Node, "code")
		switch {
		case seen[it.Code]:
			c.report("DICT001", at, it.Code)
		case it.Code == "": // a missing value is the schema's
		default:
			seen[it.Code] = true
			out = append(out, property.Option{Code: it.Code, Label: c.label(it.Node, it.Named, it.Code),
				Color: it.Color, Disabled: it.Disabled, Parent: parent, Former: names.Former(it.RenamedFrom)})
		}
		out = c.flatten(out, it.Items, it.Code, seen)
	}
	return out
}
