package seed_test

import (
	"log/slog"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/seed"
)

// BenchmarkFill adds inspection lots of the example: `go test -bench Fill -benchtime 20000x ./runtime/seed`.
func BenchmarkFill(b *testing.B) {
	set := &pack.Set{}
	require.NoError(b, base.Register(set))
	set.Freeze()
	a, err := app.Open(b.Context(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"../../examples/ship-lock"}, Zone: time.UTC},
		Dir: b.TempDir(), Idle: true, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
	require.NoError(b, err)
	defer func() { require.NoError(b, a.Close()) }()
	c := a.State().Catalog
	require.NoError(b, a.CatchUp(b.Context()))
	begun := cpu(b)
	b.ResetTimer()
	require.NoError(b, seed.Fill(b.Context(), a.Store(), c, c.Model("inspection"), b.N, func(int) {}))
	b.StopTimer()
	b.ReportMetric(float64((cpu(b)-begun).Microseconds())/float64(b.N), "cpu-µs/op")
}

// cpu is what the process has used of all processors.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
