package compile

import (
	"net/url"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

func (c *compiler) listActions(m *model, l *catalog.List, actions []def.ListAction) {
	seen := map[string]bool{}
	for _, d := range actions {
		at := member(d.Node, "actionCode")
		if seen[fold(d.ActionCode)] {
			c.report("LIST019", at, d.ActionCode)
			continue
		}
		seen[fold(d.ActionCode)] = true
		if c.word(d.QueryActionType).Later || d.AssociationType == "workflow" && !startsWorkflow(d.QueryActionType) {
			c.report("LIST082", at, d.ActionCode)
		}
		a := c.button(d)
		if !c.word(d.QueryActionType).List {
			a.Label = c.label(d.Node, d.Named, d.ActionCode)
		}
		c.association(m, l.Presentation.Script != nil, d, &a)
		c.idleRow(m, d)
		a.Enabled = c.formula(d.Node.Get("enabledFormula"), d.EnabledFormula, c.env(m), plan.Bool)
		l.Actions = append(l.Actions, a)
	}
}

// button compiles what a button says.
func (c *compiler) button(d def.ListAction) catalog.ListAction {
	c.attributes(d)
	return catalog.ListAction{Code: d.ActionCode, Type: d.QueryActionType, Label: inherited(d.Named, plan.Label{}),
		Association: associations[d.AssociationType], AssociationCode: d.AssociationCode, Row: d.Row,
		Hint: plan.Label{Zh: d.Hint, I18n: d.HintI18n}, Confirm: plan.Label{Zh: d.Confirm, I18n: d.ConfirmI18n},
		Extend1: d.Extend1, Attributes: d.Attributes}
}

// association compiles what a button is bound to.
func (c *compiler) association(m *model, scripted bool, d def.ListAction, a *catalog.ListAction) {
	at := d.Node.Get("associationCode")
	switch d.AssociationType {
	case "", "none":
		if d.QueryActionType != "custom" && !c.word(d.QueryActionType).List {
			c.bindAction(m, d, a, d.QueryActionType)
		}
		return
	case "script":
		if !scripted && d.Node.Get("queryActionType") != nil {
			c.report("LIST079", d.Node.Get("associationType"), d.ActionCode, "script")
		}
		return
	}
	if d.AssociationCode == "" {
		c.report("LIST021", d.Node.Get("associationType"), d.AssociationType)
		return
	}
	switch d.AssociationType {
	case "form":
		if f, ok := lookup(c, &c.forms, d.AssociationCode, at, "LIST022"); ok {
			c.leadsTo(m, d, f.def.SchemaCode, true)
		}
	case "list":
		if other, ok := lookup(c, &c.lists, d.AssociationCode, at, "LIST078"); ok && c.leadsTo(m, d, other.def.SchemaCode, false) {
			c.filteredBy(d, other)
		}
	case "workflow":
		c.noteStart(m, d)
	case "action":
		c.bindAction(m, d, a, d.AssociationCode)
	case "url":
		a.Address = c.address(m, d)
	}
}

// leadsTo checks the relation by which a button's target points back to the record. A form of the same model opens the record
// itself and needs none.
func (c *compiler) leadsTo(m *model, d def.ListAction, target string, form bool) bool {
	at := d.Node.Get("extend1")
	to, ok := c.models.get(target)
	if !ok || to == nil || to.Model == nil {
		return false
	}
	if d.Extend1 == "" {
		return false
	}
	f := to.Field(d.Extend1)
	c.noteField(f, d.Extend1, source.In(at))
	if f == nil && to.poisoned(d.Extend1) {
		return false
	}
	if f == nil || f.Target != m.Model || f.Multiple || form && to == m {
		c.report("LIST076", at, d.Extend1, to.Code, m.Code)
		return false
	}
	return true
}

// idleRow reports a button of a row that opens something of another model and does not say by which relation: the row is of no
// account to it.
func (c *compiler) idleRow(m *model, d def.ListAction) {
	if !d.Row || d.Extend1 != "" {
		return
	}
	target := ""
	switch d.AssociationType {
	case "form":
		if f, _ := c.forms.get(d.AssociationCode); f != nil {
			target = f.def.SchemaCode
		}
	case "list":
		if l, _ := c.lists.get(d.AssociationCode); l != nil {
			target = l.def.SchemaCode
		}
	}
	if to, _ := c.models.get(target); to != nil && to.Model != nil && to != m {
		c.report("LIST081", d.Node.Get("associationCode"), d.ActionCode, to.Code)
	}
}

// filteredBy checks that a list can be filtered by the relation that points back: the filter is in its panel.
func (c *compiler) filteredBy(d def.ListAction, to *list) {
	conditions := to.def.Conditions
	if !slices.ContainsFunc(conditions, func(one def.Condition) bool { return strings.EqualFold(one.PropertyCode, d.Extend1) }) {
		c.report("LIST030", d.Node.Get("extend1"), d.Extend1, d.AssociationCode)
	}
}

// bindAction binds a button to an action of the program, as a route binds a call.
func (c *compiler) bindAction(m *model, d def.ListAction, a *catalog.ListAction, code string) {
	at := member(d.Node, "associationCode")
	found, ok := c.set.Actions.Get(code)
	if !ok && d.AssociationType == "action" {
		c.suggest("LIST023", at, code, c.set.Actions.Names())
	}
	if !ok {
		return // of a type that is not an action the schema tells
	}
	endpoint, ok := found.(action.Endpoint)
	if !ok {
		c.report("LIST079", at, d.ActionCode, code)
		return
	}
	r := &catalog.Route{Method: "POST", Model: m.Model, Action: endpoint}
	var err error
	if r.Input, err = action.CompileSchema(endpoint.Input()); err == nil {
		r.Output, err = action.CompileOutput(endpoint)
	}
	if err != nil {
		c.report("PACK017", at, code, "Input, Output", firstCause(err))
		return
	}
	a.Call, a.Association = r, associations["action"]
	input, _ := d.Attributes["input"].(map[string]any)
	n := d.Node.Get("attributes").Get("input")
	for name, value := range input {
		if text, ok := value.(string); ok && strings.Contains(text, "{") {
			if a.Input == nil {
				a.Input = map[string]*catalog.Template{}
			}
			a.Input[name] = c.template(m, n.Get(name), text, d.Row)
		}
	}
}

// address compiles the address of a button: a path of this server, or one below an origin that a pack's links name. Properties
// stand behind its host only, so that no record decides where it leads.
func (c *compiler) address(m *model, d def.ListAction) *catalog.Template {
	at, text := d.Node.Get("associationCode"), d.AssociationCode
	if !c.allowed(text) {
		c.report("LIST074", at, text)
		return nil
	}
	t := c.template(m, at, text, d.Row)
	query := false
	for i := range t.Parts {
		t.Parts[i].Query = query
		query = query || strings.Contains(t.Parts[i].Text, "?")
	}
	return t
}

func (c *compiler) allowed(address string) bool {
	if strings.ContainsAny(address, "\\\x00\t\r\n") {
		return false
	}
	if strings.HasPrefix(address, "/") {
		return !strings.HasPrefix(address, "//")
	}
	for _, p := range c.packs {
		for _, origin := range p.Links {
			if rest, ok := strings.CutPrefix(address, strings.TrimSuffix(origin, "/")); ok && (rest == "" || rest[0] == '/' || rest[0] == '?') {
				u, err := url.Parse(strings.NewReplacer("{", "", "}", "").Replace(address))
				return err == nil && u.Scheme == "https" && u.User == nil
			}
		}
	}
	return false
}

// template compiles a text with properties in braces. A button that is in no row has no record to take them from.
func (c *compiler) template(m *model, at *source.Node, text string, row bool) *catalog.Template {
	t, begins := &catalog.Template{}, 0
	for text != "" {
		before, rest, found := strings.Cut(text, "{")
		if before != "" {
			t.Parts = append(t.Parts, catalog.TemplatePart{Text: before})
		}
		code, after, closed := strings.Cut(rest, "}")
		if !found {
			break
		}
		open := begins + len(before) + 1
		begins += len(text) - len(after)
		text = after
		if !closed || !row {
			c.report("LIST075", at, code, m.Code)
			break
		}
		p, ok := c.path(m, code, source.Place{Node: at, Offset: open}, "LIST075")
		if ok && (p.Sheet || p.Field.Sheet != nil || len(p.Field.Property.Columns()) == 0) {
			c.report("LIST075", at, code, m.Code)
			ok = false
		}
		if ok {
			t.Parts = append(t.Parts, catalog.TemplatePart{Path: &p})
		}
	}
	return t
}

// attributeKinds are the attributes that the product reads; others are handed to scripts and extensions as they are.
var attributeKinds = map[string]func(any) bool{
	"icon":    func(v any) bool { _, ok := v.(string); return ok },
	"target":  func(v any) bool { return v == "tab" || v == "same" },
	"danger":  isBool,
	"edit":    isBool,
	"refresh": isBool,
	"input":   func(v any) bool { _, ok := v.(map[string]any); return ok },
}

func isBool(v any) bool { _, ok := v.(bool); return ok }

func (c *compiler) attributes(d def.ListAction) {
	for _, key := range []string{"icon", "target", "danger", "edit", "refresh", "input"} {
		if v, ok := d.Attributes[key]; ok && !attributeKinds[key](v) {
			want := map[string]string{"icon": "text", "target": "tab | same", "input": "object"}[key]
			if want == "" {
				want = "true | false"
			}
			c.report("LIST077", d.Node.Get("attributes").Get(key), key, want)
		}
	}
}
