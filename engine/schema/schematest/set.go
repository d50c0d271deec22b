// Package schematest gives tests of the engine a pack.Set whose entries have options and nothing else, so that documents
// can be checked without the extensions of plugins.
package schematest

import (
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/property"
)

// Entry is a property type or action that has a name and options only. As a property type it cannot be compiled.
type Entry struct {
	Named  string
	Schema string
}

// Name implements registry.Entry.
func (e Entry) Name() string { return e.Named }

// Options implements registry.Entry.
func (e Entry) Options() []byte { return []byte(e.Schema) }

// Wire implements property.Type.
func (e Entry) Wire() int { return 0 }

// Compile implements property.Type.
func (e Entry) Compile(def.Property, property.Scope) (property.Property, diag.List) { return nil, nil }

// Types are small stand-ins for the types of plugins/core.
var Types = []Entry{
	{"ShortText", `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "additionalProperties": false, "properties": {
		"maxLength": {"type": "integer", "minimum": 1, "maximum": 2000}, "search": {"type": "boolean"}}}`},
	{"Number", `{"properties": {"scale": {"$ref": "#/$defs/digits"}, "unit": {"type": "string", "maxLength": 20}, "marks": {"type": "array", "maxItems": 2},
		"min": {"type": ["string", "number"]}, "displayFormat": {"enum": ["plain", "thousands"]}},
		"$defs": {"digits": {"type": "integer", "minimum": 0, "maximum": 8}}}`},
	{"Logic", ""},
	{"Radio", `{"properties": {"options": {"$ref": "../../schemas/model.schema.json#/$defs/options"}, "dictionary": {"$ref": "#/$defs/code"}},
		"oneOf": [{"required": ["options"]}, {"required": ["dictionary"]}]}`},
	{"RelevanceForm", `{"properties": {"relativeCode": {"$ref": "common.schema.json#/$defs/code"}, "onDelete": {"enum": ["refuse", "clear"]},
		"fill": {"type": "object", "propertyNames": {"$ref": "common.schema.json#/$defs/code"}, "additionalProperties": {"$ref": "common.schema.json#/$defs/code"}}}, "required": ["relativeCode"]}`},
	{"Sheet", `{"properties": {"properties": {"$ref": "#/$defs/properties"}}, "required": ["properties"]}`},
}

// Set returns a Set with Types and one action, "stamp", that takes a key "ink".
func Set() *pack.Set {
	set := &pack.Set{}
	for _, t := range Types {
		must(set.Properties.Add(t))
	}
	for _, code := range []string{"add", "edit", "delete", "import", "export", "batch_update", "change_owner", "copy", "form_track", "print", "qr_code"} {
		must(set.Words.Add(action.Word{Code: code, List: true, Grant: true}))
	}
	must(set.Actions.Add(Entry{"stamp", `{"properties": {"ink": {"enum": ["red", "blue"]}}}`}))
	return set
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
