package logic

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
)

// marks are further signs for yes and no in tables that people fill in.
var marks = map[string]bool{
	"y": true, "t": true, "on": true, "√": true, "✓": true, "✔": true, "☑": true, "对": true, "真": true, "有": true,
	"n": false, "f": false, "off": false, "×": false, "✗": false, "✘": false, "☐": false, "错": false, "假": false, "无": false, "x": false,
}

// ReadCell reads truth values, 1 and 0, words and ticks.
func (l logic) ReadCell(c property.Cell) (any, error) {
	switch c.Kind {
	case property.CellEmpty:
		return nil, nil
	case property.CellBool:
		return c.Bool, nil
	case property.CellText:
		text := strings.ToLower(strings.TrimSpace(norm.NFKC.String(property.Visible(c.Text))))
		if v, ok := marks[text]; ok {
			return v, nil
		}
		return l.Parse(text)
	case property.CellNumber:
		return l.Parse(c.Digits())
	}
	return nil, property.Refuse(fault.FieldType)
}
