package compile

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/names"
)

// taskNames tells what a text means that a column of tasks is compared with: a workflow, or a node of one for records of the model. nil = nothing,
// or nobody asks.
func (c *compiler) taskNames(m *model, column catalog.EngineColumn) func(text string) []expression.Name {
	if c.options.References == nil || m == nil {
		return nil
	}
	switch column.Means {
	case names.Workflow:
		return func(text string) (out []expression.Name) {
			for _, d := range c.workflows() {
				if code := d.def.Header().Code; code == text {
					out = append(out, expression.Name{Kind: string(names.Workflow), Path: code})
				}
			}
			return out
		}
	case names.Node:
		return func(text string) (out []expression.Name) {
			for _, d := range c.workflows() {
				h := d.def.Header()
				if !strings.EqualFold(h.Node.Get("schemaCode").Text(), m.Code) {
					continue
				}
				for _, part := range c.stage(catalog.KindWorkflow).Parts {
					if slices.ContainsFunc(partClaims(h.Node, part), func(one claim) bool { return one.code == text }) {
						out = append(out, expression.Name{Kind: string(part.Kind), Path: names.Join(h.Code, text)})
					}
				}
			}
			return out
		}
	}
	return nil
}

// workflows are those that are declared.
func (c *compiler) workflows() []*document {
	if x := c.documents[catalog.KindWorkflow]; x != nil {
		return x.all
	}
	return nil
}
