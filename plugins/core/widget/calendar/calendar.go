// Package calendar is the widget Calendar: calendar.
package calendar

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
	Code: "Calendar", Label: plan.Label{Zh: "日历", I18n: map[string]string{"en": "calendar"}}, Group: widget.Work, Schema: options, Width: 6, Height: 40,
	Compile: compile,
}

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Widgets.Add(Type) }

func compile(l widget.Linker, at *source.Node) {
	l.Title(at.Get("title"))
	l.Picture(at.Get("icon"))
	if rows := l.Records(at, "startField", "endField", "colorField"); rows != nil {
		rows.Start, rows.End = at.Get("startField").Text(), at.Get("endField").Text()
	}
}
