// Package number is the property type Number: exact decimals of at most 16 integer and 8 fraction digits.
package number

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
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
func (Type) Name() string { return "Number" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 2 }

// Options is the schema of the type's own options.
func (Type) Options() []byte { return options }

const maxScale = 8

// largest has 16 integer and 8 fraction digits.
var largest = decimal.RequireFromString("9999999999999999.99999999")

type number struct {
	column.One
	scale    int
	fixed    bool // the definition gives the scale: texts show all of its digits
	min, max decimal.Decimal
	limited  [2]bool // min, max stand in the definition
	unit     string
	format   string
	display  int // digits of fraction that texts show; -1: as many as the scale says
}

var _ interface {
	property.Property
	property.Filterer
	property.Sorter
	property.Aggregator
	property.Formatter
	property.Limiter
	property.BulkEditor
	property.CellWriter
	property.Fitter
	property.Converter
	property.Unbroken
} = number{}

// Conversions: a text becomes the number that it writes.
func (number) Conversions() []plan.Conversion { return plan.Takes(plan.Number, "") }

// Compile makes a field.
func (Type) Compile(d def.Property, _ property.Scope) (property.Property, diag.List) {
	var out diag.List
	var o struct {
		Scale        *int   `json:"scale"`
		DisplayScale *int   `json:"displayScale"`
		Unit         string `json:"unit"`
	}
	d.Decode(&o)
	p := number{One: column.Only(column.New(d, "", plan.Number)), scale: maxScale, min: largest.Neg(), max: largest, unit: o.Unit, display: -1}
	if o.DisplayScale != nil {
		p.display = *o.DisplayScale
	}
	if o.Scale != nil {
		p.scale, p.fixed = *o.Scale, true
		if p.scale < 0 || p.scale > maxScale {
			n := d.Node.Get("scale")
			out = append(out, diag.New("PROP001", n.Pos(), "scale", 0, maxScale).At(n.Pointer()))
			p.scale = maxScale
		}
	}
	p.Column.Scale = p.scale
	limit := func(key string, into *decimal.Decimal) bool {
		n := d.Node.Get(key)
		if n == nil {
			return false
		}
		v, err := read(n.Text())
		if err != nil {
			out = append(out, diag.New("PROP003", n.Pos(), key, n.Text()).At(n.Pointer()))
			return false
		}
		*into = v
		return true
	}
	p.limited = [2]bool{limit("min", &p.min), limit("max", &p.max)}
	if p.limited[0] {
		p.Column.Min = canonical(p.min)
	}
	if p.limited[1] {
		p.Column.Max = canonical(p.max)
	}
	if p.min.GreaterThan(p.max) {
		n := d.Node.Get("min")
		out = append(out, diag.New("PROP002", n.Pos(), "min", p.min, "max", p.max).At(n.Pointer()))
	}
	f, problems := format.Choose(d, p.Formats())
	p.format = f
	return p, append(out, problems...)
}

// read takes decimal text, exponents included, and bounds its size before any arithmetic could blow it up.
func read(s string) (decimal.Decimal, error) {
	if len(s) > 64 {
		return decimal.Zero, property.Refuse(fault.FieldType)
	}
	v, err := decimal.NewFromString(s)
	if err != nil || v.Exponent() > 24 || v.Exponent() < -64 {
		return decimal.Zero, property.Refuse(fault.FieldType)
	}
	if v.Abs().GreaterThan(largest) {
		return decimal.Zero, property.Refuse(fault.FieldRange, largest.Neg(), largest)
	}
	return v, nil
}

// Parse reads a number. A JSON number is taken by its text; a float of Go is refused.
func (p number) Parse(in any) (any, error) {
	var v decimal.Decimal
	var err error
	switch x := in.(type) {
	case nil:
		return nil, nil
	case decimal.Decimal:
		v = x
	case json.Number:
		v, err = read(x.String())
	case string:
		x = strings.TrimSpace(x)
		if x == "" {
			return nil, nil
		}
		v, err = read(ungroup(x))
	default:
		return nil, property.Refuse(fault.FieldType)
	}
	if err != nil {
		return nil, p.unread(err)
	}
	if !v.Equal(v.Truncate(int32(p.scale))) {
		return nil, p.tooFine()
	}
	switch low, high := v.LessThan(p.min), v.GreaterThan(p.max); {
	case !low && !high:
		return v, nil
	case p.limited[0] && p.limited[1]:
		return nil, property.Refuse(fault.FieldRange, p.shown(p.min), p.shown(p.max))
	case low:
		return nil, property.Refuse(fault.FieldLeast, p.shown(p.min))
	default:
		return nil, property.Refuse(fault.FieldMost, p.shown(p.max))
	}
}

// ungroup removes well-placed thousands separators, as people type them into cells.
func ungroup(s string) string {
	whole, fraction, _ := strings.Cut(strings.TrimLeft(s, "+-"), ".")
	if strings.Contains(fraction, ",") { // 1.234,50 is a thousand elsewhere
		return s
	}
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && (len(g) > 3 || g == "") {
			return s
		}
	}
	return strings.ReplaceAll(s, ",", "")
}

// Bulk: Parse knows the limits, 16 integer and 8 fraction digits.
func (number) Bulk(in any) any { return in }

// AppendJSON appends the canonical decimal text: no exponent, no needless zeros.
func (p number) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	d, ok := v.(decimal.Decimal)
	if !ok {
		return append(dst, "null"...)
	}
	return append(appendCanonical(append(dst, '"'), d), '"')
}

// machineDigits is the number of digits that an int64 holds whatever they are.
const machineDigits = 18

// appendCanonical appends what canonical returns; numbers of usual size cost no memory.
func appendCanonical(dst []byte, d decimal.Decimal) []byte {
	places := -int(d.Exponent())
	if places < 0 || places > machineDigits || d.NumDigits() > machineDigits {
		return append(dst, canonical(d)...)
	}
	n := d.CoefficientInt64()
	for ; places > 0 && n%10 == 0; places-- {
		n /= 10
	}
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	var digits [machineDigits + 2]byte
	at := len(digits)
	for i := 0; n > 0 || i <= places; i++ {
		if i == places && i > 0 {
			at--
			digits[at] = '.'
		}
		at--
		digits[at] = byte('0' + n%10)
		n /= 10
	}
	return append(dst, digits[at:]...)
}

func canonical(d decimal.Decimal) string {
	s := d.String()
	if d.IsZero() {
		return "0"
	}
	return s
}

// Text rounds half up (away from zero) to the scale.
func (p number) Text(v any, c property.TextContext) string {
	d, ok := v.(decimal.Decimal)
	if !ok {
		return ""
	}
	f := format.Shown(p.format, c.DisplayFormat, p.Formats())
	if f == "capitals" {
		if c.Locale == "en" {
			return group(d.StringFixed(2))
		}
		return capitals(d)
	}
	return p.digits(d, f) + p.suffix()
}

// Unbroken implements property.Unbroken. Amounts in capitals are words, which take several lines where they are long.
func (p number) Unbroken(c property.TextContext) (whole, spaces bool) {
	capitals := format.Shown(p.format, c.DisplayFormat, p.Formats()) == "capitals"
	return !capitals, !capitals
}

func (p number) digits(d decimal.Decimal, f string) string {
	scale, sign := p.scale, ""
	if f == "percent" {
		d, scale, sign = d.Shift(2), max(scale-2, 0), "%"
	}
	scale = p.shownOr(scale)
	d = d.Round(int32(scale))
	text := canonical(d)
	if p.fixed || p.display >= 0 {
		text = d.StringFixed(int32(scale))
	}
	if f == "thousands" {
		text = group(text)
	}
	return text + sign
}

// Unit is shown behind the values.
func (p number) Unit() string { return p.unit }

func (p number) suffix() string {
	if p.unit == "" {
		return ""
	}
	return " " + p.unit
}

// group puts a comma between each three integer digits.
func group(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, fraction, point := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		fraction = "." + fraction
	}
	return sign + whole + fraction
}

func (p number) Formats() []string { return []string{"plain", "thousands", "percent", "capitals"} }

func (p number) Operators() []plan.Op { return operand.N() }

func (p number) DefaultOperator() plan.Op { return plan.Between }

func (p number) Filter(op plan.Op, given any, col func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	return operand.Ordered(op, given, p.In(col), func(s string) (operand.Span, error) {
		v, err := read(ungroup(s))
		return operand.Point(v), err
	})
}

func (p number) SortBy(col func(string) plan.Expr, _ func(string, string) plan.Expr) []plan.Expr {
	return []plan.Expr{p.In(col)}
}

func (p number) Aggregates() []plan.Sum {
	return []plan.Sum{plan.SumSum, plan.SumAverage, plan.SumMinimum, plan.SumMaximum, plan.SumCount}
}

// FormSchema describes the wire text; min and max are options, for texts have no order in JSON Schema.
func (p number) FormSchema() map[string]any {
	sign, fraction := "-?", ""
	if p.limited[0] && !p.min.IsNegative() {
		sign = ""
	}
	if p.scale > 0 {
		fraction = fmt.Sprintf(`(\.[0-9]{1,%d})?`, p.scale)
	}
	return map[string]any{"type": "string", "pattern": "^" + sign + "[0-9]{1,16}" + fraction + "$"}
}

func (p number) FormOptions() map[string]any {
	o := map[string]any{"scale": p.scale, "displayFormat": p.format}
	if p.limited[0] {
		o["min"] = canonical(p.min)
	}
	if p.limited[1] {
		o["max"] = canonical(p.max)
	}
	if p.unit != "" {
		o["unit"] = p.unit
	}
	if p.display >= 0 {
		o["displayScale"] = p.display
	}
	return o
}
