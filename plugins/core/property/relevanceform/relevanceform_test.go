package relevanceform_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/relevanceform"
)

const one, two = "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"

var scope = propertytest.Scope{Models: map[string]property.ModelInfo{
	"contract": {Properties: map[string]string{"title": "ShortText", "unitPrice": "Number", "name": "ShortText"}},
	"broken":   {Broken: true},
}}

func TestRelevanceForm(t *testing.T) {
	propertytest.Run(t, relevanceform.Type{}, propertytest.Cases{
		Options: `{"relativeCode": "Contract", "relativePropertyCode": "title", "fill": {"beside": "unitPrice"}}`, Scope: scope,
		Names: titles{},
		Values: []propertytest.Value{
			{In: `"` + one + `"`, JSON: `{"id":"` + one + `","name":"乙"}`, Zh: "乙"},
			{In: `{"id": "` + two + `", "name": "x"}`, JSON: `{"id":"` + two + `","name":"甲"}`, Zh: "甲"},
		},
		Refused:   []propertytest.Refusal{{In: `"HT-1"`, Code: fault.FieldReference}, {In: `["` + one + `", "` + two + `"]`, Code: fault.FieldType}},
		Order:     []string{`null`, `"` + one + `"`, `"` + two + `"`},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull},
		Filters: []propertytest.Filter{
			{Op: plan.Equal, Operand: `{"id": "` + one + `"}`, Selects: []string{`"` + one + `"`}, Leaves: []string{`"` + two + `"`, `null`}},
			{Op: plan.Equal, Operand: `"HT-1"`, Code: fault.FilterValue},
		},
	})
}

func TestTarget(t *testing.T) {
	p, _ := relevanceform.Type{}.Compile(propertytest.Define(relevanceform.Type{}, `{"relativeCode": "Contract", "relativePropertyCode": "Title"}`), scope)
	want := property.Relation{Model: "contract", Display: "title", OnDelete: "refuse"}
	if got := p.(property.Relater).Relation(); got != want {
		t.Errorf("%+v", got)
	}
	if c := p.Columns()[0]; c.References != "contract" || c.OnDelete != "refuse" {
		t.Errorf("%+v", c)
	}
}

// titles resolves the title, not the name, of contracts.
type titles struct{}

func (titles) Name(r plan.Ref) (property.Named, bool) {
	name := map[string]string{one: "乙", two: "甲"}[r.ID]
	if name == "" {
		name = "其他"
	}
	return property.Named{Name: name}, r.Model == "contract" && r.Display == "title"
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, relevanceform.Type{}, scope, []propertytest.Problem{
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
	_, problems := relevanceform.Type{}.Compile(propertytest.Define(relevanceform.Type{}, `{"relativeCode": "broken", "relativePropertyCode": "x"}`), scope)
	if len(problems) > 0 {
		t.Error(problems)
	}
}
