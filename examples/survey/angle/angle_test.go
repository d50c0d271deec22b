package angle_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property/operand"
	"github.com/sluice-platform/sluice/engine/property/propertytest"

	"example.com/survey/angle"
)

func TestAngle(t *testing.T) {
	propertytest.Run(t, angle.Type{}, propertytest.Cases{
		Values: []propertytest.Value{
			{In: `"121°28′13.4″"`, JSON: `"121.47038889"`, Zh: "121°28′13.4″", En: "121°28′13.4″"},
			{In: `"121 28 13.4"`, JSON: `"121.47038889"`, Zh: "121°28′13.4″", En: "121°28′13.4″"},
			{In: `"121d28m13.4s"`, JSON: `"121.47038889"`, Zh: "121°28′13.4″", En: "121°28′13.4″"},
			{In: `"7°5'"`, JSON: `"7.08333333"`, Zh: "7°05′00.0″", En: "7°05′00.0″"},
			{In: `12.5`, JSON: `"12.5"`, Zh: "12°30′00.0″", En: "12°30′00.0″"},
			{In: `"359.99999999"`, Zh: "0°00′00.0″", En: "0°00′00.0″"},
			{In: `0`, JSON: `"0"`, Zh: "0°00′00.0″", En: "0°00′00.0″"},
		},
		Refused: []propertytest.Refusal{{In: `"north"`, Code: fault.FieldType}, {In: `"12°60'"`, Code: fault.FieldType}, {In: `"12.5°30'"`, Code: fault.FieldType},
			{In: `-1`, Code: fault.FieldType}, {In: `360`, Code: fault.FieldMost}, {In: `true`, Code: fault.FieldType}},
		Order:     []string{`null`, `"1°"`, `"1°0'1\""`, `2`},
		Operators: operand.N(),
		Filters: []propertytest.Filter{
			{Op: plan.Between, Operand: `"12°;13°"`, Selects: []string{`12.5`}, Leaves: []string{`14`, `null`}},
			{Op: plan.Equal, Operand: `"7°5'"`, Selects: []string{`"7 5"`}, Leaves: []string{`7`}},
			{Op: plan.Equal, Operand: `"x"`, Code: fault.FilterValue},
		},
	})
}
