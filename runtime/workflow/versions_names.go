package workflow

import (
	"encoding/json"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// StepName is what a step is called (api.yaml WorkflowStepName).
type StepName struct {
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
}

// naming names the nodes of instances by the definition of now, and those that are gone by the document that the instances began with.
type naming struct {
	w    *catalog.Workflow
	gone map[string]plan.Label
}

func namingOf(w *catalog.Workflow, log *names.Log, before template) naming {
	then := log.Since(before.Epoch, before.Created)
	out := naming{w: w, gone: map[string]plan.Label{}}
	var document struct {
		Nodes []struct {
			ID   string            `json:"id"`
			Name string            `json:"name"`
			I18n map[string]string `json:"name_i18n"`
		} `json:"nodes"`
	}
	if json.Unmarshal(before.Document, &document) != nil {
		return out
	}
	for _, n := range document.Nodes {
		if n.Name != "" {
			out.gone[then.Node(before.Code, n.ID)] = plan.Label{Zh: n.Name, I18n: n.I18n}
		}
	}
	return out
}

// of is the name of a node; its code where nothing names it.
func (n naming) of(id string) StepName {
	label := plan.Label{Zh: id}
	var now *catalog.WorkflowNode
	if n.w != nil {
		now = n.w.Nodes[id]
	}
	if now != nil {
		label = now.Label
	} else if before, known := n.gone[id]; known {
		label = before
	}
	return StepName{Name: label.Zh, NameI18n: i18n(label)}
}

// in is the name in a language; "" of none.
func (n *StepName) in(locale string) string {
	if n == nil {
		return ""
	}
	return plan.Label{Zh: n.Name, I18n: n.NameI18n}.In(locale)
}
