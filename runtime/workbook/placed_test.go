package workbook_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/internal/officetest"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// TestLibreOfficePlaced: a form keeps its places there, and its sums are computed.
func TestLibreOfficePlaced(t *testing.T) {
	t.Parallel()
	cell := func(row, column, columns int, c property.Cell) workbook.PlacedCell {
		return workbook.PlacedCell{Place: workbook.Place{Row: row, Column: column, Rows: 1, Columns: columns}, Cell: c, Look: workbook.Look{Size: 10, Border: "000000", Color: "000000"}}
	}
	sum := cell(3, 1, 1, property.Cell{Kind: property.CellNumber, Text: "99", Format: "0.00"})
	sum.Formula, sum.Shown = "SUBTOTAL(9,B2:B3)", "99.00"
	text := func(s string) property.Cell { return property.Cell{Kind: property.CellText, Text: s} }
	var file bytes.Buffer
	require.NoError(t, workbook.WritePlaced(&file, workbook.Options{Title: "T"}, []workbook.PlacedSheet{{Name: "a", Columns: []float64{30, 20, 40}, Rows: []float64{10, 8, 8, 8},
		Cells: []workbook.PlacedCell{cell(0, 0, 3, text("head")), cell(1, 0, 1, text("=x")), cell(1, 1, 1, num("2.5", "").Cell), cell(2, 1, 1, num("4", "").Cell), sum},
		Paper: workbook.Paper{Width: 297, Height: 210, Top: 20, Bottom: 20, Left: 20, Right: 20, Header: "&Ca && b", Footer: "&R&P"}}}))
	b, err := openBook(t, "a.xlsx", file.Bytes(), workbook.Limits{})
	require.NoError(t, err)
	rows, err := rowsOf(t, b, 0, 1)
	require.NoError(t, err)
	require.Equal(t, "99.00", rows[4][1].Text, "until somebody calculates")
	b, err = openBook(t, "a.xlsx", officetest.Convert(t, file.Bytes(), "a.xlsx", officetest.XLSX), workbook.Limits{})
	require.NoError(t, err)
	rows, err = rowsOf(t, b, 0, 1)
	require.NoError(t, err)
	require.Equal(t, []string{"head", "=x", "2.5"}, []string{rows[1][0].Text, rows[2][0].Text, rows[2][1].Text})
	require.Equal(t, property.CellNumber, rows[4][1].Kind)
	require.Equal(t, "6.5", rows[4][1].Digits())
}
