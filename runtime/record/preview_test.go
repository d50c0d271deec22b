package record_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
)

// previewRoles may see less than the boss: contracts and payments, projects not at all, of contracts not the factor.
func previewRoles(docs map[string]string, set *pack.Set) {
	works(docs, set)
	docs["access/payer.json"] = `{"name": "付款人", "models": [
		{"schemaCode": "payment", "actions": ["view", "add", "edit"], "rows": "all"},
		{"schemaCode": "contract", "actions": ["view"], "rows": "title != 'secret'", "fields": {"factor": "-"}}]}`
	docs["access/looker.json"] = `{"name": "查阅人", "models": [
		{"schemaCode": "payment", "actions": ["view", "add", "edit"], "rows": "all", "fields": {"amount": "r"}},
		{"schemaCode": "contract", "actions": ["view"], "rows": "all"}]}`
}

func (w *world) preview(view *authz.View, model, id, text string) string {
	w.t.Helper()
	p, err := w.w.Preview(w.t.Context(), view, record.Change{Model: model, ID: id, Set: set(text)})
	if err != nil {
		return explain(err)
	}
	out := ""
	for _, code := range []string{"net", "about", "paid", "fee"} {
		if v, ok := p.Values[code]; ok {
			out += fmt.Sprintf("%s=%s ", code, v)
		}
	}
	for _, r := range p.Rows["lines"] {
		out += fmt.Sprintf("line=%s ", r["value"])
	}
	return strings.TrimSpace(out)
}

// A form that is being filled in shows what a save would compute, and no more than its reader may know; nothing is written.
func TestPreview(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.save(w.boss, "project", "", 0, `{"title": "P", "rate": "2"}`)
		c := w.save(w.boss, "contract", "", 0, fmt.Sprintf(`{"title": "C", "project": %q, "factor": "3"}`, p.ID))
		secret := w.save(w.boss, "contract", "", 0, `{"title": "secret", "factor": "5"}`)
		pay := w.save(w.boss, "payment", "", 0, fmt.Sprintf(`{"title": "x", "contract": %q, "amount": "7", "lines": [{"qty": "2"}]}`, c.ID))
		payer, looker := w.rights(w.clerkID, "payer"), w.rights(w.clerkID, "looker")
		for _, try := range []struct {
			view            *authz.View
			model, id, text string
			want            string
		}{
			{w.boss, "payment", pay.ID, `{}`, `net="27" about="C/P" line="6"`},
			{w.boss, "payment", pay.ID, `{"amount": "8"}`, `net="30" about="C/P" line="6"`},
			{w.boss, "payment", pay.ID, `{"contract": null}`, `net="7" about="/" line=null`},
			{w.boss, "payment", "", fmt.Sprintf(`{"contract": %q, "amount": "1", "lines": [{"qty": "1"}, {"qty": "x"}]}`, c.ID), `net="6" about="C/P" line="3" line=null`},
			{w.boss, "payment", "", fmt.Sprintf(`{"contract": %q, "lines": [{"qty": "1"}, {}], "amount": "wrong", "nope": 1}`, c.ID), `net="3" about="C/P" line="3" line=null`},
			{payer, "payment", pay.ID, fmt.Sprintf(`{"contract": %q}`, secret.ID), `net="27" about="C/P" line="6"`},
			{payer, "payment", "", fmt.Sprintf(`{"contract": %q, "amount": "1"}`, secret.ID), `net="1" about="/"`},
			{looker, "payment", pay.ID, `{"amount": "8"}`, `net="27" about="C/P" line="6"`}, // what may not be set is not supposed
			{looker, "payment", "", `{"amount": "8"}`, `net="0" about="/"`},
			{payer, "contract", c.ID, `{"title": "D"}`, "700001"},
			{payer, "contract", "", `{}`, "700020"},
			{payer, "project", p.ID, `{}`, "300001"},
			{w.boss, "contract", c.ID, `{}`, `paid="27" fee="54"`},
		} {
			if got := w.preview(try.view, try.model, try.id, try.text); got != try.want {
				t.Errorf("%s %s: got %s, want %s", try.model, try.text, got, try.want)
			}
		}
		same(t, w.read("payment", plan.True, "net", "version"), "27 | 1")
	}, previewRoles)
}

// Why this value: the formula, its operands with their values, and a word for those that the reader may not know.
func TestExplainValue(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.save(w.boss, "project", "", 0, `{"title": "P", "rate": "2"}`)
		c := w.save(w.boss, "contract", "", 0, fmt.Sprintf(`{"title": "C", "project": %q, "factor": "3"}`, p.ID))
		pay := w.save(w.boss, "payment", "", 0, fmt.Sprintf(`{"title": "x", "contract": %q, "amount": "7", "lines": [{"qty": "2"}]}`, c.ID))
		bare := w.save(w.boss, "payment", "", 0, `{"title": "bare"}`)
		payer := w.rights(w.clerkID, "payer")
		for _, try := range []struct {
			view            *authz.View
			model, id, code string
			want            string
		}{
			{w.boss, "payment", pay.ID, "net", "27.0000: amount 7.00, contract.factor 3.00, sum(lines, value) 6 of 1"},
			{payer, "payment", pay.ID, "net", "27.0000: amount 7.00, hidden, sum(lines, value) 6 of 1"},
			{payer, "payment", pay.ID, "about", "C/P: contract.title C, hidden"},
			{w.boss, "payment", pay.ID, "lines.value", "6.0000: qty 2.00, record.contract.factor 3.00"},
			{w.boss, "contract", c.ID, "most", `none: maximum(filter(related("payment", "contract"), amount > 10), net) none of 1`},
			{w.boss, "contract", c.ID, "paid", `27.0000: sum(related("payment", "contract"), net) 27 of 1`},
			{w.rights(w.clerkID, "blind"), "payment", pay.ID, "net", "27.0000: amount 7.00, contract.factor 3.00, hidden"},
			{w.rights(w.clerkID, "blind"), "payment", pay.ID, "lines.value", "100003"},
			{w.boss, "payment", bare.ID, "net", "0.0000: amount none, contract.factor none, sum(lines, value) none of 0"},
			{payer, "payment", pay.ID, "amount", "100003"},
			{w.boss, "payment", pay.ID, "nothing", "100003"},
			{w.boss, "payment", pay.ID, "nothing.value", "100003"},
			{w.boss, "payment", pay.ID, "amount.value", "100003"},
			{w.boss, "payment", pay.ID, "lines.nothing", "100003"},
			{w.boss, "payment", pay.ID, "lines.qty", "100003"},
			{w.boss, "payment", bare.ID, "lines.value", "100003"}, // it has no rows
			{payer, "project", p.ID, "paid", "300001"},
		} {
			x, err := w.w.Explain(t.Context(), try.view, record.Change{Model: try.model, ID: try.id}, try.code, 0)
			got := explain(err)
			if err == nil {
				got = word(x.Text) + ": "
				for i, o := range x.Operands {
					if i > 0 {
						got += ", "
					}
					if o.Hidden {
						if got += "hidden"; x.Formula != "" || o.Text != nil || o.Rows != nil {
							t.Errorf("the formula %q or %s tells what is hidden", x.Formula, word(o.Text))
						}
						continue
					}
					if o.Expression == "contract.factor" && (o.Name != "合同 › 系数" || o.NameI18n["en"] != "合同 › 系数") {
						t.Errorf("contract.factor is called %q, %q", o.Name, o.NameI18n)
					}
					got += o.Expression + " " + word(o.Text)
					if o.Rows != nil {
						got += fmt.Sprintf(" of %d", *o.Rows)
					}
				}
			}
			if got != try.want {
				t.Errorf("%s.%s: got %s, want %s", try.model, try.code, got, try.want)
			}
		}
	}, previewRoles, with(map[string]string{"access/blind.json": `{"name": "不见值", "models": [
		{"schemaCode": "payment", "actions": ["view", "add", "edit"], "rows": "all", "fields": {"lines.value": "-", "lines.qty": "r", "net": "r"}},
		{"schemaCode": "contract", "actions": ["view"], "rows": "all"}]}`}))
}

func word(text *string) string {
	if text == nil {
		return "none"
	}
	return *text
}
