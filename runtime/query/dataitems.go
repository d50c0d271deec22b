package query

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// DataItem is a property of a model (api.yaml DataItem). SubSchema and Children are the properties of a sub-table.
type DataItem struct {
	FieldPlan
	Code       string      `json:"code"`
	SchemaCode string      `json:"schemaCode"`
	Published  bool        `json:"published"` // what is not published is not told at all
	Selected   bool        `json:"selected"`  // the model's first list shows it
	SubSchema  *SubSchema  `json:"subSchema"`
	Children   []FieldPlan `json:"children"`
}

// SubSchema is the sub-table behind a DataItem.
type SubSchema struct {
	Properties []DataItem `json:"properties"`
}

// DataItems returns the properties of a model that the caller may read; sheetCode narrows them to those of a form.
func (r *Reader) DataItems(view *authz.View, schemaCode, sheetCode string) ([]DataItem, error) {
	m, err := model(view, schemaCode)
	if err != nil {
		return nil, err
	}
	wanted := func(*catalog.Field) bool { return true }
	if sheetCode != "" {
		f, err := formOf(view.Catalog, m, sheetCode)
		if err != nil {
			return nil, err
		}
		fields := f.Fields()
		wanted = func(one *catalog.Field) bool {
			return slices.ContainsFunc(fields, func(item *catalog.FormItem) bool { return item.Field == one })
		}
	}
	var shown []catalog.Column
	if lists := view.ListsOf(m.Code); len(lists) > 0 {
		shown = lists[0].Columns
	}
	selected := func(columns []catalog.Column, f *catalog.Field) bool {
		return slices.ContainsFunc(columns, func(one catalog.Column) bool { return one.Path.Field == f && len(one.Path.Steps) == 0 && one.Visible })
	}
	g := newGraph(view, m)
	out := []DataItem{}
	for _, f := range m.Fields {
		n, err := g.resolve(f.Code)
		if err != nil || !wanted(f) {
			continue
		}
		item := dataItem(n, f.Code, m.Code, selected(shown, f))
		if f.IsTable() {
			item.SubSchema, item.Children = &SubSchema{Properties: []DataItem{}}, []FieldPlan{}
			for _, child := range g.sheetColumns(f) {
				of := dataItem(child, child.field.Code, f.Code, selected(childrenOf(shown, f), child.field))
				item.Children, item.SubSchema.Properties = append(item.Children, of.FieldPlan), append(item.SubSchema.Properties, of)
			}
		}
		out = append(out, item)
	}
	return out, nil
}

func dataItem(n node, code, schema string, selected bool) DataItem {
	return DataItem{FieldPlan: fieldPlan(n, code, n.field.Label, ""), Code: code, SchemaCode: schema, Published: true, Selected: selected}
}

// childrenOf are the columns that a list shows of a sub-table.
func childrenOf(columns []catalog.Column, sheet *catalog.Field) []catalog.Column {
	for _, one := range columns {
		if one.Path.Field == sheet && one.Visible {
			return one.Children
		}
	}
	return nil
}
