// Package gridnavigation is the widget GridNavigation: grid of links.
package gridnavigation

import (
	_ "embed"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/engine/widget"
)

//go:embed options.schema.json
var options []byte

// Type is the type of these widgets.
var Type = widget.Type{
	Code: "GridNavigation", Label: plan.Label{Zh: "宫格导航", I18n: map[string]string{"en": "grid of links"}}, Group: widget.Navigation, Schema: options, Width: 6, Height: 27,
	Public: true, Compile: compile,
}

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Widgets.Add(Type) }

func compile(l widget.Linker, at *source.Node) {
	l.Title(at.Get("componentTitle"))
	l.Picture(at.Get("componentIcon"))
	for _, entry := range at.Get("navigator").Items() {
		l.Picture(entry.Get("icon"))
		l.Opens(entry)
	}
}
