package query

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// ExtractField is a field that an export can hold (api.yaml ExportField). Its code is that of the list's column or the property; the codes
// of ChildColumns are those of the sub-table.
type ExtractField struct {
	PropertyCode    string            `json:"propertyCode"`
	PropertyType    int               `json:"propertyType"`
	Name            string            `json:"name"`
	NameI18n        map[string]string `json:"name_i18n"`
	DisplayFormat   *string           `json:"displayFormat"`
	DefaultProperty bool              `json:"defaultProperty"`
	Listed          int               `json:"listed"` // its place among the list's columns, from 1; 0 = the list does not show it
	Usual           bool              `json:"usual"`  // one of "all fields"
	Links           bool              `json:"links"`  // its files are exported as links
	ChildColumns    []ExtractField    `json:"childColumns"`
}

// technical are the system properties that exports have no column for: ids are in hidden columns.
var technical = []string{catalog.ID, catalog.Version, catalog.OwnerDeptQueryCode, catalog.WorkflowInstance}

// ExtractFields are the fields of a list that the caller may take elsewhere with an action that the list offers and the caller has: the
// properties of its model, those of its sub-tables without the engine's own, and what its columns show of related records.
func (r *Reader) ExtractFields(view *authz.View, schemaCode, queryCode, action string) ([]ExtractField, error) {
	l, err := list(view, schemaCode, queryCode)
	if err != nil {
		return nil, err
	}
	if !offersAction(view, l, action) {
		return nil, fault.New(fault.Forbidden)
	}
	g := newGraph(view, l.Model)
	out := []ExtractField{}
	for _, f := range l.Model.Fields {
		shown := slices.ContainsFunc(l.Columns, func(c catalog.Column) bool { return len(c.Path.Steps) == 0 && c.Path.Field == f })
		if f.System && slices.Contains(technical, f.Code) || f.Links != "" && !shown {
			continue
		}
		if n, err := g.resolve(f.Code); err == nil {
			out = appendExtract(out, g, n, f.Code, l.Columns)
		}
	}
	for _, c := range l.Columns {
		if len(c.Path.Steps) == 0 {
			continue
		}
		if n, err := g.resolve(c.Path.Code); err == nil {
			out = appendExtract(out, g, n, c.Path.Code, l.Columns)
		}
	}
	return out, nil
}

func appendExtract(to []ExtractField, g *graph, n node, code string, columns []catalog.Column) []ExtractField {
	export := exportOf(n.field)
	if export == property.ExportNever {
		return to
	}
	at := slices.IndexFunc(columns, func(c catalog.Column) bool { return c.Path.Code == code })
	var shown catalog.Column
	if at >= 0 {
		shown = columns[at]
	}
	one := extractField(n, code, shown)
	one.Usual = export == property.ExportUsual
	if at >= 0 && shown.Visible {
		one.Listed = at + 1
	}
	if !n.field.IsTable() {
		return append(to, one)
	}
	for _, child := range g.sheetColumns(n.field) {
		if e := exportOf(child.field); e != property.ExportNever {
			at := slices.IndexFunc(shown.Children, func(c catalog.Column) bool { return c.Path.Field == child.field })
			var column catalog.Column
			if at >= 0 {
				column = shown.Children[at]
			}
			in := extractField(child, child.field.Code, column)
			in.Usual = e == property.ExportUsual
			switch {
			case one.Listed > 0 && len(shown.Children) == 0:
				in.Listed = len(one.ChildColumns) + 1
			case one.Listed > 0 && at >= 0:
				in.Listed = at + 1
			}
			one.ChildColumns = append(one.ChildColumns, in)
		}
	}
	if len(one.ChildColumns) == 0 {
		return to
	}
	return append(to, one)
}

func extractField(n node, code string, column catalog.Column) ExtractField {
	label, format := columnLabel(column, n.field), column.DisplayFormat
	if format == "" {
		format = n.field.DisplayFormat
	}
	_, links := n.field.Property.(property.FileTaker)
	return ExtractField{PropertyCode: code, Links: links, PropertyType: n.field.Type.Wire(), Name: label.Zh, NameI18n: i18n(label), DisplayFormat: orNull(format),
		DefaultProperty: n.field.System, ChildColumns: []ExtractField{}}
}

func exportOf(f *catalog.Field) property.Export {
	if e, ok := f.Property.(property.Exported); ok {
		return e.Export()
	}
	return property.ExportUsual
}
