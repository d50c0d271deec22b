package query

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
)

// tellApart puts the place in front of names that a list uses more than once: of three properties called "Status", those of a
// sub-table and of a related record say whose they are.
func tellApart(m *catalog.Model, plans []*FieldPlan) {
	count := map[string]int{}
	for _, p := range plans {
		count[p.Name]++
	}
	for _, p := range plans {
		if count[p.Name] > 1 {
			p.placeBefore(placeOf(m, p.PropertyCode))
		}
	}
}

// placeOf is the relation or sub-table through which a path reaches its property; nil for the list's own properties.
func placeOf(m *catalog.Model, path string) *catalog.Field {
	steps := strings.Split(path, ".")
	var at *catalog.Field
	for _, step := range steps[:len(steps)-1] {
		if m == nil {
			return at
		}
		f := m.Field(step)
		if f == nil {
			return at
		}
		at, m = f, f.Target
		if f.Sheet != nil {
			m = f.Sheet
		}
	}
	return at
}

func (p *FieldPlan) placeBefore(place *catalog.Field) {
	if place == nil {
		return
	}
	names := make(map[string]string, len(p.NameI18n))
	for locale, name := range p.NameI18n {
		names[locale] = place.Label.In(locale) + " · " + name
	}
	for locale, name := range place.Label.I18n {
		if names[locale] == "" {
			names[locale] = name + " · " + p.Name
		}
	}
	p.Name, p.NameI18n = place.Label.Zh+" · "+p.Name, names
}
