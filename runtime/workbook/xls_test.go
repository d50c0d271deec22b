package workbook_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// testdata are files of other programs: book.xls is of xlwt, formulas.xls of Spreadsheet::WriteExcel.
func testdata(t *testing.T, name string) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return file
}

// TestXLS: worksheets of Excel 97 to 2003 are read with values, formats, merged cells and hidden rows; hidden worksheets are passed over.
func TestXLS(t *testing.T) {
	t.Parallel()
	b, err := openBook(t, "a.xls", testdata(t, "book.xls"), workbook.Limits{})
	require.NoError(t, err)
	assert.Equal(t, []workbook.Sheet{{Name: "批 & 一"}, {Name: "two"}}, b.Sheets())
	assert.Equal(t, 6, b.Extent(0))
	rows, err := rowsOf(t, b, 0, 1)
	require.NoError(t, err)
	require.Len(t, rows, 6)
	assert.Equal(t, texts("编号", "名称", "数量", "日期", "完成", "合计", "备注"), rows[1])
	const day = `yyyy"年"m"月"d"日"`
	assert.Equal(t, []property.Cell{textCell("X-1"), textCell("螺栓 <&> é 😀"), numCell("1200.5", ""), timeCell("2026-03-01 00:00:00", day), {Kind: property.CellBool}, empty,
		timeCell("2026-03-05 08:30:00", "yyyy-mm-dd hh:mm"), textCell("merged")}, rows[2])
	assert.Equal(t, []property.Cell{textCell("X-2"), textCell("bolt 2"), numCell("7", ""), timeCell("2026-03-02 00:00:00", day), {Kind: property.CellBool, Bool: true}, empty,
		numCell("0.125", "0.00%")}, rows[3])
	assert.Equal(t, strings.Repeat("long ", 200), rows[4][6].Text)
	assert.Equal(t, []string{"-3", "0.1", "1234567890.25"}, []string{rows[4][2].Text, rows[5][2].Text, rows[6][2].Text})
	merged, err := b.Merged(t.Context(), 0)
	require.NoError(t, err)
	assert.Equal(t, []workbook.Range{{Row: 2, Column: 7, Rows: 2, Columns: 1}}, merged)

	more, err := rowsOf(t, b, 1, 1)
	require.NoError(t, err)
	require.Len(t, more, 400)
	for _, n := range []int{0, 1, 123, 398, 399} {
		want := "plain text " + strconv.Itoa(n)
		if n%2 == 1 {
			want = strings.Repeat("长文本 "+strconv.Itoa(n)+" ", 3)
		}
		assert.Equal(t, texts(want), more[n+1])
	}
}

// TestXLSFormulas: the results of formulas are read: numbers, texts, errors and truth values.
func TestXLSFormulas(t *testing.T) {
	t.Parallel()
	rows, err := readAll(t, "f.xls", testdata(t, "formulas.xls"), workbook.Limits{})
	require.NoError(t, err)
	for n, want := range map[int]property.Cell{2: numCell("2", ""), 3: textCell("t2.5"), 4: {Kind: property.CellError, Text: "#DIV/0!"}, 5: {Kind: property.CellBool, Bool: true}} {
		require.Len(t, rows[n], 3)
		got := rows[n][2]
		got.Format = ""
		assert.Equal(t, want, got, n)
	}
}

// TestDamagedXLS: whatever is wrong with such a file ends with a refusal.
func TestDamagedXLS(t *testing.T) {
	t.Parallel()
	good := testdata(t, "formulas.xls")
	for at := 0; at < len(good); at += 397 {
		bad := append([]byte{}, good...)
		for i := at; i < min(at+4, len(bad)); i++ {
			bad[i] ^= 0xFF
		}
		if b, err := workbookOf(t, bad); err == nil {
			_, err = rowsOf(t, b, 0, 1)
			refusedOrRead(t, err)
		} else {
			refusedOrRead(t, err)
		}
	}
}

func workbookOf(t *testing.T, file []byte) (*workbook.Book, error) {
	t.Helper()
	return openBook(t, "a.xls", file, workbook.Limits{})
}

func refusedOrRead(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		var r *workbook.Refusal
		require.ErrorAs(t, err, &r)
	}
}
