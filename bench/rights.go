package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/query"
)

// measureRights times single steps inside the process: a decision, and the page without HTTP.
func measureRights(ctx context.Context, t *table, p place) error {
	a, err := open(ctx, p, true)
	if err != nil {
		return err
	}
	defer func() { _ = a.Close() }()
	person, ok := a.People().PersonByName(ctx, readerName)
	if !ok {
		return fmt.Errorf("no user %s", readerName)
	}
	state := a.State()
	view := state.Policy.View(authn.Principal(ctx, a.People(), person, ""), a.Now(), a.Zone())
	m := state.Catalog.Model("inspection")
	for action, name := range map[string]string{"edit": "allowed", "delete": "denied"} {
		r := testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				view.Can(m, action)
			}
		})
		t.add("rights decision, "+name, fmt.Sprintf("%d ns", r.NsPerOp()), "-", 0, "< 1,000 ns")
	}
	page := func(size int) testing.BenchmarkResult {
		return testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, e := a.Reader().List(ctx, view, query.ListRequest{SchemaCode: "inspection", QueryCode: "inspection_bench", Size: &size}); e != nil {
					err = e
				}
			}
		})
	}
	small, large := page(20), page(120)
	if err != nil {
		return err
	}
	t.add("list without HTTP, 20 rows", fmt.Sprintf("%d us, %d allocs", small.NsPerOp()/1000, small.AllocsPerOp()), "-", 0, "")
	t.add("each further row (query, scan, names, JSON)", fmt.Sprintf("%.1f us, %.1f allocs", float64(large.NsPerOp()-small.NsPerOp())/100_000,
		float64(large.AllocsPerOp()-small.AllocsPerOp())/100), "-", 0, "")
	return nil
}
