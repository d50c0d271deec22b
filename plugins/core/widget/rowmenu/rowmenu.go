// Package rowmenu is the widget RowMenu: horizontal navigation.
package rowmenu

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
	Code: "RowMenu", Label: plan.Label{Zh: "横向导航", I18n: map[string]string{"en": "horizontal navigation"}}, Group: widget.Navigation, Schema: options, Width: 12, Height: 9,
	Public: true, Compile: compile,
}

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Widgets.Add(Type) }

func compile(l widget.Linker, at *source.Node) {
	l.Title(at.Get("title"))
	l.Picture(at.Get("icon"))
	for _, entry := range at.Get("navigator").Items() {
		l.Picture(entry.Get("icon"))
		l.Opens(entry)
	}
}
