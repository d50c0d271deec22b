package time

import (
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/format"
)

// Cell writes a time of day.
func (p clock) Cell(v any, c property.TextContext) property.Cell {
	s, ok := v.(string)
	if !ok {
		return property.Cell{}
	}
	t, err := time.Parse(time.TimeOnly, s)
	if err != nil {
		return property.Cell{Kind: property.CellText, Text: s}
	}
	shown := format.Shown(p.format, c.DisplayFormat, p.Formats())
	return property.Cell{Kind: property.CellTime, Time: time.Date(1899, 12, 31, t.Hour(), t.Minute(), t.Second(), 0, time.UTC), Format: strings.ReplaceAll(shown, "HH", "hh")}
}
