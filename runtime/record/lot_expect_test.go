package record_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// dealDocuments are a model whose fields offer some customers only: by a value of the customer, by what it belongs to, and by another
// value.
var dealDocuments = map[string]string{"models/branch.json": `{"name": "分部", "properties": [
	{"code": "of", "propertyType": "RelevanceForm", "name": "客户", "relativeCode": "customer"}]}`,
	"models/deal.json": `{"name": "交易", "properties": [
	{"code": "most", "propertyType": "Number", "name": "上限"},
	{"code": "customer", "propertyType": "RelevanceForm", "name": "客户", "relativeCode": "customer", "condition": "limit < 10"},
	{"code": "several", "propertyType": "RelevanceFormEx", "name": "客户", "relativeCode": "customer", "condition": "limit < 10"},
	{"code": "other", "propertyType": "RelevanceForm", "name": "客户", "relativeCode": "customer", "condition": "limit <= form.most"},
	{"code": "branch", "propertyType": "RelevanceForm", "name": "分部", "relativeCode": "branch", "condition": "of.limit < 10"},
	{"code": "rows", "propertyType": "Sheet", "name": "明细", "properties": [
		{"code": "whose", "propertyType": "RelevanceForm", "name": "客户", "relativeCode": "customer"}]}]}`}

// expecting saves records of a lot that was told of all customers before, and gives what became of them.
func expecting(t *testing.T, w *world, ids, branches []string, f func(tx *store.Tx, save func(text string) string)) {
	t.Helper()
	m := w.c.Model("deal")
	must(t, w.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		return w.w.Lot(ctx, tx, w.clerk, record.LotOf{Model: "deal", Creates: 20, Each: true}, func(l *record.Lot) error {
			refs := map[*catalog.Field][]string{m.Field("rows").Sheet.Field("whose"): ids}
			for _, code := range []string{"customer", "several", "other"} {
				refs[m.Field(code)] = ids
			}
			refs[m.Field("branch")] = branches
			if err := l.Expect(refs); err != nil {
				return err
			}
			f(tx, func(text string) string {
				_, err := l.Save(change("deal", "", text, ""))
				return explain(err)
			})
			return nil
		})
	}))
}

// TestLotExpects: records that a lot was told of before are judged as those that are looked for one by one: what is not there, not to be
// seen or not offered is refused, and what the lot itself has changed counts as it is now.
func TestLotExpects(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		small := w.save(w.boss, "customer", "", 0, `{"title": "small", "limit": "5"}`)
		large := w.save(w.boss, "customer", "", 0, `{"title": "large", "limit": "50"}`)
		secret := w.save(w.boss, "customer", "", 0, `{"title": "secret", "limit": "5", "secret": "x"}`)
		ghost := "01900000-0000-7000-8000-000000000009"
		ids := []string{small.ID, large.ID, secret.ID, ghost}
		of := func(format string, of ...any) string { return fmt.Sprintf(format, of...) }
		branch := w.save(w.boss, "branch", "", 0, of(`{"of": %q}`, small.ID)).ID
		expecting(t, w, ids, []string{branch}, func(tx *store.Tx, save func(string) string) {
			for _, c := range []struct{ text, want string }{
				{of(`{"customer": %q, "rows": [{"whose": %q}]}`, small.ID, large.ID), "ok"},
				{of(`{"customer": %q}`, large.ID), "customer 302018; "},
				{of(`{"customer": %q}`, secret.ID), "customer 302009; "},
				{of(`{"customer": %q}`, ghost), "customer 302009; "},
				{of(`{"several": [%q, %q]}`, small.ID, large.ID), "several 302018; "},
				{of(`{"several": [%q]}`, small.ID), "ok"},
				{of(`{"other": %q, "most": 7}`, large.ID), "other 302018; "},
				{of(`{"other": %q, "most": 7}`, small.ID), "ok"},
				{of(`{"rows": [{"whose": %q}]}`, ghost), "rows.whose 302009; "},
				{of(`{"branch": %q}`, branch), "ok"},
			} {
				if got := save(c.text); got != c.want {
					t.Errorf("%s: %s, not %s", c.text, got, c.want)
				}
			}
			// As code of packs could, in the middle of the lot.
			for id, text := range map[string]string{small.ID: `{"limit": "60"}`, large.ID: `{"limit": "6"}`} {
				seen := int64(1)
				_, err := w.w.SaveIn(t.Context(), tx, w.boss, record.Change{Model: "customer", ID: id, Version: &seen, Set: set(text)})
				must(t, err)
			}
			same(t, []string{save(of(`{"customer": %q}`, small.ID)),
				save(of(`{"customer": %q}`, large.ID)), save(of(`{"several": [%q]}`, small.ID)), save(of(`{"branch": %q}`, branch))},
				"customer 302018; ", "ok", "several 302018; ", "branch 302018; ")
		})
	}, with(dealDocuments), with(map[string]string{"access/clerk.json": `{"name": "文员", "models": [
		{"schemaCode": "deal", "actions": ["view", "add"], "rows": "all"}, {"schemaCode": "branch", "actions": ["view"], "rows": "all"},
		{"schemaCode": "customer", "actions": ["view"], "rows": "secret == nil"}]}`}))
}

// TestTripsOfALot: a record of a lot that was told of its references before asks the database nothing by itself.
func TestTripsOfALot(t *testing.T) {
	t.Parallel()
	var count atomic.Int64
	through := storetest.Between(t, storetest.Postgres(t), func() storetest.Heard {
		return storetest.Heard{Asked: func(_ []byte, turn bool) {
			if turn {
				count.Add(1)
			}
		}, Answered: func([]byte) bool { return true }}
	})
	w := newWorld(t, storetest.Open(t, store.Options{URL: through, System: append(record.Tables(), blob.Tables()...)}), with(dealDocuments))
	var ids []string
	for i := range 12 {
		ids = append(ids, w.save(w.boss, "customer", "", 0, fmt.Sprintf(`{"title": "c%d", "limit": "5"}`, i)).ID)
	}
	trips := func(n int) int64 {
		best := int64(1000)
		for range 20 { // the first ones prepare statements, and some meet what the database is asked beside
			before := count.Load()
			must(t, w.db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				return w.w.Lot(ctx, tx, w.boss, record.LotOf{Model: "deal", Creates: n}, func(l *record.Lot) error {
					must(t, l.Expect(map[*catalog.Field][]string{w.c.Model("deal").Field("customer"): ids, w.c.Model("deal").Field("several"): ids}))
					for i := range n {
						_, err := l.Save(change("deal", "", fmt.Sprintf(`{"customer": %q, "several": [%q, %q]}`, ids[i], ids[i+1], ids[i+2]), ""))
						must(t, err)
					}
					return nil
				})
			}))
			best = min(best, count.Load()-before)
		}
		return best
	}
	require.Equal(t, trips(1), trips(10))
}
