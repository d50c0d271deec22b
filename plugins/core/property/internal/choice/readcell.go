package choice

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
)

// text is what a cell says: options are named by texts, and by numbers where their codes are numbers.
func text(c property.Cell) (string, error) {
	switch c.Kind {
	case property.CellEmpty:
		return "", nil
	case property.CellText:
		return c.Text, nil
	case property.CellNumber:
		return c.Digits(), nil
	case property.CellBool:
		if c.Bool {
			return "TRUE", nil
		}
		return "FALSE", nil
	}
	return "", property.Refuse(fault.FieldType)
}

// ReadCell reads an option's code or label.
func (f Single) ReadCell(c property.Cell) (any, error) {
	word, err := text(c)
	if word = strings.TrimSpace(word); err != nil || word == "" {
		return nil, err
	}
	code, err := f.written(word)
	if err != nil {
		return nil, err
	}
	return code, nil
}

// ReadCell reads codes or labels, however they are separated (property.PartList).
func (f Multiple) ReadCell(c property.Cell) (any, error) {
	whole, err := text(c)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, word := range property.PartList(whole, func(word string) bool { return len(f.meant(word)) > 0 }) {
		code, err := f.written(word)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, code) {
			out = append(out, code)
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return out, nil
}

var _ interface {
	property.CellReader
	property.SheetWriter
} = Single{}

var _ interface {
	property.CellReader
	property.SheetWriter
} = Multiple{}
