package workbook_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// odd is a file with something between the rows that the scanner does not know.
func odd(t *testing.T, rows string) []byte {
	t.Helper()
	return pack(t, sheet(`<row r="1"><c r="A1" t="inlineStr"><is><t>known</t></is></c></row><other/>`+rows, parts{"xl/styles.xml": styled}))
}

// TestFallback: rows up to what the scanner does not know are its own, the others excelize's; both are the same cells.
func TestFallback(t *testing.T) {
	t.Parallel()
	file := odd(t, `<row r="3"><c r="A3"><v>1200.5</v></c><c r="B3" s="2"><v>46086</v></c><c r="D3" t="b"><v>1</v></c><c r="E3" t="e"><v>#REF!</v></c>`+
		`<c r="F3"><f>A3+1</f></c><c r="G3" t="inlineStr"><is><t>语</t></is></c><c r="H3" s="3"><v>46086.75</v></c></row>`)
	b, err := openBook(t, "a.xlsx", file, workbook.Limits{})
	require.NoError(t, err)
	for _, from := range []int{1, 2} {
		rows, err := rowsOf(t, b, 0, from)
		require.NoError(t, err)
		want := map[int][]property.Cell{
			1: {textCell("known")},
			3: {numCell("1200.5", ""), timeCell("2026-03-05 00:00:00", "yyyy-mm-dd"), empty, {Kind: property.CellBool, Bool: true}, {Kind: property.CellError, Text: "#REF!"},
				{Kind: property.CellUnknown, Text: "A3+1"}, textCell("语"), timeCell("2026-03-05 18:00:00", `yyyy"年"m"月"d"日"`)},
		}
		if from == 2 {
			delete(want, 1)
		}
		assert.Equal(t, want, rows)
	}
	_, err = readAll(t, "a.xlsx", file, workbook.Limits{Rows: 1})
	var r *workbook.Refusal
	require.ErrorAs(t, err, &r)
	assert.Equal(t, workbook.TooManyRows, r.Why)
}

// TestOtherEncoding: a worksheet in GBK is not for the scanner.
func TestOtherEncoding(t *testing.T) {
	t.Parallel()
	p := sheet("", parts{"xl/worksheets/sheet1.xml": `<?xml version="1.0" encoding="GBK"?><worksheet ` + mainNS + `><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>` +
		"\xD3\xEF" + `</t></is></c></row></sheetData></worksheet>`})
	rows, err := readAll(t, "a.xlsx", pack(t, p), workbook.Limits{})
	require.NoError(t, err)
	assert.Equal(t, map[int][]property.Cell{1: {textCell("语")}}, rows)
}

// TestFallbackEnds: the other process ends with the context, with the caller's interest, and after its time; nothing stays on the disk.
func TestFallbackEnds(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	file := odd(t, strings.Repeat(`<row><c><v>1</v></c><c><v>2</v></c></row>`, 20_000))
	b, err := openBook(t, "a.xlsx", file, workbook.Limits{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	require.ErrorIs(t, b.Rows(ctx, 0, 1, func(workbook.Row) bool { cancel(); return true }), context.Canceled)
	seen := 0
	require.NoError(t, b.Rows(t.Context(), 0, 1, func(workbook.Row) bool { seen++; return seen < 2 }))
	assert.Equal(t, 2, seen)
	require.NoError(t, b.Close())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)

	slow, err := openBook(t, "a.xlsx", file, workbook.Limits{Time: 5 * time.Millisecond})
	require.NoError(t, err)
	var r *workbook.Refusal
	require.ErrorAs(t, slow.Rows(t.Context(), 0, 1, func(workbook.Row) bool { return true }), &r)
	assert.Equal(t, workbook.TooSlow, r.Why)
}

// TestFallbackIsBounded: a file that takes more memory than the other process may have is refused; this process goes on.
func TestFallbackIsBounded(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	workbook.Confine(t, 100<<20)
	file := odd(t, strings.Repeat(`<row>`+strings.Repeat(`<c t="inlineStr"><is><t>text</t></is></c>`, 20)+`</row>`, 20_000))
	_, err := readAll(t, "a.xlsx", file, workbook.Limits{Ratio: 2000})
	var r *workbook.Refusal
	require.ErrorAs(t, err, &r)
	assert.Equal(t, workbook.TooLarge, r.Why)
}
