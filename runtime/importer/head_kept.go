package importer

import (
	"encoding/json"
	"slices"

	"github.com/sluice-platform/sluice/engine/plan"
)

// head says what the columns of a file mean. It is kept with the import.
type head struct {
	Columns []headColumn `json:"columns"`
	First   int          `json:"first"`             // number of the first row behind the head
	Ignored []string     `json:"ignored,omitempty"` // headings that no property has

	Encoding string `json:"encoding,omitempty"` // in which a text file was read
	found
	// Sheets are the worksheets of an import of several, in order. Then Columns and First are those of the first one, and Totals are empty.
	Sheets []sheetHead `json:"sheets,omitempty"`
}

// sheetHead is what is kept of a worksheet of several.
type sheetHead struct {
	Name string `json:"name"`
	found
}

// joinedHead is the head of an import of worksheets with these heads.
func joinedHead(names []string, heads []head) head {
	out := heads[0]
	if len(heads) == 1 {
		return out
	}
	out.Ignored, out.found = nil, found{}
	for i, h := range heads {
		out.Sheets = append(out.Sheets, sheetHead{names[i], h.found})
		out.Hidden, out.Merged = out.Hidden+h.Hidden, out.Merged+h.Merged
		for _, text := range h.Ignored {
			if !slices.Contains(out.Ignored, text) {
				out.Ignored = append(out.Ignored, text)
			}
		}
	}
	return out
}

func (h head) names() (out sheetNames) {
	for _, s := range h.Sheets {
		out = append(out, s.Name)
	}
	return out
}

// headColumn is a column of the file that is read: Code is a property, or the id of the record ("id") or of a row ("items.id").
type headColumn struct {
	At   int    `json:"at"` // 0 = A
	Code string `json:"code"`
}

func (imp *importRow) head() (h head, err error) {
	err = json.Unmarshal([]byte(imp.Head), &h)
	return h, err
}

// required are the properties that a new record must have and that nothing fills in.
func missing(columns []Column, h head) []string {
	var out []string
	for _, c := range columns {
		f := c.Field
		if c.Sheet != nil || !f.Required || f.Default != nil || f.RequiredIf != nil && !plan.IsTrue(f.RequiredIf) {
			continue
		}
		if !h.has(f.Code) {
			out = append(out, f.Code)
		}
	}
	return out
}

func (h head) has(code string) bool {
	for _, c := range h.Columns {
		if c.Code == code {
			return true
		}
	}
	return false
}
