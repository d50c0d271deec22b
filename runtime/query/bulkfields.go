package query

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// BatchRight is the action of access documents that lets somebody change a field of many records at once. Each record needs
// the right to be edited besides.
const BatchRight = "batch_update"

// BulkField is a field that many records can be given a value of (api.yaml BatchField). Its code is "table.field" in a
// sub-table.
type BulkField struct {
	FormField
	SheetCode     *string           `json:"sheetCode"`
	Initial       json.RawMessage   `json:"initial"` // what the control begins with
	SheetName     *string           `json:"sheetName"`
	SheetNameI18n map[string]string `json:"sheetName_i18n"`
}

// BulkFields lists the fields of a list's model that the caller may change in many records at once.
func (r *Reader) BulkFields(view *authz.View, schemaCode, queryCode string) ([]BulkField, error) {
	l, err := list(view, schemaCode, queryCode)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(l.Actions, func(a catalog.ListAction) bool { return a.Type == BatchRight }) || !view.Can(l.Model, BatchRight) {
		return nil, fault.New(fault.Forbidden)
	}
	g := newGraph(view, l.Model)
	out := []BulkField{}
	for _, f := range l.Model.Fields {
		if f.Sheet == nil {
			if n, ok := bulkNode(g, f.Code); ok {
				out = append(out, bulkField(n, f.Code, nil))
			}
			continue
		}
		for _, child := range f.Sheet.Fields {
			if n, ok := bulkNode(g, f.Code+"."+child.Code); ok {
				out = append(out, bulkField(n, f.Code+"."+child.Code, f))
			}
		}
	}
	return out, nil
}

func bulkField(n node, code string, sheet *catalog.Field) BulkField {
	out := BulkField{FormField: formField(fieldPlan(n, code, n.field.Label, ""), &catalog.FormItem{})}
	if l, ok := n.field.Property.(property.BulkLimiter); ok {
		out.Settings = maps.Clone(out.Settings)
		maps.Copy(out.Settings, l.BulkOptions())
	}
	out.Required, out.SheetNameI18n, out.Initial = true, map[string]string{}, json.RawMessage("null")
	if n.field.Property.Kind() == plan.Bool { // a switch has no empty state
		out.Initial = json.RawMessage("false")
	}
	if sheet != nil {
		out.SheetCode, out.SheetName, out.SheetNameI18n = &sheet.Code, &sheet.Label.Zh, i18n(sheet.Label)
	}
	return out
}

// bulkNode resolves a field by the one rule of what can be changed in many records: the property type can, the field is
// neither the engine's, computed nor unique, and the caller reads it and may write it on some rows.
func bulkNode(g *graph, code string) (node, bool) {
	n, err := g.resolve(code)
	if err != nil || len(n.path) > 0 {
		return node{}, false
	}
	f := n.field
	if _, can := f.Property.(property.BulkEditor); !can || f.System || f.Compute != nil || f.Unique {
		return node{}, false
	}
	if n.sheet != nil && !sheetWritable(g.view, n.sheet) {
		return node{}, false
	}
	right, _ := g.view.Field(f)
	return n, right == catalog.Writable && g.view.Can(g.model, "edit") && !plan.IsFalse(g.view.FieldRows(f, "edit"))
}

func sheetWritable(view *authz.View, sheet *catalog.Field) bool {
	nested, ok := sheet.Property.(property.Nester)
	return ok && nested.Nested().Writable && !plan.IsFalse(view.FieldRows(sheet, "edit"))
}

// BulkTarget is a field that may be changed in many records, and the sub-table that holds it.
type BulkTarget struct {
	Field, Sheet *catalog.Field
}

// Code is the field's code as requests write it.
func (t BulkTarget) Code() string {
	if t.Sheet != nil {
		return t.Sheet.Code + "." + t.Field.Code
	}
	return t.Field.Code
}

// BulkTarget finds such a field for the caller, by the same rule as BulkFields.
func (r *Reader) BulkTarget(view *authz.View, m *catalog.Model, code string) (BulkTarget, error) {
	n, ok := bulkNode(newGraph(view, m), code)
	if !ok || strings.Count(code, ".") > 1 {
		return BulkTarget{}, fault.New(fault.FieldNotBulk, code)
	}
	return BulkTarget{Field: n.field, Sheet: n.sheet}, nil
}

// Shown reports whether the caller reads a field, wherever it has a value, and gives the field.
func (r *Reader) Shown(view *authz.View, m *catalog.Model, code string) (BulkTarget, bool) {
	n, err := newGraph(view, m).resolve(code)
	if err != nil || !plan.IsTrue(n.guard) || len(n.path) > 0 {
		return BulkTarget{}, false
	}
	return BulkTarget{Field: n.field, Sheet: n.sheet}, true
}
