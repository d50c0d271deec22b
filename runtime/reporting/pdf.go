package reporting

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/printing/font"
	"github.com/sluice-platform/sluice/runtime/printing/pdf"
)

// Measures of paper: A4, lying.
const (
	paperWidth, paperHeight = 297 * layout.Millimeter, 210 * layout.Millimeter
	edge                    = 15 * layout.Millimeter
	rowHeight               = 6 * layout.Millimeter
	leastColumn             = 16 * layout.Millimeter
	mostColumn              = 70 * layout.Millimeter
	titleHeight             = 8 * layout.Millimeter
	gap                     = 4 * layout.Millimeter
)

// mostPrinted bounds the cells of a table on paper; a spreadsheet has all of them.
const mostPrinted = 20_000

var (
	bodySize  = layout.Points(9)
	headFill  = layout.Color(0xEEF1F5)
	totalFill = layout.Color(0xF7F8FA)
	hairline  = layout.Stroke{Width: layout.Points(0.5), Color: 0xD0D5DD}
)

// sheet is a table on paper: a part of a grid that is as wide as the paper at most.
type sheet struct {
	title string
	notes []string
	table *layout.Table
}

// pdf draws the tables on paper: one below the other, as long as they fit on a page.
func (p *pages) pdf(ctx context.Context, to io.Writer) error {
	d := &layout.Document{Setup: layout.Setup{Width: paperWidth, Height: paperHeight, Top: edge, Bottom: edge, Left: edge, Right: edge,
		Footer: &layout.Band{Edge: 7 * layout.Millimeter, Align: layout.AlignBetween, Size: layout.Points(8), Items: []layout.Item{{Text: ink(p.name), Fixed: true}, {Text: layout.PageNumber + " / " + layout.PageTotal}}}}}
	w := &paperWriter{d: d, usable: d.Setup.Usable(), width: paperWidth - 2*edge}
	w.text(p.name, layout.Style{Size: layout.Points(15), Bold: true}, 10*layout.Millimeter)
	for _, line := range p.about() {
		w.text(line, layout.Style{Size: bodySize, Color: 0x667085}, rowHeight)
	}
	for _, g := range p.grids {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, s := range p.sheets(g, w.width) {
			w.sheet(s)
		}
	}
	languages := map[string]string{"zh": "zh-CN", "en": "en-US"}
	return pdf.Write(to, layout.Lay(d, font.Default()), func(string) []byte { return nil }, pdf.Info{Title: p.name, Author: p.by, Language: languages[p.locale], Time: p.at})
}

func ink(text string) string { return font.Default().Drawn(text) }

// paperWriter puts elements below each other. The layout moves down what is below a table that is higher than its element; used is about how
// much of the last page is used, by which the writer decides where a page begins.
type paperWriter struct {
	d             *layout.Document
	top, used     layout.Length
	usable, width layout.Length
}

func (w *paperWriter) add(height layout.Length, c layout.Content) {
	if len(w.d.Flows) == 0 {
		w.d.Flows = append(w.d.Flows, layout.Flow{})
	}
	f := &w.d.Flows[len(w.d.Flows)-1]
	f.Elements = append(f.Elements, layout.Element{Top: w.top, Width: w.width, Height: height, Content: c})
	w.top += height
	w.used += height
}

func (w *paperWriter) text(text string, style layout.Style, height layout.Length) {
	w.add(height, layout.Boxes{{Width: w.width, Text: ink(text), Style: style}})
}

// sheet begins a page where the table would not fit on this one; one that fits on no page goes on over pages.
func (w *paperWriter) sheet(s sheet) {
	rows := layout.Length(len(s.table.Rows) + len(s.notes) + 1)
	if slices.ContainsFunc(s.table.Columns, func(c layout.Column) bool { return c.Group != "" }) {
		rows++
	}
	need, left := titleHeight+rows*rowHeight, w.usable-w.used
	switch {
	case w.used == 0:
	case need > left && (need <= w.usable || left < w.usable/3):
		w.d.Flows = append(w.d.Flows, layout.Flow{})
		w.top, w.used = 0, 0
	default:
		w.top, w.used = w.top+gap, w.used+gap
	}
	w.text(s.title, layout.Style{Size: layout.Points(11), Bold: true}, titleHeight)
	w.add(rowHeight, s.table)
	w.used += layout.Length(len(s.table.Rows)) * rowHeight
	for _, note := range s.notes {
		w.text(note, layout.Style{Size: layout.Points(8), Color: 0x667085}, rowHeight)
	}
	w.used %= w.usable
}

// sheets cuts a grid into tables that are no wider than the paper; the labels are in each of them.
func (p *pages) sheets(g *grid, width layout.Length) (out []sheet) {
	notes, lines := g.notes, g.lines
	if most := max(mostPrinted/max(len(g.columns), 1), 1); len(lines) > most {
		of := &grid{locale: g.locale, notes: slices.Clone(notes)}
		of.note("只印出前 {n} 行，完整数据请导出为 xlsx", "Only the first {n} rows are printed. Export to xlsx for all of them.", most, 0)
		lines, notes = lines[:most], of.notes
	}
	texts := make([][]string, len(lines))
	for k, l := range lines {
		for _, label := range l.labels {
			texts[k] = append(texts[k], ink(label))
		}
		for i, c := range l.values {
			text := "–"
			if c.value != nil {
				text = ink(figureWords(g.measureOf(c, i), c.value, p.zone))
			}
			texts[k] = append(texts[k], text)
		}
	}
	columns := g.paperColumns(texts)
	for from := len(g.labels); from < len(columns) || from == len(g.labels); {
		take := seq(0, len(g.labels))
		room := width
		for _, i := range take {
			room -= columns[i].Width
		}
		first := from
		for from < len(columns) && (from == first || columns[from].Width <= room) {
			room -= columns[from].Width
			take = append(take, from)
			from++
		}
		s := sheet{title: g.title, table: &layout.Table{HeadHeight: rowHeight, BodyHeight: rowHeight, Every: true}}
		if first > len(g.labels) {
			s.title += inWords(g.locale, "（续）", " (continued)")
		}
		for _, i := range take {
			s.table.Columns = append(s.table.Columns, columns[i])
		}
		for k, l := range lines {
			s.table.Rows = append(s.table.Rows, paperRow(l.kind, texts[k], take))
		}
		if out = append(out, s); from == first {
			break
		}
	}
	out[len(out)-1].notes = notes
	return out
}

func seq(from, to int) (out []int) {
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

func paperRow(kind lineKind, texts []string, take []int) layout.Row {
	row := layout.Row{Bold: kind != dataLine}
	if kind != dataLine {
		row.Kind = layout.SumRow
	}
	for _, i := range take {
		text := ""
		if i < len(texts) {
			text = texts[i]
		}
		row.Texts = append(row.Texts, text)
	}
	return row
}

// paperColumns are the columns of a grid, as wide as their texts.
func (g *grid) paperColumns(texts [][]string) []layout.Column {
	head := layout.Style{Size: bodySize, Bold: true, Horizontal: layout.AlignCenter, Vertical: layout.AlignCenter, Border: hairline, Fill: &headFill, Padding: layout.Millimeter}
	body := layout.Style{Size: bodySize, Vertical: layout.AlignCenter, Border: hairline, Padding: layout.Millimeter}
	var out []layout.Column
	for i := range len(g.labels) + len(g.columns) {
		c := layout.Column{HeadStyle: head, Style: body}
		if i < len(g.labels) {
			c.Head = ink(g.labels[i])
		} else {
			heads := g.heads[i-len(g.labels)]
			c.Head = ink(cmp.Or(heads[len(heads)-1], heads[0]))
			c.Group = ink(strings.Join(slices.DeleteFunc(slices.Clone(heads[:len(heads)-1]), func(s string) bool { return s == "" }), " · "))
			if c.Head == c.Group {
				c.Group = ""
			}
			c.Style.Horizontal = layout.AlignEnd
		}
		widest := layout.Width(font.Default(), c.Head, bodySize)
		for _, row := range texts[:min(len(texts), 1000)] {
			if i < len(row) {
				widest = max(widest, layout.Width(font.Default(), row[i], bodySize))
			}
		}
		c.Width = min(max(widest+3*layout.Millimeter, leastColumn), mostColumn)
		out = append(out, c)
	}
	return out
}
