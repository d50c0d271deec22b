package expression

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
)

// aggregate folds the rows; values that are empty count nothing.
func (v evaluator) aggregate(x *plan.Aggregate) (any, error) {
	var acc any
	n := int64(0)
	rows := v.s.Rows
	if x.Of != nil {
		if f, ok := v.s.(Folder); ok {
			if out, done, err := f.Fold(x); done || err != nil {
				return fitted(out, err)
			}
		}
		rows = func(string) []Scope { return v.s.Records(x.Of) }
	}
	for _, r := range rows(x.Sheet) {
		row := Row(r, v.s)
		t, err := Holds(x.Where, row)
		if err != nil {
			return nil, err
		}
		if !t {
			continue
		}
		var value any = true
		if x.X != nil {
			if value, err = Eval(x.X, row); err != nil {
				return nil, err
			}
		}
		if value == nil {
			continue
		}
		n++
		if acc, err = accumulate(x.Fn, acc, value); err != nil {
			return nil, err
		}
	}
	switch {
	case x.Fn == plan.SumCount:
		return decimal.NewFromInt(n), nil
	case x.Fn == plan.SumAverage && n > 0:
		return acc.(decimal.Decimal).DivRound(decimal.NewFromInt(n), 8), nil
	}
	return acc, nil
}

// fitted refuses a folded number that formulas cannot hold.
func fitted(v any, err error) (any, error) {
	if d, ok := v.(decimal.Decimal); ok && err == nil {
		return fit(d)
	}
	return v, err
}

func accumulate(fn plan.Sum, acc, value any) (any, error) {
	switch fn {
	case plan.SumCount:
		return nil, nil
	case plan.SumSum, plan.SumAverage:
		d, ok := decimalOf(value)
		if !ok {
			return nil, fmt.Errorf("sum of %T", value)
		}
		if acc != nil {
			d = d.Add(acc.(decimal.Decimal))
		}
		return fit(d)
	}
	if acc == nil {
		return value, nil
	}
	n, err := order(value, acc)
	if err != nil {
		return nil, err
	}
	if fn == plan.SumMinimum && n < 0 || fn == plan.SumMaximum && n > 0 {
		return value, nil
	}
	return acc, nil
}
