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
)

// BenchmarkFold saves a payment of a contract that folds many, in ratio to one that folds ten: how dear a computed value over
// related records gets with their number.
func BenchmarkFold(b *testing.B) {
	db, err := store.Open(b.Context(), store.Options{Dir: b.TempDir(), System: append(record.Tables(), blob.Tables()...)})
	must(b, err)
	defer func() { must(b, db.Close()) }()
	w := newWorld(b, db, works)
	var few float64
	for _, n := range []int{10, 1_000, 20_000} {
		contract := w.save(w.boss, "contract", "", 0, `{"title": "C", "factor": "1"}`).ID
		m := w.c.Model("payment")
		must(b, db.Write(b.Context(), func(_ context.Context, tx *store.Tx) error {
			for i := range n {
				row := map[string]any{catalog.ID: fmt.Sprintf("%s-%d", contract, i), "contract": contract, "net": decimal.NewFromInt(int64(i)), "amount": decimal.NewFromInt(int64(i)), catalog.Version: int64(1)}
				if err := tx.Insert(b.Context(), m, row); err != nil {
					return err
				}
			}
			return nil
		}))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				w.save(w.boss, "payment", "", 0, fmt.Sprintf(`{"title": "x", "contract": "%s", "amount": "3"}`, contract))
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			if few == 0 {
				few = each
			}
			b.ReportMetric(each/few, "x/10")
		})
	}
}
