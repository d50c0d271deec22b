// Package carousel is the widget Carousel: carousel.
package carousel

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
	Code: "Carousel", Label: plan.Label{Zh: "轮播图", I18n: map[string]string{"en": "carousel"}}, Group: widget.Content, Schema: options, Width: 6, Height: 27,
	Public: true, Compile: compile,
}

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Widgets.Add(Type) }

func compile(l widget.Linker, at *source.Node) {
	for _, photo := range at.Get("photos").Items() {
		l.Picture(photo.Get("picUrl"))
		l.Opens(photo)
	}
}
