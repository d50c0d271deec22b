package staffdeptmix_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/party/partytest"
	"github.com/sluice-platform/sluice/plugins/core/property/staffdeptmix"
)

const one, two = "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"

func TestStaffDeptMix(t *testing.T) {
	propertytest.Run(t, staffdeptmix.Type{}, propertytest.Cases{
		Names: propertytest.Everyone{},
		Values: []propertytest.Value{
			{In: `[{"id": "01900000-0000-7000-8000-00000000000d", "type": 1}, {"id": "` + one + `", "type": 3}]`,
				JSON: `[{"id":"01900000-0000-7000-8000-00000000000d","name":"名01900000","imgUrl":null,"type":1},{"id":"` + one + `","name":"名01900000","imgUrl":null,"type":3}]`, Zh: "名01900000;名01900000"},
			{In: `"` + one + `"`, JSON: `[{"id":"` + one + `","name":"名01900000","imgUrl":null,"type":3}]`, Zh: "名01900000"},
		},
		Refused: []propertytest.Refusal{{In: `["zhang"]`, Code: fault.FieldReference}, {In: `[{"name": "x"}]`, Code: fault.FieldType},
			{In: `[{"id": "` + one + `", "type": 2}]`, Code: fault.FieldType}, {In: `[{"id": "` + one + `", "type": 3, "role": "boss"}]`, Code: fault.FieldType}},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains,
			plan.In, plan.NotIn, plan.Of, plan.NotOf, plan.Have, plan.NotHave},
		Filters: []propertytest.Filter{
			{Op: plan.Have, Operand: `"` + one + `"`, Selects: []string{`["` + two + `", "` + one + `"]`}, Leaves: []string{`["` + two + `"]`, `null`}},
			{Op: plan.In, Operand: `["` + one + `", "` + two + `"]`, Selects: []string{`["` + two + `"]`}, Leaves: []string{`null`}},
		},
	})
}

func TestInvisible(t *testing.T) { partytest.LeftOut(t, staffdeptmix.Type{}, partytest.Person) }
