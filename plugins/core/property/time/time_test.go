package time_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/time"
)

func TestTime(t *testing.T) {
	propertytest.Run(t, time.Type{}, propertytest.Cases{
		Values: []propertytest.Value{
			{In: `"08:30:00"`, Zh: "08:30:00", Cell: "time 1899-12-31T08:30:00 hh:mm:ss"},
			{In: `"23:59"`, JSON: `"23:59:00"`, Zh: "23:59", Format: "HH:mm", Cell: "time 1899-12-31T23:59:00 hh:mm"},
		},
		Refused: []propertytest.Refusal{
			{In: `"24:00"`, Code: fault.FieldType}, {In: `"8:30"`, Code: fault.FieldType}, {In: `"08:30:00.5"`, Code: fault.FieldType},
			{In: `"8:30:0.5"`, Code: fault.FieldType}, {In: `830`, Code: fault.FieldType},
		},
		Order:     []string{`null`, `"00:00:00"`, `"08:30"`, `"08:30:01"`, `"23:59:59"`},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains},
		Filters: []propertytest.Filter{
			{Op: plan.Equal, Operand: `"08:30"`, Selects: []string{`"08:30:00"`}, Leaves: []string{`"08:30:01"`, `null`}},
			{Op: plan.Contains, Operand: `":30"`, Selects: []string{`"08:30"`, `"09:10:30"`}, Leaves: []string{`"03:00"`}},
			{Op: plan.Equal, Operand: `"noon"`, Code: fault.FilterValue},
		},
	})
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, time.Type{}, propertytest.Scope{}, []propertytest.Problem{
		{Options: `{"displayFormat": "hh:mm"}`, Code: "PROP004", Pointer: "/displayFormat",
			En: `"hh:mm" is not a value of "displayFormat"; allowed: HH:mm:ss, HH:mm (did you mean "HH:mm"?)`},
	})
}
