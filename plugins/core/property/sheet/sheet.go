// Package sheet is the property type Sheet: a sub-table whose rows have properties of their own.
package sheet

import (
	_ "embed"
	"encoding/json"
	"strconv"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/operand"
)

//go:embed options.schema.json
var options []byte

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Properties.Add(Type{}) }

// Type is the property type.
type Type struct{}

// Name is the type's word in definitions.
func (Type) Name() string { return "Sheet" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 8 }

// Options is the schema of the type's own options.
func (Type) Options() []byte { return options }

const (
	defaultRows = 500
	mostRows    = 5000
)

type sheet struct {
	code     string
	rows     []def.Property
	min, max int
}

var _ interface {
	property.Property
	property.Filterer
	property.Nester
	property.Limiter
} = sheet{}

// Compile makes a field; the properties of the rows are compiled by the engine.
func (Type) Compile(d def.Property, _ property.Scope) (property.Property, diag.List) {
	var out diag.List
	o := struct {
		MinRows int `json:"minRows"`
		MaxRows int `json:"maxRows"`
	}{MaxRows: defaultRows}
	d.Decode(&o)
	limit := func(key string, v, least int) {
		if n := d.Node.Get(key); v < least || v > mostRows {
			out = append(out, diag.New("PROP001", n.Pos(), key, least, mostRows).At(n.Pointer()))
		}
	}
	limit("minRows", o.MinRows, 0)
	limit("maxRows", o.MaxRows, 1)
	if n := d.Node.Get("minRows"); o.MinRows > o.MaxRows {
		out = append(out, diag.New("PROP002", n.Pos(), "minRows", o.MinRows, "maxRows", o.MaxRows).At(n.Pointer()))
	}
	return sheet{code: d.Code, rows: d.Properties, min: o.MinRows, max: o.MaxRows}, out
}

func (sheet) Kind() plan.Kind { return plan.Rows }

func (sheet) Columns() []plan.Column { return nil }

func (p sheet) Nested() property.Nested {
	return property.Nested{Properties: p.rows, MinRows: p.min, MaxRows: p.max, Writable: true}
}

// Parse checks that the value is a list of rows within the limits. The Go value is the list of rows as they came,
// []map[string]any; the writer parses their values with the properties of the rows.
func (p sheet) Parse(in any) (any, error) {
	var rows []map[string]any
	switch x := in.(type) {
	case nil:
	case string:
		if x != "" {
			return nil, property.Refuse(fault.FieldType)
		}
	case []map[string]any:
		rows = x
	case []any:
		for _, e := range x {
			row, ok := e.(map[string]any)
			if !ok {
				return nil, property.Refuse(fault.FieldType)
			}
			rows = append(rows, row)
		}
	default:
		return nil, property.Refuse(fault.FieldType)
	}
	switch {
	case len(rows) < p.min:
		return nil, property.Refuse(fault.FieldTooFew, p.min)
	case len(rows) > p.max:
		return nil, property.Refuse(fault.FieldTooMany, p.max)
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return rows, nil
}

func (sheet) Store(any) []any { return nil }

func (sheet) Load([]any) any { return nil }

// AppendJSON appends rows as they came. Rows that are read from the database are written by the reader, which knows the
// properties of the rows and what the caller may see of them.
func (sheet) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	rows, _ := v.([]map[string]any)
	if len(rows) == 0 {
		return append(dst, "null"...)
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return append(dst, "null"...)
	}
	return append(dst, text...)
}

// Text is the number of rows; v may be that number itself.
func (sheet) Text(v any, _ property.TextContext) string {
	switch x := v.(type) {
	case []map[string]any:
		return strconv.Itoa(len(x))
	case int64:
		return strconv.FormatInt(x, 10)
	}
	return ""
}

func (sheet) Operators() []plan.Op { return []plan.Op{plan.OpIsNull, plan.IsNotNull} }

func (sheet) DefaultOperator() plan.Op { return plan.OpIsNull }

// Filter asks whether there are rows; their columns have filters of their own.
func (p sheet) Filter(op plan.Op, _ any, _ func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	if op != plan.OpIsNull {
		return nil, operand.NotAllowed(op)
	}
	return plan.Negate(&plan.AnyRow{Sheet: p.code, Where: plan.True}), nil
}

func (p sheet) FormSchema() map[string]any {
	return map[string]any{"type": "array", "items": map[string]any{"type": "object"}, "minItems": p.min, "maxItems": p.max}
}

func (p sheet) FormOptions() map[string]any {
	return map[string]any{"minRows": p.min, "maxRows": p.max}
}
