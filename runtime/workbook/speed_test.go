package workbook_test

import (
	"bytes"
	"io"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/workbook"
)

const benchRows, benchColumns = 100_000, 20

// fillRows writes rows as lists have them: texts, numbers and dates.
func fillRows(b testing.TB, w workbook.RowWriter, rows int) {
	w.Sheet(workbook.SheetOptions{Name: "Data"})
	cells := make([]workbook.Out, benchColumns)
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range rows {
		for c := range cells {
			switch c % 5 {
			case 0:
				cells[c] = text("检验批 " + strconv.Itoa(i*7+c))
			case 1:
				cells[c] = num(strconv.Itoa(i*31+c)+".5", "#,##0.00")
			case 2:
				cells[c] = at(day.AddDate(0, 0, i%700), "yyyy-mm-dd")
			case 3:
				cells[c] = text("open")
			case 4:
				cells[c] = text("A longer text of some words in row " + strconv.Itoa(i))
			}
		}
		require.NoError(b, w.Row(cells, 0))
	}
	require.NoError(b, w.Close())
}

func BenchmarkWrite(b *testing.B) {
	for b.Loop() {
		fillRows(b, workbook.NewWriter(io.Discard, workbook.Options{}), benchRows)
	}
}

func BenchmarkRead(b *testing.B) {
	var file bytes.Buffer
	fillRows(b, workbook.NewWriter(&file, workbook.Options{}), benchRows)
	b.ReportAllocs()
	for b.Loop() {
		book, err := workbook.Open(b.Context(), "a.xlsx", bytes.NewReader(file.Bytes()), int64(file.Len()), workbook.Limits{})
		require.NoError(b, err)
		n := 0
		require.NoError(b, book.Rows(b.Context(), 0, 1, func(r workbook.Row) bool { n += len(r.Cells); return true }))
		require.Equal(b, benchRows*benchColumns, n)
		require.NoError(b, book.Close())
	}
}
