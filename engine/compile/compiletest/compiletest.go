// Package compiletest compiles documents that stand in tests.
package compiletest

import (
	"context"
	"fmt"
	"strings"
	"sync"
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
	schemas, err := Schemas(set)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := compile.Load(files, "demo", compile.Kinds(set), schemas)
	c, more := compile.Compile(set, []*def.Pack{p}, compile.Options{Zone: zone})
	for _, d := range append(problems, more...) {
		if d.Severity == "error" {
			t.Fatalf("%s: %s %s", d.Position, d.Code, d.En)
		}
	}
	return c
}

// composed keeps the schemas of the sets of this process by the options of their extensions, which are all they depend on.
var composed sync.Map

// Schemas is compile.Schemas for tests, which make the same set again and again.
func Schemas(set *pack.Set) (*schema.Schemas, error) {
	var key strings.Builder
	for _, name := range set.Properties.Names() {
		e, _ := set.Properties.Get(name)
		fmt.Fprintf(&key, "property %s %s\n", name, e.Options())
	}
	for _, name := range set.Actions.Names() {
		e, _ := set.Actions.Get(name)
		fmt.Fprintf(&key, "action %s %s\n", name, e.Options())
	}
	for _, name := range set.Kinds.Names() {
		k, _ := set.Kinds.Get(name)
		fmt.Fprintf(&key, "kind %s %s\n", name, k.Schema)
	}
	if s, ok := composed.Load(key.String()); ok {
		return s.(*schema.Schemas), nil
	}
	s, err := compile.Schemas(set)
	if err == nil {
		composed.Store(key.String(), s)
	}
	return s, err
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

// Extensions is a set with the extensions of another, and without its hooks and what its code names: for documents of a test that take the place of those
// of a pack with code.
func Extensions(of *pack.Set) *pack.Set {
	return &pack.Set{Properties: of.Properties, Actions: of.Actions, Words: of.Words, Rules: of.Rules, Functions: of.Functions, Errors: of.Errors, Jobs: of.Jobs,
		Schedules: of.Schedules, Services: of.Services, Kinds: of.Kinds, Widgets: of.Widgets, Participants: of.Participants}
}
