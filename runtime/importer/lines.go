package importer

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/query"
)

// lines are the rows of a sub-table as they will be: those that the record has in their order, and new ones behind them.
type lines struct {
	ids     []string // "" = new
	from    []int    // the row of the file's record that says it, -1 = none does
	removed int
	rounded int // cells whose number counts as the sheet shows it, where that is another value than the record has
}

// row finds a row by its id or its place from 1, as refusals name it; nil when the file does not have it.
func (l lines) row(id string, place int) *int {
	at := place - 1
	if id != "" {
		at = slices.Index(l.ids, id)
	}
	if at < 0 || at >= len(l.from) || l.from[at] < 0 {
		return nil
	}
	return &l.from[at]
}

// sheetsOf are the sub-tables that a record of the file says something of. With replace those too of which it has no row.
func (j *judge) sheetsOf(r *raw, creates bool) []string {
	out := r.sheets()
	if !j.replace || creates {
		return out
	}
	for _, c := range j.columns {
		if c.Sheet != nil && !slices.Contains(out, c.Sheet.Code) {
			out = append(out, c.Sheet.Code)
		}
	}
	return out
}

// sheet judges the rows of a sub-table. A row with an id changes the record's row that has it. A row without one is a row of the record that has
// all its cells, or a new one. Rows of the record that the file does not have stay, unless the file's rows replace them.
func (j *judge) sheet(ctx context.Context, r *raw, sheet string, creates bool, h *held, out *judged) error {
	rows, of := r.Rows[sheet], j.m.Field(sheet)
	there, seen := h.rows(of)
	if !seen {
		for i, sub := range rows {
			out.errs = append(out.errs, refuse(j.columnOf(sheet, sub), &i, fault.FieldUnknown))
		}
		return nil
	}
	at, wrong := j.named(rows, there, sheet, creates || h == nil)
	out.errs = append(out.errs, wrong...)
	values := make([]map[string]read, len(rows))
	beside := slices.Clone(at) // the rows of the record whose values the cells were read beside
	for i, sub := range rows {
		if at[i] < 0 && sub.ID == "" && i < len(there) { // of several with one name the one that stands there
			beside[i] = i
		}
		var err error
		if values[i], wrong, err = j.cells(ctx, of, sub, i, there, beside[i]); err != nil {
			return err
		}
		out.errs = append(out.errs, wrong...)
	}
	j.alike(at, rows, values, there)
	for i, sub := range rows {
		if at[i] == beside[i] || !slices.ContainsFunc(slices.Collect(maps.Values(values[i])), func(v read) bool { return v.kept }) {
			continue
		}
		var err error // what another row holds stays nothing here
		if values[i], wrong, err = j.cells(ctx, of, sub, i, there, at[i]); err != nil {
			return err
		}
		out.errs = append(out.errs, wrong...)
	}
	j.put(of, at, values, there, out)
	return nil
}

// cells reads those of a row of a sub-table beside the values of one that the record has, -1 = none.
func (j *judge) cells(ctx context.Context, of *catalog.Field, sub rawRow, i int, there []query.HeldRow, beside int) (map[string]read, []Verdict, error) {
	values, errs := map[string]read{}, []Verdict(nil)
	var now map[*catalog.Field]any
	if beside >= 0 {
		now = there[beside].Values
	}
	for _, c := range j.columns {
		if c.Sheet != of || sub.Cells[c.Field.Code].empty() {
			continue
		}
		v, no, err := j.value(ctx, c, &i, sub.Cells[c.Field.Code], now[c.Field])
		switch {
		case err != nil:
			return nil, nil, err
		case no != nil:
			errs = append(errs, *no)
		default:
			values[c.Field.Code] = v
		}
	}
	return values, errs, nil
}

// named finds the rows of the record that rows of the file name by their ids, -1 is none. Of a new record ids say nothing.
func (j *judge) named(rows []rawRow, there []query.HeldRow, sheet string, creates bool) (at []int, wrong []Verdict) {
	at = make([]int, len(rows))
	seen := map[int]int{}
	for i, sub := range rows {
		if at[i] = -1; sub.ID == "" || creates {
			continue
		}
		k := slices.IndexFunc(there, func(h query.HeldRow) bool { return h.ID == strings.ToLower(sub.ID) })
		first, twice := seen[k]
		switch {
		case k < 0:
			wrong = append(wrong, refuse(j.columnOf(sheet, sub), &i, fault.LineGone))
		case twice:
			wrong = append(wrong, refuse(j.columnOf(sheet, sub), &i, fault.LineTwice, j.sheets.told(rows[first].Row)))
		default:
			at[i], seen[k] = k, i
		}
	}
	return at, wrong
}

// columnOf is the column in which a row of a sub-table is shown to be wrong: the first one that it has a cell of.
func (j *judge) columnOf(sheet string, sub rawRow) string {
	first := sheet
	for _, c := range j.columns {
		if c.Sheet == nil || c.Sheet.Code != sheet {
			continue
		}
		if first == sheet {
			first = c.Code()
		}
		if !sub.Cells[c.Field.Code].empty() {
			return c.Code()
		}
	}
	return first
}

// alike finds rows of the record for rows of the file without an id.
func (j *judge) alike(at []int, rows []rawRow, values []map[string]read, there []query.HeldRow) {
	left := func(k int) bool { return !slices.Contains(at, k) }
	for i, sub := range rows {
		if at[i] >= 0 || sub.ID != "" || len(values[i]) == 0 {
			continue
		}
		for k, h := range there {
			if left(k) && j.equal(values[i], h) {
				at[i] = k
				break
			}
		}
	}
}

// equal reports whether a row of a record has all that a row of the file says.
func (j *judge) equal(values map[string]read, h query.HeldRow) bool {
	for _, c := range j.columns {
		v, given := values[c.Field.Code]
		if c.Sheet == nil || !given || v.kept {
			continue
		}
		if now, known := h.Values[c.Field]; !known || !same(c.Field, now, v.value) {
			return false
		}
	}
	return true
}

// put makes the list that a save takes, unless it would change nothing.
func (j *judge) put(of *catalog.Field, at []int, values []map[string]read, there []query.HeldRow, out *judged) {
	l, list, changes := lines{}, []map[string]json.RawMessage{}, false
	for k, h := range there {
		i := slices.Index(at, k)
		if i < 0 && j.replace {
			l.removed++
			continue
		}
		row := map[string]json.RawMessage{catalog.ID: quoted(h.ID)}
		if i >= 0 {
			l.rounded += j.change(of, row, values[i], h)
		}
		changes = changes || len(row) > 1
		l.ids, l.from, list = append(l.ids, h.ID), append(l.from, i), append(list, row)
	}
	for i, v := range values {
		if at[i] >= 0 {
			continue
		}
		row := map[string]json.RawMessage{}
		for code, one := range v {
			row[code] = one.value
			l.rounded += one.less()
		}
		l.ids, l.from, list, changes = append(l.ids, ""), append(l.from, i), append(list, row), true
	}
	if !changes && l.removed == 0 {
		return
	}
	text, err := json.Marshal(list)
	if err != nil { // texts of JSON cannot fail
		return
	}
	out.set[of.Code], out.lines[of.Code] = text, l
}

// change puts into a row what is not as it was, and tells how many numbers of it count as the sheet shows them.
func (j *judge) change(of *catalog.Field, row map[string]json.RawMessage, values map[string]read, h query.HeldRow) (rounded int) {
	for _, c := range j.columns {
		if c.Sheet != of {
			continue
		}
		v, given := values[c.Field.Code]
		if !given && j.clear {
			v, given = read{value: json.RawMessage("null")}, true
		}
		if now, known := h.Values[c.Field]; given && !v.kept && !(known && same(c.Field, now, v.value)) {
			row[c.Field.Code] = v.value
			rounded += v.less()
		}
	}
	return rounded
}
