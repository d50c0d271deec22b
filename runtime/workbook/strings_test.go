package workbook_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/workbook"
)

// TestSharedTextsOnDisk: past the limit the table goes to a temporary file; the texts are the same, in any order.
func TestSharedTextsOnDisk(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	const n = 30_000
	var table, rows strings.Builder
	for i := range n {
		fmt.Fprintf(&table, "<si><t>text %d</t></si>", i)
		fmt.Fprintf(&rows, `<row><c t="s"><v>%d</v></c><c t="s"><v>%d</v></c></row>`, i, (i*7919)%n)
	}
	file := pack(t, sheet(rows.String(), parts{"xl/sharedStrings.xml": "<sst>" + table.String() + "</sst>"}))
	b, err := openBook(t, "a.xlsx", file, workbook.Limits{Strings: 64 << 10})
	require.NoError(t, err)
	seen := 0
	require.NoError(t, b.Rows(t.Context(), 0, 1, func(r workbook.Row) bool {
		i := r.Number - 1
		seen++
		return assert.Equal(t, texts(fmt.Sprint("text ", i), fmt.Sprint("text ", (i*7919)%n)), r.Cells)
	}))
	assert.Equal(t, n, seen)
	require.NoError(t, b.Close())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}
