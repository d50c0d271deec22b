package rule_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// TestRequiredPoints: an item without a required number of points needs one all the same: nothing measured is nothing passed, whatever
// the method.
func TestRequiredPoints(t *testing.T) {
	for _, method := range []string{rule.Point, rule.YesNo} {
		for _, one := range []struct {
			required int
			values   string
			want     string
		}{
			{0, "", rule.Incomplete},
			{-1, "", rule.Incomplete},
			{0, "1", rule.OK},
			{1, "", rule.Incomplete},
			{1, "1", rule.OK},
			{2, "1", rule.Incomplete},
			{2, "1 1", rule.OK},
		} {
			it := rule.Item{Class: rule.Main, Method: method, DevLow: ptr("-10"), DevHigh: ptr("10"), MinPoints: one.required}
			r := jts().Evaluate(it, values(one.values))
			require.Equal(t, one.want, r.Conclusion, "%s, %d required, %q", method, one.required, one.values)
			require.Equal(t, len(values(one.values)), r.Points)
			require.True(t, r.Rate.Equal(decimal.NewFromInt(int64(min(r.Points, 1)))))
		}
	}
	for _, method := range []string{rule.StatCompaction, rule.StatStrength} {
		it := rule.Item{Class: rule.Main, Method: method, Design: ptr("96")}
		require.Equal(t, rule.Incomplete, jts().Evaluate(it, nil).Conclusion, method)
	}
}
