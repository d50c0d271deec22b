package printing

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/plugins/core/property/number"
)

// countedRow is a row with one number that counts how often it is read.
type countedRow struct {
	amount int64
	reads  *int
}

func (r countedRow) text(*catalog.Path, string) string { return "" }
func (r countedRow) cell(*catalog.Path, string) (property.Cell, bool) {
	return property.Cell{}, false
}

func (r countedRow) value(*catalog.Path) any {
	*r.reads++
	return decimal.NewFromInt(r.amount)
}

// What is carried from page to page costs each row once, however many pages there are: it was read again for each page.
func TestCarriedIsLinear(t *testing.T) {
	p, problems := number.Type{}.Compile(def.Property{}, nil)
	require.Empty(t, problems)
	c := catalog.PrintColumn{Path: &catalog.Path{Field: &catalog.Field{Property: p}}, Sum: plan.SumSum}
	f := figures{b: &binder{s: &Service{}, locale: "zh", sheets: true}, t: &catalog.PrintTable{Columns: []catalog.PrintColumn{c}}, width: 1}
	reads := 0
	var rows []tableRow
	for i := range 3000 {
		rows = append(rows, countedRow{int64(i), &reads})
	}
	carried := f.carried(rows)
	for n := 0; n <= len(rows); n += 30 {
		want := decimal.NewFromInt(int64(n) * int64(n-1) / 2)
		if n == 0 { // nothing is carried to the first page
			require.Equal(t, []string{""}, carried(n))
			continue
		}
		require.Equal(t, []string{want.String()}, carried(n))
	}
	require.Equal(t, len(rows), reads)
}
