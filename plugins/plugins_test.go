package plugins_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/stretchr/testify/require"
)

// rows of the table in docs/authoring.md, Property types.
var rows = []struct {
	name      string
	wire      int
	kind      plan.Kind
	columns   int
	operators string // the group's letter
	standard  plan.Op
	sorts     bool
	sums      []plan.Sum
}{
	{"ShortText", 0, plan.Text, 1, "C", plan.Contains, true, count},
	{"LongText", 1, plan.Text, 1, "C", plan.Contains, false, count},
	{"Number", 2, plan.Number, 1, "N", plan.Between, true, []plan.Sum{plan.SumSum, plan.SumAverage, plan.SumMinimum, plan.SumMaximum, plan.SumCount}},
	{"Date", 3, plan.Date, 1, "N", plan.Between, true, extremes},
	{"Logic", 4, plan.Bool, 1, "E", plan.Equal, true, count},
	{"StaffDeptMix", 5, plan.Set, 1, "P", plan.Contains, false, count},
	{"Attachment", 6, plan.Set, 1, "C", plan.Contains, false, count},
	{"ApprovalOpinion", 7, plan.Rows, 0, "C", plan.Contains, false, count},
	{"Sheet", 8, plan.Rows, 0, "Z", plan.OpIsNull, false, nil},
	{"RelevanceForm", 9, plan.ID, 1, "B", plan.Equal, true, count},
	{"Address", 10, plan.Text, 2, "C", plan.Contains, true, count},
	{"RelevanceFormEx", 11, plan.Set, 1, "B", plan.Equal, false, count},
	{"Radio", 12, plan.Text, 1, "C", plan.Contains, true, count},
	{"Checkbox", 13, plan.Set, 1, "C", plan.Contains, false, count},
	{"Dropdown", 14, plan.Text, 1, "C", plan.Contains, true, count},
	{"DropdownMulti", 15, plan.Set, 1, "C", plan.Contains, false, count},
	{"Time", 20, plan.Clock, 1, "C", plan.Equal, true, extremes},
	{"StaffSingle", 50, plan.ID, 1, "P", plan.Contains, true, count},
	{"StaffMulti", 51, plan.Set, 1, "P", plan.Contains, false, count},
	{"DeptSingle", 60, plan.ID, 1, "P", plan.Contains, true, count},
	{"DeptMulti", 61, plan.Set, 1, "P", plan.Contains, false, count},
}

var (
	count    = []plan.Sum{plan.SumCount}
	extremes = []plan.Sum{plan.SumMinimum, plan.SumMaximum, plan.SumCount}
	groups   = map[string]int{"E": 1, "Z": 2, "B": 4, "C": 6, "N": 10, "P": 12}
)

func TestTypesOfTheSpecification(t *testing.T) {
	var set pack.Set
	require.NoError(t, plugins.Register(&set))
	set.Freeze()
	scope := propertytest.Scope{Models: map[string]property.ModelInfo{"m": {}}}
	for _, r := range rows {
		typ, ok := set.Properties.Get(r.name)
		require.True(t, ok, r.name)
		require.Equal(t, r.wire, typ.Wire(), r.name)
		options := "{}"
		switch r.name {
		case "RelevanceForm", "RelevanceFormEx":
			options = `{"relativeCode": "m"}`
		case "Radio", "Checkbox", "Dropdown", "DropdownMulti":
			options = `{"options": ["a"]}`
		}
		p, problems := typ.Compile(propertytest.Define(typ, options), scope)
		require.Empty(t, problems, r.name)
		require.Equal(t, r.kind, p.Kind(), r.name)
		require.Len(t, p.Columns(), r.columns, r.name)
		f := p.(property.Filterer)
		require.Len(t, f.Operators(), groups[r.operators], r.name)
		require.Equal(t, r.standard, f.DefaultOperator(), r.name)
		_, sorts := p.(property.Sorter)
		require.Equal(t, r.sorts, sorts, r.name)
		var sums []plan.Sum
		if a, ok := p.(property.Aggregator); ok {
			sums = a.Aggregates()
		}
		require.Equal(t, r.sums, sums, r.name)
	}
}
