package catalog

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/property"
)

// Held is what the values of a choice with "holds" are codes of. Owner is what "of" names; "" for documents, and for parts that are held by their
// paths.
type Held struct {
	Kind  names.Kind
	Owner string
}

// HeldName is a name in a value: its word begins at an offset in bytes.
type HeldName struct {
	Kind   names.Kind
	Path   string
	Word   string
	Offset int
}

// Names are what a value names: a document, or a part and all that it is in, as far as the value says it. optionsOf is what has the options of a
// property that is known by its path: a dictionary, or the property itself.
func (h Held) Names(value string, optionsOf func(path string) string) (out []HeldName) {
	switch h.Kind {
	case names.Property, names.Option, names.Node:
	default:
		return []HeldName{{h.Kind, value, value, 0}}
	}
	path, option, hasOption := strings.Cut(value, ":")
	at, offset := h.Owner, 0
	for path != "" {
		word, rest, _ := strings.Cut(path, ".")
		k := names.Property
		switch {
		case h.Kind == names.Node && at == "":
			k = names.Workflow
		case h.Kind == names.Node:
			k, word, rest = names.Node, path, ""
		case at == "":
			k = names.Model
		}
		at = names.Join(at, word)
		out = append(out, HeldName{k, at, word, offset})
		path, offset = rest, offset+len(word)+1
	}
	if hasOption {
		out = append(out, HeldName{names.Option, names.OptionPath(optionsOf(at), option), option, offset})
	}
	return out
}

// FieldAt is a property by its path, "model.property" or "model.subtable.property"; nil when there is none.
func (c *Catalog) FieldAt(path string) *Field {
	model, path, _ := strings.Cut(path, ".")
	m := c.Model(model)
	if m == nil {
		return nil
	}
	return m.At(path)
}

// At is a property, or "subtable.property"; nil when there is none.
func (m *Model) At(path string) *Field {
	code, column, nested := strings.Cut(path, ".")
	f := m.Field(code)
	if f != nil && nested && f.Sheet != nil {
		return f.Sheet.Field(column)
	}
	return f
}

// Naming are the values of a choice that name a thing: an option of its own, or what its values are codes of.
func (c *Catalog) Naming(f *Field, k names.Kind, path string) (out []string) {
	chooser, ok := f.Property.(property.Chooser)
	if !ok {
		return nil
	}
	same := func(n HeldName) bool { return n.Kind == k && foldedPath(k, n.Path) == foldedPath(k, path) }
	for _, o := range chooser.Choices() {
		named := []HeldName{{names.Option, names.OptionPath(f.OptionsOf, o.Code), o.Code, 0}}
		if f.Holds != nil && f.OptionsOf == "" {
			named = f.Holds.Names(o.Code, c.optionsOf)
		}
		if slices.ContainsFunc(named, same) {
			out = append(out, o.Code)
		}
	}
	return out
}

func (c *Catalog) optionsOf(path string) string {
	if f := c.FieldAt(path); f != nil {
		return f.OptionsOf
	}
	return path
}

// foldedPath is a path without case; the codes of options keep theirs.
func foldedPath(k names.Kind, path string) string {
	if owner, code, ok := strings.Cut(path, ":"); ok && k == names.Option {
		return strings.ToLower(owner) + ":" + code
	}
	return strings.ToLower(path)
}
