package logic_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/logic"
)

func TestLogic(t *testing.T) {
	propertytest.Run(t, logic.Type{}, propertytest.Cases{
		Values: []propertytest.Value{
			{In: `true`, Zh: "是", En: "Yes"}, {In: `false`, Zh: "否", En: "No"},
			{In: `1`, JSON: `true`, Zh: "是", En: "Yes"}, {In: `"0"`, JSON: `false`, Zh: "否", En: "No"},
			{In: `"否"`, JSON: `false`, Zh: "否", En: "No"}, {In: `"YES"`, JSON: `true`, Zh: "是", En: "Yes"},
		},
		Refused:   []propertytest.Refusal{{In: `2`, Code: fault.FieldType}, {In: `"maybe"`, Code: fault.FieldType}, {In: `[]`, Code: fault.FieldType}},
		Order:     []string{`null`, `false`, `true`},
		Operators: []plan.Op{plan.Equal},
		Filters: []propertytest.Filter{
			{Op: plan.Equal, Operand: `"0"`, Selects: []string{`false`}, Leaves: []string{`true`, `null`}},
			{Op: plan.Equal, Operand: `"2"`, Code: fault.FilterValue},
			{Op: plan.OpIsNull, Operand: `null`, Code: fault.OperatorNotAllowed},
		},
	})
}
