package compile_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/largetenant"
)

func large(t testing.TB) (*pack.Set, []*def.Pack) {
	t.Helper()
	set := product(t)
	s, err := composed()
	if err != nil {
		t.Fatal(err)
	}
	base, problems := load(t, nil)
	p, more := compile.Load(largetenant.FS(largetenant.Real), "large", compile.Kinds(set), s)
	if problems = append(problems, more...); len(problems) > 0 {
		t.Fatal(problems[0])
	}
	return set, append(base, p)
}

func TestLargeTenantCompiles(t *testing.T) {
	set, packs := large(t)
	c, problems := compile.Compile(set, packs, compile.Options{})
	if len(problems) > 0 {
		t.Fatalf("%d problems, the first %v", len(problems), problems[0])
	}
	models, properties, relations := 0, 0, 0
	for _, m := range c.Models {
		if m.Pack != "large" {
			continue
		}
		models++
		for _, f := range m.Fields {
			if f.System {
				continue
			}
			properties++
			if f.Target != nil && f.Target.Pack == "large" {
				relations++
			}
		}
	}
	if got := (largetenant.Size{Models: models, Properties: properties, Relations: relations}); got != largetenant.Real {
		t.Errorf("compiled %+v, want %+v", got, largetenant.Real)
	}
	for _, table := range c.Storage.Tables {
		if len(table.Indexes) > 8 {
			t.Errorf("%s has %d indexes", table.Name, len(table.Indexes))
		}
	}
}

func BenchmarkCompileLargeTenant(b *testing.B) {
	set, packs := large(b)
	for b.Loop() {
		compile.Compile(set, packs, compile.Options{})
	}
}
