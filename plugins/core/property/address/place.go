package address

import (
	"strings"
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

// split reads an address as people write it in one cell: a code, or the names of a division and then the detail.
func (p address) split(s string) Value {
	if isCode(s) {
		return Value{Code: s}
	}
	if p.places == nil || s == "" {
		return Value{Detail: s}
	}
	ends := []int{}
	for i := range s {
		ends = append(ends, i)
	}
	ends = append(ends, len(s))
	for i := min(len(ends)-1, 40); i > 0; i-- {
		head := s[:ends[i]]
		for _, code := range p.places.Find(head) {
			if strings.Join(p.names(code, "zh", formats[0]), "") == head {
				return Value{Code: code, Detail: strings.TrimSpace(s[ends[i]:])}
			}
		}
	}
	return Value{Detail: s}
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
