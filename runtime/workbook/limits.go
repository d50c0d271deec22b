package workbook

import (
	"fmt"
	"time"
)

// Limits bound what a file can cost. A limit of 0 is that of Usual.
type Limits struct {
	// Packed and Unpacked are bytes of the file and of the parts in it that are read; Ratio is how many times a part may grow.
	Packed, Unpacked int64
	Ratio            int
	// Entries are the files in a zip, Rows the rows with content of a worksheet, Columns its columns.
	Entries, Rows, Columns int
	// CellBytes bound the text of a cell.
	CellBytes int
	// Strings are the bytes of the shared texts that are held in memory; further ones go to a temporary file.
	Strings int64
	// Time bounds the work of one pass over a worksheet, without what the caller does with the rows.
	Time time.Duration
}

// Usual are the limits of files that people upload.
var Usual = Limits{
	Packed: 128 << 20, Unpacked: 2 << 30, Ratio: 200, Entries: 4096, Rows: MaxRows, Columns: MaxColumns, CellBytes: 4 * MaxText, Strings: 24 << 20, Time: 5 * time.Minute,
}

func (l Limits) filled() Limits {
	fill(&l.Packed, Usual.Packed)
	fill(&l.Unpacked, Usual.Unpacked)
	fill(&l.Ratio, Usual.Ratio)
	fill(&l.Entries, Usual.Entries)
	fill(&l.Rows, Usual.Rows)
	fill(&l.Columns, Usual.Columns)
	fill(&l.CellBytes, Usual.CellBytes)
	fill(&l.Strings, Usual.Strings)
	fill(&l.Time, Usual.Time)
	l.Columns = min(l.Columns, MaxColumns)
	return l
}

func fill[T int | int64 | time.Duration](v *T, usual T) {
	if *v <= 0 {
		*v = usual
	}
}

// Why is the reason of a refusal.
type Why string

// Reasons of refusals. Callers say them to people in their language.
const (
	// NotASpreadsheet: the content is something else; Args: what it looks like ("pdf", "html", "docx", ""), when known.
	NotASpreadsheet Why = "notASpreadsheet"
	// Foreign: a spreadsheet in a format that is not read; Args: the format (".ods", ".et", ".xlsb").
	Foreign Why = "foreign"
	// OldFormat: a file of Excel 95 or older (xls).
	OldFormat Why = "oldFormat"
	// Encrypted: the file has a password.
	Encrypted Why = "encrypted"
	// Broken: the file ends too early, contradicts itself or is not XML where it should be; Args: the part.
	Broken Why = "broken"
	// TooLarge: the file or what it unpacks to passes a limit, or grows like a zip bomb; Args: the limit in bytes or times, where it is one.
	TooLarge Why = "tooLarge"
	// TooManyRows and TooManyColumns: Args: the limit.
	TooManyRows    Why = "tooManyRows"
	TooManyColumns Why = "tooManyColumns"
	// CellTooLong: a text is longer than a cell can hold; Args: the cell ("B3").
	CellTooLong Why = "cellTooLong"
	// WrongExtension: the content does not fit the ending of the name; Args: the ending that fits ("xlsx", "csv").
	WrongExtension Why = "wrongExtension"
	// WrongEncoding: a text is not in the encoding that somebody named; Args: its name.
	WrongEncoding Why = "wrongEncoding"
	// DTD: the file declares a document type or entities, which spreadsheets never do.
	DTD Why = "dtd"
	// NoSheet: the file has no visible worksheet.
	NoSheet Why = "noSheet"
	// TooSlow: reading took longer than Limits.Time.
	TooSlow Why = "tooSlow"
)

// Refusal is why a file is not read. It is an error of the file, not of the server.
type Refusal struct {
	Why  Why
	Args []any
}

// Error implements error, for logs.
func (r *Refusal) Error() string {
	if len(r.Args) == 0 {
		return "workbook: " + string(r.Why)
	}
	return fmt.Sprintf("workbook: %s %v", r.Why, r.Args)
}

func refuse(why Why, args ...any) error { return &Refusal{Why: why, Args: args} }
