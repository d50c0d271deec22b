package propertytest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
)

// CellText is a cell in one line, for cases.
func CellText(c property.Cell) string {
	kind, text := "text", c.Text
	switch c.Kind {
	case property.CellEmpty:
		return "empty"
	case property.CellNumber:
		kind = "number"
	case property.CellTime:
		kind, text = "time", c.Time.Format("2006-01-02T15:04:05.999")
	case property.CellBool:
		kind, text = "bool", map[bool]string{true: "true", false: "false"}[c.Bool]
	}
	out := kind + " " + text
	if c.Format != "" {
		out += " " + c.Format
	}
	if c.Link != "" {
		out += " -> " + c.Link
	}
	return out
}

// cell: a value has one cell in every format and language, of a kind that files hold, and no value is an empty one. The text of a
// number or a text cell is read as the value that it was written from, and times are without a zone.
func (s suite) cell(t *testing.T, v any) {
	t.Helper()
	w, ok := s.p.(property.CellWriter)
	if !ok {
		return
	}
	formats := []string{""}
	if f, ok := s.p.(property.Formatter); ok {
		formats = append(formats, f.Formats()...)
	}
	for _, locale := range []string{"zh", "en"} {
		require.Equal(t, property.Cell{}, w.Cell(nil, s.context(locale, "")), "an empty value is an empty cell")
		for _, format := range formats {
			c := w.Cell(v, s.context(locale, format))
			switch c.Kind {
			case property.CellText, property.CellNumber:
				require.NotEmpty(t, c.Text)
			case property.CellTime:
				require.Equal(t, time.UTC, c.Time.Location())
				require.NotEmpty(t, c.Format, "a time without a format is a number to spreadsheets")
			case property.CellBool:
			default:
				t.Fatalf("the cell of %v is of kind %d", v, c.Kind)
			}
			if c.Kind == property.CellNumber {
				again, err := s.p.Parse(c.Text)
				require.NoError(t, err, c.Text)
				require.Equal(t, string(s.p.AppendJSON(nil, v, s.Names)), string(s.p.AppendJSON(nil, again, s.Names)), "a number is written as it is")
			}
		}
	}
}
