package printing

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
)

// Leads reports whether a template has codes of addresses.
func Leads(p *catalog.Print) bool {
	return slices.ContainsFunc(slices.Concat(p.Pages...), func(e *catalog.PrintElement) bool { return e.Content != "" })
}
