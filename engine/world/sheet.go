package world

import (
	"context"
	"io"
	"iter"
)

// Sheets reads and writes spreadsheets row by row (docs/adr/0043), so that no pack needs a library for them. Both keep to the limits of lists:
// size of the file and of what it unpacks to, rows, columns, time.
type Sheets interface {
	// SheetRows reads the first visible worksheet of a file that the principal may read, xlsx or csv: its rows with content, the headings first.
	// The hidden row and the example of a template do not come, nor totals at the end; merged cells have their value in each of their
	// rows, as in imports. What is wrong with a file is a fault for people, and the last thing that is yielded.
	SheetRows(ctx context.Context, file string) iter.Seq2[SheetRow, error]
	// WriteSheet writes an xlsx file with one worksheet, its headings, and the rows below. Values are string, decimal.Decimal, int, int64, bool,
	// time.Time, or nil for an empty cell. Without rows (nil) it is a template to fill in, with notes, options and the example.
	WriteSheet(to io.Writer, s Sheet, rows iter.Seq2[[]any, error]) error
}

// SheetRow is a row of a spreadsheet.
type SheetRow struct {
	Number int // in the file, from 1
	// Cells are the texts of the columns, from A: numbers with all their digits, dates as 2006-01-02, moments as 2006-01-02 15:04:05, truth
	// values as TRUE and FALSE.
	Cells []string
}

// Sheet is a worksheet to write.
type Sheet struct {
	Name    string
	Columns []SheetColumn
	Guide   []string // lines of a second worksheet of a template
}

// SheetColumn is a column to write. Note, Required, Options and Example are for templates.
type SheetColumn struct {
	Title    string
	Width    float64 // in characters; 0 = usual
	Note     string
	Required bool
	Options  []string
	Example  string
}
