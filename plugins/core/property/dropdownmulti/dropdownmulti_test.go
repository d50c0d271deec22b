package dropdownmulti_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/dropdownmulti"
)

func TestDropdownMulti(t *testing.T) {
	propertytest.Run(t, dropdownmulti.Type{}, propertytest.Cases{
		Options: `{"options": [{"code": "a", "name": "目测", "name_i18n": {"en": "Seen"}}, {"code": "b", "name": "实测", "name_i18n": {"en": "Measured"}}, "c"]}`,
		Values: []propertytest.Value{
			{In: `["b", "a"]`, JSON: `["b","a"]`, Zh: "实测、目测", En: "Measured、Seen"},
			{In: `"a;b;a"`, JSON: `["a","b"]`, Zh: "目测、实测", En: "Seen、Measured"},
			{In: `"目测、c"`, JSON: `["a","c"]`, Zh: "目测、c", En: "Seen、c"},
			{In: `["", "c"]`, JSON: `["c"]`, Zh: "c"},
		},
		Refused:   []propertytest.Refusal{{In: `["a", "x"]`, Code: fault.FieldOption}, {In: `"a、x"`, Code: fault.FieldOption}, {In: `{"a": true}`, Code: fault.FieldType}},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains},
		Filters: []propertytest.Filter{
			{Op: plan.Contains, Operand: `"a;x"`, Selects: []string{`["a"]`, `["b", "a"]`}, Leaves: []string{`["b"]`, `null`}},
			{Op: plan.Equal, Operand: `["b", "a"]`, Selects: []string{`["a", "b"]`}, Leaves: []string{`["a"]`, `["a", "b", "c"]`, `null`}},
		},
	})
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, dropdownmulti.Type{}, propertytest.Scope{}, []propertytest.Problem{
		{Options: `{"dictionary": "none"}`, Code: "PROP005", Pointer: "/dictionary", En: `there is no dictionary "none"`},
		{Options: `{}`, Code: "PROP007", En: `property "f" has no options`},
	})
}
