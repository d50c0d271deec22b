// Package textlist is the widget TextList: list of texts.
package textlist

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
	Code: "TextList", Label: plan.Label{Zh: "文本列表", I18n: map[string]string{"en": "list of texts"}}, Group: widget.Work, Schema: options, Width: 6, Height: 27,
	Compile: compile,
}

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Widgets.Add(Type) }

func compile(l widget.Linker, at *source.Node) {
	widget.TextList(l, at)
}
