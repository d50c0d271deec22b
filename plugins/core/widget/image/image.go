// Package image is the widget Image: picture.
package image

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
	Code: "Image", Label: plan.Label{Zh: "图片", I18n: map[string]string{"en": "picture"}}, Group: widget.Content, Schema: options, Width: 4, Height: 24,
	Public: true, Compile: compile,
}

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Widgets.Add(Type) }

func compile(l widget.Linker, at *source.Node) {
	l.Picture(at.Get("picUrl"))
	l.Opens(at)
}
