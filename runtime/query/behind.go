package query

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// behind are the conditions of a report's data set, and of one of its measures: "progress/lots" or "progress/lots/good". A list
// that is opened from a figure has them, so that it shows the records that the figure was made of. They only narrow, and compare
// nothing that the reader may not read.
func (f *filters) behind(of string) (plan.Expr, error) {
	steps := strings.Split(of, "/")
	view := f.graph.view
	if len(steps) < 2 || len(steps) > 3 {
		return nil, fault.New(fault.BadParameter, "filters")
	}
	report := SeenReport(view, steps[0])
	if report == nil {
		return nil, fault.New(fault.FieldUnknown)
	}
	set := report.Set(steps[1])
	if set == nil || set.Model != f.graph.model || f.row != nil {
		return nil, fault.New(fault.FieldUnknown)
	}
	if set.Sheet != nil { // what is counted are rows, and their conditions say nothing of a record
		return plan.True, nil
	}
	all := []plan.Expr{f.graph.restrict(set.Where)}
	if len(steps) == 3 {
		m := measure(set, steps[2])
		if m == nil {
			return nil, fault.New(fault.FieldUnknown)
		}
		if m.When != nil {
			all = append(all, f.graph.restrict(m.When))
		}
	}
	return plan.AllOf(all...), nil
}

// measure finds the figure of records that a measure is made of: all that a ratio is a part of, and what is added up or compared.
// nil: there is none of that code.
func measure(set *catalog.DataSet, code string) *catalog.Measure {
	for i := range set.Measures {
		m := &set.Measures[i]
		if m.Code != code {
			continue
		}
		for range set.Measures { // none is made of itself
			switch {
			case m.Fn == catalog.MeasureRatio && m.Per >= 0:
				m = &set.Measures[m.Per]
			case !m.Folds() && m.Of >= 0:
				m = &set.Measures[m.Of]
			}
		}
		return m
	}
	return nil
}
