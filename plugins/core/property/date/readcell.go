package date

import (
	"errors"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/spelling"
)

// ReadCell reads the dates of a spreadsheet and those that people write: "2026年3月5日", "Nov 25, 2026", "20261125". The wall clock of a cell
// is in the installation's zone. A number that is not formatted as a date is refused: nobody can say which day it means.
func (p date) ReadCell(c property.Cell) (any, error) {
	switch c.Kind {
	case property.CellEmpty:
		return nil, nil
	case property.CellTime:
		if c.Time.Year() < 1900 { // a time of day
			return nil, property.Refuse(fault.FieldType)
		}
		return p.Parse(c.Time.Format("2006-01-02 15:04:05"))
	case property.CellText, property.CellNumber:
		text := c.Text
		if c.Kind == property.CellNumber {
			if text = c.Digits(); len(text) != len("20261125") && p.shape.unit() != year && (len(text) != len("202611") || p.shape.unit() != month) {
				return nil, property.Refuse(fault.FieldType)
			}
		}
		v, err := p.Parse(text)
		var refused *property.ValueError
		if !errors.As(err, &refused) || fault.Code(refused.Code) != fault.FieldType { // a value, or one beyond the limits
			return v, err
		}
		if written, ok := spelling.Date(text); ok {
			return p.Parse(written)
		}
	}
	return nil, property.Refuse(fault.FieldType)
}
