package query

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/property"
)

// optionsNow gives the operand of a filter the codes of now in place of those that options had: filters stand in addresses, which people keep. A code that
// an option has now means this one.
func (n node) optionsNow(operand any) any {
	chooser, ok := n.field.Property.(property.Chooser)
	if !ok {
		return operand
	}
	codes := chooser.Choices()
	now := func(code string) string {
		if code == "" || slices.ContainsFunc(codes, func(o property.Option) bool { return o.Code == code }) {
			return code
		}
		if to, renamed := n.graph.view.Catalog.OptionRenamed(n.field, code); renamed {
			return to
		}
		return code
	}
	each := func(text string) string { // several in one text are separated by semicolons, which codes have none of
		parts := strings.Split(text, ";")
		for i, code := range parts {
			parts[i] = now(code)
		}
		return strings.Join(parts, ";")
	}
	switch v := operand.(type) {
	case string:
		return each(v)
	case []any:
		out := slices.Clone(v)
		for i, one := range v {
			if text, is := one.(string); is {
				out[i] = each(text)
			}
		}
		return out
	}
	return operand
}
