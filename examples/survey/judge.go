package survey

import (
	"context"
	"errors"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/hook"

	"example.com/survey/codes"
)

// judge is the hook of campaigns: it compares each measured point with the tolerance of its grade, writes the result into the row, and the
// largest displacement into the campaign.
func judge(ctx context.Context, e *hook.Record, next func() error) error {
	rows, changed := e.Set[codes.Points].([]map[string]any)
	if e.Delete || !changed {
		return next()
	}
	found, ok := e.World.Document(toleranceCode, codes.Settlement)
	if !ok {
		return errors.New("the pack has no tolerance for settlement")
	}
	limits := found.(*Tolerance).Limits
	worst := decimal.Zero
	for _, row := range rows {
		displacement, given := number(row[codes.Displacement])
		if !given {
			row[codes.Result] = nil
			continue
		}
		grade, err := gradeOf(ctx, e, row[codes.Point])
		if err != nil {
			return err
		}
		row[codes.Result] = codes.OptionOk
		if displacement.Abs().GreaterThan(limits[grade]) {
			row[codes.Result] = codes.OptionBad
		}
		worst = decimal.Max(worst, displacement.Abs())
	}
	e.Set[codes.Worst] = worst
	return next()
}

// gradeOf is the grade of the point that a row refers to.
func gradeOf(ctx context.Context, e *hook.Record, point any) (string, error) {
	id, _ := point.(string)
	if reference, ok := point.(map[string]any); ok {
		id, _ = reference["id"].(string)
	}
	found, err := e.World.Get(ctx, codes.ControlPoint, id)
	if err != nil {
		return "", err
	}
	grade, _ := found.Values[codes.Grade].(string)
	return grade, nil
}

// number reads a wire value.
func number(v any) (decimal.Decimal, bool) {
	switch x := v.(type) {
	case decimal.Decimal:
		return x, true
	case string:
		d, err := decimal.NewFromString(x)
		return d, err == nil
	}
	return decimal.Zero, false
}
