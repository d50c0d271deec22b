// Package words holds the values of the text types: their normal form, their limits and their filters.
package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
	"github.com/sluice-platform/sluice/engine/property/operand"
	"golang.org/x/text/unicode/norm"
)

// Rule is what differs between the text types.
type Rule struct {
	MaxLength int  // characters, when the definition says nothing
	Limit     int  // the largest maxLength that a definition may ask for
	Bulk      int  // characters that a change of many records keeps
	Lines     bool // line breaks and tabs are part of the text
}

// Field is a compiled text: everything but its words for people and its order.
type Field struct {
	column.One
	lines bool
	bulk  int
}

// Compile reads the options maxLength and search.
func Compile(d def.Property, r Rule) (Field, diag.List) {
	var out diag.List
	var o struct {
		MaxLength *int `json:"maxLength"`
		Search    bool `json:"search"`
	}
	d.Decode(&o)
	f := Field{One: column.Only(column.New(d, "", plan.Text)), lines: r.Lines, bulk: r.Bulk}
	f.Column.MaxLength, f.Column.Search = r.MaxLength, o.Search
	if o.MaxLength != nil {
		f.Column.MaxLength = *o.MaxLength
		if *o.MaxLength < 1 || *o.MaxLength > r.Limit {
			n := d.Node.Get("maxLength")
			out = append(out, diag.New("PROP001", n.Pos(), "maxLength", 1, r.Limit).At(n.Pointer()))
		}
	}
	return f, out
}

// Normal is the stored form of a text: NFC, and line breaks as \n.
func (f Field) Normal(s string) string {
	if f.lines {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return norm.NFC.String(s)
}

// Trim removes white space at both ends of a text: Unicode's, the full-width space among it, and the marks of no width that
// look like nothing.
func Trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r == '\u200b' || r == '\u2060' || r == '\ufeff'
	})
}

// Parse reads a text. One line loses the white space at its ends; several lines keep theirs, for it may indent them. White
// space alone is empty in both.
func (f Field) Parse(in any) (any, error) {
	s, ok := in.(string)
	if in != nil && (!ok || !utf8.ValidString(s)) {
		return nil, property.Refuse(fault.FieldType)
	}
	trimmed := Trim(s)
	if trimmed == "" {
		return nil, nil
	}
	if !f.lines {
		s = trimmed
	}
	s = f.Normal(s)
	if !f.lines && strings.ContainsFunc(s, lineBreak) {
		return nil, property.Refuse(fault.FieldOneLine)
	}
	if strings.ContainsFunc(s, f.refused) {
		return nil, property.Refuse(fault.FieldType)
	}
	if utf8.RuneCountInString(s) > f.Column.MaxLength {
		return nil, property.Refuse(fault.FieldTooLong, f.Column.MaxLength)
	}
	return s, nil
}

// Fit joins the lines of a text that is one line.
func (f Field) Fit(c property.Cell) (property.Cell, bool) {
	if f.lines || c.Kind != property.CellText || !strings.ContainsFunc(Trim(c.Text), lineBreak) {
		return c, false
	}
	lines := strings.FieldsFunc(c.Text, lineBreak)
	for i := range lines {
		lines[i] = Trim(lines[i])
	}
	c.Text = strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), " ")
	_, err := f.Parse(c.Text)
	return c, err == nil
}

// lineBreak reports whether a character begins another line, in any of the ways in which texts are stored.
func lineBreak(r rune) bool {
	return r >= '\n' && r <= '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

func (f Field) refused(r rune) bool {
	return unicode.IsControl(r) && !(f.lines && (r == '\n' || r == '\t'))
}

// BulkOptions is how much the dialog of such a change takes in.
func (f Field) BulkOptions() map[string]any {
	return map[string]any{"maxLength": min(f.bulk, f.Column.MaxLength)}
}

// Bulk cuts a text that many records shall get. A text of white space only is none.
func (f Field) Bulk(in any) any {
	s, ok := in.(string)
	if !ok {
		return in
	}
	trimmed := Trim(s)
	if trimmed == "" {
		return nil
	}
	if !f.lines {
		s = trimmed
	}
	if runes := []rune(s); len(runes) > f.bulk {
		return string(runes[:f.bulk])
	}
	return s
}

// AppendJSON appends the text.
func (f Field) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	s, ok := v.(string)
	if !ok {
		return append(dst, "null"...)
	}
	return property.AppendQuoted(dst, s)
}

// Operators of texts.
func (f Field) Operators() []plan.Op { return operand.C() }

// DefaultOperator looks for a part of the text.
func (f Field) DefaultOperator() plan.Op { return plan.Contains }

// Filter compiles an operator.
func (f Field) Filter(op plan.Op, given any, col func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	return operand.Written(op, given, f.In(col), f.Normal)
}

// Conversions: a number is kept as its digits, days and times as they are written in standards.
func (f Field) Conversions() []plan.Conversion { return plan.Takes(plan.Text, "") }

// Aggregates of texts.
func (f Field) Aggregates() []plan.Sum { return []plan.Sum{plan.SumCount} }

// FormSchema limits the length.
func (f Field) FormSchema() map[string]any {
	return map[string]any{"type": "string", "maxLength": f.Column.MaxLength}
}

// FormOptions tells the limit to the widget.
func (f Field) FormOptions() map[string]any { return map[string]any{"maxLength": f.Column.MaxLength} }

// Line brings one line of text into its stored form; ok is false when it is not one.
func Line(s string) (line string, ok bool) {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return "", false
	}
	return norm.NFC.String(s), true
}
