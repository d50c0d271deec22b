package query

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// DataRule is a data rule on the wire (checkType 1 pattern, 2 formula, 4 length, 5 unique).
type DataRule struct {
	PropertyCode string         `json:"propertyCode"`
	SchemaCode   string         `json:"schemaCode"`
	CheckType    int            `json:"checkType"`
	Options      map[string]any `json:"options"`
}

// namesHidden reports whether a formula names a property that the caller may not read; then the form does not get it, and the save checks it.
func namesHidden(g *graph, e plan.Expr) bool {
	found := false
	inRow := rowFields(e)
	plan.Walk(e, func(x plan.Expr) {
		f, ok := x.(*plan.Field)
		if !ok {
			return
		}
		code := strings.Join(append(slices.Clone(f.Path), f.Column), ".")
		if inRow[f] != "" {
			code = inRow[f] + "." + code
		}
		if _, err := g.resolve(code); err != nil {
			found = true
		}
	})
	return found
}

// rowNamesHidden is namesHidden for a formula of a sub-table's rows, whose names mean the row unless they mean the record above.
func rowNamesHidden(g *graph, of *catalog.Model, e plan.Expr) bool {
	if of.Parent == nil || e == nil {
		return namesHidden(g, e)
	}
	sheet := strings.TrimPrefix(of.Code, of.Parent.Code+".")
	found := false
	plan.Walk(e, func(x plan.Expr) {
		f, ok := x.(*plan.Field)
		if !ok {
			return
		}
		code := strings.Join(append(slices.Clone(f.Path), f.Column), ".")
		if !f.Outer {
			if len(f.Path) > 0 {
				found = true // what lies behind a row's relation is not asked for: the save checks it
				return
			}
			code = sheet + "." + code
		}
		if _, err := g.resolve(code); err != nil {
			found = true
		}
	})
	return found
}

// ruleOptions is what a client is told of a rule: the text of a pattern or formula; of a pack's rule its message only.
func ruleOptions(r catalog.Rule) map[string]any {
	o := map[string]any{"message": r.Message.Zh, "message_i18n": i18n(r.Message)}
	if r.Hook == "" {
		o["pattern"], o["formula"] = r.Pattern, r.Text
	}
	return o
}

// DataRules returns the rules of the properties that the caller may read.
func (r *Reader) DataRules(view *authz.View, schemaCode string) ([]DataRule, error) {
	m, err := model(view, schemaCode)
	if err != nil {
		return nil, err
	}
	g := newGraph(view, m)
	out := []DataRule{}
	add := func(f *catalog.Field, check int, options map[string]any) {
		code := f.Code
		if f.Model.Parent != nil {
			code = strings.TrimPrefix(f.Model.Code, m.Code+".") + "." + code
		}
		if _, err := g.resolve(code); err == nil {
			out = append(out, DataRule{PropertyCode: code, SchemaCode: m.Code, CheckType: check, Options: options})
		}
	}
	for _, of := range append([]*catalog.Model{m}, m.Sheets...) {
		for _, rule := range of.Rules {
			if rule.Field != nil && !rowNamesHidden(g, of, rule.Formula) {
				add(rule.Field, rule.Type, ruleOptions(rule))
			}
		}
		for _, f := range of.Fields {
			for _, column := range f.Property.Columns() {
				if column.MaxLength > 0 && !f.System {
					add(f, 4, map[string]any{"maxLength": column.MaxLength})
				}
			}
			if f.Unique {
				add(f, 5, map[string]any{})
			}
		}
	}
	return out, nil
}
