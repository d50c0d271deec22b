package workbook_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/workbook"
)

// TestRowsOutOfOrder: the first pass ends where the order does; the next one has the rows sorted, and tells which are hidden.
func TestRowsOutOfOrder(t *testing.T) {
	t.Parallel()
	file := pack(t, sheet(`<row r="1"><c r="A1"><v>1</v></c></row><row r="4" hidden="1"><c r="A4"><v>4</v></c></row><row r="2"><c r="A2"><v>2</v></c></row><row><c><v>3</v></c></row>`, nil))
	b, err := openBook(t, "a.xlsx", file, workbook.Limits{})
	require.NoError(t, err)
	require.False(t, b.Unsorted(0))
	_, err = rowsOf(t, b, 0, 1)
	var r *workbook.Refusal
	require.ErrorAs(t, err, &r)
	assert.Equal(t, workbook.Broken, r.Why)
	require.True(t, b.Unsorted(0))
	var numbers, hidden []int
	require.NoError(t, b.Rows(t.Context(), 0, 2, func(r workbook.Row) bool {
		numbers = append(numbers, r.Number)
		assert.Equal(t, string(rune('0'+r.Number)), r.Cells[0].Text)
		if r.Hidden {
			hidden = append(hidden, r.Number)
		}
		return true
	}))
	assert.Equal(t, []int{2, 3, 4}, numbers)
	assert.Equal(t, []int{4}, hidden)

	twice, err := openBook(t, "a.xlsx", pack(t, sheet(`<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row><row r="2"><c><v>1</v></c></row>`, nil)), workbook.Limits{})
	require.NoError(t, err)
	for range 2 {
		_, err = rowsOf(t, twice, 0, 1)
		require.ErrorAs(t, err, &r)
	}
	assert.Equal(t, []any{"row 2"}, r.Args)
}
