// Package date is the property type Date: calendar dates and, with a format that shows a time, points in time.
package date

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
func (Type) Name() string { return "Date" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 3 }

// Options is the schema of the type's own options.
func (Type) Options() []byte { return options }

// date is a field; its format decides whether values are days (Kind Date, "2026-11-21") or points (Kind Instant).
type date struct {
	column.One
	shape shape
	zone  *time.Location
}

var _ interface {
	property.Property
	property.Filterer
	property.Sorter
	property.Aggregator
	property.Formatter
	property.FormatCoder
	property.Converter
	property.Limiter
	property.BulkEditor
	property.CellWriter
} = date{}

// Compile makes a field.
func (Type) Compile(d def.Property, s property.Scope) (property.Property, diag.List) {
	name, out := format.Choose(d, append(names(false), names(true)...))
	p := date{shape: shapeOf(name), zone: s.Zone()}
	kind := plan.Date
	if p.shape.instant {
		kind = plan.Instant
	}
	p.One = column.Only(column.New(d, "", kind))
	return p, out
}

// Parse reads RFC 3339 and local texts; without an offset they are in the installation's zone. A year or a month alone is a value
// only of a field that shows no more: "1125" in a day would be the first day of a year long ago, and no one means that.
func (p date) Parse(in any) (any, error) {
	var t time.Time
	var err error
	switch x := in.(type) {
	case nil:
		return nil, nil
	case time.Time:
		t, _, err = within(x.In(p.zone), point)
	case string:
		if x == "" {
			return nil, nil
		}
		var u unit
		if t, u, err = read(x, p.zone); err == nil && u > day && u != p.shape.unit() {
			err = property.Refuse(fault.FieldType)
		}
	default:
		err = property.Refuse(fault.FieldType)
	}
	if err == nil && p.shape.instant {
		err = momentWithin(t)
	}
	switch {
	case err != nil:
		return nil, err
	case p.shape.instant:
		return stored(t), nil
	}
	return t.Format(dayLayout), nil
}

// Conversions: a day becomes the moment at which it begins, and such a moment its day; a text becomes what it writes.
func (p date) Conversions() []plan.Conversion {
	return plan.Takes(p.Columns()[0].Kind, p.zone.String())
}

// Bulk takes every day.
func (date) Bulk(in any) any { return in }

func (p date) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	switch x := v.(type) {
	case time.Time:
		dst = append(dst, '"')
		return append(x.UTC().AppendFormat(dst, wireLayout), '"')
	case string:
		return property.AppendQuoted(dst, x)
	}
	return append(dst, "null"...)
}

// Text writes the value in the format, points in time in the installation's zone.
func (p date) Text(v any, c property.TextContext) string {
	s := shapeOf(format.Shown(p.shape.name, c.DisplayFormat, p.Formats()))
	switch x := v.(type) {
	case time.Time:
		zone := c.Zone
		if zone == nil {
			zone = p.zone
		}
		return s.text(x.In(zone))
	case string:
		t, err := time.Parse(dayLayout, x)
		if err != nil {
			return x
		}
		return s.text(t)
	}
	return ""
}

// Unbroken implements property.Unbroken: a day is whole, and so is a time of day.
func (date) Unbroken(property.TextContext) (whole, spaces bool) { return true, false }

// FormatCode is the format's number on the wire.
func (date) FormatCode(format string) int { return shapeOf(format).wire }

func (p date) Formats() []string { return names(p.shape.instant) }

func (p date) Operators() []plan.Op { return operand.N() }

func (p date) DefaultOperator() plan.Op { return plan.Between }

// Filter reads dates, times, months, years and the words of relative. A year represents its first to its last day, also on
// a field that shows years only and is given one of their days; months alike. Between takes one such word as both ends.
func (p date) Filter(op plan.Op, given any, col func(string) plan.Expr, at property.FilterContext) (plan.Expr, error) {
	if at.Zone == nil {
		at.Zone = p.zone
	}
	if word := operand.Word(given); op == plan.Between && word != "" && !strings.Contains(word, ";") {
		given = word + ";" + word
	}
	return operand.Ordered(op, given, p.In(col), func(s string) (operand.Span, error) { return p.span(s, at) })
}

// Days implements property.Dated.
func (p date) Days(given any, at property.FilterContext) (first, last string, ok bool) {
	if at.Zone == nil {
		at.Zone = p.zone
	}
	words, ok := operand.Words(given)
	if !ok || len(words) == 0 || len(words) > 2 {
		return "", "", false
	}
	for i, word := range []string{words[0], words[len(words)-1]} {
		from, to, counted := relative(word, at.Now.In(at.Zone))
		if !counted {
			t, u, err := read(word, at.Zone)
			if err != nil {
				return "", "", false
			}
			u = max(u, day)
			from = u.first(t)
			to = u.next(from)
		}
		if i == 0 {
			first = from.In(at.Zone).Format(dayLayout)
		}
		last = to.In(at.Zone).AddDate(0, 0, -1).Format(dayLayout)
	}
	return first, last, true
}

// span is what one operand represents.
func (p date) span(s string, at property.FilterContext) (operand.Span, error) {
	from, to, counted := relative(s, at.Now.In(at.Zone))
	if !counted {
		t, u, err := read(s, at.Zone)
		if err != nil {
			return operand.Span{}, err
		}
		if u = max(u, p.shape.unit()); u == point || u == day && !p.shape.instant {
			return p.single(t), nil
		}
		from = u.first(t)
		to = u.next(from)
	}
	if p.shape.instant {
		return operand.Span{First: stored(from), Last: stored(to), Open: true}, nil
	}
	return operand.Span{First: from.Format(dayLayout), Last: to.AddDate(0, 0, -1).Format(dayLayout)}, nil
}

// single is one day, or one moment.
func (p date) single(t time.Time) operand.Span {
	if p.shape.instant {
		return operand.Point(stored(t))
	}
	return operand.Point(t.Format(dayLayout))
}

func (p date) SortBy(col func(string) plan.Expr, _ func(string, string) plan.Expr) []plan.Expr {
	return []plan.Expr{p.In(col)}
}

func (p date) Aggregates() []plan.Sum {
	return []plan.Sum{plan.SumMinimum, plan.SumMaximum, plan.SumCount}
}

func (p date) FormSchema() map[string]any {
	if p.shape.instant {
		return map[string]any{"type": "string", "format": "date-time"}
	}
	return map[string]any{"type": "string", "format": "date"}
}

// FormOptions: displayFormatCode is the specification's number of the format; scripts of lists still speak in numbers.
func (p date) FormOptions() map[string]any {
	kind := "calendar"
	if p.shape.instant {
		kind = "instant"
	}
	return map[string]any{"kind": kind, "displayFormat": p.shape.name, "displayFormatCode": p.shape.wire}
}
