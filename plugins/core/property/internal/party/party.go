// Package party holds the values of the types that name persons and departments: ids of records of the models that stand
// for them. Whether an id of a mixed field is a person or a department is not stored: the names that a page resolves
// say so, and the two models share no ids.
package party

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
	"github.com/sluice-platform/sluice/engine/property/operand"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/format"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/ident"
)

// Side is one sort of entry.
type Side struct {
	model string
	word  string // for pickers
	wire  int    // "type" of an entry (docs/formats.md)
}

// Person is the side of users.
func Person(s property.Scope) Side { return Side{s.SystemModels().User, "user", 3} }

// Department is the side of departments.
func Department(s property.Scope) Side { return Side{s.SystemModels().Department, "department", 1} }

const separator = property.ListSeparator

// Field is what all five types have in common.
type Field struct {
	column.One
	sides       []Side
	staffFilter string // "" where only departments can be chosen
}

func compile(d def.Property, k plan.Kind, sides []Side) (Field, diag.List) {
	f := Field{One: column.Only(column.New(d, "", k)), sides: sides}
	if !slices.ContainsFunc(sides, func(s Side) bool { return s.wire == 3 }) {
		return f, nil
	}
	word, out := format.Word(d, "staffFilter", []string{"all", "user", "org", "admin"})
	f.staffFilter = word
	return f, out
}

// Refs of a mixed field asks for each id on both sides; one of them has it.
func (f Field) Refs(v any) []plan.Ref {
	var out []plan.Ref
	for _, id := range column.Members(v) {
		for _, s := range f.sides {
			out = append(out, plan.Ref{Model: s.model, ID: id})
		}
	}
	return out
}

func (f Field) named(id string, n property.Names) (property.Named, Side, bool) {
	if n == nil {
		return property.Named{}, Side{}, false
	}
	for _, s := range f.sides {
		if name, ok := n.Name(plan.Ref{Model: s.model, ID: id}); ok {
			return name, s, true
		}
	}
	return property.Named{}, Side{}, false
}

// appendEntry appends {"id","name","imgUrl","type"}; false when the person is not visible or gone.
func (f Field) appendEntry(dst []byte, id string, n property.Names) ([]byte, bool) {
	name, side, ok := f.named(id, n)
	if !ok {
		return dst, false
	}
	dst = property.AppendQuoted(append(dst, `{"id":`...), id)
	dst = property.AppendQuoted(append(dst, `,"name":`...), name.Name)
	dst = append(dst, `,"imgUrl":`...)
	if name.ImageURL == "" {
		dst = append(dst, "null"...)
	} else {
		dst = property.AppendQuoted(dst, name.ImageURL)
	}
	dst = strconv.AppendInt(append(dst, `,"type":`...), int64(side.wire), 10)
	return append(dst, '}'), true
}

// Administered reports whether only those are chosen whom one administers.
func (f Field) Administered() bool { return f.staffFilter == "admin" }

// Claims are the models that the types of a mixed field's entries name.
func (f Field) Claims(in any) []plan.Ref {
	if len(f.sides) == 1 {
		return nil
	}
	var out []plan.Ref
	for _, e := range entries(in) {
		if s, ok := f.side(e["type"]); ok {
			id, _ := e["id"].(string)
			out = append(out, plan.Ref{Model: s.model, ID: strings.ToLower(id)})
		}
	}
	return out
}

// typed refuses entries of a type that the field does not hold.
func (f Field) typed(in any) error {
	for _, e := range entries(in) {
		if _, ok := f.side(e["type"]); !ok && e["type"] != nil {
			return property.Refuse(fault.FieldType)
		}
	}
	return nil
}

// side is the one that a type on the wire names.
func (f Field) side(wire any) (Side, bool) {
	i := slices.IndexFunc(f.sides, func(s Side) bool { return wire != nil && operand.Word(wire) == strconv.Itoa(s.wire) })
	if i < 0 {
		return Side{}, false
	}
	return f.sides[i], true
}

// entries are the objects of a wire value.
func entries(in any) []map[string]any {
	switch x := in.(type) {
	case map[string]any:
		return []map[string]any{x}
	case []any:
		var out []map[string]any
		for _, e := range x {
			out = append(out, entries(e)...)
		}
		return out
	}
	return nil
}

// Text is the names of those who are visible.
func (f Field) Text(v any, c property.TextContext) string {
	var out []string
	for _, id := range column.Members(v) {
		if name, _, ok := f.named(id, c.Names); ok {
			out = append(out, name.Name)
		}
	}
	return strings.Join(out, separator)
}

// SheetText is what files hold: the names with what tells them apart.
func (f Field) SheetText(v any, c property.TextContext) string {
	var out []string
	for _, id := range column.Members(v) {
		if name, _, ok := f.named(id, c.Names); ok {
			out = append(out, name.ForFile())
		}
	}
	if f.Column.Kind == plan.Set {
		return property.JoinList(out)
	}
	return strings.Join(out, separator)
}

// Operators of persons and departments.
func (f Field) Operators() []plan.Op { return operand.P() }

// DefaultOperator: one of the given.
func (f Field) DefaultOperator() plan.Op { return plan.Contains }

// Filter compiles an operator on ids.
func (f Field) Filter(op plan.Op, given any, col func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	return operand.Members(op, given, f.In(col), ident.Normal)
}

// Bulk takes everybody whom the field takes.
func (f Field) Bulk(in any) any { return in }

// Aggregates of persons and departments.
func (f Field) Aggregates() []plan.Sum { return []plan.Sum{plan.SumCount} }

func (f Field) options(multiple bool) map[string]any {
	var words []string
	for _, s := range f.sides {
		words = append(words, s.word)
	}
	o := map[string]any{"multiple": multiple, "entries": words}
	if f.staffFilter != "" {
		o["staffFilter"] = f.staffFilter
	}
	return o
}

// entrySchema describes an entry as it is read; a bare id is accepted as well.
func entrySchema() map[string]any {
	return map[string]any{"type": "object", "required": []string{"id"}, "properties": map[string]any{"id": map[string]any{"type": "string"}}}
}

// Single is a field with one person or department.
type Single struct{ Field }

// One makes the field of a single person or department.
func One(d def.Property, s Side) (Single, diag.List) {
	f, out := compile(d, plan.ID, []Side{s})
	return Single{f}, out
}

// Parse reads an id or an entry.
func (f Single) Parse(in any) (any, error) {
	if err := f.typed(in); err != nil {
		return nil, err
	}
	return ident.One(in, "id")
}

// AppendJSON appends the entry, null when it is not visible.
func (f Single) AppendJSON(dst []byte, v any, n property.Names) []byte {
	if id, ok := v.(string); ok {
		if out, ok := f.appendEntry(dst, id, n); ok {
			return out
		}
	}
	return append(dst, "null"...)
}

// SortBy orders by name.
func (f Single) SortBy(_ func(string) plan.Expr, related func(string, string) plan.Expr) []plan.Expr {
	return []plan.Expr{related(f.Column.Property, "name")}
}

// Conversions: a list of one becomes that one.
func (f Single) Conversions() []plan.Conversion { return plan.Takes(plan.ID, "") }

// Relation is to the model of the one side.
func (f Single) Relation() property.Relation {
	return property.Relation{Model: f.sides[0].model, Display: "name"}
}

// FormSchema describes the entry.
func (f Single) FormSchema() map[string]any { return entrySchema() }

// FormOptions tells the picker whom to offer.
func (f Single) FormOptions() map[string]any { return f.options(false) }

// Mixed is a field with several persons and departments.
type Mixed struct{ Field }

// Mix makes the field of persons and departments.
func Mix(d def.Property, sides ...Side) (Mixed, diag.List) {
	f, out := compile(d, plan.Set, sides)
	return Mixed{f}, out
}

// Parse reads ids or entries.
func (f Mixed) Parse(in any) (any, error) {
	if err := f.typed(in); err != nil {
		return nil, err
	}
	return ident.Many(in, "id")
}

// AppendJSON appends the entries that are visible.
func (f Mixed) AppendJSON(dst []byte, v any, n property.Names) []byte {
	return column.AppendEntries(dst, column.Members(v), func(dst []byte, id string) ([]byte, bool) { return f.appendEntry(dst, id, n) })
}

// FormSchema describes a list of entries.
func (f Mixed) FormSchema() map[string]any {
	return map[string]any{"type": "array", "items": entrySchema()}
}

// FormOptions tells the picker whom to offer.
func (f Mixed) FormOptions() map[string]any { return f.options(true) }

// Multiple is a field with several of one side.
type Multiple struct{ Mixed }

// Many makes the field of several persons or departments.
func Many(d def.Property, s Side) (Multiple, diag.List) {
	f, out := Mix(d, s)
	return Multiple{f}, out
}

// Conversions: one person or department becomes a list of one.
func (f Multiple) Conversions() []plan.Conversion { return plan.Takes(plan.Set, "") }

// Relation is to the model of the one side.
func (f Multiple) Relation() property.Relation {
	return property.Relation{Model: f.sides[0].model, Display: "name", Multiple: true}
}

var _ interface {
	property.Property
	property.Referrer
	property.Filterer
	property.Sorter
	property.Aggregator
	property.Relater
	property.Limiter
	property.BulkEditor
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
	property.BulkEditor
} = Multiple{}

var _ interface {
	property.Property
	property.Referrer
	property.Claimer
	property.Administered
	property.Filterer
	property.Aggregator
	property.Limiter
	property.BulkEditor
	property.SheetWriter
} = Mixed{}
