package deptmulti_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/deptmulti"
)

const one, two = "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"

func TestDeptMulti(t *testing.T) {
	propertytest.Run(t, deptmulti.Type{}, propertytest.Cases{
		Names: everybody{},
		Values: []propertytest.Value{
			{In: `["` + two + `", {"id": "` + one + `"}, "` + two + `"]`, JSON: `[{"id":"` + two + `","name":"名","imgUrl":null,"type":1},{"id":"` + one + `","name":"名","imgUrl":null,"type":1}]`, Zh: "名;名"},
			{In: `"` + one + `;` + two + `"`, JSON: `[{"id":"` + one + `","name":"名","imgUrl":null,"type":1},{"id":"` + two + `","name":"名","imgUrl":null,"type":1}]`, Zh: "名;名"},
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
	p, _ := deptmulti.Type{}.Compile(propertytest.Define(deptmulti.Type{}, ""), propertytest.Scope{})
	visible := propertytest.Names{{Model: "department", ID: two}: {Name: "甲"}}
	v := []string{one, two}
	if got, want := string(p.AppendJSON(nil, v, visible)), `[{"id":"`+two+`","name":"甲","imgUrl":null,"type":1}]`; got != want {
		t.Errorf("JSON %s", got)
	}
	if got := p.Text(v, property.TextContext{Names: visible}); got != "甲" {
		t.Errorf("text %q", got)
	}
	if got := string(p.AppendJSON(nil, v, propertytest.Names{})); got != "null" {
		t.Errorf("JSON %s", got)
	}
}

// everybody is called alike.
type everybody struct{}

func (everybody) Name(plan.Ref) (property.Named, bool) { return property.Named{Name: "名"}, true }
