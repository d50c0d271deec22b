package importer

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
)

// raw is a record as a file has it, before anything is judged. It is kept as JSON when it is refused.
type raw struct {
	Row   int                 `json:"row"` // of the file, as rowOf: the first one of the record
	ID    string              `json:"id,omitempty"`
	Cells map[string]input    `json:"cells"`          // by column code; empty cells are not there
	Rows  map[string][]rawRow `json:"rows,omitempty"` // by sub-table
	// Says are the rows of the file in which a column of the record says something else, by column code.
	Says map[string]int `json:"says,omitempty"`
	// Stray is a row that brings rows of sub-tables and does not say of which record, in a file whose rows are not where they were.
	Stray bool `json:"stray,omitempty"`
	// Further: the first of the record's rows, which has what the record itself holds, is not in the file.
	Further bool `json:"further,omitempty"`

	found string // id of the record that the key named
	last  int    // row of the file, the last one of the record
}

// rawRow is a row of a sub-table.
type rawRow struct {
	Row   int              `json:"row"`
	ID    string           `json:"id,omitempty"`
	Cells map[string]input `json:"cells"` // by the column's code in the sub-table
}

// input is what a cell says: what the file has, or what a person chose for it since.
type input struct {
	cell   property.Cell
	chosen []Entry // nil = nobody has

	read   read // as the property readOf keeps it, where that is known before the cell is judged
	readOf *catalog.Field
}

// Entry is a person, department or record in a cell: without an id it is only a name that was not found.
type Entry struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name"`
	Type      *int   `json:"type,omitempty"` // 1 department, 3 person
	ExcelType string `json:"excelType,omitempty"`
	ImageURL  string `json:"imgUrl,omitempty"`
	Detail    string `json:"detail,omitempty"`
}

func (in input) empty() bool { return in.chosen == nil && strings.TrimSpace(cellText(in.cell)) == "" }

// keptCell is a cell that is not a text, as it is kept with a refused row: its row may be imported again when another of its cells is corrected.
type keptCell struct {
	Kind   property.CellKind `json:"kind"`
	Text   string            `json:"text,omitempty"`
	Bool   bool              `json:"bool,omitempty"`
	Time   *time.Time        `json:"time,omitempty"`
	Format string            `json:"format,omitempty"`
}

// MarshalJSON keeps a text as a text, what was chosen as entries, and other cells as they are in the file.
func (in input) MarshalJSON() ([]byte, error) {
	c := in.cell
	switch {
	case in.chosen != nil:
		return json.Marshal(in.chosen)
	case c.Kind == property.CellText || c.Kind == property.CellEmpty:
		return json.Marshal(c.Text)
	}
	kept := keptCell{Kind: c.Kind, Text: c.Text, Bool: c.Bool, Format: c.Format}
	if c.Kind == property.CellTime {
		kept.Time = &c.Time
	}
	return json.Marshal(kept)
}

// UnmarshalJSON reads a text, entries, or a cell as MarshalJSON writes it.
func (in *input) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		in.chosen = []Entry{}
		return json.Unmarshal(data, &in.chosen)
	}
	if len(data) > 0 && data[0] == '{' {
		var kept keptCell
		if err := json.Unmarshal(data, &kept); err != nil {
			return err
		}
		in.cell = property.Cell{Kind: kept.Kind, Text: kept.Text, Bool: kept.Bool, Format: kept.Format}
		if kept.Time != nil {
			in.cell.Time = *kept.Time
		}
		return nil
	}
	var text *string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	if text != nil {
		in.cell = property.Cell{Kind: property.CellText, Text: *text}
	}
	return nil
}

// told is the cell in answers: its text, or what was chosen for it.
func (in input) told() any {
	if in.chosen != nil {
		return in.chosen
	}
	return cellText(in.cell)
}

// text is what the cell says in words.
func (in input) text() string {
	if in.chosen == nil {
		return strings.TrimSpace(cellText(in.cell))
	}
	names := make([]string, len(in.chosen))
	for i, e := range in.chosen {
		names[i] = e.Name
	}
	return strings.Join(names, ";")
}

// sheets are the codes of the sub-tables that a record brings, in order.
func (r *raw) sheets() []string {
	var out []string
	for code := range r.Rows {
		out = append(out, code)
	}
	slices.Sort(out)
	return out
}
