// Package layoutpanel is the widget LayoutPanel: panel of a layout.
package layoutpanel

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
	Code: "LayoutPanel", Label: plan.Label{Zh: "布局面板", I18n: map[string]string{"en": "panel of a layout"}}, Group: widget.Layout, Schema: options, Width: 9, Height: 40,
	Container: true, Within: []string{"Layout"}, Public: true,
}

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Widgets.Add(Type) }
