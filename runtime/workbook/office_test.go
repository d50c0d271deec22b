package workbook_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/internal/officetest"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// TestLibreOffice: it reads what we write, and we read what it writes; no cell changes on the way.
func TestLibreOffice(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
	sum := num("-1200.5", "")
	sum.Formula = "SUM(C2:C2)"
	link := text("paper")
	link.Link, link.Note = "https://example.org/a?b=1&c=2", "note"
	row := []workbook.Out{text("=1+1"), text("语 <&>\n2"), num("-1200.5", "#,##0.00"), at(day, "yyyy-mm-dd"), at(day.Add(90*time.Minute), "yyyy-mm-dd hh:mm:ss"), {Cell: property.Cell{Kind: property.CellBool, Bool: true}}, sum, link,
		num("1234567890123456", "")}
	file := write(t, workbook.Options{Title: "T"}, func(w *workbook.Writer) {
		w.Sheet(workbook.SheetOptions{Name: "批", FreezeRows: 1, Filter: true, Columns: []workbook.ColumnOptions{{Width: 20}, {Hidden: true}},
			Head: []workbook.HeadRow{{Cells: []workbook.Out{text("a"), text("b")}}}, HeadMerges: []workbook.Range{{Row: 1, Column: 2, Rows: 1, Columns: 3}}})
		require.NoError(t, w.Row(row, 0))
	})
	b, err := openBook(t, "a.xlsx", officetest.Convert(t, file, "a.xlsx", officetest.XLSX), workbook.Limits{})
	require.NoError(t, err)
	assert.Equal(t, "批", b.Sheets()[0].Name)
	got, err := rowsOf(t, b, 0, 1)
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Len(t, got[2], len(row))
	for i, c := range row {
		want, cell := c.Cell, got[2][i]
		assert.Equal(t, want.Time, cell.Time)
		assert.Equal(t, want.Bool, cell.Bool)
		if want.Kind == property.CellNumber && want.Text == "1234567890123456" {
			want.Kind = property.CellText
		}
		assert.Equal(t, want.Kind, cell.Kind, i)
		assert.Equal(t, want.Text, cell.Text, i)
	}
	merged, err := b.Merged(t.Context(), 0)
	require.NoError(t, err)
	assert.Equal(t, []workbook.Range{{Row: 1, Column: 2, Rows: 1, Columns: 3}}, merged)
}

func TestLibreOfficeTemplate(t *testing.T) {
	t.Parallel()
	rows, err := readAll(t, "t.xlsx", officetest.Convert(t, makeTemplate(t), "t.xlsx", officetest.XLSX), workbook.Limits{})
	require.NoError(t, err)
	_, ok := workbook.TemplateKeys(workbook.Row{Number: 1, Cells: rows[1]})
	assert.True(t, ok)
	assert.True(t, workbook.IsExample(workbook.Row{Cells: rows[4]}))
}

// TestLibreOfficeXLS: what it saves in the format of Excel 97 to 2003 is read as what it is in the other one.
func TestLibreOfficeXLS(t *testing.T) {
	t.Parallel()
	file := pack(t, sheet(`<row r="1"><c r="A1"><v>1200.5</v></c><c r="B1" s="2"><v>46086</v></c><c r="C1" t="inlineStr"><is><t>语</t></is></c><c r="D1" t="b"><v>1</v></c></row>`,
		parts{"xl/styles.xml": styled}))
	rows, err := readAll(t, "a.xls", officetest.Convert(t, file, "a.xlsx", officetest.XLS), workbook.Limits{})
	require.NoError(t, err)
	require.Len(t, rows[1], 4)
	assert.Equal(t, []any{"1200.5", "2026-03-05", "语", true}, []any{rows[1][0].Text, rows[1][1].Time.Format(time.DateOnly), rows[1][2].Text, rows[1][3].Bool})
}
