package record

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Dropped knows when properties were dropped. What was kept of a property before that is not told of the one that has its code now.
type Dropped map[string]time.Time

// DroppedIn reads it.
func DroppedIn(tx *store.Tx) (Dropped, error) { return tx.Dropped() }

// Over reports whether what was kept of a property at a time belongs to one that was dropped. The model of a sub-table's column is
// "model.sheet".
func (d Dropped) Over(model, property string, at time.Time) bool {
	gone, ok := d[model+"."+property]
	return ok && !at.After(gone)
}

// Since is when the property with a code began, "sheet.column" too: the zero time when none was dropped.
func (d Dropped) Since(model, code string) time.Time {
	sheet, column, nested := strings.Cut(code, ".")
	since := d[model+"."+sheet]
	if gone := d[model+"."+sheet+"."+column]; nested && gone.After(since) {
		since = gone
	}
	return since
}

// ChangesOf reads what a write changed, as far as its properties are those of today.
func (d Dropped) ChangesOf(h History) (ch Changes, err error) {
	if err := json.Unmarshal([]byte(h.Changes), &ch); err != nil || len(d) == 0 {
		return ch, err
	}
	keep := func(model string, in []FieldChange) (out []FieldChange) {
		for _, f := range in {
			if !d.Over(model, f.Code, h.At) {
				out = append(out, f)
			}
		}
		return out
	}
	rows := ch.Rows
	ch.Fields, ch.Rows = keep(h.Model, ch.Fields), nil
	for _, r := range rows {
		if d.Over(h.Model, r.Sheet, h.At) {
			continue
		}
		r.Changes = keep(h.Model+"."+r.Sheet, r.Changes)
		ch.Rows = append(ch.Rows, r)
	}
	return ch, nil
}

// clear empties what a state has of properties that were dropped since.
func (d Dropped) clear(st State, at time.Time) {
	empty := func(m *catalog.Model, row map[string]any) {
		for _, f := range m.Fields {
			if f.Sheet == nil && d.Over(m.Code, f.Code, at) {
				put(row, f, nil)
			}
		}
	}
	if len(d) == 0 {
		return
	}
	empty(st.Model, st.Row)
	for _, f := range st.Model.Fields {
		if f.Sheet == nil {
			continue
		}
		if d.Over(st.Model.Code, f.Code, at) {
			delete(st.Sheets, f.Code)
		}
		for _, row := range st.Sheets[f.Code] {
			empty(f.Sheet, row)
		}
	}
}
