package compile

import (
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/script"
	"github.com/sluice-platform/sluice/engine/source"
)

type form struct {
	*catalog.Form // nil until compiled, and when its model is missing
	def           *def.Form
	generated     *model          // that it was made from; nil when an author wrote it
	held          map[string]bool // codes of the fields in it
	open          map[string]bool // of those that somebody may write
	faulty        bool            // some of its items were refused
}

const defaultFormColumns = 2

// Types of form items that hold or show other things than a field.
const (
	itemSection     = "Section"
	itemTabs        = "Tabs"
	itemRelatedList = "RelatedList"
)

func (c *compiler) compileForms() {
	for _, f := range c.forms.all {
		c.compileForm(f)
	}
	c.unfillable()
}

// unfillable warns of what a record must have and nobody can give it: the forms of its model leave it out.
func (c *compiler) unfillable() {
	for _, m := range c.models.all {
		var first *def.Form
		held, written, faulty := map[string]bool{}, map[string]bool{}, false
		for _, f := range c.forms.all {
			if f.Form == nil || f.Form.Model != m.Model || f.generated != nil {
				continue
			}
			if first == nil {
				first = f.def
			}
			faulty = faulty || f.faulty
			maps.Copy(held, f.held)
			maps.Copy(written, f.open)
		}
		if first == nil || faulty {
			continue
		}
		for _, f := range m.Fields {
			d, ok := f.Property.(property.Defaulter)
			if !f.Required || f.System || f.Compute != nil || f.Default != nil || ok && d.Default() != nil || written[f.Code] {
				continue
			}
			code := "FORM029"
			if held[f.Code] {
				code = "FORM030"
			}
			c.report(code, first.Node.Get("items"), f.Code, m.Code)
		}
	}
}

func (c *compiler) compileForm(f *form) {
	d := f.def
	m, ok := f.generated, true
	if m == nil {
		m, ok = lookup(c, &c.models, d.SchemaCode, member(d.Node, "schemaCode"), "FORM001")
	}
	if !ok {
		return
	}
	out := &catalog.Form{Code: d.Code, Label: c.labelOr(f.generated != nil, m.Label, d.Head), Model: m.Model, Columns: d.Columns, Generated: f.generated != nil, ExternalLink: d.ExternalLink}
	f.Form = out
	if out.Columns == 0 {
		out.Columns = defaultFormColumns
	}
	w := formWalk{c: c, m: m, columns: out.Columns, seen: map[string]bool{}, open: map[string]bool{}, written: map[string]bool{}, ui: d.Node.Get("uiSchema")}
	before := len(c.out)
	out.Items = w.items(d.Items)
	f.held, f.open, f.faulty = w.seen, w.open, c.out[before:].HasErrors()
	out.Script = c.script(d.ScriptFile, d.Node.Get("script"), d.Script, script.Form)
	c.formActions(m, out, d)
	if d.ScriptFile != nil && d.ScriptFile.Err == nil {
		c.scriptFields(d.ScriptFile, w.codes())
	}
	w.uiSchema()
	c.cat.Forms = append(c.cat.Forms, out)
}

// formWalk compiles the items of one form, whatever group they stand in.
type formWalk struct {
	c       *compiler
	m       *model
	columns int             // of the group that is walked
	shown   plan.Expr       // where that group is shown; nil = always
	seen    map[string]bool // codes of fields
	open    map[string]bool // codes of those that somebody may write
	written map[string]bool // folded codes as the items name them, also those at fault
	ui      *source.Node    // uiSchema
}

func (w *formWalk) items(items []def.FormItem) (out []catalog.FormItem) {
	for _, d := range items {
		var it catalog.FormItem
		ok := true
		switch d.Type {
		case itemSection, itemTabs:
			it = w.group(d)
		case itemRelatedList:
			it, ok = w.relatedList(d)
		default:
			it, ok = w.field(w.m, d)
		}
		if ok {
			out = append(out, it)
		}
	}
	return out
}

func (w *formWalk) group(d def.FormItem) catalog.FormItem {
	if len(d.Items) == 0 {
		w.c.report("FORM004", d.Node, d.Type)
	}
	if d.Type == itemTabs {
		for _, tab := range d.Items {
			if tab.Type != itemSection && tab.Node != nil {
				w.c.report("FORM005", tab.Node)
			}
		}
	}
	it := catalog.FormItem{Type: d.Type, Label: inherited(d.Named, plan.Label{}), Collapsed: d.Collapsed, Columns: d.Columns, Span: d.Span,
		Help: plan.Label{Zh: d.Help, I18n: d.HelpI18n}}
	w.rules(w.m, d, &it)
	inner := *w
	inner.shown = it.Display
	if d.Columns > 0 {
		inner.columns = d.Columns
	}
	it.Items = inner.items(d.Items)
	return it
}

// relatedList shows the records of a list whose relation points to the form's record.
func (w *formWalk) relatedList(d def.FormItem) (catalog.FormItem, bool) {
	c := w.c
	l, ok := lookup(c, &c.lists, d.QueryCode, member(d.Node, "queryCode"), "FORM006")
	if !ok || l.List == nil {
		return catalog.FormItem{}, false
	}
	there := c.of[l.List.Model]
	f, ok := c.field(there, d.PropertyCode, member(d.Node, "propertyCode"), "FORM007")
	if !ok || there.lost[f] {
		return catalog.FormItem{}, false
	}
	if !relates(f, w.m.Model) {
		c.report("FORM008", member(d.Node, "propertyCode"), d.PropertyCode, there.Code, w.m.Code)
		return catalog.FormItem{}, false
	}
	it := catalog.FormItem{Type: itemRelatedList, Label: inherited(d.Named, l.Label), Field: f, List: l.List, Collapsed: d.Collapsed, Span: d.Span,
		Read: w.roles(d, "read", d.Read), Help: plan.Label{Zh: d.Help, I18n: d.HelpI18n}}
	w.rules(w.m, d, &it)
	return it, true
}

func (w *formWalk) field(m *model, d def.FormItem) (catalog.FormItem, bool) {
	c, at := w.c, codeNode(d.Node)
	if m == w.m {
		w.written[fold(d.PropertyCode)] = true
	}
	f, ok := c.field(m, d.PropertyCode, at, "FORM009")
	if !ok {
		return catalog.FormItem{}, false
	}
	if w.seen[name(f)] {
		c.report("FORM010", at, d.PropertyCode)
		return catalog.FormItem{}, false
	}
	w.seen[name(f)] = true
	if d.Write == nil || len(*d.Write) > 0 {
		w.open[name(f)] = true
	}
	it := catalog.FormItem{Label: inherited(d.Named, f.Label), Field: f, Collapsed: d.Collapsed, Span: d.Span, Width: d.Width,
		Placeholder: plan.Label{Zh: d.Placeholder, I18n: d.PlaceholderI18n}, Help: plan.Label{Zh: d.Help, I18n: d.HelpI18n},
		DisplayFormat: c.displayFormat(f, d.Node, d.DisplayFormat), Read: w.roles(d, "read", d.Read), Write: w.roles(d, "write", d.Write)}
	if d.Span > w.columns {
		c.report("FORM011", d.Node.Get("span"), d.Span, w.columns)
	}
	w.rules(m, d, &it)
	w.begins(m, f, d, &it)
	w.control(m, f, &it)
	w.choice(m, f, d, &it)
	w.sheet(f, d, &it)
	return it, true
}

// choice compiles what the form adds to the choices of a field.
func (w *formWalk) choice(m *model, f *catalog.Field, d def.FormItem, it *catalog.FormItem) {
	c := w.c
	if n := d.Node.Get("condition"); n != nil {
		var chooses bool
		if it.Choosable, chooses = c.choosable(m, f, n); !chooses {
			c.report("FORM018", n, "condition", f.Code, f.Type.Name())
		}
	}
	n := d.Node.Get("fill")
	switch {
	case n == nil || m.lost[f]:
	case f.Target == nil:
		c.report("FORM018", n, "fill", f.Code, f.Type.Name())
	default:
		fill := c.fills(m, f, n, true)
		it.Fill = &fill
	}
}

// rules compiles where an item is shown, which is never where its group is not, and where it must have a value. What is not
// shown is not asked for.
func (w *formWalk) rules(m *model, d def.FormItem, it *catalog.FormItem) {
	env := w.c.env(m, envOld)
	if n := d.Node.Get("displayFormula"); n != nil && m != w.m {
		w.c.report("FORM026", n, "displayFormula", d.PropertyCode)
	} else {
		it.Display = w.c.condition(n, d.DisplayFormula, env, "FORM016")
	}
	it.Required = w.c.formula(d.Node.Get("requiredFormula"), d.RequiredFormula, env, plan.Bool)
	if m == w.m {
		it.Display = both(w.shown, it.Display)
	}
	if it.Required != nil {
		it.Required = both(it.Display, it.Required)
	}
}

// both joins two conditions, either of which may be missing.
func both(a, b plan.Expr) plan.Expr {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return plan.AllOf(a, b)
}

// begins compiles what a field begins with in a new record.
func (w *formWalk) begins(m *model, f *catalog.Field, d def.FormItem, it *catalog.FormItem) {
	n := d.Node.Get("defaultValue")
	switch kind := f.Property.Kind(); {
	case n == nil || m.lost[f]:
	case m != w.m:
		w.c.report("FORM026", n, "defaultValue", d.PropertyCode)
	case f.System || f.Sheet != nil || f.Compute != nil || kind == plan.None:
		w.c.report("FORM027", n, f.Code, f.Type.Name())
	default:
		env := w.c.env(m)
		env.Options = w.c.optionsOf(f)
		it.Default = w.c.formula(n, d.DefaultValue, env, kind)
	}
}

func (w *formWalk) sheet(f *catalog.Field, d def.FormItem, it *catalog.FormItem) {
	c := w.c
	if f.Sheet == nil {
		if len(d.ChildColumns) > 0 {
			c.report("FORM012", d.Node.Get("childColumns"), f.Code)
		}
		if len(d.SumRow) > 0 {
			c.report("FORM013", d.Node.Get("sumRow"), f.Code)
		}
		return
	}
	sheet, children := c.of[f.Sheet], d.ChildColumns
	if len(children) == 0 {
		for _, s := range sheet.Fields {
			children = append(children, def.FormItem{PropertyCode: s.Code})
		}
	}
	for _, child := range children {
		if item, ok := w.field(sheet, child); ok {
			it.Children = append(it.Children, item)
		}
	}
	for i, code := range d.SumRow {
		at := d.Node.Get("sumRow").At(itoa(i))
		s, ok := c.field(sheet, code, at, "FORM014")
		if !ok {
			continue
		}
		if a, sums := s.Property.(property.Aggregator); !sums || !slices.Contains(a.Aggregates(), plan.SumSum) {
			c.report("FORM015", at, code, s.Type.Name())
			continue
		}
		it.SumRow = append(it.SumRow, s.Code)
	}
}

// roles checks the role codes of a field's read or write.
func (w *formWalk) roles(d def.FormItem, key string, codes *[]string) *[]string {
	if codes == nil {
		return nil
	}
	out := []string{}
	for i, code := range *codes {
		if r, ok := lookup(w.c, &w.c.roles, code, d.Node.Get(key).At(itoa(i)), "FORM017"); ok {
			out = append(out, r.Code)
		}
	}
	return &out
}

// members returns what an object holds.
func members(n *source.Node) []*source.Node {
	if n == nil {
		return nil
	}
	return n.Members
}
