package logic

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
)

// marks are further signs for yes and no in tables that people fill in.
var marks = map[string]bool{
	"y": true, "t": true, "on": true, "√": true, "✓": true, "✔": true, "☑": true, "对": true,
	"n": false, "f": false, "off": false, "×": false, "✗": false, "✘": false, "☐": false, "错": false,
}

// ReadCell reads truth values, 1 and 0, words and ticks.
func (l logic) ReadCell(c property.Cell) (any, error) {
	switch c.Kind {
	case property.CellEmpty:
		return nil, nil
	case property.CellBool:
		return c.Bool, nil
	case property.CellText:
		if v, ok := marks[strings.ToLower(strings.TrimSpace(c.Text))]; ok {
			return v, nil
		}
		return l.Parse(c.Text)
	case property.CellNumber:
		return l.Parse(c.Digits())
	}
	return nil, property.Refuse(fault.FieldType)
}
