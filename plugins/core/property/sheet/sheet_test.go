package sheet_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/sheet"
	"github.com/stretchr/testify/require"
)

func TestSheet(t *testing.T) {
	propertytest.Run(t, sheet.Type{}, propertytest.Cases{
		Options: `{"maxRows": 2, "properties": [{"code": "item", "propertyType": "ShortText"}]}`,
		Values: []propertytest.Value{
			{In: `[{"item": "a"}, {"id": "x", "item": "b"}]`, JSON: `[{"item":"a"},{"id":"x","item":"b"}]`, Zh: "2"},
		},
		Refused: []propertytest.Refusal{
			{In: `[{}, {}, {}]`, Code: fault.FieldTooMany}, {In: `["a"]`, Code: fault.FieldType}, {In: `{"rows": []}`, Code: fault.FieldType},
		},
		Operators: []plan.Op{plan.OpIsNull, plan.IsNotNull},
	})
}

func TestNested(t *testing.T) {
	p, problems := sheet.Type{}.Compile(propertytest.Define(sheet.Type{}, `{"minRows": 1, "properties": [{"code": "item", "propertyType": "ShortText"}]}`), propertytest.Scope{})
	require.Empty(t, problems)
	n := p.(property.Nester).Nested()
	require.Equal(t, "item", n.Properties[0].Code)
	require.Equal(t, [2]int{1, 500}, [2]int{n.MinRows, n.MaxRows})
	require.True(t, n.Writable)
	require.Equal(t, "12", p.Text(int64(12), property.TextContext{}))
	_, err := p.Parse([]any{})
	require.Error(t, err, "one row is needed")
}

func TestIsNull(t *testing.T) {
	p, _ := sheet.Type{}.Compile(propertytest.Define(sheet.Type{}, `{"properties": []}`), propertytest.Scope{})
	e, err := p.(property.Filterer).Filter(plan.OpIsNull, nil, nil, property.FilterContext{})
	require.NoError(t, err)
	for rows, want := range map[int]bool{0: true, 1: false} {
		got, err := expression.Holds(e, expression.Values{Sheets: map[string][]map[string]any{"f": make([]map[string]any, rows)}})
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, sheet.Type{}, propertytest.Scope{}, []propertytest.Problem{
		{Options: `{"properties": [], "maxRows": 0}`, Code: "PROP001", Pointer: "/maxRows", En: `"maxRows" must be between 1 and 5000`},
		{Options: `{"properties": [], "minRows": 9, "maxRows": 5}`, Code: "PROP002", Pointer: "/minRows", En: `"minRows" (9) is greater than "maxRows" (5)`},
	})
}
