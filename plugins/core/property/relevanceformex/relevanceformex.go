// Package relevanceformex is the property type RelevanceFormEx: several records of another model.
package relevanceformex

import (
	_ "embed"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/relation"
)

//go:embed options.schema.json
var options []byte

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Properties.Add(Type{}) }

// Type is the property type.
type Type struct{}

// Name is the type's word in definitions.
func (Type) Name() string { return "RelevanceFormEx" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 11 }

// Options is the schema of the type's own options.
func (Type) Options() []byte { return options }

// Compile makes a field.
func (Type) Compile(d def.Property, s property.Scope) (property.Property, diag.List) {
	return relation.Many(d, s)
}
