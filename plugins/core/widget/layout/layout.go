// Package layout is the widget Layout: layout.
package layout

import (
	_ "embed"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/widget"
)

//go:embed options.schema.json
var options []byte

// Type is the type of these widgets.
var Type = widget.Type{
	Code: "Layout", Label: plan.Label{Zh: "布局", I18n: map[string]string{"en": "layout"}}, Group: widget.Layout, Schema: options, Width: 12, Height: 40,
	Container: true, Holds: []string{"LayoutPanel", "LayoutSider"}, Public: true,
}

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Widgets.Add(Type) }
