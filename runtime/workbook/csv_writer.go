package workbook

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode"

	"github.com/sluice-platform/sluice/engine/property"
)

// byteOrderMark at the start of a CSV file makes spreadsheets read it as UTF-8.
const byteOrderMark = "\uFEFF"

// CSV writes rows as lines of comma-separated values: UTF-8 with a byte order mark, CRLF. Texts that a spreadsheet would take for a
// formula get an apostrophe before them, which Open takes off again. Links, notes, styles and merged cells have no place in CSV.
type CSV struct {
	out    *bufio.Writer
	head   int
	row    int
	line   []byte
	err    error
	styles map[Style]int
}

var _ RowWriter = (*CSV)(nil)

// NewCSV starts a CSV file.
func NewCSV(w io.Writer) *CSV {
	c := &CSV{out: bufio.NewWriterSize(w, flushBytes), row: 1, styles: map[Style]int{{}: 0}}
	_, c.err = c.out.WriteString(byteOrderMark)
	return c
}

// Sheet implements RowWriter; only the head is written.
func (c *CSV) Sheet(s SheetOptions) {
	for _, h := range s.Head {
		c.err = errors.Join(c.err, c.Row(h.Cells, 0))
	}
	c.head = c.row
}

// Style implements RowWriter.
func (c *CSV) Style(s Style) int {
	n, known := c.styles[s]
	if !known {
		n = len(c.styles)
		c.styles[s] = n
	}
	return n
}

// Row implements RowWriter.
func (c *CSV) Row(cells []Out, _ float64) error {
	if c.err != nil {
		return c.err
	}
	c.line = c.line[:0]
	for i := range cells {
		if i > 0 {
			c.line = append(c.line, ',')
		}
		c.line = appendField(c.line, &cells[i].Cell)
	}
	c.line = append(c.line, "\r\n"...)
	_, c.err = c.out.Write(c.line)
	c.row++
	return c.err
}

// Merge implements RowWriter: nothing to do.
func (c *CSV) Merge(_, _, _, _ int) {}

// RowNumber implements RowWriter.
func (c *CSV) RowNumber() int { return c.row }

// Parts implements RowWriter.
func (c *CSV) Parts() []Part { return []Part{{First: c.head, Last: c.row - 1}} }

// Cut implements RowWriter: a CSV file holds texts of any length.
func (c *CSV) Cut() int { return 0 }

// Close implements RowWriter.
func (c *CSV) Close() error { return errors.Join(c.err, c.out.Flush()) }

func appendField(b []byte, c *property.Cell) []byte {
	text := c.Text
	switch c.Kind {
	case property.CellEmpty:
		return b
	case property.CellBool:
		if c.Bool {
			return append(b, "TRUE"...)
		}
		return append(b, "FALSE"...)
	case property.CellTime:
		return append(b, timeText(c)...)
	case property.CellNumber:
		if number(text) {
			return append(b, text...)
		}
	}
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\uFFFD")
	if guarded(text) {
		text = "'" + text
	}
	if !strings.ContainsAny(text, "\",\r\n;\t") && strings.TrimSpace(text) == text {
		return append(b, text...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(text, `"`, `""`)...)
	return append(b, '"')
}

// guarded tells if a text gets an apostrophe in CSV: a spreadsheet would take it for a formula, or it is such a text with an apostrophe.
func guarded(text string) bool {
	bare := strings.TrimLeft(text, "'")
	trimmed := strings.TrimLeftFunc(bare, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) })
	if trimmed == "" {
		return false
	}
	return strings.HasPrefix(bare, "\t") || strings.HasPrefix(bare, "\r") || strings.ContainsRune("=+-@＝＋－＠", []rune(trimmed[:min(len(trimmed), 4)])[0])
}

// unguarded takes the apostrophe off again.
func unguarded(text string) string {
	if strings.HasPrefix(text, "'") && guarded(text) {
		return text[1:]
	}
	return text
}

// number tells if a text is a decimal number, which needs no apostrophe: "-5" is not a formula.
func number(s string) bool {
	s = strings.TrimPrefix(s, "-")
	end := strings.IndexFunc(s, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(s)
	}
	_, ok := exponentOf(s[end:])
	return ok && end > 0 && s[0] != '.' && strings.Count(s[:end], ".") <= 1
}

// timeText is a time as CSV has it: ISO, with the parts that its format shows.
func timeText(c *property.Cell) string {
	format := c.Format
	if format == "" {
		format = timeFormat(&Out{Cell: *c})
	}
	p := partsOf(format)
	layout := ""
	switch {
	case p.day || p.date() && !p.year:
		layout = "2006-01-02"
	case p.month:
		layout = "2006-01"
	case p.year:
		layout = "2006"
	}
	if p.hour || p.minute || p.second {
		clock := "15:04"
		if p.second {
			clock = "15:04:05"
		}
		layout = strings.TrimSpace(layout + " " + clock)
	}
	if layout == "" {
		layout = "2006-01-02 15:04:05"
	}
	return c.Time.Format(layout)
}
