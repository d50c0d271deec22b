package choice

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
)

// maxCode is the longest code of an option, in characters (docs/formats.md).
const maxCode = 100

func compile(d def.Property, s property.Scope, k plan.Kind) (Field, diag.List) {
	var o struct {
		Options    []def.Option `json:"options"`
		Dictionary string       `json:"dictionary"`
		DependsOn  string       `json:"dependsOn"`
		Holds      string       `json:"holds"`
	}
	d.Decode(&o)
	f := Field{One: column.Only(column.New(d, "", k)), dependsOn: o.DependsOn, followed: column.Followed(d), place: map[string]int{}, called: &called{}}
	list, dictionary, holds := d.Node.Get("options"), d.Node.Get("dictionary"), d.Node.Get("holds")
	var out diag.List
	switch {
	case holds != nil && (list != nil || dictionary != nil || o.DependsOn != ""):
		out = append(out, diag.New("PROP028", holds.KeyPos(), d.Code).At(holds.Pointer()))
	case holds != nil:
		for _, c := range s.Codes(o.Holds) {
			f.add(c)
		}
	case list != nil && dictionary != nil:
		out = append(out, diag.New("PROP006", dictionary.KeyPos()).At(dictionary.Pointer()))
		fallthrough
	case list != nil:
		if len(o.Options) == 0 {
			out = append(out, diag.New("PROP007", list.Pos(), d.Code).At(list.Pointer()))
		}
		out = append(out, f.flatten(o.Options, "")...)
	case dictionary != nil:
		known, ok := s.Dictionary(o.Dictionary)
		if !ok {
			problem := diag.New("PROP005", dictionary.Pos(), o.Dictionary).At(dictionary.Pointer())
			out = append(out, problem.Suggest(o.Dictionary, s.DictionaryCodes()))
		}
		for _, c := range known {
			f.add(c)
		}
	default:
		out = append(out, diag.New("PROP007", d.Node.Pos(), d.Code).At(d.Node.Pointer()))
	}
	if n := d.Node.Get("dependsOn"); n != nil {
		beside := column.Siblings(d)
		if !slices.Contains(beside, o.DependsOn) {
			out = append(out, diag.New("PROP010", n.Pos(), o.DependsOn).At(n.Pointer()).Suggest(o.DependsOn, beside))
		}
	}
	return f, out
}

// flatten adds options and those below them, each with the code of the one above.
func (f *Field) flatten(options []def.Option, parent string) diag.List {
	var out diag.List
	for _, o := range options {
		if o.Node == nil { // null, which the schema reports
			continue
		}
		at := o.Node
		if n := o.Node.Get("code"); n != nil {
			at = n
		}
		if o.Code == "" || strings.Contains(o.Code, ";") || utf8.RuneCountInString(o.Code) > maxCode {
			out = append(out, diag.New("PROP008", at.Pos(), o.Code, maxCode).At(at.Pointer()))
			continue
		}
		if _, twice := f.place[o.Code]; twice {
			out = append(out, diag.New("PROP009", at.Pos(), o.Code).At(at.Pointer()))
			continue
		}
		f.add(property.Option{Code: o.Code, Label: o.Label(plan.Label{Zh: o.Code}), Color: o.Color, Disabled: o.Disabled, Parent: parent, Former: names.Former(o.RenamedFrom)})
		out = append(out, f.flatten(o.Items, o.Code)...)
	}
	return out
}

func (f *Field) add(o property.Option) {
	f.place[o.Code] = len(f.choices)
	f.choices = append(f.choices, o)
}
