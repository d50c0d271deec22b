package staffsingle_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/staffsingle"
)

const one, two = "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"

var named = propertytest.Names{
	{Model: "user", ID: one}: {Name: "乙", ImageURL: "/files/1"},
	{Model: "user", ID: two}: {Name: "甲"},
}

func TestStaffSingle(t *testing.T) {
	propertytest.Run(t, staffsingle.Type{}, propertytest.Cases{
		Names: everybody{},
		Values: []propertytest.Value{
			{In: `"` + one + `"`, JSON: `{"id":"` + one + `","name":"乙","imgUrl":"/files/1","type":3}`, Zh: "乙"},
			{In: `{"id": "` + two + `", "name": "whatever"}`, JSON: `{"id":"` + two + `","name":"甲","imgUrl":null,"type":3}`, Zh: "甲"},
			{In: `["01900000-0000-7000-8000-00000000000B"]`, JSON: `{"id":"01900000-0000-7000-8000-00000000000b","name":"其他","imgUrl":null,"type":3}`, Zh: "其他"},
		},
		Refused: []propertytest.Refusal{
			{In: `"zhang"`, Code: fault.FieldReference}, {In: `{"name": "zhang"}`, Code: fault.FieldType},
			{In: `"` + one + `;` + two + `"`, Code: fault.FieldType}, {In: `7`, Code: fault.FieldReference},
		},
		Order: []string{`null`, `"` + one + `"`, `"` + two + `"`}, // 乙 U+4E59, 甲 U+7532
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains,
			plan.In, plan.NotIn, plan.Of, plan.NotOf, plan.Have, plan.NotHave},
		Filters: []propertytest.Filter{
			{Op: plan.Contains, Operand: `[{"id": "` + one + `"}]`, Selects: []string{`"` + one + `"`}, Leaves: []string{`"` + two + `"`, `null`}},
			{Op: plan.Contains, Operand: `"zhang"`, Code: fault.FilterValue},
		},
	})
}

// Somebody whom the reader may not see is not there.
func TestInvisible(t *testing.T) {
	p, _ := staffsingle.Type{}.Compile(propertytest.Define(staffsingle.Type{}, ""), propertytest.Scope{})
	if got := string(p.AppendJSON(nil, one, propertytest.Names{})); got != "null" {
		t.Errorf("JSON %s", got)
	}
	if got := p.Text(one, property.TextContext{Names: propertytest.Names{}}); got != "" {
		t.Errorf("text %q", got)
	}
}

// everybody has the two names and calls all the others alike.
type everybody struct{}

func (everybody) Name(r plan.Ref) (property.Named, bool) {
	if n, ok := named[r]; ok {
		return n, true
	}
	return property.Named{Name: "其他"}, true
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, staffsingle.Type{}, propertytest.Scope{}, []propertytest.Problem{
		{Options: `{"staffFilter": "users"}`, Code: "PROP004", Pointer: "/staffFilter", En: `"users" is no value of "staffFilter"; allowed: all, user, org, admin (did you mean "user"?)`},
	})
}
