package importer

import (
	"encoding/json"

	"github.com/sluice-platform/sluice/engine/plan"
)

// head says what the columns of a file mean. It is kept with the import.
type head struct {
	Columns []headColumn `json:"columns"`
	First   int          `json:"first"`             // number of the first row behind the head
	Ignored []string     `json:"ignored,omitempty"` // headings that no property has

	Encoding string `json:"encoding,omitempty"` // in which a text file was read
	found
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
