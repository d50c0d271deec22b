package workbook

import (
	"context"
	"io"
	"sync"

	"github.com/sluice-platform/sluice/engine/property"
)

// Book is a spreadsheet that is read. Passes over it can run one after another, not at once.
type Book struct {
	file   io.ReaderAt
	size   int64
	limits Limits
	sheets []Sheet
	zip    *archive // nil for CSV
	parts  []string // of the sheets
	shared string   // part of the shared texts, "" for none
	styles []look
	is1904 bool
	text   *csvText // nil for xlsx

	encodings []string // of text: what was taken, and what else the file can be in

	once     sync.Mutex
	strings  *sharedStrings
	fallback *fallback
	unsorted map[int]bool // worksheets whose rows are out of order in the file
	again    bool         // this is what excelize wrote: what the scanner doesn't know here is broken
}

// Sheet is a visible worksheet. Hidden ones, charts and macros are passed over.
type Sheet struct{ Name string }

// Row is a row with content.
type Row struct {
	// Number is that of the file, 1-based: blank rows count and don't come.
	Number int
	// Hidden: the row is not shown, by hand or by a filter.
	Hidden bool
	// Cells are good until the function that gets the row returns; their texts are the caller's. Cells[0] is column A; empty cells at the end are
	// cut off. Texts of a row share memory: keep a short one for long as a clone.
	Cells []property.Cell
}

// Sheets are the visible worksheets, in order. There is one at least.
func (b *Book) Sheets() []Sheet { return b.sheets }

// Encodings are the encoding that a text file is read in, and then others that it may be in just as well. Workbooks have none.
func (b *Book) Encodings() []string { return b.encodings }

// Extent is how many rows a worksheet has as the file says, for progress only; 0 is unknown.
func (b *Book) Extent(sheet int) int {
	if b.text != nil {
		return b.text.lines
	}
	if sheet < 0 || sheet >= len(b.parts) {
		return 0
	}
	in, err := b.zip.open(context.Background(), b.parts[sheet])
	if err != nil {
		return 0
	}
	s := newScanner(in, 0)
	for {
		switch s.next() {
		case tokenEnd:
			return 0
		case tokenStart:
			switch string(s.name) {
			case "sheetData":
				return 0
			case "dimension":
				ref, _ := attribute(s.attrs, "ref")
				r, ok := parseRange(ref)
				if !ok {
					return 0
				}
				return r.Row + r.Rows - 1
			}
		}
	}
}

// Rows calls each with the rows from a number on (1-based) that have content, in order, until it returns false. The error is a *Refusal when the
// file is to blame, and that of the context when it ends. Rows that are out of order in the file are seen when they come: the pass ends as with a
// broken file, Unsorted is true, and the next pass gives all rows in order.
func (b *Book) Rows(ctx context.Context, sheet, from int, each func(Row) bool) error {
	if sheet < 0 || sheet >= len(b.sheets) {
		return refuse(NoSheet)
	}
	watch := &stopwatch{limit: b.limits.Time, each: each}
	if b.text != nil {
		return watch.result(ctx, b.text.rows(ctx, b, from, watch))
	}
	return watch.result(ctx, b.scanRows(ctx, sheet, from, watch))
}

// Unsorted tells if a pass ended because the rows of a worksheet are out of order; another one sorts them.
func (b *Book) Unsorted(sheet int) bool {
	return b.unsorted[sheet] || b.fallback != nil && b.fallback.books[sheet] != nil && b.fallback.books[sheet].unsorted[sheet]
}

// Close frees what reading left on the disk. The file itself is the caller's.
func (b *Book) Close() error {
	if b.strings != nil {
		b.strings.close()
		b.strings = nil
	}
	f := b.fallback
	b.fallback = nil
	return f.close()
}

// sharedStrings are read by the first pass that needs them.
func (b *Book) sharedTable(ctx context.Context) (*sharedStrings, error) {
	b.once.Lock()
	defer b.once.Unlock()
	if b.strings != nil || b.shared == "" {
		return b.strings, nil
	}
	in, err := b.zip.open(ctx, b.shared)
	if err != nil {
		return nil, err
	}
	b.strings, err = readShared(in, b.limits)
	return b.strings, err
}
