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
	if d.DisplayFormat == "" || slices.Contains(formats, d.DisplayFormat) {
		if d.DisplayFormat == "" {
			return formats[0], nil
		}
		return d.DisplayFormat, nil
	}
	n := d.Node.Get("displayFormat")
	problem := diag.New("PROP004", n.Pos(), d.DisplayFormat, d.Type, strings.Join(formats, ", ")).At(n.Pointer())
	return formats[0], diag.List{problem.Suggest(d.DisplayFormat, formats)}
}

// Shown is the format of a text: the one that the context asks for when it is legal, else the field's own.
func Shown(own, asked string, formats []string) string {
	if slices.Contains(formats, asked) {
		return asked
	}
	return own
}
