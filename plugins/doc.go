// Package plugins is everything that the product is made of besides the engine: extensions and packs, one folder each.
// plugins_gen.go lists the packs that are offered, base those that are in every program; both lists are written from the names of the
// folders (go run ./cmd/plugingen, or make generate).
package plugins

import (
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/plugins/base"
)

// Register adds every extension and pack that takes part in each program. A test that needs no offered pack takes base.Register or
// plugintest.Register, so that its result stays cached when an offered pack changes.
func Register(s *pack.Set) error { return base.Register(s) }

// With registers offered packs with all offered packs that they require: for tests, and for programs that always have them.
func With(codes ...string) pack.Registrar {
	return func(s *pack.Set) error { return s.Take(Offered(), codes) }
}
