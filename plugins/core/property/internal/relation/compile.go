package relation

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/format"
)

// One makes the field of a single record.
func One(d def.Property, s property.Scope) (Single, diag.List) {
	f, out := compile(d, s, false)
	return Single{f}, out
}

// Many makes the field of several records.
func Many(d def.Property, s property.Scope) (Multiple, diag.List) {
	f, out := compile(d, s, true)
	return Multiple{f}, out
}

func compile(d def.Property, s property.Scope, multiple bool) (Field, diag.List) {
	var o struct {
		RelativeCode         string `json:"relativeCode"`
		RelativePropertyCode string `json:"relativePropertyCode"`
	}
	d.Decode(&o)
	if o.RelativePropertyCode == "" {
		o.RelativePropertyCode = nameProperty
	}
	kind := plan.ID
	if multiple {
		kind = plan.Set
	}
	onDelete, out := format.Word(d, "onDelete", []string{"refuse", "clear"})
	f := Field{One: column.Only(column.New(d, "", kind)),
		target: property.Relation{Model: o.RelativeCode, Display: o.RelativePropertyCode, Multiple: multiple, OnDelete: onDelete}}
	out = append(out, f.link(d, s)...)
	f.Column.References, f.Column.OnDelete = f.target.Model, onDelete
	return f, out
}

// link finds the target and the properties of it that the definition names, and takes over their spelling.
func (f *Field) link(d def.Property, s property.Scope) diag.List {
	at := d.Node.Get("relativeCode")
	if at == nil {
		at = d.Node
	}
	if f.target.Model == "" { // missing or no text: the schema has said so
		return nil
	}
	codes := s.ModelCodes()
	if code, ok := spelled(f.target.Model, codes); ok {
		f.target.Model = code
	}
	m, ok := s.Model(f.target.Model)
	if !ok {
		return diag.List{diag.New("REL001", at.Pos(), f.target.Model).At(at.Pointer()).Suggest(f.target.Model, codes)}
	}
	if m.Broken {
		return nil
	}
	var out diag.List
	there := slices.Sorted(maps.Keys(m.Properties))
	find := func(n *source.Node, code string) string {
		found, ok := spelled(code, there)
		if !ok {
			out = append(out, diag.New("REL002", n.Pos(), f.target.Model, code).At(n.Pointer()).Suggest(code, there))
		}
		return found
	}
	if n := d.Node.Get("relativePropertyCode"); n != nil {
		f.target.Display = find(n, f.target.Display)
	}
	if fill := d.Node.Get("fill"); fill != nil {
		here := column.Siblings(d)
		for _, n := range fill.Members {
			if _, ok := spelled(n.Key, here); !ok {
				out = append(out, diag.New("REL003", n.KeyPos(), n.Key).At(n.Pointer()).Suggest(n.Key, here))
			}
			find(n, n.Text())
		}
	}
	return out
}

// spelled finds a code without case, as it is written where it is declared.
func spelled(code string, among []string) (string, bool) {
	for _, c := range among {
		if strings.EqualFold(c, code) {
			return c, true
		}
	}
	return code, false
}
