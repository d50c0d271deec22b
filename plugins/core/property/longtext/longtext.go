// Package longtext is the property type LongText: text of several lines.
package longtext

import (
	_ "embed"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/words"
)

//go:embed options.schema.json
var options []byte

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Properties.Add(Type{}) }

// Type is the property type.
type Type struct{}

// Name is the type's word in definitions.
func (Type) Name() string { return "LongText" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 1 }

// Options is the schema of the type's own options.
func (Type) Options() []byte { return options }

// Compile makes a field.
func (Type) Compile(d def.Property, _ property.Scope) (property.Property, diag.List) {
	f, out := words.Compile(d, words.Rule{MaxLength: 2000, Limit: 100000, Bulk: 2000, Lines: true})
	return longText{f}, out
}

type longText struct{ words.Field }

var _ interface {
	property.Property
	property.Filterer
	property.Aggregator
	property.Limiter
	property.BulkEditor
} = longText{}

// Text returns the text as it is, also where it has signs of markup: `<GB50204>` is what somebody wrote. Who shows it escapes it.
func (longText) Text(v any, _ property.TextContext) string {
	s, _ := v.(string)
	return s
}
