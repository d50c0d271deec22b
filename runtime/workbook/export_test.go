package workbook

import "testing"

// Shorten gives the worksheets of a writer fewer rows.
func Shorten(w *Writer, rows int) { w.rows = rows }

// Confine gives the processes that read odd files less memory.
func Confine(t *testing.T, bytes int64) {
	usual := childMemory
	childMemory = bytes
	t.Cleanup(func() { childMemory = usual })
}

// PartsOf are the letters of what a number format shows of a time: "ymdhis", and "e" for elapsed hours.
func PartsOf(code string) string {
	p, s := partsOf(code), ""
	for _, part := range []struct {
		on     bool
		letter string
	}{{p.year, "y"}, {p.month, "m"}, {p.day, "d"}, {p.hour, "h"}, {p.minute, "i"}, {p.second, "s"}, {p.elapsed, "e"}} {
		if part.on {
			s += part.letter
		}
	}
	return s
}

// Exact lets tests ask which numbers a spreadsheet keeps.
var Exact = exact
