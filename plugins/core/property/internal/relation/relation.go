// Package relation holds the values of the types that refer to records of another model.
package relation

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
	"github.com/sluice-platform/sluice/engine/property/operand"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/ident"
)

// Separator is between the shown texts of several records.
const Separator = "、"

const nameProperty = "name"

// Field is what both types have in common.
type Field struct {
	column.One
	target property.Relation
}

// Relation is the target.
func (f Field) Relation() property.Relation { return f.target }

func (f Field) ref(id string) plan.Ref {
	r := plan.Ref{Model: f.target.Model, ID: id}
	if f.target.Display != nameProperty {
		r.Display = f.target.Display
	}
	return r
}

// Refs asks for the shown property of each record.
func (f Field) Refs(v any) []plan.Ref {
	var out []plan.Ref
	for _, id := range column.Members(v) {
		out = append(out, f.ref(id))
	}
	return out
}

// appendEntry appends {"id","name"}; false when the record is not visible or gone.
func (f Field) appendEntry(dst []byte, id string, n property.Names) ([]byte, bool) {
	name, ok := f.named(id, n)
	if !ok {
		return dst, false
	}
	dst = property.AppendQuoted(append(dst, `{"id":`...), id)
	dst = property.AppendQuoted(append(dst, `,"name":`...), name.Name)
	return append(dst, '}'), true
}

func (f Field) named(id string, n property.Names) (property.Named, bool) {
	if n == nil {
		return property.Named{}, false
	}
	return n.Name(f.ref(id))
}

// Text is the shown property of the records that are visible.
func (f Field) Text(v any, c property.TextContext) string {
	var out []string
	for _, id := range column.Members(v) {
		if name, ok := f.named(id, c.Names); ok {
			out = append(out, name.Name)
		}
	}
	return strings.Join(out, Separator)
}

// SheetText is what files hold: what relations show with what tells it apart.
func (f Field) SheetText(v any, c property.TextContext) string {
	var out []string
	for _, id := range column.Members(v) {
		if name, ok := f.named(id, c.Names); ok {
			out = append(out, name.ForFile())
		}
	}
	if f.Column.Kind == plan.Set {
		return property.JoinList(out)
	}
	return strings.Join(out, property.ListSeparator)
}

// Operators of relations.
func (f Field) Operators() []plan.Op { return operand.B() }

// DefaultOperator of relations.
func (f Field) DefaultOperator() plan.Op { return plan.Equal }

// Filter compiles an operator on ids.
func (f Field) Filter(op plan.Op, given any, col func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	if op != plan.Equal && op != plan.OpIsNull {
		return nil, operand.NotAllowed(op)
	}
	return operand.Members(op, given, f.In(col), ident.Normal)
}

// Aggregates of relations.
func (f Field) Aggregates() []plan.Sum { return []plan.Sum{plan.SumCount} }

// FormOptions tells the picker where the records are.
func (f Field) FormOptions() map[string]any {
	o := map[string]any{"relativeCode": f.target.Model, "relativePropertyCode": f.target.Display, "multiple": f.target.Multiple}
	return o
}

func entrySchema() map[string]any {
	return map[string]any{"type": "object", "required": []string{"id"}, "properties": map[string]any{"id": map[string]any{"type": "string"}}}
}

// Single is a field with one record.
type Single struct{ Field }

// Parse reads an id or an entry.
func (f Single) Parse(in any) (any, error) { return ident.One(in, "id") }

// AppendJSON appends the entry, null when the record is not visible.
func (f Single) AppendJSON(dst []byte, v any, n property.Names) []byte {
	if id, ok := v.(string); ok {
		if out, ok := f.appendEntry(dst, id, n); ok {
			return out
		}
	}
	return append(dst, "null"...)
}

// SortBy orders by the shown property.
func (f Single) SortBy(_ func(string) plan.Expr, related func(string, string) plan.Expr) []plan.Expr {
	return []plan.Expr{related(f.Column.Property, f.target.Display)}
}

// Conversions: a list of one becomes that one.
func (f Single) Conversions() []plan.Conversion { return plan.Takes(plan.ID, "") }

// FormSchema describes the entry.
func (f Single) FormSchema() map[string]any { return entrySchema() }

// Multiple is a field with several records.
type Multiple struct{ Field }

// Conversions: one record becomes a list of one.
func (f Multiple) Conversions() []plan.Conversion { return plan.Takes(plan.Set, "") }

// Parse reads ids or entries.
func (f Multiple) Parse(in any) (any, error) { return ident.Many(in, "id") }

// AppendJSON appends the entries that are visible.
func (f Multiple) AppendJSON(dst []byte, v any, n property.Names) []byte {
	return column.AppendEntries(dst, column.Members(v), func(dst []byte, id string) ([]byte, bool) { return f.appendEntry(dst, id, n) })
}

// FormSchema describes a list of entries.
func (f Multiple) FormSchema() map[string]any {
	return map[string]any{"type": "array", "items": entrySchema()}
}

var _ interface {
	property.Property
	property.Referrer
	property.Filterer
	property.Sorter
	property.Aggregator
	property.Relater
	property.Limiter
	property.SheetWriter
} = Single{}

var _ interface {
	property.Property
	property.Referrer
	property.Filterer
	property.Aggregator
	property.Relater
	property.Converter
	property.Limiter
	property.SheetWriter
} = Multiple{}
