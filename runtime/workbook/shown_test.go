package workbook_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// A number in words is what its cell shows; without a format it has all digits that spreadsheets keep.
func TestShown(t *testing.T) {
	t.Parallel()
	for _, one := range [][3]string{
		{"1.1000000000000001", "", "1.1"}, {"0.30000000000000004", "General", "0.3"}, {"13800138000", "", "13800138000"}, {"123456789012345", "General", "123456789012345"},
		{"7", "000000", "000007"}, {"0.125", "0%", "13%"}, {"0.125", "0.0%", "12.5%"}, {"1234.5", "#,##0.00", "1,234.50"}, {"-1234.5", "#,##0.00_);(#,##0.00)", "(1,234.50)"},
		{"5", `0"号"`, "5号"}, {"1.5E+3", "0", "1500"}, {"7", "@", "7"}, {"12", `"第"00"段"`, "第12段"}, {"1", strings.Repeat("0", 300), "1"},
	} {
		require.Equal(t, one[2], workbook.Shown(property.Cell{Kind: property.CellNumber, Text: one[0], Format: one[1]}), "%q", one)
	}
}

// What Cut leaves is known again, and texts that a cell holds whole are not taken for it.
func TestCut(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("长", workbook.MaxText+1), strings.Repeat("x", 40_000), strings.Repeat("😀", 20_000), "x" + strings.Repeat("😀", 20_000)} {
		cut := workbook.Cut(text)
		require.Less(t, len(cut), len(text))
		require.True(t, workbook.IsCut(cut))
	}
	for _, text := range []string{"", "…", "a…", strings.Repeat("长", workbook.MaxText), strings.Repeat("长", 11_000) + "…"} {
		require.Equal(t, text, workbook.Cut(text))
		require.False(t, workbook.IsCut(text), len(text))
	}
}

// The rows of a record say whose they are.
func TestLineKey(t *testing.T) {
	t.Parallel()
	for line := range 3 {
		id, first := workbook.LineOf(workbook.LineKey("a-b", line))
		require.Equal(t, "a-b", id)
		require.Equal(t, line == 0, first)
	}
	id, first := workbook.LineOf(" x/y ")
	require.Equal(t, " x/y ", id)
	require.True(t, first)
}
