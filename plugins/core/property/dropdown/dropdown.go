// Package dropdown is the property type Dropdown: one option from a list that drops down.
package dropdown

import (
	_ "embed"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/choice"
)

//go:embed options.schema.json
var options []byte

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Properties.Add(Type{}) }

// Type is the property type.
type Type struct{}

// Name is the type's word in definitions.
func (Type) Name() string { return "Dropdown" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 14 }

// Options is the schema of the type's own options.
func (Type) Options() []byte { return options }

// Compile makes a field.
func (Type) Compile(d def.Property, s property.Scope) (property.Property, diag.List) {
	return choice.One(d, s)
}
