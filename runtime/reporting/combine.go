package reporting

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// combined is the figure of several rows of a data set together; false where it does not follow from theirs, as averages and distinct counts.
// A ratio is that of its totals. ui/src/sdk/report/figures.ts does the same.
func combined(set *catalog.DataSet, rows []Row, at int) (any, bool) {
	switch len(rows) {
	case 0:
		return nil, true
	case 1:
		return rows[0].Values[at], true
	}
	switch m := &set.Measures[at]; m.Fn {
	case string(plan.SumSum), string(plan.SumCount):
		return sumOf(valuesOf(rows), at), true
	case string(plan.SumMinimum), string(plan.SumMaximum):
		return extremeOf(valuesOf(rows), at, m.Fn), true
	case catalog.MeasureRatio:
		if set.Measures[m.Of].Fn == catalog.MeasureRatio || set.Measures[m.Per].Fn == catalog.MeasureRatio {
			return nil, false // a ratio of ratios does not follow from rows
		}
		above, one := combined(set, rows, m.Of)
		below, two := combined(set, rows, m.Per)
		return ratio(above, below), one && two
	}
	return nil, false
}

func valuesOf(rows []Row) [][]any {
	out := make([][]any, len(rows))
	for i, r := range rows {
		out[i] = r.Values
	}
	return out
}

// extremeOf is the least or the largest value of a measure; nil when no row has one.
func extremeOf(values [][]any, k int, fn string) (out any) {
	for _, v := range values {
		n := compareValues(v[k], out)
		if v[k] != nil && (out == nil || fn == string(plan.SumMinimum) && n < 0 || fn == string(plan.SumMaximum) && n > 0) {
			out = v[k]
		}
	}
	return out
}
