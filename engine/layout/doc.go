// Package layout puts the contents of print templates on pages. It is a pure function: a Document in, pages of Marks out, the same on every
// machine, because all lengths are whole micrometers and the widths of characters come from the one font that is embedded in the product.
// It knows nothing of records, definitions, PDF or browsers: runtime/printing fills a Document with the texts of a record, and the painters
// draw the marks (docs/adr/0055-paper.md).
package layout

// Length is a length on paper in micrometers.
type Length int

// Millimeter is 1 mm.
const Millimeter Length = 1000

// Millimeters is a length as authors write it, rounded to a micrometer.
func Millimeters(mm float64) Length { return round(mm * 1000) }

// Points is a length in points of 1/72 inch, as sizes of fonts and widths of lines are written.
func Points(pt float64) Length { return round(pt * 25400 / 72) }

func round(f float64) Length {
	if f < 0 {
		return Length(f - 0.5)
	}
	return Length(f + 0.5)
}

// MM is the length in millimeters.
func (l Length) MM() float64 { return float64(l) / 1000 }
