// Package format reads the common key displayFormat for the types that have several.
package format

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
)

// Choose returns the definition's displayFormat, or the first of formats when it has none. An illegal one is reported.
func Choose(d def.Property, formats []string) (string, diag.List) {
	return Word(d, "displayFormat", formats)
}

// Word reads an option that is one of some words, the first of which is its default. An illegal one is reported.
func Word(d def.Property, key string, words []string) (string, diag.List) {
	n := d.Node.Get(key)
	given := n.Text()
	if n == nil && key == "displayFormat" {
		given = d.DisplayFormat // fields that are declared without a document
	}
	if given == "" {
		return words[0], nil
	}
	if slices.Contains(words, given) {
		return given, nil
	}
	problem := diag.New("PROP004", n.Pos(), given, key, strings.Join(words, ", ")).At(n.Pointer())
	return words[0], diag.List{problem.Suggest(given, words)}
}

// Shown is the format of a text: the one that the context asks for when it is legal, else the field's own.
func Shown(own, asked string, formats []string) string {
	if slices.Contains(formats, asked) {
		return asked
	}
	return own
}
