package record_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/record"
)

// TestManyInOneTransaction: what many writes of a transaction ask of the database once for all leaves nothing out: numbers without holes, also
// after a transaction that was given up, and a history that is whole and that the transaction itself can read.
func TestManyInOneTransaction(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var ids []string
		together := func(n int, then func(b *record.Batch) error) error {
			ids = nil
			return w.w.Together(t.Context(), w.boss, func(b *record.Batch) error {
				for i := range n {
					out, err := b.Save(record.Change{Model: "order", Set: set(fmt.Sprintf(`{"title": "t%d", "price": "1"}`, i))})
					if err != nil {
						return err
					}
					ids = append(ids, out.ID)
				}
				return then(b)
			})
		}
		edit := func(b *record.Batch, id string, version int64, text string) error {
			_, err := b.Save(record.Change{Model: "order", ID: id, Version: &version, Set: set(text)})
			return err
		}
		must(t, together(9, func(b *record.Batch) error { return edit(b, ids[0], 1, `{"title": "first"}`) }))
		for i, id := range ids {
			if got, want := len(w.history("order", id)), map[bool]int{true: 2, false: 1}[i == 0]; got != want {
				t.Errorf("the order %d has %d entries in its history, not %d", i, got, want)
			}
		}
		err := together(5, func(b *record.Batch) error {
			if err := edit(b, ids[0], 1, `{"title": "again"}`); err != nil {
				return err
			}
			return edit(b, ids[0], 1, `{"price": "2"}`)
		})
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.VersionStale {
			t.Fatalf("want a stale version, got %v", err)
		}
		same(t, f.Data.(fault.Stale).Changed, "title")
		must(t, together(2, func(*record.Batch) error { return nil }))
		w.save(w.boss, "order", "", 0, `{"title": "last", "price": "1"}`)
		var want []string
		for i := range 12 {
			want = append(want, fmt.Sprintf("D-202611%03d", i+1))
		}
		same(t, w.read("order", plan.True, "sequenceNo"), want...)
	})
}
