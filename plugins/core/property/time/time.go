// Package time is the property type Time: a time of day.
package time

import (
	_ "embed"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
	"github.com/sluice-platform/sluice/engine/property/operand"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/format"
)

//go:embed options.schema.json
var options []byte

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Properties.Add(Type{}) }

// Type is the property type.
type Type struct{}

// Name is the type's word in definitions.
func (Type) Name() string { return "Time" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 20 }

// Options is the schema of the type's own options.
func (Type) Options() []byte { return options }

const (
	seconds = "HH:mm:ss"
	minutes = "HH:mm"
)

type clock struct {
	column.One
	format string
}

var _ interface {
	property.Property
	property.Filterer
	property.Sorter
	property.Aggregator
	property.Formatter
	property.Limiter
	property.CellWriter
	property.Converter
} = clock{}

// Compile makes a field.
func (Type) Compile(d def.Property, _ property.Scope) (property.Property, diag.List) {
	p := clock{One: column.Only(column.New(d, "", plan.Clock))}
	f, out := format.Choose(d, p.Formats())
	p.format = f
	return p, out
}

// Conversions: a text becomes the time of day that it writes.
func (clock) Conversions() []plan.Conversion { return plan.Takes(plan.Clock, "") }

// Parse reads HH:mm:ss and HH:mm.
func (clock) Parse(in any) (any, error) {
	s, ok := in.(string)
	switch {
	case in == nil || ok && s == "":
		return nil, nil
	case ok:
		if v, ok := read(s); ok {
			return v, nil
		}
	}
	return nil, property.Refuse(fault.FieldType)
}

func read(s string) (string, bool) {
	for _, layout := range []string{time.TimeOnly, "15:04"} {
		// Only whole digits: the layouts alone would take 8:30 and fractions of a second.
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil && len(strings.TrimSpace(s)) == len(layout) {
			return t.Format(time.TimeOnly), true
		}
	}
	return "", false
}

func (clock) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	s, ok := v.(string)
	if !ok {
		return append(dst, "null"...)
	}
	return property.AppendQuoted(dst, s)
}

func (p clock) Text(v any, c property.TextContext) string {
	s, _ := v.(string)
	if format.Shown(p.format, c.DisplayFormat, p.Formats()) == minutes && len(s) > len(minutes) {
		return s[:len(minutes)]
	}
	return s
}

// Unbroken implements property.Unbroken.
func (clock) Unbroken(property.TextContext) (whole, spaces bool) { return true, true }

func (clock) Formats() []string { return []string{seconds, minutes} }

func (clock) Operators() []plan.Op { return operand.C() }

func (clock) DefaultOperator() plan.Op { return plan.Equal }

// Filter: Equal reads a time, Contains looks into its text (":30").
func (p clock) Filter(op plan.Op, given any, col func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	if op == plan.Equal {
		word, err := operand.One(given)
		if err != nil {
			return nil, err
		}
		v, ok := read(word)
		if !ok {
			return nil, operand.Refused(given)
		}
		return operand.Written(op, v, p.In(col), strings.TrimSpace)
	}
	return operand.Written(op, given, p.In(col), strings.TrimSpace)
}

func (p clock) SortBy(col func(string) plan.Expr, _ func(string, string) plan.Expr) []plan.Expr {
	return []plan.Expr{p.In(col)}
}

func (clock) Aggregates() []plan.Sum {
	return []plan.Sum{plan.SumMinimum, plan.SumMaximum, plan.SumCount}
}

func (clock) FormSchema() map[string]any {
	return map[string]any{"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"}
}

func (p clock) FormOptions() map[string]any { return map[string]any{"displayFormat": p.format} }
