package relevanceformex_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/relation/relationtest"
	"github.com/sluice-platform/sluice/plugins/core/property/relevanceformex"
)

const one, two = "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"

func TestRelevanceFormEx(t *testing.T) {
	propertytest.Run(t, relevanceformex.Type{}, propertytest.Cases{
		Options: `{"relativeCode": "contract"}`, Scope: relationtest.Scope,
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

func TestProblems(t *testing.T) { relationtest.Problems(t, relevanceformex.Type{}) }

func TestBrokenTarget(t *testing.T) { relationtest.BrokenTarget(t, relevanceformex.Type{}) }
