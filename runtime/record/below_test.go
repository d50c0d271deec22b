package record_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestNameBelow: what is written below the write path is named as there, but for references, whose names are not known there.
func TestNameBelow(t *testing.T) {
	set := &pack.Set{}
	must(t, base.Register(set))
	set.Freeze()
	c := compiletest.Pack(t, set, map[string]string{
		"pack.json":        `{"code": "demo", "name": "演示", "version": "1.0.0"}`,
		"models/plan.json": `{"name": "计划", "properties": [{"code": "title", "propertyType": "ShortText", "name": "标题"}]}`,
		"models/lot.json": `{"name": "批", "digest": "{part} of {plan}", "properties": [
			{"code": "part", "propertyType": "ShortText", "name": "部位"},
			{"code": "plan", "propertyType": "RelevanceForm", "name": "计划", "relativeCode": "plan"}]}`}, nil)
	m := c.Model("lot")
	for _, x := range []struct {
		row        map[string]any
		name, says any
	}{
		{map[string]any{"part": "闸室", "plan": "01900000-0000-7000-8000-000000000001"}, "闸室 of", finder.Index("闸室 of")},
		{map[string]any{"plan": "01900000-0000-7000-8000-000000000001"}, "of", finder.Index("of")},
	} {
		record.Name(m, x.row)
		if x.row["name"] != x.name || x.row[record.NamePinyin] != x.says {
			t.Errorf("named %q, %q", x.row["name"], x.row[record.NamePinyin])
		}
	}
}

// TestComputeBelow: formulas that read nothing beside their record have the same values below the write path as on it, and others are told from them.
func TestComputeBelow(t *testing.T) {
	sum := func(code, formula string) string {
		return `{"code": "` + code + `", "propertyType": "Number", "name": "数", "scale": 2, "computeFormula": "` + formula + `"}`
	}
	model := func(formula string) string {
		return `{"name": "单", "properties": [
			{"code": "price", "propertyType": "Number", "name": "价", "scale": 2}, {"code": "to", "propertyType": "RelevanceForm", "name": "到", "relativeCode": "customer"}, ` +
			sum("a", "price * 2") + `, ` + sum("z", formula) + `, ` + sum("b", "(sum(lines, .c) ?? 0) + a") + `, ` + sum("d", "b * 1000000000000") + `,
			{"code": "lines", "propertyType": "Sheet", "name": "行", "properties": [
				{"code": "qty", "propertyType": "Number", "name": "数", "scale": 2}, ` + sum("c", "row.qty * record.a") + `]}]}`
	}
	w := newWorldOn(t, with(map[string]string{
		"models/plain.json": model("a + 1"), "models/related.json": model("to.limit"), "models/folded.json": model("sum(related('bond', 'to'), .price)"), "models/bond.json": `{"name": "x", "properties": [{"code": "price", "propertyType": "Number", "name": "x"}, {"code": "to", "propertyType": "RelevanceForm", "name": "x", "relativeCode": "folded"}]}`}))
	for code, want := range map[string]bool{"plain": true, "related": false, "folded": false} {
		if m := w.c.Model(code); m == nil || record.Local(m) != want {
			t.Errorf("%s is local: %t", code, !want)
		}
	}
	m := w.c.Model("plain")
	lines := m.Field("lines")
	for _, price := range []string{"3", "0.05"} {
		above := w.save(w.boss, "plain", "", 0, `{"price": "`+price+`", "lines": [{"qty": "2"}, {"qty": null}, {"qty": "1.5"}]}`).ID
		row := map[string]any{"price": decimal.RequireFromString(price).Round(2)}
		rows := []map[string]any{{"qty": decimal.RequireFromString("2")}, {}, {"qty": decimal.RequireFromString("1.5")}}
		record.Compute(m, row, map[string][]map[string]any{lines.Code: rows})
		var got []string
		for _, r := range append([]map[string]any{row}, rows...) {
			got = append(got, fmt.Sprint(r["a"], " | ", r["z"], " | ", r["b"], " | ", r["d"], " | ", r["c"]))
		}
		want := w.read("plain", id(above), "a", "z", "b", "d")
		want[0] += " | <nil>"
		for _, c := range w.read("plain.lines", of(above), "c") {
			want = append(want, "<nil> | <nil> | <nil> | <nil> | "+c)
		}
		same(t, got, want...)
	}
	if _, err := w.try(w.boss, "plain", "", 0, `{"price": "40000000"}`); explain(err) != "d 302019; " {
		t.Errorf("what does not fit is refused once: %s", explain(err))
	}
	row := map[string]any{"price": decimal.RequireFromString("40000000")}
	record.Compute(m, row, nil)
	same(t, []string{fmt.Sprint(row["b"], row["d"])}, "80000000 <nil>") // what does not fit stays empty
}

// TestRefusalsBelow: what was stored below the write path is told what a form would refuse of it, rows included.
func TestRefusalsBelow(t *testing.T) {
	w := newWorldOn(t, with(map[string]string{"models/order.json": strings.Replace(documents["models/order.json"], `"properties": [`, `"properties": [{"code": "said", "propertyType": "ApprovalOpinion", "name": "意见"}, `, 1)}))
	o := w.save(w.boss, "order", "", 0, `{"title": "t", "price": "1", "lines": [{"item": "a"}]}`).ID
	refused := func() string {
		out, err := w.w.Refusals(t.Context(), w.system(), w.c.Model("order"), o)
		must(t, err)
		said := ""
		for _, e := range out {
			said += fmt.Sprintf("%s %d; ", e.PropertyCode, e.Code)
		}
		return said
	}
	same(t, []string{refused()}, "")
	must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
		_, err := tx.Update(t.Context(), w.c.Model("order"), o, -1, plan.True, map[string]any{"title": nil, "state": "CLOSED", "number": "wrong"})
		if err != nil {
			return err
		}
		_, err = tx.Update(t.Context(), w.c.Model("order").Field("lines").Sheet, w.read("order.lines", plan.True, "id")[0], -1, plan.True, map[string]any{"item": nil})
		return err
	}))
	same(t, []string{refused()}, "title 302004; reason 302004; lines.item 302004; number 302010; ")
	if _, err := w.w.Refusals(t.Context(), w.system(), w.c.Model("order"), another); fault.Of(err) != fault.RecordNotFound {
		t.Error(err)
	}
}
