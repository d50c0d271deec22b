package workbook_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gabriel-vasile/mimetype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

func text(s string) workbook.Out {
	return workbook.Out{Cell: property.Cell{Kind: property.CellText, Text: s}}
}

func num(s, format string) workbook.Out {
	return workbook.Out{Cell: property.Cell{Kind: property.CellNumber, Text: s, Format: format}}
}

func at(t time.Time, format string) workbook.Out {
	return workbook.Out{Cell: property.Cell{Kind: property.CellTime, Time: t, Format: format}}
}

// write makes an xlsx file in memory.
func write(t *testing.T, o workbook.Options, fill func(w *workbook.Writer)) []byte {
	t.Helper()
	var b bytes.Buffer
	w := workbook.NewWriter(&b, o)
	fill(w)
	require.NoError(t, w.Close())
	wellFormed(t, b.Bytes())
	return b.Bytes()
}

// wellFormed checks that every part is XML.
func wellFormed(t *testing.T, file []byte) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		d := xml.NewDecoder(r)
		for {
			if _, err = d.Token(); err != nil {
				break
			}
		}
		require.ErrorIs(t, err, io.EOF, f.Name)
	}
}

func open(t *testing.T, file []byte) *excelize.File {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(file))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestWriterThroughExcelize(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
	file := write(t, workbook.Options{Title: "检验 <lots>", Creator: "Sluice", Created: day}, func(w *workbook.Writer) {
		bold := w.Style(workbook.Style{Bold: true, Fill: "D9E2F3", Color: "FF0000", Align: "center", Border: true, Wrap: true})
		assert.Equal(t, bold, w.Style(workbook.Style{Bold: true, Fill: "D9E2F3", Color: "FF0000", Align: "center", Border: true, Wrap: true}))
		head := text("Name")
		head.Style, head.Note = bold, "At most 20 characters & no more"
		w.Sheet(workbook.SheetOptions{
			Name: "Lots: [2026]/1", Columns: []workbook.ColumnOptions{{Width: 30}, {Hidden: true}, {Width: 12}}, FreezeRows: 1, FreezeColumns: 1, Filter: true, Rows: 3,
			Head: []workbook.HeadRow{{Cells: []workbook.Out{head, text("id"), text("Amount"), text("Date"), text("At"), text("Link"), text("Sum")}, Height: 30}},
		})
		assert.Equal(t, 2, w.RowNumber())
		link := text("paper")
		link.Link = "https://example.org/a?b=1&c=\"2\""
		sum := num("2.5", "")
		sum.Formula = `SUM(C2:C3)&"<"`
		require.NoError(t, w.Row([]workbook.Out{text("=1+1"), text("a\x01b_x0041_ "), num("-1200.50", "#,##0.00"), at(day, "yyyy-mm-dd"), at(day.Add(90*time.Minute+time.Second), ""), link, sum}, 0))
		bad := text("bad link")
		bad.Link = "javascript:alert(1)"
		require.NoError(t, w.Row([]workbook.Out{text("行\n二"), {}, num("12345678901234567890", ""), {Cell: property.Cell{Kind: property.CellBool, Bool: true}}, at(time.Date(1899, 12, 31, 8, 30, 0, 0, time.UTC), "h:mm"), bad,
			{Cell: property.Cell{Kind: property.CellError, Text: "#REF!"}}}, 0))
		w.Merge(3, 0, 1, 2)
		w.Sheet(workbook.SheetOptions{Name: "lots  2026 1"})
		require.NoError(t, w.Row([]workbook.Out{text("second")}, 0))
	})
	assert.Equal(t, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", mimetype.Detect(file).String())
	f := open(t, file)
	assert.Equal(t, []string{"Lots 2026 1", "lots 2026 1 (2)"}, f.GetSheetList())
	sheet := "Lots 2026 1"
	for ref, want := range map[string]string{
		"A1": "Name", "A2": "=1+1", "B2": "a\x01b_x0041_ ", "C2": "-1200.50", "D2": "46086", "F2": "paper", "G2": "2.5", "A3": "行\n二", "C3": "12345678901234567890", "D3": "1",
		"F3": "bad link", "G3": "#REF!",
	} {
		got, err := f.GetCellValue(sheet, ref, excelize.Options{RawCellValue: true})
		require.NoError(t, err)
		assert.Equal(t, want, got, ref)
	}
	shown, err := f.GetCellValue(sheet, "D2")
	require.NoError(t, err)
	assert.Equal(t, "2026-03-05", shown)
	shown, err = f.GetCellValue(sheet, "E2")
	require.NoError(t, err)
	assert.Equal(t, "2026-03-05 01:30:01", shown)
	shown, err = f.GetCellValue(sheet, "E3")
	require.NoError(t, err)
	assert.Equal(t, "8:30", shown)
	formula, err := f.GetCellFormula(sheet, "G2")
	require.NoError(t, err)
	assert.Equal(t, `SUM(C2:C3)&"<"`, formula)
	formula, err = f.GetCellFormula(sheet, "A2")
	require.NoError(t, err)
	assert.Empty(t, formula)
	has, target, err := f.GetCellHyperLink(sheet, "F2")
	require.NoError(t, err)
	assert.True(t, has)
	assert.Equal(t, "https://example.org/a?b=1&c=\"2\"", target)
	has, _, err = f.GetCellHyperLink(sheet, "F3")
	require.NoError(t, err)
	assert.False(t, has)
	notes, err := f.GetComments(sheet)
	require.NoError(t, err)
	require.Len(t, notes, 1)
	assert.Equal(t, "A1", notes[0].Cell)
	merged, err := f.GetMergeCells(sheet)
	require.NoError(t, err)
	require.Len(t, merged, 1)
	assert.Equal(t, "B3", merged[0].GetEndAxis())
	visible, err := f.GetColVisible(sheet, "B")
	require.NoError(t, err)
	assert.False(t, visible)
	panes, err := f.GetPanes(sheet)
	require.NoError(t, err)
	assert.True(t, panes.Freeze)
	assert.Equal(t, "B2", panes.TopLeftCell)
	style, err := f.GetCellStyle(sheet, "A2")
	require.NoError(t, err)
	assert.NotZero(t, style, "a text that looks like a formula has the mark of a text")
	properties, err := f.GetDocProps()
	require.NoError(t, err)
	assert.Equal(t, "检验 <lots>", properties.Title)
	filter := false
	for _, n := range f.GetDefinedName() {
		filter = filter || n.RefersTo == "'Lots 2026 1'!$A$1:$G$3"
	}
	assert.True(t, filter)
}

func TestWriterLimits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("语", workbook.MaxText+1)
	var w *workbook.Writer
	file := write(t, workbook.Options{}, func(n *workbook.Writer) {
		w = n
		w.Sheet(workbook.SheetOptions{Name: "L"})
		require.NoError(t, w.Row([]workbook.Out{text(long), text(long[:3*workbook.MaxText])}, 0))
		for i := range workbook.MaxLinks + 2 {
			c := text("x")
			c.Link = "https://example.org/" + strconv.Itoa(i)
			require.NoError(t, w.Row([]workbook.Out{c}, 0))
		}
	})
	assert.Equal(t, 1, w.Cut())
	rows, err := readAll(t, "a.xlsx", file, workbook.Limits{})
	require.NoError(t, err)
	cut := rows[1][0].Text
	assert.Equal(t, workbook.MaxText, len([]rune(cut)))
	assert.True(t, strings.HasSuffix(cut, "语…"))
	assert.Equal(t, long[:3*workbook.MaxText], rows[1][1].Text)
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	for _, part := range []string{"xl/worksheets/sheet1.xml", "xl/worksheets/_rels/sheet1.xml.rels"} {
		content, err := fs.ReadFile(z, part)
		require.NoError(t, err)
		assert.Equal(t, workbook.MaxLinks, bytes.Count(content, []byte("<hyperlink "))+bytes.Count(content, []byte("<Relationship ")), part)
	}
}

func TestWriterContinues(t *testing.T) {
	t.Parallel()
	var parts []workbook.Part
	file := write(t, workbook.Options{}, func(w *workbook.Writer) {
		workbook.Shorten(w, 1000)
		w.Sheet(workbook.SheetOptions{Name: "Much", Head: []workbook.HeadRow{{Cells: []workbook.Out{text("head")}}}})
		row := []workbook.Out{num("7", "")}
		for range 1001 {
			require.NoError(t, w.Row(row, 0))
		}
		assert.Equal(t, 4, w.RowNumber())
		parts = w.Parts()
	})
	assert.Equal(t, []workbook.Part{{Sheet: "Much", First: 2, Last: 1000}, {Sheet: "Much (2)", First: 2, Last: 3}}, parts)
	f := open(t, file)
	assert.Equal(t, []string{"Much", "Much (2)"}, f.GetSheetList())
	got, err := f.GetCellValue("Much (2)", "A1")
	require.NoError(t, err)
	assert.Equal(t, "head", got)
}

func TestCSVWriter(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := workbook.NewCSV(&b)
	w.Sheet(workbook.SheetOptions{Head: []workbook.HeadRow{{Cells: []workbook.Out{text("名称"), text("n")}}}})
	day := time.Date(2026, 3, 5, 13, 4, 5, 0, time.UTC)
	require.NoError(t, w.Row([]workbook.Out{text(`a "b", c`), num("-5", ""), {}, at(day, "yyyy-mm-dd"), at(day, "yyyy-mm-dd hh:mm"), at(day, "yyyy-mm")}, 0))
	require.NoError(t, w.Row([]workbook.Out{text("=1+1"), text(" \x01@x"), text("'=1"), text("'plain"), text("-5"), text("＝A"), text("a=b"), num("1+1", "")}, 0))
	require.NoError(t, w.Close())
	assert.Equal(t, "\uFEFF名称,n\r\n\"a \"\"b\"\", c\",-5,,2026-03-05,2026-03-05 13:04,2026-03\r\n"+
		"'=1+1,' \x01@x,''=1,'plain,'-5,'＝A,a=b,1+1\r\n", b.String())
}
