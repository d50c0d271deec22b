package workbook

import (
	"net/url"
	"strconv"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/property"
)

// maxLinkText is the longest address that spreadsheets open.
const maxLinkText = 2_079

// styleCache remembers the last style of a column: its cells are mostly alike.
type styleCache struct {
	key   styleKey
	index string
	known bool
}

// cell appends one cell. Cells without content and style are left out.
func (w *Writer) cell(s *sheetWriter, column int, row string, c *Out) {
	if c.Kind == property.CellEmpty && c.Style == 0 && c.Formula == "" && c.Note == "" {
		return
	}
	for len(s.columns) <= column {
		s.columns = append(s.columns, columnName(len(s.columns)))
		s.styled = append(s.styled, styleCache{})
	}
	kind, key := c.Kind, styleKey{style: c.Style}
	var days float64
	switch kind {
	case property.CellNumber:
		if !exact(c.Text) {
			kind = property.CellText
		}
		key.format = c.Format
	case property.CellTime:
		var ok bool
		days, ok = serial(c.Time)
		key.format = c.Format
		if !ok {
			kind = property.CellText
		} else if key.format == "" {
			key.format = timeFormat(c)
		}
	}
	if kind == property.CellText {
		key.quoted = looksLikeFormula(c.Text)
	}
	if c.Link != "" {
		key.link = w.link(s, column, row, c.Link)
	}
	if c.Note != "" && len(s.notes) < MaxNotes {
		s.notes = append(s.notes, note{row: s.row, column: column, text: c.Note})
	}
	s.buf = append(append(append(s.buf, `<c r="`...), s.columns[column]...), row...)
	s.buf = append(s.buf, '"')
	cache := &s.styled[column]
	if !cache.known || cache.key != key {
		*cache = styleCache{key: key, known: true}
		if index := w.styles.cell(key); index > 0 {
			cache.index = ` s="` + strconv.Itoa(index) + `"`
		}
	}
	s.buf = append(s.buf, cache.index...)
	s.buf = w.appendValue(s.buf, kind, days, c)
}

// appendValue appends the rest of a cell from its type on.
func (w *Writer) appendValue(b []byte, kind property.CellKind, days float64, c *Out) []byte {
	text := c.Text
	if kind == property.CellText && c.Kind == property.CellTime {
		text = c.Time.Format("2006-01-02 15:04:05")
	}
	if c.Formula != "" {
		return w.appendFormula(b, kind, days, text, c)
	}
	switch kind {
	case property.CellNumber:
		return append(append(append(b, `><v>`...), text...), `</v></c>`...)
	case property.CellTime:
		return append(appendSerial(append(b, `><v>`...), days), `</v></c>`...)
	case property.CellBool:
		return append(append(append(b, ` t="b"><v>`...), bit(c.Bool)), `</v></c>`...)
	case property.CellError:
		return append(appendXML(append(b, ` t="e"><v>`...), text), `</v></c>`...)
	case property.CellText, property.CellUnknown:
		if text == "" {
			break
		}
		b = append(b, ` t="inlineStr"><is><t`...)
		return append(w.appendText(b, text), `</t></is></c>`...)
	}
	return append(b, `/>`...)
}

func (w *Writer) appendFormula(b []byte, kind property.CellKind, days float64, text string, c *Out) []byte {
	t := ""
	switch kind {
	case property.CellText:
		t = ` t="str"`
	case property.CellBool:
		t = ` t="b"`
	case property.CellError:
		t = ` t="e"`
	}
	b = append(appendXML(append(append(b, t...), `><f>`...), c.Formula), `</f>`...)
	switch kind {
	case property.CellNumber:
		b = append(append(append(b, `<v>`...), text...), `</v>`...)
	case property.CellTime:
		b = append(appendSerial(append(b, `<v>`...), days), `</v>`...)
	case property.CellBool:
		b = append(append(append(b, `<v>`...), bit(c.Bool)), `</v>`...)
	case property.CellText, property.CellError:
		b = append(w.appendText(append(b, `<v`...), text), `</v>`...)
	}
	return append(b, `</c>`...)
}

// appendText appends the end of a start tag and a text that is no longer than a cell holds.
func (w *Writer) appendText(b []byte, text string) []byte {
	if len(text) > MaxText {
		if short := cutText(text, MaxText); len(short) < len(text) {
			w.cut++
			text = cutText(text, MaxText-1) + "…"
		}
	}
	if keepsSpace(text) {
		b = append(b, ` xml:space="preserve"`...)
	}
	return appendXML(append(b, '>'), text)
}

// keepsSpace tells if a text has white space that readers of XML may drop.
func keepsSpace(s string) bool {
	space := true // as if there was one before
	for i := range len(s) {
		c := s[i]
		if c > ' ' {
			space = false
			continue
		}
		if space || c != ' ' {
			return true
		}
		space = true
	}
	return space && s != ""
}

func bit(v bool) byte {
	if v {
		return '1'
	}
	return '0'
}

func appendSerial(b []byte, days float64) []byte {
	if whole := int64(days); float64(whole) == days {
		return strconv.AppendInt(b, whole, 10)
	}
	return strconv.AppendFloat(b, days, 'f', -1, 64)
}

// timeFormat is the format of a time that names none.
func timeFormat(c *Out) string {
	day := c.Time.Year() == 1899
	h, m, s := c.Time.Clock()
	switch {
	case day:
		return "hh:mm:ss"
	case h == 0 && m == 0 && s == 0:
		return "yyyy-mm-dd"
	}
	return "yyyy-mm-dd hh:mm:ss"
}

// link notes a link of the worksheet. What is not a whole http or https address, or too long, or one too many, stays a plain text.
func (w *Writer) link(s *sheetWriter, column int, row, address string) bool {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || len(address) > maxLinkText || len(s.links) >= MaxLinks ||
		!utf8.ValidString(address) {
		return false
	}
	s.links = append(s.links, link{ref: s.columns[column] + row, address: address})
	return true
}

// looksLikeFormula tells if somebody who edits the cell would make a formula of this text; the cell is marked as a text then.
func looksLikeFormula(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case '=', '+', '-', '@', '\t', '\r':
		return true
	}
	return false
}

const hex = "0123456789ABCDEF"

// appendXML appends a text, escaped. Characters that XML can't hold are written as _xHHHH_, which spreadsheets read, and so is the
// underscore of a text that looks like that.
func appendXML(b []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '&' && c != '<' && c != '>' && c != '"' && c != '_' {
			i++
			continue
		}
		size, with := 1, ""
		switch {
		case c == '&':
			with = "&amp;"
		case c == '<':
			with = "&lt;"
		case c == '>':
			with = "&gt;"
		case c == '"':
			with = "&quot;"
		case c == '_':
			if !isEscape(s[i:]) {
				i++
				continue
			}
			with = "_x005F_"
		case c == '\t' || c == '\n':
			i++
			continue
		case c < ' ':
			with = "_x00" + string(hex[c>>4]) + string(hex[c&15]) + "_"
		default:
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			if r == 0xFFFE || r == 0xFFFF {
				with = "_xFFF" + string(hex[r&15]) + "_"
			} else if r == utf8.RuneError && size == 1 {
				with = "\uFFFD"
			} else {
				i += size
				continue
			}
		}
		b = append(append(b, s[from:i]...), with...)
		i += size
		from = i
	}
	return append(b, s[from:]...)
}

// isEscape tells if a text begins like _x005F_.
func isEscape[T string | []byte](s T) bool {
	if len(s) < 7 || s[0] != '_' || s[1] != 'x' || s[6] != '_' {
		return false
	}
	for i := 2; i < 6; i++ {
		if unhex(s[i]) < 0 {
			return false
		}
	}
	return true
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
