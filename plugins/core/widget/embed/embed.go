// Package embed is the widget Embed: embedded page.
package embed

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
	Code: "Embed", Label: plan.Label{Zh: "嵌入网页", I18n: map[string]string{"en": "embedded page"}}, Group: widget.Content, Schema: options, Width: 6, Height: 40,
	Public: true, Compile: compile,
}

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Widgets.Add(Type) }

func compile(l widget.Linker, at *source.Node) {
	l.Title(at.Get("title"))
	l.Picture(at.Get("icon"))
	l.Embeds(at.Get("address"))
}
