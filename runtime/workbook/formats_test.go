package workbook_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/workbook"
)

func TestFormatsOfTimes(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"": "", "General": "", "GENERAL": "", "0.00": "", "#,##0.00;[Red]-#,##0.00": "", "0.00E+00": "", `0" days"`: "", `\d0`: "", "_(* #,##0_)": "", "@": "", "0%": "", "[>100]0": "",
		"[$¥-804]#,##0": "", "yyyy-mm-dd": "ymd", "m/d/yyyy h:mm": "ymdhi", "[$-409]d-mmm-yy": "ymd", "mmm-yy": "ym", "h:mm AM/PM": "hi", "mm:ss.0": "is", "[h]:mm:ss": "hise", "[mm]:ss": "ise",
		`yyyy"年"m"月"d"日"`: "ymd", `[$-F800]dddd, mmmm dd, yyyy`: "ymd", "[DBNum1]yyyy年m月": "ym", "h时mm分": "hi", "e.m.d": "ymd", "上午/下午h时": "h", "d": "d", "m": "m",
		"hh:mm:ss;@": "his", "0;yyyy": "",
	} {
		assert.Equal(t, want, workbook.PartsOf(code), code)
	}
}

func TestExactNumbers(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"0": true, "-0.5": true, "123456789012345": true, "1234567890123456": false, "1234567890123450000": true, "0.000000000000001": true, "123456789.1234567": false, "1.2E+05": true,
		"1e400": false, "1E-400": false, "": false, "-": false, "1.": false, ".5": false, "1,000": false, "abc": false, "1e": false, "0x10": false, "NaN": false, "1 ": false, "１": false,
	} {
		assert.Equal(t, want, workbook.Exact(s), s)
	}
}

// TestDaysBothWays: every day and each kind of time of day comes back as it was written.
func TestDaysBothWays(t *testing.T) {
	t.Parallel()
	var days []time.Time
	for d := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC); d.Year() < 10_000; d = d.AddDate(0, 0, 97) {
		days = append(days, d.Add(time.Duration(len(days)*86_399_123%86_400_000)*time.Millisecond))
	}
	for d := time.Date(1900, 2, 20, 0, 0, 0, 0, time.UTC); d.Month() < 4; d = d.AddDate(0, 0, 1) {
		days = append(days, d)
	}
	file := write(t, workbook.Options{}, func(w *workbook.Writer) {
		w.Sheet(workbook.SheetOptions{})
		for _, d := range days {
			require.NoError(t, w.Row([]workbook.Out{at(d, "yyyy-mm-dd hh:mm:ss.000")}, 0))
		}
		require.NoError(t, w.Row([]workbook.Out{at(time.Date(1800, 5, 6, 0, 0, 0, 0, time.UTC), "yyyy-mm-dd")}, 0))
	})
	b, err := workbook.Open(t.Context(), "d.xlsx", bytes.NewReader(file), int64(len(file)), workbook.Limits{})
	require.NoError(t, err)
	rows, err := rowsOf(t, b, 0, 1)
	require.NoError(t, err)
	for i, d := range days {
		require.Equal(t, d, rows[i+1][0].Time, "row %d", i+1)
	}
	assert.Equal(t, texts("1800-05-06 00:00:00"), rows[len(days)+1], "a day that spreadsheets don't know is a text")
}
