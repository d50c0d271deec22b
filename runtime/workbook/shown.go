package workbook

import (
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/sluice-platform/sluice/engine/property"
)

// cutMark is the end of a text that a cell can't hold whole.
const cutMark = "…"

// Cut is a text as a cell holds it: longer ones end with "…".
func Cut(text string) string {
	if len(text) <= MaxText {
		return text
	}
	if short := cutText(text, MaxText); len(short) == len(text) {
		return text
	}
	return cutText(text, MaxText-1) + cutMark
}

// IsCut reports whether a text may be what Cut has left of a longer one.
func IsCut(text string) bool {
	if len(text) < MaxText-1 || !strings.HasSuffix(text, cutMark) {
		return false
	}
	units := 0
	for _, r := range text {
		units += max(utf16.RuneLen(r), 1)
	}
	return units == MaxText || units == MaxText-1 // a pair of units is not cut in two
}

// Shown is the text of a number in the number format of its cell: "000007" of 7 in the format 000000. A number without a format has all of its
// digits, up to 15, however wide its column is.
func Shown(c property.Cell) string {
	digits := c.Digits()
	if c.Kind != property.CellNumber || c.Format == "" || strings.EqualFold(c.Format, "General") || c.Format == "@" || len(c.Format) > mostFormat {
		return digits
	}
	formats.Lock()
	defer formats.Unlock()
	if text, ok := formats.show(c.Format, digits); ok && utf8.ValidString(text) {
		return text
	}
	return digits
}

// mostFormat is the longest number format that spreadsheets know, and mostFormats how many are kept.
const (
	mostFormat  = 255
	mostFormats = 500
)

// formats shows numbers in the formats of spreadsheets, with a workbook of one cell.
var formats formatter

type formatter struct {
	sync.Mutex
	file   *excelize.File
	styles map[string]int
}

func (f *formatter) show(format, digits string) (string, bool) {
	if f.file == nil || len(f.styles) > mostFormats {
		f.file, f.styles = excelize.NewFile(), map[string]int{}
	}
	style, ok := f.styles[format]
	if !ok {
		var err error
		if style, err = f.file.NewStyle(&excelize.Style{CustomNumFmt: &format}); err != nil {
			return "", false
		}
		f.styles[format] = style
	}
	const sheet, at = "Sheet1", "A1"
	if f.file.SetCellDefault(sheet, at, digits) != nil || f.file.SetCellStyle(sheet, at, at, style) != nil {
		return "", false
	}
	text, err := f.file.GetCellValue(sheet, at)
	return text, err == nil
}
