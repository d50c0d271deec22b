package compile

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// generate gives every model without a list or a form one of its own, under the model's code. They
// are definitions like those of authors and take the same way.
func (c *compiler) generate() {
	listed, formed := map[string]bool{}, map[string]bool{}
	for _, l := range c.lists.all {
		listed[fold(l.def.SchemaCode)] = true
	}
	for _, f := range c.forms.all {
		formed[fold(f.def.SchemaCode)] = true
	}
	for _, m := range c.models.all {
		if !listed[fold(m.Code)] {
			c.generateList(m)
		}
		if !formed[fold(m.Code)] {
			c.generateForm(m)
		}
	}
}

// labelOr returns a definition's texts: those of its model for a generated one, and the author's otherwise.
func (c *compiler) labelOr(generated bool, ofModel plan.Label, h def.Head) plan.Label {
	if generated {
		return ofModel
	}
	return c.label(h.Node, h.Named, h.Code)
}

func (c *compiler) generateList(m *model) {
	if other, taken := c.lists.entries[fold(m.Code)]; taken {
		if other.value != nil && c.exists(other.value.def.SchemaCode) {
			c.report("MODEL025", m.node, m.Code, other.file)
		}
		return
	}
	d := &def.List{Head: def.Head{Code: m.Code, Pack: m.Pack}, SchemaCode: m.Code, Columns: allColumns(m.Model), Conditions: usualConditions(m.Model)}
	for _, a := range generatedButtons {
		if c.word(a).List {
			d.Actions = append(d.Actions, def.ListAction{ActionCode: a, QueryActionType: a})
		}
	}
	if len(d.Columns) == 0 {
		d.Columns = []def.ListColumn{{PropertyCode: catalog.SequenceNo}, {PropertyCode: catalog.CreatedTime}}
	}
	l := &list{def: d, generated: m}
	c.lists.add(m.Code, "", l)
	c.lists.all = append(c.lists.all, l)
}

func (c *compiler) generateForm(m *model) {
	if other, taken := c.forms.entries[fold(m.Code)]; taken {
		if other.value != nil && c.exists(other.value.def.SchemaCode) {
			c.report("MODEL025", m.node, m.Code, other.file)
		}
		return
	}
	d := &def.Form{Head: def.Head{Code: m.Code, Pack: m.Pack}, SchemaCode: m.Code, Actions: []def.FormAction{{ActionCode: "save"}}}
	for _, f := range m.Fields {
		if f.System {
			continue
		}
		item := def.FormItem{PropertyCode: f.Code}
		if f.Sheet != nil { // tables need the room
			item.Span = defaultFormColumns
		}
		d.Items = append(d.Items, item)
	}
	f := &form{def: d, generated: m}
	c.forms.add(m.Code, "", f)
	c.forms.all = append(c.forms.all, f)
}

// generatedButtons are what lists do with records, in the order of the buttons, as far as the words are registered. Whom a button is
// shown to is for the rights.
var generatedButtons = []string{"add", "import", "export", "edit", "batch_update", "change_owner", "copy", "print", "qr_code", "form_track", "delete"}

// usualConditions are filters for what people narrow lists by: options, people, related records, dates, and yes or no.
func usualConditions(m *catalog.Model) (out []def.Condition) {
	for _, f := range m.Fields {
		if _, ok := f.Property.(property.Filterer); ok && !f.System && narrows(f) {
			out = append(out, def.Condition{PropertyCode: f.Code})
		}
	}
	return out
}

func narrows(f *catalog.Field) bool {
	switch f.Property.Kind() {
	case plan.Date, plan.Instant, plan.Bool:
		return true
	}
	_, chooses := f.Property.(property.Chooser)
	_, refers := f.Property.(property.Referrer)
	_, files := f.Property.(property.FileTaker)
	return chooses || refers && !files
}

// exists reports whether there is a model of that code, also a broken one.
func (c *compiler) exists(code string) bool { _, known := c.models.get(code); return known }

// allColumns lists the properties of a model that a list can show, in their order.
func allColumns(m *catalog.Model) (out []def.ListColumn) {
	for _, f := range m.Fields {
		if !f.System {
			out = append(out, def.ListColumn{PropertyCode: f.Code})
		}
	}
	return out
}

// relates reports whether a field is a relation to a model.
func relates(f *catalog.Field, to *catalog.Model) bool {
	_, ok := f.Property.(property.Relater)
	return ok && f.Target != nil && strings.EqualFold(f.Target.Code, to.Code)
}
