package workbook

import (
	"fmt"
	"slices"
	"strings"
)

// styles collects what styles.xml holds: each part once, by its XML.
type styles struct {
	all                        []Style
	numbers                    map[Style]int
	fonts, fills, borders, xfs []string
	formats                    []string
	cells                      map[styleKey]int
}

// styleKey is what decides how a cell looks.
type styleKey struct {
	style  int
	format string // of the cell, when the style has none
	quoted bool   // a text that looks like a formula
	link   bool
}

// firstFormat is the number of the first format of our own.
const firstFormat = 164

const border = `<border><left style="thin"><color rgb="FFD0D5DD"/></left><right style="thin"><color rgb="FFD0D5DD"/></right>` +
	`<top style="thin"><color rgb="FFD0D5DD"/></top><bottom style="thin"><color rgb="FFD0D5DD"/></bottom><diagonal/></border>`

func newStyles() styles {
	return styles{
		all:     []Style{{}},
		numbers: map[Style]int{{}: 0},
		fonts:   []string{`<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>`},
		fills:   []string{`<fill><patternFill patternType="none"/></fill>`, `<fill><patternFill patternType="gray125"/></fill>`},
		borders: []string{`<border><left/><right/><top/><bottom/><diagonal/></border>`},
		xfs:     []string{`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>`},
		cells:   map[styleKey]int{{}: 0},
	}
}

// Style implements RowWriter.
func (w *Writer) Style(s Style) int {
	n, known := w.styles.numbers[s]
	if !known {
		n = len(w.styles.all)
		w.styles.all = append(w.styles.all, s)
		w.styles.numbers[s] = n
	}
	return n
}

// cell is the index of a cell's look in the file.
func (t *styles) cell(k styleKey) int {
	if k.style < 0 || k.style >= len(t.all) {
		k.style = 0
	}
	s := t.all[k.style]
	if s.Format != "" {
		k.format = ""
	}
	if n, known := t.cells[k]; known {
		return n
	}
	if s.Format == "" {
		s.Format = k.format
	}
	n := index(&t.xfs, t.look(s, k))
	t.cells[k] = n
	return n
}

func (t *styles) look(s Style, k styleKey) string {
	var font strings.Builder
	if s.Bold {
		font.WriteString("<b/>")
	}
	if s.Italic {
		font.WriteString("<i/>")
	}
	color := s.Color
	if k.link {
		font.WriteString("<u/>")
		if color == "" {
			color = "0563C1"
		}
	}
	font.WriteString(`<sz val="11"/>`)
	if c := argb(color); c != "" {
		font.WriteString(`<color rgb="` + c + `"/>`)
	}
	fontID := index(&t.fonts, `<font>`+font.String()+`<name val="Calibri"/><family val="2"/></font>`)
	fillID, borderID := 0, 0
	if c := argb(s.Fill); c != "" {
		fillID = index(&t.fills, `<fill><patternFill patternType="solid"><fgColor rgb="`+c+`"/><bgColor indexed="64"/></patternFill></fill>`)
	}
	if s.Border {
		borderID = index(&t.borders, border)
	}
	attributes, alignment := "", ""
	if k.quoted {
		attributes = ` quotePrefix="1"`
	}
	if s.Align == "left" || s.Align == "center" || s.Align == "right" {
		alignment += ` horizontal="` + s.Align + `"`
	}
	if s.Wrap {
		alignment += ` vertical="top" wrapText="1"`
	}
	if alignment != "" {
		attributes += ` applyAlignment="1"><alignment` + alignment + `/></xf>`
	} else {
		attributes += `/>`
	}
	return fmt.Sprintf(`<xf numFmtId="%d" fontId="%d" fillId="%d" borderId="%d" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"%s`,
		t.format(s.Format), fontID, fillID, borderID, attributes)
}

// format is the number of a number format.
func (t *styles) format(code string) int {
	if code == "" || code == "General" {
		return 0
	}
	for n, built := range builtinFormats {
		if built == code && n < 14 {
			return n
		}
	}
	if code == "@" {
		return 49
	}
	return firstFormat + index(&t.formats, code)
}

// index is the place of s in the list, to which it is added.
func index(list *[]string, s string) int {
	if i := slices.Index(*list, s); i >= 0 {
		return i
	}
	*list = append(*list, s)
	return len(*list) - 1
}

// argb is a color of six hexadecimal digits as spreadsheets write it; "" when it is not one.
func argb(color string) string {
	color = strings.TrimPrefix(color, "#")
	if len(color) != 6 {
		return ""
	}
	for i := range len(color) {
		if unhex(color[i]) < 0 {
			return ""
		}
	}
	return "FF" + strings.ToUpper(color)
}

// part is xl/styles.xml.
func (t *styles) part() []byte {
	b := append([]byte(xmlHeader), `<styleSheet xmlns="`+mainSpace+`">`...)
	if len(t.formats) > 0 {
		b = fmt.Appendf(b, `<numFmts count="%d">`, len(t.formats))
		for i, f := range t.formats {
			b = append(appendXML(fmt.Appendf(b, `<numFmt numFmtId="%d" formatCode="`, firstFormat+i), f), `"/>`...)
		}
		b = append(b, `</numFmts>`...)
	}
	for _, group := range []struct {
		name string
		list []string
	}{{"fonts", t.fonts}, {"fills", t.fills}, {"borders", t.borders},
		{"cellStyleXfs", []string{`<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>`}}, {"cellXfs", t.xfs}} {
		b = fmt.Appendf(b, `<%s count="%d">%s</%s>`, group.name, len(group.list), strings.Join(group.list, ""), group.name)
	}
	return append(b, `<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`...)
}
