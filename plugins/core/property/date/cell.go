package date

import (
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/format"
)

// firstDay is the first day that all spreadsheets count alike: before it, some know a 29 February 1900.
var firstDay = time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC)

// Cell writes a date or, in the installation's zone, a point in time. What was before spreadsheets begin to count is a text that Parse
// reads.
func (p date) Cell(v any, c property.TextContext) property.Cell {
	var t time.Time
	layout := dayLayout
	switch x := v.(type) {
	case time.Time:
		zone := c.Zone
		if zone == nil {
			zone = p.zone
		}
		at := x.In(zone)
		t = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
		layout = time.DateTime
	case string:
		day, err := time.Parse(dayLayout, x)
		if err != nil {
			return property.Cell{Kind: property.CellText, Text: x}
		}
		t = day
	default:
		return property.Cell{}
	}
	if t.Before(firstDay) {
		return property.Cell{Kind: property.CellText, Text: t.Format(layout)}
	}
	shown := format.Shown(p.shape.name, c.DisplayFormat, p.Formats())
	return property.Cell{Kind: property.CellTime, Time: t, Format: cellFormats[shown]}
}

// cellFormats turns the names of formats into those of spreadsheets. The halves of the day are written in the language of the format.
var cellFormats = func() map[string]string {
	words := strings.NewReplacer("CN-APM", "[$-804]AM/PM", "EN-APM", "[$-409]AM/PM", "HH", "hh", "MM", "mm")
	out := map[string]string{}
	for _, s := range shapes {
		out[s.name] = words.Replace(s.name)
	}
	return out
}()
