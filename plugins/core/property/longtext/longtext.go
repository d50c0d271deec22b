// Package longtext is the property type LongText: text of several lines.
package longtext

import (
	_ "embed"
	"regexp"

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

// tag is an HTML element's begin or end, a comment or a declaration; "a < b" and "<3" are none.
var tag = regexp.MustCompile(`<(/?[A-Za-z][^<>]*|!--|!DOCTYPE)[^<>]*>`)

// Text returns a notice for formatted text rather than its tags.
func (longText) Text(v any, c property.TextContext) string {
	s, _ := v.(string)
	if !tag.MatchString(s) {
		return s
	}
	if c.Locale == "en" {
		return "This content is not supported for display"
	}
	return "暂不支持显示该内容"
}
