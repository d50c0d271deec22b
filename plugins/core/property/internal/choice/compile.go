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

// maxCode is the longest code of an option, in characters (docs/formats.md), and maxPath that of a part with all that it is in.
const (
	maxCode = 100
	maxPath = 300
)

func compile(d def.Property, s property.Scope, k plan.Kind) (Field, diag.List) {
	var o struct {
		Options    []def.Option `json:"options"`
		Dictionary string       `json:"dictionary"`
		DependsOn  string       `json:"dependsOn"`
		Holds      string       `json:"holds"`
		Of         string       `json:"of"`
	}
	d.Decode(&o)
	f := Field{One: column.Only(column.New(d, "", k)), dependsOn: o.DependsOn, followed: column.Followed(d), place: map[string]int{}, called: &called{}}
	list, dictionary, holds := d.Node.Get("options"), d.Node.Get("dictionary"), d.Node.Get("holds")
	var out diag.List
	switch {
	case holds != nil && (list != nil || dictionary != nil || o.DependsOn != "" && !slices.Contains(parts, o.Holds)):
		out = append(out, diag.New("PROP028", holds.KeyPos(), d.Code).At(holds.Pointer()))
	case holds != nil:
		out = append(out, f.holds(d, s, o.Holds, o.Of)...)
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
	if n := d.Node.Get("of"); n != nil && !slices.Contains(parts, o.Holds) {
		out = append(out, diag.New("PROP062", n.KeyPos(), d.Code).At(n.Pointer()))
	}
	if n := d.Node.Get("dependsOn"); n != nil {
		beside := column.Siblings(d)
		if !slices.Contains(beside, o.DependsOn) {
			out = append(out, diag.New("PROP010", n.Pos(), o.DependsOn).At(n.Pointer()).Suggest(o.DependsOn, beside))
		}
	}
	return f, out
}

// parts are what "holds" can name that another thing has. It is named by "of", or by the choice that dependsOn names.
var parts = []string{"property", "option", "node"}

// holds makes the options of codes of documents, or of parts of them.
func (f *Field) holds(d def.Property, s property.Scope, kind, of string) diag.List {
	at, n := d.Node.Get("holds"), d.Node.Get("of")
	if slices.Contains(parts, kind) && (of == "") == (f.dependsOn == "") {
		return diag.List{diag.New("PROP060", at.Pos(), d.Code, kind).At(at.Pointer())}
	}
	if !slices.Contains(parts, kind) {
		of = "" // which is told
	}
	all, ok := s.Codes(kind, of)
	if !ok {
		return diag.List{diag.New("PROP061", n.Pos(), of, kind).At(n.Pointer()).Suggest(of, owners(s, kind))}
	}
	for _, o := range all {
		f.add(o)
	}
	return nil
}

// owners are the codes that "of" can name, as far as they are one code.
func owners(s property.Scope, kind string) (out []string) {
	switch kind {
	case "property":
		return s.ModelCodes()
	case "node":
		all, _ := s.Codes("workflow", "")
		for _, o := range all {
			out = append(out, o.Code)
		}
	}
	return out
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
