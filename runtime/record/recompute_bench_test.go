package record_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// BenchmarkCreateDuringRecompute creates payments by 16 writers while formulas of others are recomputed.
func BenchmarkCreateDuringRecompute(b *testing.B) {
	storetest.Databases(b, func(b *testing.B, o store.Options) {
		o.System = append(record.Tables(), blob.Tables()...)
		db, err := store.Open(b.Context(), o)
		must(b, err)
		defer func() { must(b, db.Close()) }()
		w := newWorld(b, db, works)
		m := w.c.Model("payment")
		contract := w.save(w.boss, "contract", "", 0, `{"title": "C", "factor": "1"}`).ID
		must(b, db.Write(b.Context(), func(_ context.Context, tx *store.Tx) error {
			for i := range 20_000 {
				row := map[string]any{catalog.ID: fmt.Sprintf("%08x-0000-7000-8000-000000000000", i), "title": "x", "amount": decimal.NewFromInt(int64(i)), catalog.Version: int64(1)}
				if err := tx.Insert(b.Context(), m, row); err != nil {
					return err
				}
			}
			return nil
		}))
		create := func() error {
			_, err := w.try(w.boss, "payment", "", 0, fmt.Sprintf(`{"title": "y", "contract": %q, "amount": "3"}`, contract))
			return err
		}
		storetest.Beside(b, create, func() (end func()) {
			ctx, stop := context.WithCancel(b.Context())
			over := make(chan struct{})
			go func() {
				defer close(over)
				for ctx.Err() == nil { // from the beginning each time it comes to the end
					err := db.Write(ctx, func(_ context.Context, tx *store.Tx) error { return record.OutOfDate(tx, m) })
					if err == nil {
						err = w.w.Recompute(ctx, w.system())
					}
					if err != nil && ctx.Err() == nil {
						b.Error(err)
					}
				}
			}()
			return func() { stop(); <-over }
		})
	})
}
