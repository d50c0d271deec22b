package compile

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// optionRecord is an option as the condition of a choice sees it.
type optionRecord struct{ codes []string }

// Property implements expression.Record.
func (o optionRecord) Property(code string) (expression.Property, bool) {
	if !slices.Contains(o.Codes(), code) {
		return expression.Property{}, false
	}
	p := expression.Property{Code: code, Column: code, Kind: plan.Text}
	if code != property.OptionColor {
		p.Choices = o.codes
	}
	return p, true
}

// Codes implements expression.Record.
func (optionRecord) Codes() []string {
	return []string{property.OptionCode, property.OptionParent, property.OptionColor}
}

// formRecord is what form. means to a field: the record, and in a sub-table the row before it.
type formRecord struct{ row, record record }

// Property implements expression.Record.
func (f formRecord) Property(code string) (expression.Property, bool) {
	if p, ok := f.row.Property(code); ok {
		return p, true
	}
	return f.record.Property(code)
}

// Codes implements expression.Record.
func (f formRecord) Codes() []string { return append(f.row.Codes(), f.record.Codes()...) }

func (c *compiler) formOf(m *model) expression.Record {
	if m.parent == nil {
		return record{c: c, m: m}
	}
	return formRecord{record{c: c, m: m}, record{c: c, m: m.parent}}
}

// choosable compiles which records of its target a relation offers, or which of its options a choice does; nil without a
// condition. chooses is false for fields that offer nothing.
func (c *compiler) choosable(m *model, f *catalog.Field, n *source.Node) (e plan.Expr, chooses bool) {
	_, options := f.Property.(property.Chooser)
	switch {
	case m.lost[f]:
		return nil, true
	case f.Target != nil:
		env := c.env(c.of[f.Target], envSQL)
		env.Form = c.formOf(m)
		return c.condition(n, n.Text(), env, "REL012"), true
	case options:
		env := expression.Env{Record: optionRecord{c.choicesOf(f)}, Form: c.formOf(m), Zone: c.options.Zone}
		return c.condition(n, n.Text(), env, "PROP025"), true
	}
	return nil, false
}

// compileChoice compiles what a definition says of choosing: the condition, and what a choice fills in.
func (c *compiler) compileChoice(m *model, f *catalog.Field, d def.Property) {
	if n := d.Node.Get("condition"); n != nil {
		f.Choosable, _ = c.choosable(m, f, n)
	}
	if f.Target != nil {
		f.Fill = c.fills(m, f, d.Node.Get("fill"), false)
	}
}

// fills compiles what choosing a record takes over. Names that do not exist are reported by the property's type already,
// unless report says that nobody has looked.
func (c *compiler) fills(m *model, f *catalog.Field, n *source.Node, report bool) (out []catalog.Fill) {
	there := c.of[f.Target]
	for _, pair := range members(n) {
		to, from := m.Field(pair.Key), there.Field(pair.Text())
		c.noteField(to, pair.Key, source.InKey(pair))
		c.noteField(from, pair.Text(), source.In(pair))
		if report && to == nil && !m.poisoned(fold(pair.Key)) {
			d := problem("REL003", pair, pair.Key).Suggest(pair.Key, m.codes())
			d.Position = pair.KeyPos()
			c.out = append(c.out, d)
		}
		if report && from == nil && !there.poisoned(fold(pair.Text())) && pair.Text() != "" {
			c.out = append(c.out, problem("REL002", pair, there.Code, pair.Text()).Suggest(pair.Text(), there.codes()))
		}
		switch {
		case to == nil || from == nil:
		case f.Multiple:
			c.report("REL015", pair, f.Code)
		case to.System || to.Compute != nil || m.defs[to].ComputeFormula != "" || to.Sheet != nil || len(to.Property.Columns()) == 0:
			d := problem("REL014", pair, to.Code)
			d.Position = pair.KeyPos()
			c.out = append(c.out, d)
		case !c.fits(to, from):
			c.report("REL013", pair, from.Code, from.Type.Name(), to.Code, to.Type.Name())
		default:
			out = append(out, catalog.Fill{To: to, From: from})
		}
	}
	return out
}

// fits reports whether each value of a property is one of another's: the same kind in as many columns, references to the same
// model, options that are all there.
func (c *compiler) fits(to, from *catalog.Field) bool {
	columns, given := to.Property.Columns(), from.Property.Columns()
	if len(columns) != len(given) || len(given) == 0 || columns[0].Kind != given[0].Kind || to.Multiple != from.Multiple {
		return false
	}
	_, parties := to.Property.(property.Referrer)
	_, other := from.Property.(property.Referrer)
	if to.Target != from.Target || parties != other || parties && to.Target == nil && to.Type.Name() != from.Type.Name() {
		return false
	}
	_, chooses := to.Property.(property.Chooser)
	_, chosen := from.Property.(property.Chooser)
	if chooses != chosen {
		return false
	}
	for _, code := range c.choicesOf(from) {
		if !slices.Contains(c.choicesOf(to), code) {
			return false
		}
	}
	return true
}
