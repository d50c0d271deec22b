// Package choice holds the values of the types whose values are options: Radio, Dropdown, Checkbox, DropdownMulti.
package choice

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
	"github.com/sluice-platform/sluice/engine/property/operand"
)

// Separator is between the labels of several options.
const Separator = "、"

// Field is what all four types have in common.
type Field struct {
	column.One
	choices   []property.Option
	place     map[string]int // code -> index in choices
	called    *called
	dependsOn string
	followed  bool // another choice depends on this one
}

// Choices are the options in order, disabled ones included.
func (f Field) Choices() []property.Option { return f.choices }

// find reads one option: its code, or the label as spreadsheets have it when only one option is called so.
func (f Field) find(word string) (string, bool) {
	if _, ok := f.place[word]; ok {
		return word, true
	}
	found := ""
	for _, o := range f.choices {
		if o.Label.Zh != word && !slices.Contains(labels(o.Label), word) {
			continue
		}
		if found != "" {
			return "", false
		}
		found = o.Code
	}
	return found, found != ""
}

// holding is the field with the options that were removed and that a value still has. They are called by their codes.
func (f Field) holding(held any) Field {
	var gone []property.Option
	for _, code := range column.Members(held) {
		if _, there := f.place[code]; !there {
			gone = append(gone, property.Option{Code: code, Label: plan.Label{Zh: code}, Disabled: true})
		}
	}
	if len(gone) == 0 {
		return f
	}
	f.choices, f.place, f.called = slices.Clone(f.choices), maps.Clone(f.place), &called{}
	for _, o := range gone {
		f.add(o)
	}
	return f
}

func labels(l plan.Label) []string {
	var out []string
	for _, t := range l.I18n {
		out = append(out, t)
	}
	return out
}

// Text is the labels of the options. An option that was removed shows its code.
func (f Field) Text(v any, c property.TextContext) string {
	var out []string
	for _, code := range column.Members(v) {
		label := code
		if i, ok := f.place[code]; ok {
			label = f.choices[i].Label.In(c.Locale)
		}
		out = append(out, label)
	}
	return strings.Join(out, Separator)
}

// Operators of choices.
func (f Field) Operators() []plan.Op { return operand.C() }

// DefaultOperator: one of the given options.
func (f Field) DefaultOperator() plan.Op { return plan.Contains }

// Filter compiles an operator. An option may be named by its label, in any language; codes of removed options are allowed,
// for records may still have them.
func (f Field) Filter(op plan.Op, given any, col func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	if !slices.Contains(f.Operators(), op) {
		return nil, operand.NotAllowed(op)
	}
	return operand.Members(op, given, f.In(col), func(word string) (string, bool) {
		if code, ok := f.find(word); ok {
			return code, true
		}
		return word, true
	})
}

// Aggregates of choices.
func (f Field) Aggregates() []plan.Sum { return []plan.Sum{plan.SumCount} }

// Bulk takes every choice; Parse refuses others.
func (f Field) Bulk(in any) any { return in }

// DependsOn is the code of the choice below whose value the offered options stand.
func (f Field) DependsOn() string { return f.dependsOn }

// FormOptions tells on which field's choice the offered options depend, and that only the top level is offered where another
// field goes on below it.
func (f Field) FormOptions() map[string]any {
	switch {
	case f.dependsOn != "":
		return map[string]any{"dependsOn": f.dependsOn}
	case f.followed:
		return map[string]any{"levels": "top"}
	}
	return map[string]any{}
}

// Single is a field that holds one option.
type Single struct{ Field }

// One makes the field of a single choice.
func One(d def.Property, s property.Scope) (Single, diag.List) {
	f, out := compile(d, s, plan.Text)
	f.Column.MaxLength = maxCode
	if f.dependsOn != "" && d.Node.Get("holds") != nil {
		f.Column.MaxLength = maxPath
	}
	return Single{f}, out
}

// Holding implements property.Holder: an option that was removed may stay.
func (f Single) Holding(held any) property.Property { return Single{f.holding(held)} }

// Parse reads an option's code or label.
func (f Single) Parse(in any) (any, error) {
	word, ok := in.(string)
	word = strings.TrimSpace(word)
	switch {
	case in == nil || ok && word == "":
		return nil, nil
	case !ok:
		return nil, property.Refuse(fault.FieldType)
	}
	code, ok := f.find(word)
	if !ok {
		return nil, property.Refuse(fault.FieldOption, word)
	}
	return code, nil
}

// AppendJSON appends the code.
func (f Single) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	code, ok := v.(string)
	if !ok {
		return append(dst, "null"...)
	}
	return property.AppendQuoted(dst, code)
}

// SortBy orders by the place of the option.
func (f Single) SortBy(col func(string) plan.Expr, _ func(string, string) plan.Expr) []plan.Expr {
	codes := make([]string, len(f.choices))
	for i, o := range f.choices {
		codes[i] = o.Code
	}
	return []plan.Expr{&plan.Rank{X: f.In(col), Codes: codes}}
}

// Conversions: a list of one option becomes that one.
func (f Single) Conversions() []plan.Conversion { return plan.TakesOptions(plan.Text) }

// FormSchema names no codes: a value whose option was removed must not keep a record from being saved.
func (f Single) FormSchema() map[string]any { return map[string]any{"type": "string"} }

// Multiple is a field that holds several options.
type Multiple struct{ Field }

// Many makes the field of a multiple choice.
func Many(d def.Property, s property.Scope) (Multiple, diag.List) {
	f, out := compile(d, s, plan.Set)
	return Multiple{f}, out
}

// Holding implements property.Holder: options that were removed may stay beside others.
func (f Multiple) Holding(held any) property.Property { return Multiple{f.holding(held)} }

// Parse reads codes or labels: an array, "a;b", or labels as Text writes them.
func (f Multiple) Parse(in any) (any, error) {
	words, ok := operand.Words(in)
	if !ok {
		return nil, property.Refuse(fault.FieldType)
	}
	var out []string
	add := func(word string) bool {
		code, ok := f.find(word)
		if ok && !slices.Contains(out, code) {
			out = append(out, code)
		}
		return ok
	}
	for _, w := range words {
		if add(w) {
			continue
		}
		for _, label := range strings.Split(w, Separator) {
			if !add(strings.TrimSpace(label)) {
				return nil, property.Refuse(fault.FieldOption, label)
			}
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return out, nil
}

// Conversions: one option becomes a list of one.
func (f Multiple) Conversions() []plan.Conversion { return plan.TakesOptions(plan.Set) }

// AppendJSON appends the codes.
func (f Multiple) AppendJSON(dst []byte, v any, _ property.Names) []byte {
	return column.AppendTexts(dst, column.Members(v))
}

// FormSchema is a list of codes.
func (f Multiple) FormSchema() map[string]any {
	return map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "uniqueItems": true}
}

var _ interface {
	property.Property
	property.Filterer
	property.Sorter
	property.Aggregator
	property.Chooser
	property.Dependent
	property.Holder
	property.Limiter
	property.BulkEditor
} = Single{}

var _ interface {
	property.Property
	property.Filterer
	property.Aggregator
	property.Chooser
	property.Dependent
	property.Holder
	property.Converter
	property.Limiter
	property.BulkEditor
} = Multiple{}
