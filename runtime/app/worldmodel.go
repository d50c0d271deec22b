package app

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/world"
)

func (t *transaction) ModelOf(code string) (world.Model, bool) {
	m := t.view.Catalog.Model(code)
	if m == nil || m.Parent != nil {
		return world.Model{}, false
	}
	out := world.Model{Code: m.Code, Name: m.Label, Properties: toldProperties(m)}
	for _, w := range t.view.Catalog.Workflows() {
		if w.Model == m && w.Published {
			out.Workflows = append(out.Workflows, world.Workflow{Code: w.Template.Code, Name: w.Label})
		}
	}
	slices.SortFunc(out.Workflows, func(a, b world.Workflow) int { return strings.Compare(a.Code, b.Code) })
	return out, true
}

func toldProperties(m *catalog.Model) (out []world.Property) {
	for _, f := range m.Fields {
		if f.System {
			continue
		}
		p := world.Property{Code: f.Code, Name: f.Label, Type: f.Type.Name()}
		if f.Target != nil {
			p.Relation = f.Target.Code
		}
		if f.Sheet != nil {
			p.Columns = toldProperties(f.Sheet)
		}
		if chooser, ok := f.Property.(property.Chooser); ok {
			for _, o := range chooser.Choices() {
				p.Options = append(p.Options, o.Code)
			}
		}
		out = append(out, p)
	}
	return out
}
