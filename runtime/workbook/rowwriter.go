package workbook

import (
	"time"

	"github.com/sluice-platform/sluice/engine/property"
)

// What a worksheet can hold at most.
const (
	MaxRows    = 1_048_576
	MaxColumns = 16_384
	// MaxText is the longest text of a cell, in UTF-16 units. Longer texts are cut and end with "…".
	MaxText = 32_767
	// MaxLinks is how many links a worksheet can have; further links are plain texts.
	MaxLinks = 65_530
	// MaxNotes is how many notes the Writer keeps for a worksheet; further notes are left out.
	MaxNotes = 32_768
)

// RowWriter writes rows; [NewWriter] and [NewCSV] make one.
type RowWriter interface {
	// Sheet ends the worksheet before and starts one. A CSV file has one worksheet: what follows goes on below.
	Sheet(s SheetOptions)
	// Style returns the number of a style, for Out.Style. Equal styles have one number; 0 is the plain style.
	Style(s Style) int
	// Row writes the next row. height is in points; 0 is the usual height, Hidden hides the row.
	Row(cells []Out, height float64) error
	// Merge merges cells of the worksheet that is written: row is 1-based, column 0-based.
	Merge(row, column, rows, columns int)
	// RowNumber is the number of the next row in its worksheet, 1-based.
	RowNumber() int
	// Parts are where the rows of the current worksheet are: more than one when it went on in continuation worksheets.
	Parts() []Part
	// Cut is how many texts were cut because a cell can't hold them.
	Cut() int
	// Close ends the file. It does not close what it writes to.
	Close() error
}

// Hidden is the height of rows that nobody sees, such as one of keys.
const Hidden = -1

// Options are the properties of a file.
type Options struct {
	Title, Creator string
	// Created is when, in UTC; the zero time is left out.
	Created time.Time
	// Locale is the language of what the file says, "zh" or "en".
	Locale string
}

// SheetOptions describe a worksheet.
type SheetOptions struct {
	// Name is cleaned of what spreadsheets refuse, cut to 31 characters and made unique.
	Name    string
	Columns []ColumnOptions
	// Head are the first rows. They are written by Sheet, and again on each continuation worksheet.
	Head []HeadRow
	// HeadMerges are merged cells of the head.
	HeadMerges []Range
	// FreezeRows and FreezeColumns stay in sight while the rest scrolls.
	FreezeRows, FreezeColumns int
	// Filter puts filter buttons on the last row of the head.
	Filter bool
	// Rows is how many rows there will be about, for the progress of those who read the file; 0 is unknown.
	Rows int
}

// HeadRow is a row of the head.
type HeadRow struct {
	Cells  []Out
	Height float64
}

// ColumnOptions describe a column. Width is in characters; 0 is the usual width.
type ColumnOptions struct {
	Width  float64
	Hidden bool
}

// Style is how a cell looks. Fill and Color are "RRGGBB".
type Style struct {
	// Format is the number format; "" takes the format of the cell.
	Format      string
	Bold, Wrap  bool
	Italic      bool
	Fill, Color string
	// Align is left, center or right; "" is the usual one of the cell's kind.
	Align  string
	Border bool
}

// Out is a cell to write.
type Out struct {
	property.Cell
	Style int
	// Formula is a formula without "="; the cell is its value, which shows until somebody calculates.
	Formula string
	// Note is a comment on the cell.
	Note string
}

// Range are cells of a worksheet: Row is 1-based, Column 0-based.
type Range struct{ Row, Column, Rows, Columns int }

// Part is a stretch of rows below the head in one worksheet.
type Part struct {
	Sheet       string
	First, Last int
}

// ColumnName is the letters of a column that is counted from 0: "A", "AB".
func ColumnName(column int) string { return columnName(column) }
