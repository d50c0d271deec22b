// Package plugins is everything that the product is made of besides the engine: extensions and packs, one folder each.
// plugins_gen.go lists them; it is written from the names of the folders (go run ./cmd/plugingen, or make generate).
package plugins
