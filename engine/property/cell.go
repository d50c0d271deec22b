package property

import (
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// CellKind is what a cell of a spreadsheet holds.
type CellKind uint8

// Kinds of cells.
const (
	CellEmpty   CellKind = iota
	CellText             // Cell.Text
	CellNumber           // Cell.Text: the decimal digits as the file has them, "1200.5" or "1.2E+05"
	CellTime             // Cell.Time; written with Cell.Format
	CellBool             // Cell.Bool
	CellError            // Cell.Text: "#REF!"
	CellUnknown          // a formula whose value the file does not have; Cell.Text: the formula
)

// Cell is one cell of a spreadsheet, as it is read and as it is written. The same cell of another file type (CSV) is a text.
type Cell struct {
	Kind CellKind
	Text string
	Bool bool
	// Time is the wall clock of the cell as a time in UTC: spreadsheets know no zones. Cells that hold a time of day only are on the
	// day 1899-12-31.
	Time time.Time
	// Format is the number format of a number or time: "#,##0.00", "yyyy-mm-dd". "" is General.
	Format string
	// Link is the address that a click opens; "" is none.
	Link string
}

// Export says whether exports take the values of a field.
type Export uint8

// How exports take values.
const (
	ExportUsual Export = iota // with "all fields"
	ExportAsked               // when somebody chooses the field
	ExportNever
)

// The abilities of types in spreadsheets. A property without them is written as its Text and read by Parse from the cell's text.
type (
	// CellWriter: values are typed cells, so that spreadsheets can sort and sum them.
	CellWriter interface {
		Cell(v any, c TextContext) Cell
	}

	// SheetWriter: texts say less than the values, or may be read as others. SheetText is what exports write, whatever is displayed of a value;
	// ReadCell makes the same value of it, or the import where the values refer to people, departments or records (Named.ForFile).
	SheetWriter interface {
		SheetText(v any, c TextContext) string
	}

	// Measured: the values are numbers of a unit; "" where the definition names none.
	Measured interface{ Unit() string }

	// Exported: exports take the values in another way than ExportUsual.
	Exported interface{ Export() Export }

	// CellReader: cells are read as people fill them in, with spellings that Parse refuses ("2026年3月5日", "1,200.50", "12 %").
	// nil means empty. Errors are *ValueError.
	CellReader interface {
		ReadCell(c Cell) (any, error)
	}

	// Fitter: cells that the property refuses for their form alone can be made to fit, by a person's order: a number rounded to its decimal
	// places, a text of several lines joined to one. false: nothing is to be done, or it would not help.
	Fitter interface{ Fit(c Cell) (Cell, bool) }
)

// cellDigits is how many significant digits spreadsheets keep and show; what a file has beyond is the noise of binary fractions.
const cellDigits = 15

// Digits is the number of a CellNumber as plain decimal text, of at most 15 significant digits: "0.3" for 0.30000000000000004, "120000" for
// 1.2E+05. Texts that are not numbers come back as they are, and those beyond 1e300 or below 1e-300.
func (c Cell) Digits() string {
	if len(c.Text) <= cellDigits && !strings.ContainsAny(c.Text, "eE") || len(c.Text) > 40 {
		return c.Text
	}
	d, err := decimal.NewFromString(c.Text)
	if err != nil || d.Exponent() > 300 || d.Exponent() < -300 {
		return c.Text
	}
	if n := d.NumDigits(); n > cellDigits {
		d = d.Round(int32(cellDigits-n) - d.Exponent())
	}
	return d.String()
}

// Decimals is how many decimal places the number format of a cell shows; false when it shows as many as there are.
func (c Cell) Decimals() (int, bool) {
	format, _, _ := strings.Cut(c.Format, ";")
	if !strings.ContainsAny(format, "0#") || strings.ContainsAny(format, "Ee/?") {
		return 0, false
	}
	_, places, _ := strings.Cut(format, ".")
	n := 0
	for _, r := range places {
		if r != '0' && r != '#' {
			break
		}
		n++
	}
	if strings.Contains(format, "%") {
		n += 2
	}
	return n, true
}

// Rounded is a number as its cell shows it: with the decimal places of its format. false: it shows all that it has.
func (c Cell) Rounded() (Cell, bool) {
	n, ok := c.Decimals()
	if !ok || c.Kind != CellNumber {
		return c, false
	}
	d, err := decimal.NewFromString(c.Digits())
	if err != nil {
		return c, false
	}
	c.Text, c.Format = d.Round(int32(n)).String(), ""
	return c, true
}
