package record_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/runtime/record"
)

// farRules are rules of a form and of a model that read related records.
func farRules(docs map[string]string, set *pack.Set) {
	previewRoles(docs, set)
	docs["models/payment.json"] = `{"name": "付款", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "contract", "propertyType": "RelevanceForm", "name": "合同", "relativeCode": "contract", "onDelete": "clear"},
		{"code": "amount", "propertyType": "Number", "name": "金额", "scale": 2},
		{"code": "why", "propertyType": "ShortText", "name": "原因", "requiredFormula": "contract.factor > 2"},
		{"code": "note", "propertyType": "ShortText", "name": "备注"}],
		"dataRules": [{"propertyCode": "amount", "checkType": "formula", "formula": "empty(amount) or empty(contract.factor) or amount <= contract.factor * 100", "message": "超过合同"}]}`
	docs["models/bundle.json"] = `{"name": "汇总", "properties": [{"code": "title", "propertyType": "ShortText", "name": "名称"}]}`
	docs["models/contract.json"] = `{"name": "合同", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "project", "propertyType": "RelevanceForm", "name": "项目", "relativeCode": "project", "onDelete": "clear"},
		{"code": "factor", "propertyType": "Number", "name": "系数", "scale": 2, "defaultValue": "1"}]}`
	docs["models/project.json"] = `{"name": "项目", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "rate", "propertyType": "Number", "name": "费率", "scale": 2, "defaultValue": "1"}]}`
	docs["forms/payment.json"] = `{"schemaCode": "payment", "items": ["title", "contract", "amount", "why",
		{"type": "Section", "name": "更多", "displayFormula": "contract.project.rate > 1", "items": [
			{"propertyCode": "note", "requiredFormula": "contract.title == 'C'"}]}]}`
}

// Rules that read related records hold on every write, and a form is told what they ask for as far as its reader may know it.
func TestRulesOfRelatedRecords(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.save(w.boss, "project", "", 0, `{"title": "P", "rate": "2"}`)
		c := w.save(w.boss, "contract", "", 0, fmt.Sprintf(`{"title": "C", "project": %q, "factor": "3"}`, p.ID))
		plain := w.save(w.boss, "contract", "", 0, `{"title": "D", "factor": "1"}`)
		secret := w.save(w.boss, "contract", "", 0, `{"title": "secret", "factor": "5"}`)
		write := func(text string) string {
			_, err := w.w.Save(t.Context(), w.boss, record.Change{Model: "payment", Form: "payment", Set: set(text)})
			said := explain(err)
			if field, _, one := strings.Cut(said, " "); one && strings.Count(said, ";") == 1 {
				return field
			}
			return said
		}
		for _, try := range []struct{ text, want string }{
			{fmt.Sprintf(`{"title": "x", "contract": %q, "amount": "100"}`, plain.ID), "ok"},
			{fmt.Sprintf(`{"title": "x", "contract": %q, "amount": "101"}`, plain.ID), "amount"},
			{fmt.Sprintf(`{"title": "x", "contract": %q, "amount": "300", "why": "w", "note": "n"}`, c.ID), "ok"},
			{fmt.Sprintf(`{"title": "x", "contract": %q, "note": "n"}`, c.ID), "why"},
			{fmt.Sprintf(`{"title": "x", "contract": %q, "why": "w"}`, c.ID), "note"},
			{`{"title": "x"}`, "ok"},
		} {
			if got := write(try.text); got != try.want {
				t.Errorf("%s: %s, not %s", try.text, got, try.want)
			}
		}
		payer := w.rights(w.clerkID, "payer")
		for _, try := range []struct {
			name, contract, want string
			boss                 bool
		}{
			{"all of them", c.ID, `map[contract.factor:"3" contract.project.rate:"2" contract.title:"C"]`, true},
			{"without a record they are empty", "", `map[contract.factor:null contract.project.rate:null contract.title:null]`, true},
			{"not a hidden field, nor what lies behind a hidden record", c.ID, `map[contract.factor:null contract.project.rate:null contract.title:"C"]`, false},
			{"nothing of a record that is not seen", secret.ID, `map[contract.factor:null contract.project.rate:null contract.title:null]`, false},
		} {
			view := payer
			if try.boss {
				view = w.boss
			}
			text := `{"title": "x"}`
			if try.contract != "" {
				text = fmt.Sprintf(`{"title": "x", "contract": %q}`, try.contract)
			}
			got, err := w.w.Preview(t.Context(), view, record.Change{Model: "payment", Form: "payment", Set: set(text)})
			must(t, err)
			said := map[string]string{}
			for key, value := range got.Operands {
				said[key] = string(value)
			}
			if fmt.Sprint(said) != try.want {
				t.Errorf("%s: %v, not %s", try.name, said, try.want)
			}
		}
	}, farRules)
}
