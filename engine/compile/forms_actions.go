package compile

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/script"
)

// formActions compiles the buttons of a form: words that forms know by themselves, actions of packs, and buttons that the
// definition makes. One that says nothing else is the script's.
func (c *compiler) formActions(m *model, out *catalog.Form, d *def.Form) {
	seen := map[string]bool{}
	for _, a := range d.Actions {
		at := member(a.Node, "actionCode")
		if a.ActionCode == "" {
			continue // which the schema says
		}
		if seen[fold(a.ActionCode)] {
			c.report("FORM022", at, a.ActionCode)
			continue
		}
		seen[fold(a.ActionCode)] = true
		word := a.Node == nil || a.Node.Get("actionCode") == nil
		switch known := c.word(a.ActionCode).Form; {
		case word && known:
			if c.word(a.ActionCode).Later {
				c.report("FORM031", at, a.ActionCode)
			}
			if a.ActionCode == submitWord {
				c.submits = append(c.submits, submits{at, m.Model, out})
			}
			out.Actions = append(out.Actions, a.ActionCode)
		case word:
			c.packAction(m, out, a)
		case known || c.word(a.ActionCode).List:
			c.report("FORM023", at, a.ActionCode)
		default:
			c.customAction(m, out, a)
		}
	}
}

// packAction is a button that runs an action of a pack for the record, under the action's own name.
func (c *compiler) packAction(m *model, out *catalog.Form, a def.FormAction) {
	found, ok := c.set.Actions.Get(a.ActionCode)
	if !ok {
		c.suggest("FORM002", a.Node, a.ActionCode, append(c.words(action.Word.InForms), c.set.Actions.Names()...))
		return
	}
	d := a.Button()
	d.QueryActionType = a.ActionCode
	b := catalog.ListAction{Code: a.ActionCode, Type: a.ActionCode, Label: plan.Label{Zh: found.Name()}, Row: true}
	c.association(m, false, d, &b)
	if b.Call != nil {
		out.Buttons = append(out.Buttons, b)
	}
}

func (c *compiler) customAction(m *model, out *catalog.Form, a def.FormAction) {
	d := a.Button()
	if d.AssociationType == "" || d.AssociationType == "none" {
		d.AssociationType = "script"
	}
	b := c.button(d)
	b.Label = c.label(d.Node, d.Named, d.ActionCode)
	if d.AssociationType == "script" && out.Script == nil {
		c.report("FORM024", member(a.Node, "associationType"), a.ActionCode)
	}
	c.association(m, true, d, &b)
	b.Enabled = c.formula(a.Node.Get("enabledFormula"), a.EnabledFormula, c.env(m), plan.Bool)
	out.Buttons = append(out.Buttons, b)
}

// scriptFields reports fields that a form's script names and that the form has not.
func (c *compiler) scriptFields(f *def.File, codes []string) {
	c.out = append(c.out, script.CheckFields(f.Name, f.Text, codes)...)
}
