package reporting

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// combined is the figure of several rows of a data set together; false where it does not follow from theirs, as distinct counts. A ratio is
// that of its totals, and an average that of all values. ui/src/sdk/report/figures.ts does the same.
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
	case string(plan.SumAverage):
		means := make([]*Mean, len(rows))
		for i, r := range rows {
			means[i] = r.Means[at]
		}
		return average(means), true
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

// accumulate adds a measure up along the time, or along the rows where there is none, apart for each combination of the other groups. Rows
// without a time are in no sum along it, and before the first row with a number there is no sum: nothing known is not zero.
func (t *table) accumulate(k, of int) {
	order := make([]int, len(t.rows))
	for i := range order {
		order[i] = i
	}
	if t.time >= 0 {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(t.rows[a].Groups[t.time].Value, t.rows[b].Groups[t.time].Value)
		})
	}
	sums := map[string]decimal.Decimal{}
	for _, i := range order {
		key := ""
		if t.time >= 0 {
			step := ""
			if key, step = t.key(t.rows[i]); step == "" {
				continue
			}
		}
		if x, ok := number(t.values[i][of]); ok {
			sums[key] = sums[key].Add(x)
		}
		if sum, some := sums[key]; some {
			t.values[i][k] = sum
		}
	}
}
