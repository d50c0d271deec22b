package workbook

import (
	"archive/zip"
	"errors"
	"io"
	"strconv"

	"github.com/klauspost/compress/flate"
)

// flushBytes is how much of a worksheet is collected before it is compressed.
const flushBytes = 128 << 10

// Writer writes an xlsx file with memory that does not grow with its rows. Links and notes are kept until their worksheet ends;
// MaxLinks and MaxNotes bound them.
type Writer struct {
	o      Options
	zip    *zip.Writer
	styles styles
	taken  map[string]bool
	names  []string // of the worksheets, in order
	areas  []string // what each worksheet filters, "" for none
	noted  []int    // numbers of the worksheets with notes
	cur    *sheetWriter
	cut    int
	rows   int // a worksheet's
	err    error
}

var _ RowWriter = (*Writer)(nil)

// NewWriter starts an xlsx file. Numbers with more than 15 significant digits are written as texts, for spreadsheets would change them.
func NewWriter(w io.Writer, o Options) *Writer {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestSpeed) })
	n := &Writer{o: o, zip: z, taken: map[string]bool{}, styles: newStyles(), rows: MaxRows}
	// Who guesses a file's kind looks at its first entries: these are the usual ones.
	n.part("_rels/.rels", rootRels)
	n.part("docProps/core.xml", coreProperties(o))
	return n
}

// sheetWriter is the worksheet that is written.
type sheetWriter struct {
	o       SheetOptions
	name    string
	out     io.Writer
	buf     []byte
	row     int // the next row
	first   int // the first row below the head
	width   int // columns
	columns []string
	styled  []styleCache
	merges  []Range
	links   []link
	notes   []note
	parts   []Part // of the worksheets that this one continues
}

type (
	link struct{ ref, address string }
	note struct {
		row, column int
		text        string
	}
)

// Sheet implements RowWriter.
func (w *Writer) Sheet(s SheetOptions) {
	w.endSheet()
	w.startSheet(s, nil)
}

func (w *Writer) startSheet(o SheetOptions, parts []Part) {
	if w.err != nil {
		return
	}
	name := sheetName(o.Name, w.taken)
	w.names, w.areas = append(w.names, name), append(w.areas, "")
	out, err := w.zip.Create(sheetPath(len(w.names)))
	if err != nil {
		w.err = err
		return
	}
	s := &sheetWriter{o: o, name: name, out: out, buf: make([]byte, 0, flushBytes+flushBytes/4), row: 1, first: 1, parts: parts}
	s.buf = appendSheetStart(s.buf, o, len(w.names) == 1)
	w.cur = s
	for _, h := range o.Head {
		w.err = errors.Join(w.err, w.Row(h.Cells, h.Height))
	}
	s.first = s.row
	s.merges = append(s.merges, o.HeadMerges...)
}

// RowNumber implements RowWriter.
func (w *Writer) RowNumber() int {
	if w.cur == nil {
		return 1
	}
	return w.cur.row
}

// Parts implements RowWriter.
func (w *Writer) Parts() []Part {
	if w.cur == nil {
		return nil
	}
	s := w.cur
	return append(s.parts[:len(s.parts):len(s.parts)], Part{Sheet: s.name, First: s.first, Last: s.row - 1})
}

// Cut implements RowWriter.
func (w *Writer) Cut() int { return w.cut }

// Merge implements RowWriter.
func (w *Writer) Merge(row, column, rows, columns int) {
	if w.cur != nil && (rows > 1 || columns > 1) {
		w.cur.merges = append(w.cur.merges, Range{row, column, rows, columns})
	}
}

var errNoSheet = errors.New("workbook: a row before the first worksheet")

// Row implements RowWriter. Its error is that of the writer below, kept for all further calls.
func (w *Writer) Row(cells []Out, height float64) error {
	if w.err != nil {
		return w.err
	}
	if w.cur == nil {
		return errNoSheet
	}
	if w.cur.row > w.rows {
		o, parts := w.cur.o, w.Parts()
		o.Name = w.baseName()
		w.endSheet()
		w.startSheet(o, parts)
		if w.err != nil {
			return w.err
		}
	}
	s := w.cur
	number := strconv.Itoa(s.row)
	s.buf = append(append(append(s.buf, `<row r="`...), number...), '"')
	switch {
	case height < 0:
		s.buf = append(s.buf, ` hidden="1"`...)
	case height > 0:
		s.buf = append(strconv.AppendFloat(append(s.buf, ` ht="`...), height, 'f', -1, 64), `" customHeight="1"`...)
	}
	s.buf = append(s.buf, '>')
	for i := range min(len(cells), MaxColumns) {
		w.cell(s, i, number, &cells[i])
	}
	s.buf = append(s.buf, `</row>`...)
	s.width = max(s.width, min(len(cells), MaxColumns))
	s.row++
	if len(s.buf) >= flushBytes {
		s.flush(w)
	}
	return w.err
}

// baseName is the name of the worksheet that the current one continues.
func (w *Writer) baseName() string {
	if len(w.cur.parts) > 0 {
		return w.cur.parts[0].Sheet
	}
	return w.cur.name
}

func (s *sheetWriter) flush(w *Writer) {
	if _, err := s.out.Write(s.buf); err != nil && w.err == nil {
		w.err = err
	}
	s.buf = s.buf[:0]
}

// endSheet writes what follows the rows, and the parts of links and notes.
func (w *Writer) endSheet() {
	s := w.cur
	if s == nil || w.err != nil {
		w.cur = nil
		return
	}
	number := len(w.names)
	s.buf = append(s.buf, `</sheetData>`...)
	if head := len(s.o.Head); s.o.Filter && s.width > 0 && s.row > 1 {
		row := max(head, 1)
		area := Range{row, 0, max(s.row-row, 1), s.width}.ref()
		s.buf = append(append(append(s.buf, `<autoFilter ref="`...), area...), `"/>`...)
		w.areas[number-1] = area
	}
	s.buf = appendSheetEnd(s.buf, s)
	s.flush(w)
	w.cur = nil
	if len(s.links) > 0 || len(s.notes) > 0 {
		w.part(sheetRelsPath(number), sheetRels(number, s))
	}
	if len(s.notes) > 0 {
		w.noted = append(w.noted, number)
		w.part(commentsPath(number), comments(s.notes, w.o.Creator))
		w.part(drawingPath(number), noteDrawing(s.notes))
	}
}

// part writes a small part of the file.
func (w *Writer) part(name string, content []byte) {
	if w.err != nil {
		return
	}
	out, err := w.zip.Create(name)
	if err == nil {
		_, err = out.Write(content)
	}
	w.err = err
}

// Close implements RowWriter. A file without worksheets gets an empty one, for spreadsheets refuse it otherwise.
func (w *Writer) Close() error {
	if len(w.names) == 0 {
		w.Sheet(SheetOptions{})
	}
	w.endSheet()
	w.part("xl/workbook.xml", workbookPart(w.names, w.areas))
	w.part("xl/_rels/workbook.xml.rels", workbookRels(len(w.names)))
	w.part("xl/styles.xml", w.styles.part())
	w.part("[Content_Types].xml", contentTypes(len(w.names), w.noted))
	return errors.Join(w.err, w.zip.Close())
}
