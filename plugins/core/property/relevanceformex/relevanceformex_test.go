package relevanceformex_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/relevanceformex"
)

const one, two = "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"

var scope = propertytest.Scope{Models: map[string]property.ModelInfo{
	"contract": {Properties: map[string]string{"title": "ShortText", "unitPrice": "Number", "name": "ShortText"}},
	"broken":   {Broken: true},
}}

func TestRelevanceFormEx(t *testing.T) {
	propertytest.Run(t, relevanceformex.Type{}, propertytest.Cases{
		Options: `{"relativeCode": "contract"}`, Scope: scope,
		Values: []propertytest.Value{
			{In: `["` + two + `", "` + one + `"]`, JSON: `[{"id":"` + two + `","name":"名01900000"},{"id":"` + one + `","name":"名01900000"}]`, Zh: "名01900000、名01900000"},
			{In: `[{"id": "` + one + `"}]`, JSON: `[{"id":"` + one + `","name":"名01900000"}]`, Zh: "名01900000"},
		},
		Refused:   []propertytest.Refusal{{In: `["HT-1"]`, Code: fault.FieldReference}, {In: `[{"name": "x"}]`, Code: fault.FieldType}},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull},
		Filters: []propertytest.Filter{
			{Op: plan.Equal, Operand: `"` + one + `;` + two + `"`, Selects: []string{`["` + two + `", "` + one + `"]`}, Leaves: []string{`["` + one + `"]`, `null`}},
		},
	})
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, relevanceformex.Type{}, scope, []propertytest.Problem{
		{Options: `{"relativeCode": "contrat"}`, Code: "REL001", Pointer: "/relativeCode", En: `there is no model "contrat" (did you mean "contract"?)`},
		{Options: `{"relativeCode": "contract", "relativePropertyCode": "titel"}`, Code: "REL002", Pointer: "/relativePropertyCode",
			En: `model "contract" has no property "titel" (did you mean "title"?)`},
		{Options: `{"relativeCode": "contract", "fill": {"beside": "unitPrize"}}`, Code: "REL002", Pointer: "/fill/beside",
			En: `model "contract" has no property "unitPrize" (did you mean "unitPrice"?)`},
		{Options: `{"relativeCode": "contract", "fill": {"besides": "unitPrice"}}`, Code: "REL003", Pointer: "/fill/besides",
			En: `there is no property "besides" beside this one to fill (did you mean "beside"?)`},
		{Options: `{"relativeCode": "contract", "onDelete": "cascade"}`, Code: "PROP004", Pointer: "/onDelete",
			En: `"cascade" is no value of "onDelete"; allowed: refuse, clear`},
	})
}

// What is wrong with a broken model is said there, once.
func TestBrokenTarget(t *testing.T) {
	_, problems := relevanceformex.Type{}.Compile(propertytest.Define(relevanceformex.Type{}, `{"relativeCode": "broken", "relativePropertyCode": "x"}`), scope)
	if len(problems) > 0 {
		t.Error(problems)
	}
}
