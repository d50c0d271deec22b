// Package plugins is everything that the product is made of besides the engine: extensions and packs, one folder each.
// plugins_gen.go lists them; it is written from the names of the folders (go run ./cmd/plugingen, or make generate).
package plugins

import "github.com/sluice-platform/sluice/engine/pack"

// With registers offered packs with all offered packs that they require: for tests, and for programs that always have them.
func With(codes ...string) pack.Registrar {
	return func(s *pack.Set) error { return s.Take(Offered(), codes) }
}
