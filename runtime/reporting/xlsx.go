package reporting

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// Widths of columns in characters.
const (
	labelWidth  = 24
	figureWidth = 16
)

// xlsx writes a worksheet for each table. Figures are numbers with the decimal places that the report shows.
func (p *pages) xlsx(ctx context.Context, to io.Writer) error {
	w := workbook.NewWriter(to, workbook.Options{Title: p.name, Creator: p.by, Created: p.at.UTC(), Locale: p.locale})
	look := looks{
		title: w.Style(workbook.Style{Bold: true}), about: w.Style(workbook.Style{Color: "667085"}),
		head: w.Style(workbook.Style{Bold: true, Fill: "EEF1F5", Border: true}), across: w.Style(workbook.Style{Bold: true, Fill: "EEF1F5", Border: true, Align: "center"}),
		cell: w.Style(workbook.Style{Border: true}), total: w.Style(workbook.Style{Border: true, Bold: true, Fill: "F7F8FA"}),
	}
	for _, g := range p.grids {
		o := workbook.SheetOptions{Name: g.title, Rows: len(g.lines)}
		p.head(g, &o, look)
		w.Sheet(o)
		for _, l := range g.lines {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := w.Row(p.row(g, l, look), 0); err != nil {
				return err
			}
		}
	}
	return w.Close()
}

type looks struct{ title, about, head, across, cell, total int }

func textOut(text string, style int) workbook.Out {
	return workbook.Out{Cell: property.Cell{Kind: property.CellText, Text: text}, Style: style}
}

// head are the title, what the file is about, and the heads of the columns; equal ones beside each other are one cell.
func (p *pages) head(g *grid, o *workbook.SheetOptions, look looks) {
	title := p.name
	if g.title != p.name {
		title += inWords(p.locale, "：", ": ") + g.title
	}
	o.Head = append(o.Head, workbook.HeadRow{Cells: []workbook.Out{textOut(title, look.title)}})
	for _, text := range append(p.about(), g.notes...) {
		o.Head = append(o.Head, workbook.HeadRow{Cells: []workbook.Out{textOut(text, look.about)}})
	}
	first, depth := len(o.Head)+1, 1
	if len(g.heads) > 0 {
		depth = len(g.heads[0])
	}
	for level := range depth {
		var cells []workbook.Out
		for _, label := range g.labels {
			if level > 0 {
				label = ""
			}
			cells = append(cells, textOut(label, look.head))
		}
		for i := range g.heads {
			style := look.across
			if level == depth-1 {
				style = look.head
			}
			cells = append(cells, textOut(g.heads[i][level], style))
		}
		for i := 0; i < len(g.heads) && level < depth-1; {
			n := 1
			for i+n < len(g.heads) && slices.Equal(g.heads[i+n][:level+1], g.heads[i][:level+1]) {
				n++
			}
			if n > 1 {
				o.HeadMerges = append(o.HeadMerges, workbook.Range{Row: first + level, Column: len(g.labels) + i, Rows: 1, Columns: n})
			}
			i += n
		}
		o.Head = append(o.Head, workbook.HeadRow{Cells: cells})
	}
	for i := range g.labels {
		if depth > 1 {
			o.HeadMerges = append(o.HeadMerges, workbook.Range{Row: first, Column: i, Rows: depth, Columns: 1})
		}
		o.Columns = append(o.Columns, workbook.ColumnOptions{Width: labelWidth})
	}
	for range g.columns {
		o.Columns = append(o.Columns, workbook.ColumnOptions{Width: figureWidth})
	}
	o.FreezeRows, o.FreezeColumns = len(o.Head), len(g.labels)
}

func (p *pages) row(g *grid, l line, look looks) []workbook.Out {
	style := look.cell
	if l.kind != dataLine {
		style = look.total
	}
	var out []workbook.Out
	for _, text := range l.labels {
		out = append(out, textOut(text, style))
	}
	for i, c := range l.values {
		out = append(out, workbook.Out{Cell: figureCell(g.measureOf(c, i), c.value, p.zone), Style: style})
	}
	return out
}

// figureCell is a figure as a cell; an empty one where there is none.
func figureCell(m *catalog.Measure, v any, zone *time.Location) property.Cell {
	if d, is := number(v); is {
		return property.Cell{Kind: property.CellNumber, Text: d.String(), Format: numberFormat(m, d)}
	}
	switch x := v.(type) {
	case string:
		if day, err := time.Parse(time.DateOnly, x); err == nil {
			return property.Cell{Kind: property.CellTime, Time: day}
		}
		return property.Cell{Kind: property.CellText, Text: x}
	case time.Time:
		at := x.In(zone)
		return property.Cell{Kind: property.CellTime, Time: time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)}
	}
	return property.Cell{}
}
