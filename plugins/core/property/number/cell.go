package number

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/format"
)

// Cell writes a number that spreadsheets compute with, in the format that the list shows. No number format writes Chinese financial
// capitals: such a number has separators and two decimal places, as its text has in English.
func (p number) Cell(v any, c property.TextContext) property.Cell {
	d, ok := v.(decimal.Decimal)
	if !ok {
		return property.Cell{}
	}
	return property.Cell{Kind: property.CellNumber, Text: canonical(d), Format: p.cellFormat(d, format.Shown(p.format, c.DisplayFormat, p.Formats()))}
}

func (p number) cellFormat(d decimal.Decimal, shown string) string {
	scale := p.scale
	if !p.fixed {
		scale = places(d)
	}
	var out string
	switch shown {
	case "capitals":
		return "#,##0.00"
	case "percent":
		out = zeros("0", p.shownOr(max(scale-2, 0))) + "%"
	case "thousands":
		out = zeros("#,##0", p.shownOr(scale))
	default:
		if !p.fixed && p.display < 0 && p.unit == "" {
			return ""
		}
		out = zeros("0", p.shownOr(scale))
	}
	if p.unit == "" {
		return out
	}
	return out + ` "` + strings.ReplaceAll(p.unit, `"`, `"\""`) + `"`
}

func (p number) shownOr(scale int) int {
	if p.display >= 0 {
		return p.display
	}
	return scale
}

// places is how many decimal places a number has.
func places(d decimal.Decimal) int {
	_, fraction, _ := strings.Cut(canonical(d), ".")
	return len(fraction)
}

func zeros(whole string, places int) string {
	if places == 0 {
		return whole
	}
	return whole + "." + strings.Repeat("0", places)
}
