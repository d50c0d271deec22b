// Package schemas holds the contracts that people and other programs read: the JSON Schema of each kind of document, the
// error catalogue and the OpenAPI description of the HTTP interface. It has no code besides their embedding.
//
// The schemas here are the base: property types and actions bring their own options, and engine/schema composes both.
package schemas

import "embed"

// FS holds *.schema.json (draft 2020-12), errors.json and api.yaml.
//
//go:embed *.json api.yaml
var FS embed.FS
