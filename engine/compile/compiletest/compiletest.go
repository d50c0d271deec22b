// Package compiletest compiles documents that stand in tests.
package compiletest

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/schema"
)

// Pack compiles the documents of one pack, texts by file name; an error in them ends the test. The set must be frozen.
func Pack(t testing.TB, set *pack.Set, documents map[string]string, zone *time.Location) *catalog.Catalog {
	t.Helper()
	files := fstest.MapFS{}
	for name, text := range documents {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	schemas, err := schema.Compose(set)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := compile.Load(files, "demo", schemas)
	c, more := compile.Compile(set, []*def.Pack{p}, compile.Options{Zone: zone})
	for _, d := range append(problems, more...) {
		if d.Severity == "error" {
			t.Fatalf("%s: %s %s", d.Position, d.Code, d.En)
		}
	}
	return c
}

// Nobody is a directory without people.
type Nobody struct{}

// Person implements principal.Directory.
func (Nobody) Person(context.Context, string) (principal.Person, bool) {
	return principal.Person{}, false
}

// PersonByName implements principal.Directory.
func (Nobody) PersonByName(context.Context, string) (principal.Person, bool) {
	return principal.Person{}, false
}

// Below implements principal.Directory.
func (Nobody) Below(_ context.Context, departments []string) []string { return departments }

// Department implements principal.Directory.
func (Nobody) Department(context.Context, string) (principal.Department, bool) {
	return principal.Department{}, false
}
