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
	v := []approvalopinion.Opinion{
		{NodeName: "监理", User: id, Result: "同意", Text: "可以", Time: time.Date(2026, 3, 1, 1, 2, 3, 0, time.UTC)},
		{NodeName: "业主", User: propertytest.ID(2), Result: "退回", Time: time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC)},
	}
	names := propertytest.Names{{Model: "user", ID: id}: {Name: "张三"}}
	p := compile(t)
	require.JSONEq(t, `[{"nodeName": "监理", "user": "张三", "result": "同意", "opinion": "可以", "time": "2026-03-01T01:02:03.000Z"},
		{"nodeName": "业主", "user": "", "result": "退回", "opinion": "", "time": "2026-03-01T02:00:00.000Z"}]`, string(p.AppendJSON(nil, v, names)))
	require.Equal(t, "监理 张三 同意 可以 2026-03-01 09:02\n业主 退回 2026-03-01 10:00", p.Text(v, property.TextContext{Names: names}))
	require.Len(t, p.(property.Referrer).Refs(v), 2)
	require.False(t, p.(property.Nester).Nested().Writable)
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
