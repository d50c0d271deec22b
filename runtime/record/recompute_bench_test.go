package record_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// BenchmarkCreateDuringRecompute creates payments by 16 writers while formulas of others are computed anew, and without that in
// turn: kept is the rate that is left, which should be 0.8 at least.
func BenchmarkCreateDuringRecompute(b *testing.B) {
	db, err := store.Open(b.Context(), store.Options{Dir: b.TempDir(), System: append(record.Tables(), blob.Tables()...)})
	must(b, err)
	defer func() { must(b, db.Close()) }()
	w := newWorld(b, db, works)
	m := w.c.Model("payment")
	contract := w.save(w.boss, "contract", "", 0, `{"title": "C", "factor": "1"}`).ID
	must(b, db.Write(b.Context(), func(tx *store.Tx) error {
		for i := range 20_000 {
			row := map[string]any{catalog.ID: fmt.Sprintf("%08x-0000-7000-8000-000000000000", i), "title": "x", "amount": decimal.NewFromInt(int64(i)), catalog.Version: int64(1)}
			if err := tx.Insert(b.Context(), m, row); err != nil {
				return err
			}
		}
		return nil
	}))
	const writers, each = 16, 500 * time.Millisecond
	rate := func() float64 {
		var n atomic.Int64
		var all sync.WaitGroup
		begun := time.Now()
		for range writers {
			all.Go(func() {
				for time.Since(begun) < each {
					if _, err := w.try(w.boss, "payment", "", 0, fmt.Sprintf(`{"title": "y", "contract": %q, "amount": "3"}`, contract)); err != nil {
						b.Error(err)
						return
					}
					n.Add(1)
				}
			})
		}
		all.Wait()
		return float64(n.Load()) / time.Since(begun).Seconds()
	}
	busily := func() float64 {
		ctx, stop := context.WithCancel(b.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			for ctx.Err() == nil { // from the beginning each time it comes to the end
				err := db.Write(ctx, func(tx *store.Tx) error { return record.OutOfDate(tx, m) })
				if err == nil {
					err = w.w.Recompute(ctx, w.c, w.system())
				}
				if err != nil && ctx.Err() == nil {
					b.Error(err)
				}
			}
		}()
		defer func() { stop(); <-over }()
		return rate()
	}
	var alone, beside float64
	b.ResetTimer()
	for b.Loop() {
		alone += rate()
		beside += busily()
	}
	b.ReportMetric(alone/float64(b.N), "alone/s")
	b.ReportMetric(beside/float64(b.N), "beside/s")
	b.ReportMetric(beside/alone, "kept")
}
