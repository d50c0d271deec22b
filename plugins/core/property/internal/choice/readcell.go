package choice

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

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

// folded is a word without case and without full-width letters.
func folded(word string) string { return strings.ToLower(strings.TrimSpace(norm.NFKC.String(word))) }

// written finds the option that somebody means: as find does, or, when that finds none, by code or label without case.
func (f Field) written(word string) (string, bool) {
	if code, ok := f.find(strings.TrimSpace(word)); ok {
		return code, true
	}
	word = folded(word)
	found := ""
	for _, o := range f.choices {
		called := slices.ContainsFunc(append(labels(o.Label), o.Label.Zh, o.Code), func(l string) bool { return folded(l) == word })
		if called && found != "" {
			return "", false
		}
		if called {
			found = o.Code
		}
	}
	return found, found != ""
}

// ReadCell reads an option's code or label.
func (f Single) ReadCell(c property.Cell) (any, error) {
	word, err := text(c)
	if word = strings.TrimSpace(word); err != nil || word == "" {
		return nil, err
	}
	code, ok := f.written(word)
	if !ok {
		return nil, property.Refuse(fault.FieldOption, word)
	}
	return code, nil
}

// ReadCell reads codes or labels, however they are separated.
func (f Multiple) ReadCell(c property.Cell) (any, error) {
	whole, err := text(c)
	if err != nil || strings.TrimSpace(whole) == "" {
		return nil, err
	}
	unknown := ""
	for _, mark := range marks {
		var out []string
		for _, word := range mark.Split(whole, -1) {
			if strings.TrimSpace(word) == "" {
				continue
			}
			code, ok := f.written(word)
			if !ok {
				unknown, out = strings.TrimSpace(word), nil
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
	return nil, property.Refuse(fault.FieldOption, unknown)
}

var (
	_ property.CellReader = Single{}
	_ property.CellReader = Multiple{}
)
