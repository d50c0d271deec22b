package choice

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
)

// marks separate several options in a cell. A label may itself hold one that separates others.
var marks = []*regexp.Regexp{regexp.MustCompile(`[;；\n]`), regexp.MustCompile(`[、，,;；|\n]`)}

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

// written finds the option that somebody means: by its code, or by its code or labels as names are compared. It refuses what is none, and
// what several are called.
func (f Field) written(word string) (string, error) {
	word = strings.TrimSpace(word)
	if _, ok := f.place[word]; ok {
		return word, nil
	}
	meant := property.Meant(word, f.choices, func(o property.Option) []string { return append(labels(o.Label), o.Label.Zh, o.Code) })
	switch len(meant) {
	case 0:
		return "", property.Refuse(fault.FieldOption, word)
	case 1:
		return meant[0].Code, nil
	}
	return "", property.Refuse(fault.CellAmbiguous, word)
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

// ReadCell reads codes or labels, however they are separated.
func (f Multiple) ReadCell(c property.Cell) (any, error) {
	whole, err := text(c)
	if err != nil || strings.TrimSpace(whole) == "" {
		return nil, err
	}
	var refused error
	for _, mark := range marks {
		var out []string
		for _, word := range mark.Split(whole, -1) {
			if strings.TrimSpace(word) == "" {
				continue
			}
			code, err := f.written(word)
			if err != nil {
				refused, out = err, nil
				break
			}
			if !slices.Contains(out, code) {
				out = append(out, code)
			}
		}
		if len(out) > 0 {
			return out, nil
		}
	}
	return nil, refused
}

var (
	_ property.CellReader = Single{}
	_ property.CellReader = Multiple{}
)
