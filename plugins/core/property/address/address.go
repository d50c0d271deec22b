// Package address is the property type Address: an administrative division and the rest of the address as text.
package address

import (
	_ "embed"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/format"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/words"
)

//go:embed options.schema.json
var options []byte

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Properties.Add(Type{}) }

// Type is the property type.
type Type struct{}

// Name is the type's word in definitions.
func (Type) Name() string { return "Address" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 10 }

// Options is the schema of the type's own options.
func (Type) Options() []byte { return options }

// Value is an address. Code is a division's code of 2, 4 or 6 digits; either part may be missing, but not both.
type Value struct{ Code, Detail string }

const maxDetail = 200

// formats in the order of their wire numbers, from 0; a format shows len(formats) - its place levels.
var formats = []string{"province-city-district", "province-city", "province"}

type address struct {
	code, detail plan.Column
	format       string
	places       property.Places // nil: codes have no names
}

var _ interface {
	property.Property
	property.Filterer
	property.Sorter
	property.Aggregator
	property.Formatter
	property.Limiter
	property.Leveled
	property.SheetWriter
	property.CellReader
} = address{}

// Compile makes a field.
func (Type) Compile(d def.Property, s property.Scope) (property.Property, diag.List) {
	p := address{code: column.New(d, "", plan.Text), detail: column.New(d, "detail", plan.Text), places: s.Places()}
	p.code.MaxLength, p.detail.MaxLength = 6, maxDetail
	f, out := format.Choose(d, formats)
	p.format = f
	return p, out
}

// Kind is that of the division's code, which expressions mean by the property.
func (p address) Kind() plan.Kind { return plan.Text }

func (p address) Columns() []plan.Column { return []plan.Column{p.code, p.detail} }

func (p address) Store(v any) []any {
	a, _ := v.(Value)
	return []any{filled(a.Code), filled(a.Detail)}
}

func filled(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (p address) Load(columns []any) any {
	var a Value
	a.Code, _ = columns[0].(string)
	a.Detail, _ = columns[1].(string)
	return present(a)
}

func present(a Value) any {
	if a == (Value{}) {
		return nil
	}
	return a
}

// Parse reads {"code","detail"}, with the names of divisions as they are read, or an address as people write it in one text (place.Tree.Read).
func (p address) Parse(in any) (any, error) {
	var a Value
	switch x := in.(type) {
	case nil:
		return nil, nil
	case Value:
		a = x
	case string:
		var err error
		if a, err = p.read(x); err != nil {
			return nil, err
		}
	case map[string]any:
		for key, part := range x {
			s, ok := text(part)
			switch key {
			case "code":
				a.Code = s
			case "detail":
				a.Detail = s
			case "province", "city", "district": // as they are read: the code says them
			default:
				ok = false
			}
			if !ok {
				return nil, property.Refuse(fault.FieldType)
			}
		}
	default:
		return nil, property.Refuse(fault.FieldType)
	}
	if a.Code != "" && !p.known(a.Code) {
		return nil, property.Refuse(fault.FieldOption, a.Code)
	}
	detail, ok := words.Line(words.Trim(a.Detail))
	switch {
	case !ok:
		return nil, property.Refuse(fault.FieldType)
	case utf8.RuneCountInString(detail) > maxDetail:
		return nil, property.Refuse(fault.FieldTooLong, maxDetail)
	}
	a.Detail = detail
	return present(a), nil
}

// text takes a missing value as an empty text.
func text(v any) (string, bool) {
	s, ok := v.(string)
	return s, ok || v == nil
}

func isCode(s string) bool {
	return (len(s) == 2 || len(s) == 4 || len(s) == 6) && strings.Trim(s, "0123456789") == ""
}

func (p address) known(code string) bool {
	return isCode(code) && (p.places == nil || p.places.Path(code, "zh") != nil)
}

func (p address) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	a, ok := v.(Value)
	if !ok {
		return append(dst, "null"...)
	}
	levels := p.levels(a.Code, "zh")
	for i, m := range []struct{ key, value string }{
		{`{"code":`, a.Code}, {`,"province":`, levels[0]}, {`,"city":`, levels[1]}, {`,"district":`, levels[2]}, {`,"detail":`, a.Detail},
	} {
		dst = append(dst, m.key...)
		if m.value == "" && i != 0 {
			dst = append(dst, "null"...)
			continue
		}
		dst = property.AppendQuoted(dst, m.value)
	}
	return append(dst, '}')
}

// Text joins the names down to the format's level and the detail. Without names the code represents them.
func (p address) Text(v any, c property.TextContext) string {
	a, ok := v.(Value)
	if !ok {
		return ""
	}
	gap := ""
	if c.Locale == "en" {
		gap = " "
	}
	parts := p.names(a.Code, c.Locale, format.Shown(p.format, c.DisplayFormat, formats))
	if a.Detail != "" {
		parts = append(parts, a.Detail)
	}
	return strings.Join(parts, gap)
}

func (p address) Formats() []string { return formats }

// FormatCode is the format's number on the wire.
func (address) FormatCode(format string) int { return max(0, slices.Index(formats, format)) }

// FormSchema describes the parts that are written.
func (p address) FormSchema() map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{
		"code":   map[string]any{"type": "string", "pattern": "^([0-9]{2}([0-9]{2}){0,2})?$"},
		"detail": map[string]any{"type": []string{"string", "null"}, "maxLength": maxDetail},
	}}
}

func (p address) FormOptions() map[string]any {
	return map[string]any{"displayFormat": p.format, "displayFormatCode": p.FormatCode(p.format), "maxLength": maxDetail}
}
