package query

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

func TestPropertiesOfOneNameSayWhoseTheyAre(t *testing.T) {
	t.Parallel()
	model := func(code string, fields ...*catalog.Field) *catalog.Model {
		m := &catalog.Model{Code: code, Fields: fields}
		m.Freeze()
		return m
	}
	label := func(zh, en string) plan.Label { return plan.Label{Zh: zh, I18n: map[string]string{"en": en}} }
	site := model("site", &catalog.Field{Code: "state", Label: label("状态", "ST")})
	rows := model("items", &catalog.Field{Code: "state", Label: label("状态", "ST")})
	lot := model("lot", &catalog.Field{Code: "state", Label: label("状态", "ST")},
		&catalog.Field{Code: "site", Label: label("工地", "Site"), Target: site},
		&catalog.Field{Code: "items", Label: label("明细", "Items"), Sheet: rows})
	plans := []*FieldPlan{}
	for _, code := range []string{"state", "site.state", "items.state", "day"} {
		zh, en := "状态", "ST"
		if code == "day" {
			zh, en = "日期", "Day"
		}
		plans = append(plans, &FieldPlan{PropertyCode: code, Name: zh, NameI18n: map[string]string{"en": en}})
	}
	tellApart(lot, plans)
	want := [][2]string{{"状态", "ST"}, {"工地 · 状态", "Site · ST"}, {"明细 · 状态", "Items · ST"}, {"日期", "Day"}}
	for i, p := range plans {
		if got := [2]string{p.Name, p.NameI18n["en"]}; got != want[i] {
			t.Errorf("%s: %q, want %q", p.PropertyCode, got, want[i])
		}
	}
}
