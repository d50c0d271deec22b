package record_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// A formula that changes is computed for the existing records, once, and what reads them follows; a stop in between does no harm.
func TestRecompute(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		must(t, w.w.Recompute(t.Context(), w.system()))
		p := w.save(w.boss, "project", "", 0, `{"title": "P"}`)
		c := w.save(w.boss, "contract", "", 0, fmt.Sprintf(`{"title": "C", "project": %q}`, p.ID))
		for i := range 450 {
			w.save(w.boss, "payment", "", 0, fmt.Sprintf(`{"title": "%d", "amount": "1"}`, i))
		}
		pay := w.save(w.boss, "payment", "", 0, fmt.Sprintf(`{"title": "x", "contract": %q, "amount": "7"}`, c.ID))
		same(t, w.read("project", id(p.ID), "paid"), "7")

		docs := map[string]string{}
		for name, text := range documents {
			docs[name] = text
		}
		works(docs, nil)
		docs["models/payment.json"] = replaced(t, docs["models/payment.json"], "(amount ?? 0) * (contract.factor ?? 1)", "(amount ?? 0) * 100")
		w.compile(docs)
		must(t, w.w.Recompute(t.Context(), w.system()))
		same(t, w.read("payment", id(pay.ID), "net", "version"), "700 | 2")
		same(t, w.read("contract", id(c.ID), "paid", "fee"), "700 | 700")
		same(t, w.read("project", id(p.ID), "paid"), "700")
		if sum := len(w.read("payment", &plan.Compare{Op: plan.EQ, A: w.c.Model("payment").Field("net").Column(), B: number("100")}, "id")); sum != 450 {
			t.Errorf("%d payments were computed anew, not 450", sum)
		}
		must(t, w.w.Recompute(t.Context(), w.system()))
		same(t, w.read("payment", id(pay.ID), "net", "version"), "700 | 2")

		docs["models/payment.json"] = replaced(t, docs["models/payment.json"], "(amount ?? 0) * 100", "(amount ?? 0) * 9000000000000000")
		w.compile(docs)
		must(t, w.w.Recompute(t.Context(), w.system()))
		same(t, w.read("payment", id(pay.ID), "net"), "<nil>")
		same(t, w.read("contract", id(c.ID), "paid"), "<nil>")
	}, works)
}

func replaced(t *testing.T, text, old, with string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("%q is not in the document", old)
	}
	return strings.Replace(text, old, with, 1)
}

func number(text string) plan.Expr {
	return &plan.Const{K: plan.Number, Value: decimal.RequireFromString(text)}
}
