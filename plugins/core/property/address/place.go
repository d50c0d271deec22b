package address

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/place"
	"github.com/sluice-platform/sluice/engine/property"
)

// levels are the names of the province, the city and the district of a code; "" where there is none.
func (p address) levels(code, locale string) [3]string {
	var out [3]string
	if p.places == nil {
		return out
	}
	for i := range out {
		if n := 2 * (i + 1); n <= len(code) {
			if path := p.places.Path(code[:n], locale); len(path) > 0 {
				out[i] = path[len(path)-1]
			}
		}
	}
	return out
}

// names are the levels that a format shows. A city that is called like its province is named once.
func (p address) names(code, locale, shown string) []string {
	if code == "" {
		return nil
	}
	levels := p.levels(code, locale)
	if levels == ([3]string{}) {
		return []string{code}
	}
	var out []string
	for i, name := range levels {
		if name == "" || i > 0 && name == levels[i-1] || i >= shownLevels(shown) {
			continue
		}
		out = append(out, name)
	}
	return out
}

func shownLevels(shown string) int { return strings.Count(shown, "-") + 1 }

// read reads an address as people write it in one text. Without divisions a code is one, and any other text the detail.
func (p address) read(s string) (Value, error) {
	s = strings.TrimSpace(s)
	if p.places == nil || s == "" {
		if isCode(s) {
			return Value{Code: s}, nil
		}
		return Value{Detail: s}, nil
	}
	r := p.places.Read(s)
	switch r.Verdict {
	case place.None:
		return Value{}, property.Refuse(fault.PlaceNone, r.Word)
	case place.Several:
		return Value{}, property.Refuse(fault.PlaceSeveral, r.Word, strings.Join(r.Names, " / "))
	case place.Unclear:
		return Value{}, property.Refuse(fault.PlaceUnclear, r.Word)
	case place.Missing:
		return Value{}, property.Refuse(fault.PlaceMissing, r.Word)
	}
	return Value{Code: r.Code, Detail: r.Rest}, nil
}

// SheetText has all levels whatever is displayed of them, and is read as the same address.
func (p address) SheetText(v any, c property.TextContext) string {
	a, ok := v.(Value)
	switch {
	case !ok:
		return ""
	case p.places == nil:
		return p.Text(v, property.TextContext{Locale: c.Locale, DisplayFormat: formats[0]})
	}
	return p.places.Write(a.Code, a.Detail, c.Locale)
}

// ReadCell reads the text of a cell; a number is a division's code.
func (p address) ReadCell(c property.Cell) (any, error) {
	switch c.Kind {
	case property.CellEmpty:
		return nil, nil
	case property.CellText, property.CellNumber:
		return p.Parse(c.Text)
	}
	return nil, property.Refuse(fault.FieldType)
}

// within are the highest divisions whose names contain a text; what lies below them is found by their codes' beginning.
func (p address) within(text string) []string {
	if p.places == nil {
		return nil
	}
	codes := p.places.Find(text)
	found := make(map[string]bool, len(codes))
	for _, c := range codes {
		found[c] = true
	}
	var out []string
	for _, c := range codes {
		if !(len(c) > 2 && found[c[:2]]) && !(len(c) > 4 && found[c[:4]]) {
			out = append(out, c)
		}
	}
	return out
}

// AtLevel is the province, city or district that an address lies in, without the rest of it; nil for an address without a division.
func (address) AtLevel(v any, level int) any {
	a, _ := v.(Value)
	if a.Code == "" {
		return nil
	}
	return Value{Code: a.Code[:min(len(a.Code), 2*level)]}
}
