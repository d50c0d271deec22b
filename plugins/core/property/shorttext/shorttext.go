// Package shorttext is the property type ShortText: one line of text.
package shorttext

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
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
func (Type) Name() string { return "ShortText" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 0 }

// Options is the schema of the type's own options.
func (Type) Options() []byte { return options }

// Compile makes a field.
func (Type) Compile(d def.Property, _ property.Scope) (property.Property, diag.List) {
	f, out := words.Compile(d, words.Rule{MaxLength: 200, Limit: 2000, Bulk: 200})
	return shortText{Field: f}, out
}

type shortText struct {
	words.Field
	labels *map[string]plan.Label // by stored text; a pointer keeps properties comparable
}

var _ interface {
	property.Property
	property.Filterer
	property.Sorter
	property.Aggregator
	property.Limiter
	property.BulkEditor
	property.Translator
} = shortText{}

func (t shortText) Text(v any, c property.TextContext) string {
	s, _ := t.Translate(v, c.Locale).(string)
	return s
}

// Translate implements property.Translator.
func (t shortText) Translate(v any, locale string) any {
	if t.labels == nil {
		return v
	}
	if s, ok := v.(string); ok {
		if label, ok := (*t.labels)[s]; ok {
			return label.In(locale)
		}
	}
	return v
}

// Stored implements property.Translator.
func (t shortText) Stored(word string) (out []string) {
	if t.labels == nil {
		return nil
	}
	for stored, label := range *t.labels {
		for _, shown := range label.I18n {
			if strings.Contains(expression.Fold(shown), expression.Fold(word)) {
				out = append(out, stored)
				break
			}
		}
	}
	slices.Sort(out)
	return out
}

// Parse reads a text. A label as it was shown, in an exported file or in a form, is stored as the text that it translates.
func (t shortText) Parse(in any) (any, error) {
	v, err := t.Field.Parse(in)
	s, ok := v.(string)
	if t.labels == nil || !ok || err != nil {
		return v, err
	}
	if _, stored := (*t.labels)[s]; stored {
		return s, nil
	}
	for stored, label := range *t.labels {
		for _, shown := range label.I18n {
			if shown == s {
				return stored, nil
			}
		}
	}
	return s, nil
}

// Translated implements property.Translator. Texts without a label, such as those that people wrote, stay as they are.
func (t shortText) Translated(labels map[string]plan.Label) property.Property {
	t.labels = &labels
	return t
}

func (t shortText) SortBy(column func(string) plan.Expr, _ func(string, string) plan.Expr) []plan.Expr {
	return []plan.Expr{t.In(column)}
}
