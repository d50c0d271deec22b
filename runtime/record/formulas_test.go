package record_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// calledOtherwise is works with other codes: of models, properties, a sub-table and its columns, all of which formulas name.
func calledOtherwise(docs map[string]string) {
	docs["models/project.json"] = `{"name": "项目", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "share", "renamedFrom": "rate", "propertyType": "Number", "name": "费率", "scale": 2, "defaultValue": "1"},
		{"code": "paid", "propertyType": "Number", "name": "已付", "scale": 4, "computeFormula": "sum(related('deal', 'work'), .total)"},
		{"code": "large", "propertyType": "Number", "name": "大额", "computeFormula": "count(filter(related('deal', 'work'), .total > 50))"}]}`
	delete(docs, "models/contract.json")
	docs["models/deal.json"] = `{"name": "合同", "renamedFrom": "contract", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "work", "renamedFrom": "project", "propertyType": "RelevanceForm", "name": "项目", "relativeCode": "project", "onDelete": "clear"},
		{"code": "factor", "propertyType": "Number", "name": "系数", "scale": 2, "defaultValue": "1"},
		{"code": "total", "renamedFrom": "paid", "propertyType": "Number", "name": "已付", "scale": 4, "computeFormula": "sum(related('payment', 'deal'), .most)"},
		{"code": "fee", "propertyType": "Number", "name": "管理费", "scale": 4, "computeFormula": "total * work.share"},
		{"code": "most", "propertyType": "Number", "name": "最大", "scale": 4, "computeFormula": "maximum(filter(related('payment', 'deal'), .net > 10), .most)"}]}`
	docs["models/payment.json"] = `{"name": "付款", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "deal", "renamedFrom": "contract", "propertyType": "RelevanceForm", "name": "合同", "relativeCode": "deal", "onDelete": "clear"},
		{"code": "net", "renamedFrom": "amount", "propertyType": "Number", "name": "金额", "scale": 2},
		{"code": "most", "renamedFrom": "net", "propertyType": "Number", "name": "净额", "scale": 4, "computeFormula": "(net ?? 0) * (deal.factor ?? 1) + (sum(parts, .worth) ?? 0)"},
		{"code": "about", "propertyType": "ShortText", "name": "说明", "computeFormula": "concat(deal.title, '/', deal.work.title)"},
		{"code": "parts", "renamedFrom": "lines", "propertyType": "Sheet", "name": "明细", "properties": [
			{"code": "many", "renamedFrom": "qty", "propertyType": "Number", "name": "数量", "scale": 2},
			{"code": "worth", "renamedFrom": "value", "propertyType": "Number", "name": "值", "scale": 4, "computeFormula": "row.many * record.deal.factor"}]}]}`
	docs["models/bundle.json"] = `{"name": "汇总", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "payments", "propertyType": "RelevanceFormEx", "name": "付款", "relativeCode": "payment", "onDelete": "clear"},
		{"code": "net", "propertyType": "Number", "name": "净额", "scale": 4, "computeFormula": "sum(payments, .most)"},
		{"code": "some", "propertyType": "Logic", "name": "有大额", "computeFormula": "any(payments, .net > 50)"}]}`
}

// Renames compute nothing again, whatever formulas name; another formula does.
func TestRenamesComputeNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.save(w.boss, "payment", "", 0, `{"title": "x", "amount": "7"}`)
		must(t, w.w.Recompute(t.Context(), w.system()))
		current := func() (out []string) {
			must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
				for _, m := range w.c.Models {
					done, err := record.IsComputed(tx, w.c, m)
					if err != nil {
						return err
					}
					if !done && len(m.Computed) > 0 {
						out = append(out, m.Code)
					}
				}
				return nil
			}))
			return out
		}
		same(t, current())
		change := func(edit func(docs map[string]string)) {
			docs := maps.Clone(documents)
			works(docs, nil)
			edit(docs)
			w.compile(docs)
			p, err := w.db.Plan(t.Context(), w.c.Storage, store.PlanOptions{})
			must(t, err)
			must(t, w.db.Apply(t.Context(), p, store.ApplyOptions{Yes: true, AllowDestructive: true}))
		}
		change(calledOtherwise)
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { // as runtime/codes does in the transaction of the rename
			return tx.System().Exec("UPDATE sl_meta SET key = 'formulas:deal' WHERE key = 'formulas:contract'").Error
		}))
		same(t, current())
		must(t, w.w.Recompute(t.Context(), w.system()))
		same(t, w.read("payment", plan.True, "most", "version"), "7 | 1")

		// Each formula that says something else is computed again: another property that has a name of before, a function, a constant, a place.
		for old, with := range map[string]string{
			"(net ?? 0) * (deal.factor": "(most2 ?? 0) * (deal.factor", "concat(deal.title, '/'": "concat(deal.title, '-'", "deal.work.title": "deal.title",
			"row.many * record": "row.many + record", "sum(parts, .worth)": "sum(parts, .many)",
		} {
			change(func(docs map[string]string) {
				calledOtherwise(docs)
				docs["models/payment.json"] = replaced(t, docs["models/payment.json"], old, with)
				docs["models/payment.json"] = strings.Replace(docs["models/payment.json"], `{"code": "title"`, `{"code": "most2", "propertyType": "Number", "name": "x"}, {"code": "title"`, 1)
			})
			same(t, current(), "payment")
		}

		// The same text means something else once another property has the name.
		was := func(docs map[string]string) {
			calledOtherwise(docs)
			for name, text := range docs {
				docs[name] = strings.NewReplacer(`"net", "renamedFrom": "amount"`, `"was", "renamedFrom": ["net", "amount"]`, ".net >", ".was >", "(net ??", "(was ??").Replace(text)
			}
		}
		change(was)
		same(t, current())
		change(func(docs map[string]string) {
			was(docs)
			for name, text := range docs {
				docs[name] = strings.NewReplacer(`{"code": "was", "renamedFrom": ["net", "amount"]`, `{"code": "net", "propertyType": "Number", "name": "x", "scale": 2}, {"code": "was"`, `"most", "renamedFrom": "net"`, `"most"`, ".was >", ".net >", "(was ??", "(net ??").Replace(text)
			}
		})
		same(t, current(), "bundle", "deal", "payment")
	}, func(docs map[string]string, s *pack.Set) { works(docs, s) })
}

// What versions before noted as computed is not computed again, and noted in the new form, also for values that are computed in part.
func TestFormulasOfVersionsBefore(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.save(w.boss, "payment", "", 0, `{"title": "x", "amount": "7"}`).ID
		second := w.save(w.boss, "payment", "", 0, `{"title": "y", "amount": "8"}`).ID
		must(t, w.w.Recompute(t.Context(), w.system()))
		m := w.c.Model("payment")
		noted := func(value string) string {
			out := record.Meta{}
			must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				if value != "" {
					wrong := `UPDATE d_payment SET about = 'wrong'`
					if err := tx.System().Exec(wrong).Error; err != nil {
						return err
					}
					return tx.System().Model(&record.Meta{}).Where("key = ?", "formulas:payment").Update("value", value).Error
				}
				return tx.System().Where("key = ?", "formulas:payment").Take(&out).Error
			}))
			return out.Value
		}
		of := noted("")
		noted(record.TextsOf(m))
		must(t, w.w.Recompute(t.Context(), w.system()))
		same(t, w.read("payment", plan.True, "about"), "wrong", "wrong")
		same(t, []string{noted("")}, of)

		last := min(first, second)
		noted(record.TextsOf(m) + " " + last)
		must(t, w.w.Recompute(t.Context(), w.system()))
		same(t, w.read("payment", id(last), "about"), "wrong")
		same(t, w.read("payment", id(max(first, second)), "about"), "/")
		same(t, []string{noted("")}, of)

		noted("of another formula")
		must(t, w.w.Recompute(t.Context(), w.system()))
		same(t, w.read("payment", id(last), "about"), "/")
	}, works)
}

// What is changed below the write path is computed for records that a workflow holds, too; other formulas are not, also when both come together and when
// a run stops half-way.
func TestFormulasOfHeldRecords(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ids := []string{}
		for _, title := range []string{"x", "y", "z"} {
			ids = append(ids, w.save(w.boss, "payment", "", 0, `{"title": "`+title+`", "amount": "7"}`).ID)
		}
		slices.Sort(ids)
		held := ids[2]
		w.w.HeldBy(func(*store.Tx, string, []string) (map[string]bool, error) { return map[string]bool{held: true}, nil })
		writes := func(column, value string) {
			must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				if err := tx.System().Exec(`UPDATE d_payment SET "workflowInstanceId" = id`).Error; err != nil {
					return err
				}
				if err := tx.System().Exec(`UPDATE d_payment SET `+column+` = ?`, value).Error; err != nil {
					return err
				}
				return record.OutOfDate(tx, w.c.Model("payment"))
			}))
		}
		about := func(want ...string) {
			t.Helper()
			var have []string
			for _, one := range ids {
				have = append(have, w.read("payment", id(one), "about")...)
			}
			same(t, have, want...)
		}
		must(t, w.w.Recompute(t.Context(), w.system()))
		writes("about", "wrong")
		must(t, w.w.Recompute(t.Context(), w.system()))
		about("/", "/", "/")

		docs := maps.Clone(documents)
		works(docs, nil)
		for i, with := range []string{"concat(contract.title, '-', contract.project.title)", "concat(contract.title, '+', contract.project.title)"} {
			docs["models/payment.json"] = replaced(t, docs["models/payment.json"], []string{"concat(contract.title, '/', contract.project.title)", "concat(contract.title, '-', contract.project.title)"}[i], with)
			w.compile(docs)
			if i == 0 {
				_, err := w.w.RecomputeSome(t.Context(), w.system(), w.c.Model("payment"), 1)
				must(t, err)
				about("-", "/", "/")
			}
			writes("title", "t")
			must(t, w.w.Recompute(t.Context(), w.system()))
			about([]string{"-", "+"}[i], []string{"-", "+"}[i], "/")
		}
	}, works)
}
