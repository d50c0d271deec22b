// Package notice is the widget Notice: notice.
package notice

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
	Code: "Notice", Label: plan.Label{Zh: "通知", I18n: map[string]string{"en": "notice"}}, Group: widget.Content, Schema: options, Width: 12, Height: 9,
	Public: true,
}

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Widgets.Add(Type) }
