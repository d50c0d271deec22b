package query

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/directory"
)

// FieldPlan is what a client needs to draw a property (api.yaml FieldPlan).
type FieldPlan struct {
	PropertyCode         string            `json:"propertyCode"`
	PropertyType         int               `json:"propertyType"`
	Name                 string            `json:"name"`
	NameI18n             map[string]string `json:"name_i18n"`
	DisplayFormat        *string           `json:"displayFormat"`
	Format               *int              `json:"format,omitempty"` // its number, of types whose formats have numbers
	Options              []Option          `json:"options"`
	RelativeCode         *string           `json:"relativeCode"`
	RelativePropertyCode *string           `json:"relativePropertyCode"`
	Settings             map[string]any    `json:"settings"`
	Operators            []plan.Op         `json:"operators"`
	DefaultProperty      bool              `json:"defaultProperty"`
	Required             bool              `json:"required"`
	ReadOnly             bool              `json:"readOnly"`
}

// Option is a choice (api.yaml Option).
type Option struct {
	Code     string            `json:"code"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Color    *string           `json:"color"`
	Disabled bool              `json:"disabled"`
	Parent   *string           `json:"parent"`
	Former   []string          `json:"former,omitempty"` // codes that it had and none has now: in addresses that people keep they mean it
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func i18n(l plan.Label) map[string]string {
	if l.I18n == nil {
		return map[string]string{}
	}
	return l.I18n
}

// plural returns the names of several records of a model by locale, never nil.
func plural(m *catalog.Model) map[string]string {
	if m.Plural == nil {
		return map[string]string{}
	}
	return m.Plural
}

// fieldPlan describes a node under the code that the caller uses for it.
func fieldPlan(n node, code string, label plan.Label, format string) FieldPlan {
	f := n.field
	if format == "" {
		format = f.DisplayFormat
	}
	p := FieldPlan{PropertyCode: code, PropertyType: f.Type.Wire(), Name: label.Zh, NameI18n: i18n(label), DisplayFormat: orNull(format),
		DefaultProperty: f.System, Required: f.Required, ReadOnly: f.System || f.Compute != nil || f.Gathers() != nil, Settings: map[string]any{}}
	if coder, ok := f.Property.(property.FormatCoder); ok {
		number := coder.FormatCode(format)
		p.Format = &number
	}
	if c, ok := f.Property.(property.Chooser); ok {
		p.Options = options(n.graph.view.Catalog, f, c.Choices())
	}
	if f.Target != nil && !directory.Knows(f.Target.Code) {
		p.RelativeCode = orNull(f.Target.Code)
		if f.Display != nil {
			p.RelativePropertyCode = orNull(f.Display.Code)
		}
	}
	if l, ok := f.Property.(property.Limiter); ok && l.FormOptions() != nil {
		p.Settings = l.FormOptions()
	}
	p.Operators = n.operators()
	return p
}

func options(cat *catalog.Catalog, f *catalog.Field, choices []property.Option) []Option {
	out := make([]Option, len(choices))
	for i, c := range choices {
		out[i] = Option{Code: c.Code, Name: c.Label.Zh, NameI18n: i18n(c.Label), Color: orNull(c.Color), Disabled: c.Disabled, Parent: orNull(c.Parent)}
		for _, code := range c.Former {
			taken := slices.ContainsFunc(choices, func(o property.Option) bool { return o.Code == code })
			if now, ok := cat.OptionRenamed(f, code); ok && now == c.Code && !taken {
				out[i].Former = append(out[i].Former, code)
			}
		}
	}
	return out
}

// sheetColumns are the readable properties of a sub-table.
func (g *graph) sheetColumns(sheet *catalog.Field) []node {
	var out []node
	for _, f := range sheet.Sheet.Fields {
		if f.System {
			continue
		}
		if n, err := g.resolve(sheet.Code + "." + f.Code); err == nil {
			out = append(out, n)
		}
	}
	return out
}
