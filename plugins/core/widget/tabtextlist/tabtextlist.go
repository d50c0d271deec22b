// Package tabtextlist is the widget TabTextList: lists in tabs.
package tabtextlist

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
	Code: "TabTextList", Label: plan.Label{Zh: "页签列表", I18n: map[string]string{"en": "lists in tabs"}}, Group: widget.Work, Schema: options, Width: 6, Height: 27,
	Compile: compile,
}

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Widgets.Add(Type) }

func compile(l widget.Linker, at *source.Node) {
	for _, tab := range at.Get("tabs").Items() {
		widget.TextList(l, tab)
	}
}
