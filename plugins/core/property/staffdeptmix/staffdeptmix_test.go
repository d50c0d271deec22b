package staffdeptmix_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
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
		Refused: []propertytest.Refusal{{In: `["zhang"]`, Code: fault.FieldReference}, {In: `[{"name": "x"}]`, Code: fault.FieldType}},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains,
			plan.In, plan.NotIn, plan.Of, plan.NotOf, plan.Have, plan.NotHave},
		Filters: []propertytest.Filter{
			{Op: plan.Have, Operand: `"` + one + `"`, Selects: []string{`["` + two + `", "` + one + `"]`}, Leaves: []string{`["` + two + `"]`, `null`}},
			{Op: plan.In, Operand: `["` + one + `", "` + two + `"]`, Selects: []string{`["` + two + `"]`}, Leaves: []string{`null`}},
		},
	})
}

// Those whom the reader may not see are left out.
func TestInvisible(t *testing.T) {
	p, _ := staffdeptmix.Type{}.Compile(propertytest.Define(staffdeptmix.Type{}, ""), propertytest.Scope{})
	visible := propertytest.Names{{Model: "user", ID: two}: {Name: "甲"}}
	v := []string{one, two}
	if got, want := string(p.AppendJSON(nil, v, visible)), `[{"id":"`+two+`","name":"甲","imgUrl":null,"type":3}]`; got != want {
		t.Errorf("JSON %s", got)
	}
	if got := p.Text(v, property.TextContext{Names: visible}); got != "甲" {
		t.Errorf("text %q", got)
	}
	if got := string(p.AppendJSON(nil, v, propertytest.Names{})); got != "null" {
		t.Errorf("JSON %s", got)
	}
}
