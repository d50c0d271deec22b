package time

import (
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/spelling"
)

// ReadCell reads times of day: of a spreadsheet, and as people write them ("8:30", "0830", "下午3点").
func (p clock) ReadCell(c property.Cell) (any, error) {
	switch c.Kind {
	case property.CellEmpty:
		return nil, nil
	case property.CellTime:
		return p.Parse(c.Time.Format("15:04:05"))
	case property.CellText:
		if c.Text == "" {
			return nil, nil
		}
		if written, ok := spelling.Time(c.Text); ok {
			return p.Parse(written)
		}
		return p.Parse(c.Text)
	}
	return nil, property.Refuse(fault.FieldType)
}
