package workbook

import (
	"bytes"
	"errors"
	"image"
	"io"
	"strconv"

	"github.com/xuri/excelize/v2"

	"github.com/sluice-platform/sluice/engine/property"
)

// PlacedSheet is a worksheet of cells at places of their own, such as a form on paper. Lengths are in millimeters.
type PlacedSheet struct {
	Name          string
	Columns, Rows []float64
	Cells         []PlacedCell
	Pictures      []PlacedPicture
	Paper         Paper
}

// Paper is how a worksheet is printed: all columns on its width. Header and Footer are in the codes of spreadsheets ("&CPage &P").
type Paper struct {
	Width, Height            float64
	Top, Bottom, Left, Right float64
	Header, Footer           string
	First                    *FirstPage // nil = it has the same
}

// FirstPage has a header and a footer of its own.
type FirstPage struct{ Header, Footer string }

// Place are rows and columns of a worksheet, counted from 0.
type Place struct{ Row, Column, Rows, Columns int }

// PlacedCell is a value over one or more cells. No two may have a cell in common. Of a formula, which is without "=", only the format of the
// value is taken: Shown is what is seen until somebody calculates.
type PlacedCell struct {
	Place
	property.Cell
	Formula, Shown string
	Look           Look
}

// Look is how a placed cell looks. Colors are "RRGGBB", sizes in points; Border is the color of its frame, "" = none.
type Look struct {
	Size                    float64
	Bold, Italic, Underline bool
	Color, Fill, Border     string
	Horizontal, Vertical    string // left, center, right; top, center, bottom
}

// PlacedPicture is a PNG, JPEG or GIF over cells, as large as fits into them.
type PlacedPicture struct {
	Place
	Bytes []byte
}

// The measures of spreadsheets.
const (
	pixelsPerMM = 96 / 25.4
	pointsPerMM = 72 / 25.4
	inchesPerMM = 1 / 25.4
	mostHeight  = 409 // of a row, in points
	mostBand    = 255 // characters of a header
	a3, a4, a5  = 8, 9, 11
)

// WritePlaced writes a file of worksheets with placed cells.
func WritePlaced(w io.Writer, o Options, sheets []PlacedSheet) error {
	f := &placedFile{File: excelize.NewFile(), styles: map[styledAs]int{}}
	defer func() { _ = f.Close() }()
	taken := map[string]bool{}
	for i, s := range sheets {
		f.sheet = sheetName(s.Name, taken)
		if i == 0 {
			f.try(f.SetSheetName("Sheet1", f.sheet))
		} else {
			_, err := f.NewSheet(f.sheet)
			f.try(err)
		}
		f.place(s)
		if f.err != nil {
			return f.err
		}
	}
	f.try(f.SetDocProps(&excelize.DocProperties{Title: o.Title, Creator: o.Creator}))
	f.try(f.SetCalcProps(&excelize.CalcPropsOptions{FullCalcOnLoad: new(true)}))
	if f.err != nil {
		return f.err
	}
	return f.Write(w)
}

type placedFile struct {
	*excelize.File
	sheet  string
	styles map[styledAs]int
	err    error
}

// styledAs is what makes a style.
type styledAs struct {
	Look
	format string
}

func (f *placedFile) try(err error) { f.err = errors.Join(f.err, err) }

func (f *placedFile) place(s PlacedSheet) {
	for i, mm := range s.Columns {
		pixels := mm * pixelsPerMM
		f.try(f.SetColWidth(f.sheet, columnName(i), columnName(i), max((pixels-5)/7, pixels/12)))
	}
	for i, mm := range s.Rows {
		f.try(f.SetRowHeight(f.sheet, i+1, min(mm*pointsPerMM, mostHeight)))
	}
	for _, c := range s.Cells {
		f.cell(c)
	}
	for _, p := range s.Pictures {
		f.picture(s, p)
	}
	f.paper(s.Paper)
}

func (f *placedFile) cell(c PlacedCell) {
	first, last := Ref(c.Row+1, c.Column), Ref(c.Row+max(c.Rows, 1), c.Column+max(c.Columns, 1)-1)
	if first != last {
		f.try(f.MergeCell(f.sheet, first, last))
	}
	format := ""
	switch number, err := strconv.ParseFloat(c.Text, 64); {
	case c.Formula != "":
		f.try(f.SetCellDefault(f.sheet, first, cutText(c.Shown, MaxText))) // a shared string would show its number
		f.try(f.SetCellFormula(f.sheet, first, c.Formula))
		format = c.Format
	case c.Kind == property.CellNumber && err == nil && exact(c.Text):
		f.try(f.SetCellFloat(f.sheet, first, number, -1, 64))
		format = c.Format
	case c.Kind == property.CellTime:
		if days, ok := serial(c.Time); ok {
			f.try(f.SetCellFloat(f.sheet, first, days, -1, 64))
			if format = c.Format; format == "" {
				format = timeFormat(&Out{Cell: c.Cell})
			}
		} else {
			f.try(f.SetCellStr(f.sheet, first, c.Time.Format("2006-01-02 15:04:05")))
		}
	case c.Text != "":
		f.try(f.SetCellStr(f.sheet, first, cutText(c.Text, MaxText)))
	}
	f.try(f.SetCellStyle(f.sheet, first, last, f.style(styledAs{c.Look, format})))
}

func (f *placedFile) style(as styledAs) int {
	if n, known := f.styles[as]; known {
		return n
	}
	s := excelize.Style{
		Font:      &excelize.Font{Size: as.Size, Bold: as.Bold, Italic: as.Italic, Color: as.Color},
		Alignment: &excelize.Alignment{Horizontal: as.Horizontal, Vertical: as.Vertical, WrapText: true},
	}
	if as.Underline {
		s.Font.Underline = "single"
	}
	if as.Fill != "" {
		s.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{as.Fill}}
	}
	if as.Border != "" {
		for _, side := range []string{"left", "top", "right", "bottom"} {
			s.Border = append(s.Border, excelize.Border{Type: side, Style: 1, Color: as.Border})
		}
	}
	if as.format != "" {
		s.CustomNumFmt = &as.format
	}
	n, err := f.NewStyle(&s)
	f.try(err)
	f.styles[as] = n
	return n
}

// picture puts a picture into the middle of its place. Files of other kinds are left out.
func (f *placedFile) picture(s PlacedSheet, p PlacedPicture) {
	config, kind, err := image.DecodeConfig(bytes.NewReader(p.Bytes))
	if err != nil || config.Width == 0 || config.Height == 0 {
		return
	}
	width, height := sum(s.Columns[p.Column:p.Column+p.Columns])*pixelsPerMM, sum(s.Rows[p.Row:p.Row+p.Rows])*pixelsPerMM
	scale := min(width/float64(config.Width), height/float64(config.Height))
	f.try(f.AddPictureFromBytes(f.sheet, Ref(p.Row+1, p.Column), &excelize.Picture{Extension: "." + kind, File: p.Bytes, Format: &excelize.GraphicOptions{
		ScaleX: scale, ScaleY: scale, OffsetX: int((width - float64(config.Width)*scale) / 2), OffsetY: int((height - float64(config.Height)*scale) / 2), Positioning: "oneCell"}}))
}

func (f *placedFile) paper(p Paper) {
	short, long := min(p.Width, p.Height), max(p.Width, p.Height)
	size := a4
	switch {
	case short > 250 && long > 350:
		size = a3
	case short < 180 && long < 250:
		size = a5
	}
	orientation := "portrait"
	if p.Width > p.Height {
		orientation = "landscape"
	}
	f.try(f.SetPageLayout(f.sheet, &excelize.PageLayoutOptions{Size: &size, Orientation: &orientation, FitToWidth: new(1), FitToHeight: new(0)}))
	f.try(f.SetSheetProps(f.sheet, &excelize.SheetPropsOptions{FitToPage: new(true)}))
	inches := func(mm float64) *float64 { return new(mm * inchesPerMM) }
	f.try(f.SetPageMargins(f.sheet, &excelize.PageLayoutMarginsOptions{Top: inches(p.Top), Bottom: inches(p.Bottom), Left: inches(p.Left), Right: inches(p.Right)}))
	f.try(f.SetSheetView(f.sheet, 0, &excelize.ViewOptions{ShowGridLines: new(false)}))
	if p.Header != "" || p.Footer != "" || p.First != nil {
		of := &excelize.HeaderFooterOptions{OddHeader: cutText(p.Header, mostBand), OddFooter: cutText(p.Footer, mostBand)}
		if p.First != nil {
			of.DifferentFirst, of.FirstHeader, of.FirstFooter = true, cutText(p.First.Header, mostBand), cutText(p.First.Footer, mostBand)
		}
		f.try(f.SetHeaderFooter(f.sheet, of))
	}
}

func sum(of []float64) (out float64) {
	for _, f := range of {
		out += f
	}
	return out
}
