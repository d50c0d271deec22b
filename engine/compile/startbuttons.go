package compile

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/source"
)

// startsWorkflow reports whether buttons of this type can be bound to a workflow: the author's own, adding, and importing, which is off then.
func startsWorkflow(queryActionType string) bool {
	return queryActionType == "custom" || queryActionType == "add" || queryActionType == "import"
}

// startButton is a button that starts a workflow. Workflows are compiled after lists, so it is checked at the end.
type startButton struct {
	at        *source.Node
	code      string // of the workflow
	model     *catalog.Model
	ofRecords bool // it starts the workflow with a record of the model, or with the values of a new one
}

// submitWord is what forms write for saving the record and starting the workflow of its model.
const submitWord = "submit"

// submits is a form with that word. Workflows are compiled after forms, so which one it starts is found at the end.
type submits struct {
	at    *source.Node
	model *catalog.Model
	form  *catalog.Form
}

// noteStart notes a button that starts a workflow.
func (c *compiler) noteStart(m *model, d def.ListAction) {
	at := d.Node.Get("associationCode")
	workflows := c.documents[catalog.KindWorkflow]
	if workflows == nil {
		workflows = &index[*document]{}
	}
	if _, ok := lookup(c, workflows, d.AssociationCode, at, "LIST084"); ok {
		c.startButtons = append(c.startButtons, startButton{at: at, code: d.AssociationCode, model: m.Model, ofRecords: d.Row || d.QueryActionType != "custom"})
	}
}

// checkSubmits finds the one published workflow of the model of each form that submits.
func (c *compiler) checkSubmits() {
	whole := true
	if of := c.documents[catalog.KindWorkflow]; of != nil {
		whole = !of.partial
		for _, d := range of.all {
			whole = whole && d.Document != nil // one with errors may be the one that is meant
		}
	}
	for _, s := range c.submits {
		var codes []string
		for _, d := range c.cat.Documents {
			if w, ok := d.Value.(*catalog.Workflow); ok && w.Model == s.model && w.Published {
				codes = append(codes, d.Code)
			}
		}
		switch {
		case len(codes) == 1:
			s.form.Submits = codes[0]
		case len(codes) > 1:
			c.report("FORM033", s.at, s.model.Code, strings.Join(codes, ", "))
		case whole:
			c.report("FORM032", s.at, s.model.Code)
		}
	}
}

// checkStarts checks that buttons start workflows of their model. A button of the page, which takes no record, starts any.
func (c *compiler) checkStarts() {
	for _, b := range c.startButtons {
		for _, d := range c.cat.Documents {
			w, ok := d.Value.(*catalog.Workflow)
			if ok && b.ofRecords && strings.EqualFold(d.Code, b.code) && w.Model != b.model {
				c.report("LIST085", b.at, b.code, w.Model.Code, b.model.Code)
			}
		}
	}
}
