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
