package compile

import (
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// listCondition compiles a control of the filter panel: the property can be filtered, by this operator, with these values.
func (c *compiler) listCondition(m *model, l *catalog.List, d def.Condition, seen map[string]bool) {
	at := codeNode(d.Node)
	p, ok := c.path(m, d.PropertyCode, source.In(at), "LIST030")
	if !ok {
		return
	}
	filter, ok := p.Field.Property.(property.Filterer)
	switch {
	case !ok:
		c.report("LIST031", at, d.PropertyCode, p.Field.Type.Name())
		return
	case seen[p.Code]:
		c.report("LIST032", at, d.PropertyCode)
		return
	}
	seen[p.Code] = true
	out := catalog.Condition{Path: p, Label: inherited(d.Named, p.Field.Label), Operator: c.operator(p.Field, filter, d),
		DisplayFormat: c.displayFormat(p.Field, d.Node, d.DisplayFormat), DefaultValue: d.DefaultValue, StartValue: d.StartValue,
		EndValue: d.EndValue, Visible: d.Visible == nil || *d.Visible, AccurateSearch: d.AccurateSearch,
		ChoiceType: d.ChoiceType, DisplayType: d.DisplayType, DefaultState: d.DefaultState, RelativeQueryCode: c.relativeList(p.Field, d)}
	c.conditionControl(p.Field, d)
	out.Options = c.conditionOptions(p.Field, d)
	c.conditionValues(p.Field, filter, out.Operator, d)
	l.Conditions = append(l.Conditions, out)
}

// relativeList is the list in which the records of a relation are chosen.
func (c *compiler) relativeList(f *catalog.Field, d def.Condition) string {
	if d.RelativeQueryCode == "" {
		return ""
	}
	at := d.Node.Get("relativeQueryCode")
	if f.Target == nil || f.Target.Code == userModel || f.Target.Code == departmentModel {
		c.report("LIST058", at, d.PropertyCode, f.Type.Name())
		return ""
	}
	l, ok := lookup(c, &c.lists, d.RelativeQueryCode, at, "LIST056")
	if !ok {
		return ""
	}
	of := l.def.SchemaCode
	if l.generated != nil {
		of = l.generated.Code
	}
	if fold(of) != fold(f.Target.Code) {
		c.report("LIST057", at, d.RelativeQueryCode, of, f.Target.Code)
		return ""
	}
	return l.def.Code
}

// conditionControl names the words for a control that the property's control has no use for.
func (c *compiler) conditionControl(f *catalog.Field, d def.Condition) {
	_, chooses := f.Property.(property.Chooser)
	_, refers := f.Property.(property.Referrer)
	for _, word := range []struct {
		key, value string
		used       bool
	}{
		{"choiceType", d.ChoiceType, chooses || refers},
		{"displayType", d.DisplayType, chooses || f.Property.Kind() == plan.Bool},
	} {
		if word.value != "" && !word.used {
			c.report("LIST059", d.Node.Get(word.key), word.key, d.PropertyCode, f.Type.Name())
		}
	}
}

func (c *compiler) operator(f *catalog.Field, filter property.Filterer, d def.Condition) plan.Op {
	legal := filter.Operators()
	var names []string
	for _, o := range legal {
		names = append(names, string(o))
	}
	switch op := plan.Op(d.QueryFilterType); {
	case op == "" && !d.AccurateSearch:
		return filter.DefaultOperator()
	case op == "" && slices.Contains(legal, plan.Equal):
		return plan.Equal
	case op == "":
		c.report("LIST033", d.Node.Get("accurateSearch"), f.Code)
	case slices.Contains(legal, op):
		return op
	default:
		c.suggest("LIST034", d.Node.Get("queryFilterType"), d.QueryFilterType, names, f.Code, strings.Join(names, ", "))
	}
	return filter.DefaultOperator()
}

func (c *compiler) conditionOptions(f *catalog.Field, d def.Condition) (out []string) {
	legal := c.choicesOf(f)
	if len(d.Options) > 0 && legal == nil {
		if _, chooses := f.Property.(property.Chooser); !chooses {
			c.report("LIST035", d.Node.Get("options"), f.Code, f.Type.Name())
		}
		return nil
	}
	for i, o := range d.Options {
		if slices.Contains(legal, o) {
			c.noteChosen(f, d.Node.Get("options").At(itoa(i)))
			out = append(out, o)
			continue
		}
		c.suggest("LIST036", d.Node.Get("options").At(itoa(i)), o, legal, f.Code, diag.Few(legal))
	}
	return out
}

// conditionValues tries the values that the control begins with, as a request would.
func (c *compiler) conditionValues(f *catalog.Field, filter property.Filterer, op plan.Op, d def.Condition) {
	positive, _ := op.Positive()
	try := func(key, operand, shown string) {
		if operand == "" {
			return
		}
		c.noteChosen(f, d.Node.Get(key))
		column := func(name string) plan.Expr {
			for _, col := range f.Property.Columns() {
				if col.Name == name {
					return &plan.Field{Column: name, K: col.Kind}
				}
			}
			return f.Column()
		}
		at := property.FilterContext{Zone: c.options.Zone, Now: time.Unix(0, 0).UTC()}
		if _, err := filter.Filter(positive, operand, column, at); err != nil {
			c.report("LIST037", d.Node.Get(key), shown, f.Code, op)
		}
	}
	switch positive {
	case plan.Between:
		if d.StartValue != "" {
			try("startValue", d.StartValue+";", d.StartValue)
		}
		if d.EndValue != "" {
			try("endValue", ";"+d.EndValue, d.EndValue)
		}
		try("defaultValue", d.DefaultValue, d.DefaultValue)
	case plan.OpIsNull:
		for _, key := range []string{"defaultValue", "startValue", "endValue"} {
			if n := d.Node.Get(key); n.Text() != "" {
				c.report("LIST038", n, key, op)
			}
		}
	default:
		try("defaultValue", d.DefaultValue, d.DefaultValue)
		for _, key := range []string{"startValue", "endValue"} {
			if n := d.Node.Get(key); n.Text() != "" {
				c.report("LIST038", n, key, op)
			}
		}
	}
}
