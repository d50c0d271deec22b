package record_test

import (
	"context"
	"testing"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestIndexNames: a database whose names were indexed by one reading gets all of them, once; records stay as they are otherwise, and what is
// deleted is found in the recycle bin by them too.
func TestIndexNames(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.w.KeepDeleted(1 << 40)
		bank := w.save(w.boss, "customer", "", 0, `{"title": "三峡银行"}`).ID
		gone := w.save(w.boss, "customer", "", 0, `{"title": "长江"}`).ID
		w.delete(w.boss, "customer", gone)
		m := w.c.Model("customer")
		old := func() {
			must(t, w.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				if _, err := tx.Update(ctx, m, bank, -1, plan.True, map[string]any{record.NamePinyin: "sanxiayinxing sxyx", "version": int64(1)}); err != nil {
					return err
				}
				return tx.System().Model(&record.Recycled{}).Where("record = ?", gone).Update("search", "长江 zhangjiang zj").Error
			}))
		}
		old()
		must(t, w.w.IndexNames(t.Context(), w.system()))
		same(t, w.read("customer", id(bank), record.NamePinyin, "version"), finder.Index("三峡银行")+" | 1")
		must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			found, n, err := record.RecycleBin(tx, "customer", "changjiang", 0, 10)
			if err == nil && (n != 1 || found[0].Record != gone) {
				t.Errorf("the recycle bin finds %d by changjiang", n)
			}
			return err
		}))
		old()
		must(t, w.w.IndexNames(t.Context(), w.system()))
		same(t, w.read("customer", id(bank), record.NamePinyin), "sanxiayinxing sxyx") // it is done once
	})
}
