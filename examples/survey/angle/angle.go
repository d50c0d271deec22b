// Package angle is the property type Angle: degrees, minutes and seconds from 0 to below 360. It is stored as a number of degrees, so it can be
// sorted and filtered by range.
package angle

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
	"github.com/sluice-platform/sluice/engine/property/operand"
)

//go:embed options.schema.json
var options []byte

// Type is the property type.
type Type struct{}

// Name is the type's word in definitions.
func (Type) Name() string { return "Angle" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 950 }

// Options is the schema of the type's own options.
func (Type) Options() []byte { return options }

type angle struct {
	column.One
	seconds int32 // decimals of the seconds
}

var _ interface {
	property.Property
	property.Filterer
	property.Sorter
	property.Aggregator
	property.Limiter
} = angle{}

// places is how many decimals of a degree are stored: a hundredth of a millisecond of arc.
const places = 8

var full, sixty = decimal.NewFromInt(360), decimal.NewFromInt(60)

// Compile makes a field.
func (Type) Compile(d def.Property, _ property.Scope) (property.Property, diag.List) {
	o := struct {
		Seconds *int32 `json:"seconds"`
	}{}
	d.Decode(&o)
	p := angle{One: column.Only(column.New(d, "", plan.Number)), seconds: 1}
	p.Column.Scale = places
	if o.Seconds != nil {
		p.seconds = *o.Seconds
		if p.seconds < 0 || p.seconds > 3 {
			n := d.Node.Get("seconds")
			p.seconds = 1
			return p, diag.List{diag.New("PROP001", n.Pos(), "seconds", 0, 3).At(n.Pointer())}
		}
	}
	return p, nil
}

// written is an angle as people write it: 121°28'13.4", 121 28 13.4, 121°28′13.4″, 121d28m, 121.47.
var written = regexp.MustCompile(`^(\d{1,3}(?:\.\d+)?)(?:\s*[°d\s]\s*(?:(\d{1,2}(?:\.\d+)?)(?:\s*['′m\s]\s*(?:(\d{1,2}(?:\.\d+)?)\s*["″s]?)?)?)?)?$`)

func read(text string) (decimal.Decimal, error) {
	parts := written.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil || strings.Contains(parts[1], ".") && parts[2] != "" || strings.Contains(parts[2], ".") && parts[3] != "" {
		return decimal.Zero, property.Refuse(fault.FieldType)
	}
	out, of := decimal.Zero, decimal.NewFromInt(1)
	for i, part := range parts[1:] {
		if part == "" {
			break
		}
		v, err := decimal.NewFromString(part)
		if err != nil || i > 0 && v.GreaterThanOrEqual(sixty) {
			return decimal.Zero, property.Refuse(fault.FieldType)
		}
		out = out.Add(v.DivRound(of, places+4))
		of = of.Mul(sixty)
	}
	if out.GreaterThanOrEqual(full) {
		return decimal.Zero, property.Refuse(fault.FieldMost, "359°59′59″")
	}
	return out.Round(places), nil
}

// operandOf reads what angles are compared with: an angle, or any number of degrees.
func operandOf(text string) (decimal.Decimal, error) {
	if v, err := decimal.NewFromString(text); err == nil && len(text) <= 20 {
		return v, nil
	}
	return read(text)
}

// Parse reads degrees as a number or text, or degrees, minutes and seconds.
func (angle) Parse(in any) (any, error) {
	switch x := in.(type) {
	case nil:
		return nil, nil
	case decimal.Decimal:
		return read(x.String())
	case json.Number:
		return read(x.String())
	case string:
		if strings.TrimSpace(x) == "" {
			return nil, nil
		}
		return read(x)
	}
	return nil, property.Refuse(fault.FieldType)
}

// AppendJSON appends the degrees as decimal text.
func (angle) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	d, ok := v.(decimal.Decimal)
	if !ok {
		return append(dst, "null"...)
	}
	return property.AppendQuoted(dst, d.String())
}

// Text is 121°28′13.4″.
func (p angle) Text(v any, _ property.TextContext) string {
	d, ok := v.(decimal.Decimal)
	if !ok {
		return ""
	}
	seconds := d.Mul(sixty).Mul(sixty).Round(p.seconds)
	if seconds.GreaterThanOrEqual(full.Mul(sixty).Mul(sixty)) { // what rounds to a full circle
		seconds = decimal.Zero
	}
	minutes, s := seconds.QuoRem(sixty, 0)
	degrees, m := minutes.QuoRem(sixty, 0)
	width := 2
	if p.seconds > 0 {
		width += 1 + int(p.seconds)
	}
	return fmt.Sprintf("%s°%02d′%0*s″", degrees, m.IntPart(), width, s.StringFixed(p.seconds))
}

func (angle) Operators() []plan.Op { return operand.N() }

func (angle) DefaultOperator() plan.Op { return plan.Between }

func (p angle) Filter(op plan.Op, given any, col func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	return operand.Ordered(op, given, p.In(col), func(s string) (operand.Span, error) {
		v, err := operandOf(s)
		return operand.Point(v), err
	})
}

func (p angle) SortBy(col func(string) plan.Expr, _ func(string, string) plan.Expr) []plan.Expr {
	return []plan.Expr{p.In(col)}
}

func (angle) Aggregates() []plan.Sum {
	return []plan.Sum{plan.SumMinimum, plan.SumMaximum, plan.SumCount}
}

func (angle) FormSchema() map[string]any { return map[string]any{"type": "string", "maxLength": 40} }

func (p angle) FormOptions() map[string]any { return map[string]any{"seconds": p.seconds} }
