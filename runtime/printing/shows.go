package printing

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
)

// shows are the properties that the paper of the record shows, in the order of the template. Elements that are not drawn show nothing.
func (b *binder) shows() []string {
	drawn := func(e *catalog.PrintElement) bool {
		at, has := b.conditions[e]
		return !has || b.r.Holds(at)
	}
	out := showsOf(b.t, drawn, b.locale)
	if out == nil {
		out = []string{}
	}
	return out
}

// showsOf are the properties of a template's own model that its elements show: of sub-tables as "lines.count". drawn nil = all elements;
// locale "" = its texts in Chinese.
func showsOf(t *catalog.Print, drawn func(e *catalog.PrintElement) bool, locale string) (out []string) {
	add := func(p *catalog.Path) {
		if p != nil && !slices.Contains(out, p.Code) {
			out = append(out, p.Code)
		}
	}
	within := func(of catalog.PrintText) {
		for _, part := range of.In(locale) {
			add(part.Path)
		}
	}
	for _, page := range t.Pages {
		for _, e := range page {
			if drawn != nil && !drawn(e) {
				continue
			}
			add(e.Path)
			within(e.Text)
			if e.Sheet != nil {
				within(e.Sheet.Caption)
			}
			if e.Table == nil || e.Table.Sheet == nil {
				continue // rows of other models are not kept
			}
			for _, c := range e.Table.Columns {
				add(c.Path)
			}
		}
	}
	for _, band := range t.Bands() {
		for _, i := range band.Items {
			within(i.Parts)
		}
	}
	return out
}
