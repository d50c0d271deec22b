// Package rating is a property type that a test adds: one to five stars.
package rating

import (
	"encoding/json"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Properties.Add(Type{}) }

// Type is the property type.
type Type struct{}

func (Type) Name() string    { return "Rating" }
func (Type) Wire() int       { return 900 }
func (Type) Options() []byte { return nil }

// Compile makes a field.
func (Type) Compile(d def.Property, _ property.Scope) (property.Property, diag.List) {
	return rating{d.Code}, nil
}

type rating struct{ code string }

func (r rating) Kind() plan.Kind { return plan.Number }

func (r rating) Columns() []plan.Column {
	return []plan.Column{{Name: r.code, Property: r.code, Kind: plan.Number}}
}

func (r rating) Parse(in any) (any, error) {
	n, ok := in.(json.Number)
	if in == nil {
		return nil, nil
	}
	d, err := decimal.NewFromString(n.String())
	if !ok || err != nil || !d.IsInteger() || d.LessThan(decimal.NewFromInt(1)) || d.GreaterThan(decimal.NewFromInt(5)) {
		return nil, property.Refuse(fault.FieldRange, 1, 5)
	}
	return d, nil
}

func (r rating) Store(v any) []any { return []any{v} }

func (r rating) Load(c []any) any { return c[0] }

func (r rating) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	if d, ok := v.(decimal.Decimal); ok {
		return append(dst, d.String()...)
	}
	return append(dst, "null"...)
}

func (r rating) Text(v any, _ property.TextContext) string {
	d, _ := v.(decimal.Decimal)
	return strings.Repeat("★", int(d.IntPart()))
}
