// Package layoutsider is the widget LayoutSider: side of a layout.
package layoutsider

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
	Code: "LayoutSider", Label: plan.Label{Zh: "布局侧栏", I18n: map[string]string{"en": "side of a layout"}}, Group: widget.Layout, Schema: options, Width: 3, Height: 40,
	Container: true, Within: []string{"Layout"}, Public: true,
}

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Widgets.Add(Type) }
