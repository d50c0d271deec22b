package relevanceform_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/relation/relationtest"
	"github.com/sluice-platform/sluice/plugins/core/property/relevanceform"
)

const one, two = "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"

func TestRelevanceForm(t *testing.T) {
	propertytest.Run(t, relevanceform.Type{}, propertytest.Cases{
		Options: `{"relativeCode": "Contract", "relativePropertyCode": "title", "fill": {"beside": "unitPrice"}}`, Scope: relationtest.Scope,
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
	p, _ := relevanceform.Type{}.Compile(propertytest.Define(relevanceform.Type{}, `{"relativeCode": "Contract", "relativePropertyCode": "Title"}`), relationtest.Scope)
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

func TestProblems(t *testing.T) { relationtest.Problems(t, relevanceform.Type{}) }

func TestBrokenTarget(t *testing.T) { relationtest.BrokenTarget(t, relevanceform.Type{}) }
