// Package logic is the property type Logic: yes or no.
package logic

import (
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
	"github.com/sluice-platform/sluice/engine/property/operand"
)

//go:embed options.schema.json
var options []byte

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Properties.Add(Type{}) }

// Type is the property type.
type Type struct{}

// Name is the type's word in definitions.
func (Type) Name() string { return "Logic" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 4 }

// Options is the schema of the type's own options: it has none.
func (Type) Options() []byte { return options }

// Compile makes a field.
func (Type) Compile(d def.Property, _ property.Scope) (property.Property, diag.List) {
	return logic{column.Only(column.New(d, "", plan.Bool))}, nil
}

type logic struct{ column.One }

var _ interface {
	property.Property
	property.Filterer
	property.Sorter
	property.Aggregator
	property.Limiter
	property.BulkEditor
	property.Converter
} = logic{}

// Conversions: a text becomes the yes or no that it writes.
func (logic) Conversions() []plan.Conversion { return plan.Takes(plan.Bool, "") }

// words are the texts that stand for yes and no, as the wire, scripts and spreadsheets write them.
var words = map[string]bool{
	"1": true, "true": true, "yes": true, "是": true,
	"0": false, "false": false, "no": false, "否": false,
}

// Parse reads a boolean, 1 and 0, or the words for them.
func (logic) Parse(in any) (any, error) {
	var text string
	switch x := in.(type) {
	case nil:
		return nil, nil
	case bool:
		return x, nil
	case json.Number:
		text = x.String()
	case string:
		if text = strings.ToLower(strings.TrimSpace(x)); text == "" {
			return nil, nil
		}
	}
	v, ok := words[text]
	if !ok {
		return nil, property.Refuse(fault.FieldType)
	}
	return v, nil
}

// Bulk takes 1 and 0 as Parse does.
func (logic) Bulk(in any) any { return in }

func (logic) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	b, ok := v.(bool)
	if !ok {
		return append(dst, "null"...)
	}
	return strconv.AppendBool(dst, b)
}

func (logic) Text(v any, c property.TextContext) string {
	b, ok := v.(bool)
	switch {
	case !ok:
		return ""
	case c.Locale == "en" && b:
		return "Yes"
	case c.Locale == "en":
		return "No"
	case b:
		return "是"
	}
	return "否"
}

func (logic) Operators() []plan.Op { return []plan.Op{plan.Equal} }

func (logic) DefaultOperator() plan.Op { return plan.Equal }

func (l logic) Filter(op plan.Op, given any, col func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	if op != plan.Equal {
		return nil, operand.NotAllowed(op)
	}
	word, err := operand.One(given)
	if err != nil {
		return nil, err
	}
	v, err := l.Parse(word)
	if err != nil {
		return nil, operand.Refused(given)
	}
	return &plan.Compare{Op: plan.EQ, A: l.In(col), B: &plan.Const{K: plan.Bool, Value: v}}, nil
}

func (l logic) SortBy(col func(string) plan.Expr, _ func(string, string) plan.Expr) []plan.Expr {
	return []plan.Expr{l.In(col)}
}

func (logic) Aggregates() []plan.Sum { return []plan.Sum{plan.SumCount} }

func (logic) FormSchema() map[string]any { return map[string]any{"type": "boolean"} }

func (logic) FormOptions() map[string]any { return map[string]any{} }
