package printing

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// spreadsheet is a record as a worksheet.
type spreadsheet struct {
	setup layout.Setup
	*layout.Spread
}

// WriteXLSX writes a printout that was asked for as a spreadsheet: a worksheet a record, with numbers and dates as such, and with figures that
// are computed from the rows above them.
func (p *Printout) WriteXLSX(w io.Writer, locale, author string) error {
	sheets := make([]workbook.PlacedSheet, len(p.sheets))
	for i, s := range p.sheets {
		sheets[i] = p.worksheet(p.names[i], s)
	}
	return workbook.WritePlaced(w, workbook.Options{Title: p.Name.In(locale), Creator: author}, sheets)
}

func (p *Printout) worksheet(name string, s spreadsheet) workbook.PlacedSheet {
	first, firstFoot := s.setup.Bands(0)
	next, nextFoot := s.setup.Bands(1)
	out := workbook.PlacedSheet{Name: name, Columns: millimeters(s.Columns), Rows: millimeters(s.Rows), Paper: workbook.Paper{
		Width: s.setup.Width.MM(), Height: s.setup.Height.MM(), Top: s.setup.Top.MM(), Bottom: s.setup.Bottom.MM(), Left: s.setup.Left.MM(), Right: s.setup.Right.MM(),
		Header: bandCodes(next), Footer: bandCodes(nextFoot)}}
	if first != next || firstFoot != nextFoot {
		out.Paper.First = &workbook.FirstPage{Header: bandCodes(first), Footer: bandCodes(firstFoot)}
	}
	for _, c := range s.Cells {
		one := workbook.PlacedCell{Place: workbook.Place(c.SpreadRange), Cell: property.Cell{Kind: property.CellText, Text: c.Text}, Look: lookOf(c.Style)}
		switch v := c.Value.(type) {
		case property.Cell:
			one.Cell = v
		case counted:
			one.Cell, one.Formula, one.Shown = v.Cell, v.formula(c), c.Text
		}
		out.Cells = append(out.Cells, one)
	}
	for _, picture := range s.Pictures {
		if data := p.pictureOf(picture.Content); len(data) > 0 {
			out.Pictures = append(out.Pictures, workbook.PlacedPicture{Place: workbook.Place(picture.SpreadRange), Bytes: data})
		}
	}
	return out
}

// subtotals are the numbers that the function SUBTOTAL has for figures. It passes over the subtotals among its cells.
var subtotals = map[plan.Sum]int{plan.SumAverage: 1, plan.SumCount: 3, plan.SumMaximum: 4, plan.SumMinimum: 5, plan.SumSum: 9}

// formula computes a figure from the cells of its column; "" where there are none, and for texts.
func (v counted) formula(c layout.SpreadCell) string {
	function, has := subtotals[v.sum]
	if !has || c.From >= c.Row || v.Kind != property.CellNumber && v.Kind != property.CellTime {
		return ""
	}
	return fmt.Sprintf("SUBTOTAL(%d,%s:%s)", function, workbook.Ref(c.From+1, c.Column), workbook.Ref(c.Row, c.Column))
}

func millimeters(of []layout.Length) []float64 {
	out := make([]float64, len(of))
	for i, l := range of {
		out[i] = l.MM()
	}
	return out
}

func lookOf(s layout.Style) workbook.Look {
	size := s.Size
	if size == 0 {
		size = layout.DefaultFont
	}
	out := workbook.Look{Size: float64(size) / float64(layout.Points(1)), Bold: s.Bold, Italic: s.Italic, Underline: s.Underline, Color: rgb(s.Color),
		Horizontal: [...]string{"left", "center", "right", "left"}[s.Horizontal], Vertical: [...]string{"top", "center", "bottom", "top"}[s.Vertical]}
	if s.Fill != nil {
		out.Fill = rgb(*s.Fill)
	}
	if s.Border.Width > 0 {
		out.Border = rgb(s.Border.Color)
	}
	return out
}

func rgb(c layout.Color) string { return fmt.Sprintf("%06X", uint32(c)) }

// bandCodes is a header or footer as spreadsheets write it.
func bandCodes(of *layout.Band) string {
	if of == nil || len(of.Items) == 0 {
		return ""
	}
	texts := make([]string, len(of.Items))
	for i, item := range of.Items {
		texts[i] = strings.ReplaceAll(item.Text, "&", "&&")
		if !item.Fixed {
			texts[i] = strings.NewReplacer(layout.PageNumber, "&P", layout.PageTotal, "&N").Replace(texts[i])
		}
	}
	switch last := len(texts) - 1; {
	case of.Align == layout.AlignBetween && last > 0:
		return "&L" + texts[0] + "&C" + strings.Join(texts[1:last], "  ") + "&R" + texts[last]
	case of.Align == layout.AlignCenter:
		return "&C" + strings.Join(texts, "  ")
	case of.Align == layout.AlignEnd:
		return "&R" + strings.Join(texts, "  ")
	}
	return "&L" + strings.Join(texts, "  ")
}

// pictureOf is a picture or code as a file; nil when there is none.
func (p *Printout) pictureOf(c layout.Content) []byte {
	switch c := c.(type) {
	case *layout.Picture:
		return p.Images(c.Ref)
	case *layout.Modules:
		return codePicture(c)
	}
	return nil
}

// codePixels is how many pixels a module of a code has.
const codePixels = 4

// codePicture draws a code. One of a single row is a barcode, a quarter as high as it is wide.
func codePicture(m *layout.Modules) []byte {
	if len(m.Rows) == 0 || len(m.Rows[0]) == 0 {
		return nil
	}
	width, rows := len(m.Rows[0])+2*m.Quiet, len(m.Rows)
	height := rows + 2*m.Quiet
	if rows == 1 {
		height = width / 4
	}
	out := image.NewGray(image.Rect(0, 0, width*codePixels, height*codePixels))
	for y := range height * codePixels {
		for x := range width * codePixels {
			row, column := y/codePixels-m.Quiet, x/codePixels-m.Quiet
			if rows == 1 {
				row = 0
			}
			if row < 0 || row >= rows || column < 0 || column >= len(m.Rows[row]) || !m.Rows[row][column] {
				out.SetGray(x, y, color.Gray{Y: 255})
			}
		}
	}
	var file bytes.Buffer
	if png.Encode(&file, out) != nil {
		return nil
	}
	return file.Bytes()
}
