package approvalopinion_test

import (
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/approvalopinion"
	"github.com/stretchr/testify/require"
)

func TestApprovalOpinion(t *testing.T) {
	propertytest.Run(t, approvalopinion.Type{}, propertytest.Cases{
		Refused:   []propertytest.Refusal{{In: `[{"opinion": "同意"}]`, Code: fault.FieldType}},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains},
	})
}

func compile(t *testing.T) property.Property {
	p, problems := approvalopinion.Type{}.Compile(propertytest.Define(approvalopinion.Type{}, ""), propertytest.Scope{})
	require.Empty(t, problems)
	return p
}

func TestReading(t *testing.T) {
	id := propertytest.ID(1)
	said := []property.Opinion{
		{Node: plan.Label{Zh: "监理", I18n: map[string]string{"en": "Supervisor", "de": "Aufsicht"}}, User: id, Result: "agree", Text: "可以\n按期完成", Time: time.Date(2026, 3, 1, 1, 2, 3, 4_567_890, time.UTC)},
		{Node: plan.Label{Zh: "业主"}, User: propertytest.ID(2), Name: "李四", Result: "reject", Time: time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC)},
		{Node: plan.Label{Zh: "业主"}, Result: "agree", Rule: "autoWhen", Time: time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)},
	}
	names := propertytest.Names{{Model: "user", ID: id}: {Name: "张三"}}
	p := compile(t)
	require.False(t, p.(property.Nester).Nested().Writable)

	var rows [][]any
	for _, o := range said {
		rows = append(rows, p.(property.OpinionKeeper).Keep(o))
		require.Len(t, rows[len(rows)-1], len(p.(property.Nester).Nested().Columns))
	}
	require.Nil(t, rows[1][3], "no words are no value: IsNull finds them")
	v := p.(property.Gatherer).Gather(rows, time.Time{})
	said[0].Time = time.Date(2026, 3, 1, 1, 2, 3, 4_000_000, time.UTC)
	require.Equal(t, said, v)
	require.Equal(t, said[:2], p.(property.Gatherer).Gather(rows, said[1].Time), "as it was then")
	require.Nil(t, p.(property.Gatherer).Gather(nil, time.Time{}))

	require.JSONEq(t, `[{"nodeName": "监理", "nodeName_i18n": {"de": "Aufsicht", "en": "Supervisor"}, "user": "张三", "result": "agree", "rule": "", "opinion": "可以\n按期完成", "time": "2026-03-01T01:02:03.004Z"},
		{"nodeName": "业主", "nodeName_i18n": {}, "user": "李四", "result": "reject", "rule": "", "opinion": "", "time": "2026-03-01T02:00:00.000Z"},
		{"nodeName": "业主", "nodeName_i18n": {}, "user": "", "result": "agree", "rule": "autoWhen", "opinion": "", "time": "2026-03-01T03:00:00.000Z"}]`, string(p.AppendJSON(nil, v, names)))
	require.Equal(t, "null", string(p.AppendJSON(nil, nil, names)))
	require.Equal(t, "监理 张三 同意 可以 按期完成 2026-03-01 09:02\n业主 李四 退回 2026-03-01 10:00\n业主 同意（自动） 2026-03-01 11:00", p.Text(v, property.TextContext{Names: names, Locale: "zh"}))
	require.Equal(t, "Supervisor 张三 Agreed 可以 按期完成 2026-03-01 01:02\n业主 李四 Sent back 2026-03-01 02:00\n业主 Agreed (automatic) 2026-03-01 03:00",
		p.Text(v, property.TextContext{Names: names, Locale: "en", Zone: time.UTC}))
	require.Len(t, p.(property.Referrer).Refs(v), 2)
}

func TestFilter(t *testing.T) {
	rows := func(texts ...any) expression.Scope {
		v := expression.Values{Sheets: map[string][]map[string]any{}}
		for _, s := range texts {
			v.Sheets["f"] = append(v.Sheets["f"], map[string]any{"opinion": s})
		}
		return v
	}
	for _, c := range []struct {
		op      plan.Op
		operand any
		row     expression.Scope
		want    bool
	}{
		{plan.Contains, "同意", rows("不行", "原则同意"), true},
		{plan.Contains, "同意", rows("不行", nil), false},
		{plan.Equal, "同意", rows("同意", nil, "同意"), true},
		{plan.Equal, "同意", rows("同意", "不行"), false},
		{plan.Equal, "同意", rows(), false},
		{plan.OpIsNull, nil, rows(), true},
		{plan.OpIsNull, nil, rows(nil), false},
	} {
		e, err := compile(t).(property.Filterer).Filter(c.op, c.operand, nil, property.FilterContext{})
		require.NoError(t, err)
		got, err := expression.Holds(e, c.row)
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%+v", c)
	}
}
