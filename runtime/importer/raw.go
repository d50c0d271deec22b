package importer

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// raw is a record as a file has it, before anything is judged. It is kept as JSON when it is refused.
type raw struct {
	Row   int                 `json:"row"` // of the file, the first one of the record
	ID    string              `json:"id,omitempty"`
	Cells map[string]input    `json:"cells"`          // by column code; empty cells are not there
	Rows  map[string][]rawRow `json:"rows,omitempty"` // by sub-table

	found string // id of the record that the key named
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

	read   json.RawMessage // as the property readOf keeps it, where that is known before the cell is judged
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

// MarshalJSON keeps the text, or what was chosen.
func (in input) MarshalJSON() ([]byte, error) {
	if in.chosen != nil {
		return json.Marshal(in.chosen)
	}
	return json.Marshal(cellText(in.cell))
}

// UnmarshalJSON reads a text, or entries.
func (in *input) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		in.chosen = []Entry{}
		return json.Unmarshal(data, &in.chosen)
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

// gatherer joins the rows of a file to records.
type gatherer struct {
	head head
	key  string // column by which rows find their record; "" = none
	now  *raw

	before *raw // was read too far
}

// take adds a row of the file, and returns the record before it when the row begins another one.
func (g *gatherer) take(r workbook.Row) (done *raw) {
	if workbook.IsExample(r) {
		return nil
	}
	one := &raw{Row: r.Number, Cells: map[string]input{}}
	subs := map[string]rawRow{}
	for _, c := range g.head.Columns {
		if c.At >= len(r.Cells) || r.Cells[c.At].Kind == property.CellEmpty {
			continue
		}
		in := input{cell: r.Cells[c.At]}
		if in.empty() {
			continue
		}
		sheet, code, inSheet := strings.Cut(c.Code, ".")
		switch {
		case c.Code == rowID:
			one.ID = in.text()
		case !inSheet:
			one.Cells[c.Code] = in
		default:
			sub := subs[sheet]
			if sub.Row = r.Number; code == rowID {
				sub.ID = in.text()
			} else {
				if sub.Cells == nil {
					sub.Cells = map[string]input{}
				}
				sub.Cells[code] = in
			}
			subs[sheet] = sub
		}
	}
	if one.ID == workbook.TotalsKey || len(one.Cells) == 0 && len(subs) == 0 && one.ID == "" {
		return nil
	}
	if g.now == nil || !g.continues(one, len(subs) > 0) {
		done, g.now = g.now, one
	}
	for sheet, sub := range subs {
		if g.now.Rows == nil {
			g.now.Rows = map[string][]rawRow{}
		}
		g.now.Rows[sheet] = append(g.now.Rows[sheet], sub)
	}
	return done
}

// continues reports whether a row only brings further rows of sub-tables of the record before it: it has no cells of its own, or it repeats
// the id or the key and says nothing else.
func (g *gatherer) continues(one *raw, subs bool) bool {
	switch {
	case !subs || g.now.Rows == nil:
		return false
	case len(one.Cells) == 0 && one.ID == "":
		return true
	case one.ID != "" && g.now.ID != "":
		return one.ID == g.now.ID
	case g.key == "" || one.Cells[g.key].text() == "" || one.Cells[g.key].text() != g.now.Cells[g.key].text():
		return false
	}
	for code, in := range one.Cells {
		if in.text() != g.now.Cells[code].text() {
			return false
		}
	}
	return true
}

// last is the record that no further row can continue.
func (g *gatherer) last() (done *raw) {
	done, g.now = g.now, nil
	return done
}

// rowCount is how many rows of the file a record has.
func (r *raw) rowCount() int {
	n := 1
	for _, rows := range r.Rows {
		for _, sub := range rows {
			n = max(n, sub.Row-r.Row+1)
		}
	}
	return n
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
