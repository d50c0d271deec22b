package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/seed"
	"github.com/sluice-platform/sluice/runtime/store"
)

// BenchmarkCreate creates inspection lots of the example through the write path, with 20,000 that are there, and tells the CPU of
// the whole process for each: `go test ./runtime/app -run - -bench Create -benchtime 5000x -cpuprofile create.prof`.
func BenchmarkCreate(b *testing.B) {
	set := &pack.Set{}
	require.NoError(b, base.Register(set))
	set.Freeze()
	a, err := app.Open(b.Context(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"../../examples/ship-lock"}, Zone: time.UTC},
		Dir: b.TempDir(), Idle: true, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
	require.NoError(b, err)
	defer func() { require.NoError(b, a.Close()) }()
	c := a.State().Catalog
	require.NoError(b, a.CatchUp(b.Context()))
	require.NoError(b, seed.Fill(b.Context(), a.Store(), c, c.Model("inspection"), 20_000, func(int) {}))
	refs := map[string]string{}
	id := &plan.Field{Column: catalog.ID, K: plan.ID}
	require.NoError(b, a.Store().Read(b.Context(), func(_ context.Context, tx *store.Tx) error {
		for model, where := range map[string]plan.Expr{"department": plan.True, "user": plan.True, "qbs": &plan.Compare{Op: plan.EQ,
			A: &plan.Field{Column: "level", K: plan.Text}, B: &plan.Const{K: plan.Text, Value: "ITEM"}}} {
			ids, err := tx.Ids(b.Context(), c, &plan.Query{Model: model, Where: where, Order: []plan.Order{{By: id}}, Limit: 1})
			if err != nil {
				return err
			}
			refs[model] = ids[0]
		}
		return nil
	}))
	who := principal.Principal{UserID: refs["user"], MainDepartment: refs["department"], Roles: []string{"projectManager"}, Locale: "zh"}
	var last atomic.Int64
	save := func() error {
		n := last.Add(1)
		no := fmt.Sprintf("A%c%c%c-2026-%03d", 'A'+n/1000/26/26, 'A'+n/1000/26%26, 'A'+n/1000%26, n%1000)
		view := a.State().Policy.View(who, time.Now(), time.UTC)
		text := func(s string) json.RawMessage { return json.RawMessage(`"` + s + `"`) }
		_, err := a.Writer().Save(b.Context(), view, record.Change{Model: "inspection", Set: map[string]json.RawMessage{
			"lotNo": text(no), "qbs": text(refs["qbs"]), "part": text("闸室底板 " + no), "unit": text(refs["department"]), "inspector": text(refs["user"]),
			"checkDate": text("2026-01-02"), "quantity": text("12.5"), "price": text("300.20"),
			"items": json.RawMessage(`[{"item":"平整度","points":"20","passed":"19","ok":true}]`)}})
		return err
	}
	for _, writers := range []int64{1, 16} {
		b.Run(fmt.Sprint("writers=", writers), func(b *testing.B) {
			before := cpu(b)
			left := atomic.Int64{}
			left.Store(int64(b.N))
			var all sync.WaitGroup
			b.ResetTimer()
			for range writers {
				all.Go(func() {
					for left.Add(-1) >= 0 {
						if err := save(); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
			b.ReportMetric(float64((cpu(b)-before).Microseconds())/float64(b.N), "cpu-µs/op")
		})
	}
}

// cpu is what the process has used of all processors.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
