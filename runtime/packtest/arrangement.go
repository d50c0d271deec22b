package packtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/heading"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// arrangement is an exported file that a person works in, with what the records held and what they should hold.
type arrangement struct {
	*rand.Rand
	m              *catalog.Model
	self           string // the person
	hooked         bool   // code of packs runs when its records are saved
	clear, replace bool
	keys           []string // of the columns
	head           [][]property.Cell
	rows           [][]property.Cell
	before, want   holdings
	edited         map[string]bool // records
	given          []given
	lacking        map[string]bool // records whose changes forms refuse for what they lack
	unfound        map[string]bool // records that an import refuses since nobody to be chosen is called so
	said           []string
}

// given is a value of a record's own, as JSON, and the cell in which the person wrote it.
type given struct {
	id, code, value string
	row             []property.Cell
	at              int
	was             property.Cell
}

// restore takes changes back that forms refuse for what the record has elsewhere: records that are there for the test alone lack what forms
// require, and imports judge what they bring.
func (a *arrangement) restore() {
	for _, g := range slices.Backward(a.given) {
		if a.lacking[g.id] {
			g.row[g.at] = g.was
			delete(a.edited, g.id)
		}
	}
	a.given = slices.DeleteFunc(a.given, func(g given) bool { return a.lacking[g.id] })
	a.lacking = map[string]bool{}
}

// read reads an export. The columns of a text file, which has no row of keys, are those of the same export as a workbook.
func (a *arrangement) read(t testing.TB, kind string, content []byte, book func() []byte) {
	t.Helper()
	m := &mutation{}
	m.read(t, "a."+kind, content)
	keys := m.rows[0]
	heads := 2
	if kind == "csv" {
		of := &mutation{}
		of.read(t, "a.xlsx", book())
		keys, heads = of.rows[0], 1
	}
	for _, k := range keys {
		a.keys = append(a.keys, k.Text)
	}
	if kind == "xlsx" && slices.ContainsFunc(a.keys, func(k string) bool { return a.sheetOf(k) != nil }) {
		heads = 3
	}
	for i, row := range m.rows {
		full := make([]property.Cell, len(a.keys))
		copy(full, row)
		if i < heads {
			a.head = append(a.head, full)
		} else {
			a.rows = append(a.rows, full)
		}
	}
}

// sheetOf is the sub-table of a column; nil for the others.
func (a *arrangement) sheetOf(key string) *catalog.Field {
	sheet, _, in := strings.Cut(key, ".")
	if f := a.m.Field(sheet); in && f != nil && f.Sheet != nil {
		return f
	}
	return nil
}

func (a *arrangement) at(key string) int { return slices.Index(a.keys, key) }

// idAt is the record of a row; "" beyond the last.
func (a *arrangement) idAt(row int) string {
	if row < 0 || row >= len(a.rows) {
		return ""
	}
	id, _ := workbook.LineOf(a.rows[row][a.at(catalog.ID)].Text)
	return id
}

func (a *arrangement) first(row int) bool {
	_, first := workbook.LineOf(a.rows[row][a.at(catalog.ID)].Text)
	return first
}

// records is how many the file has. A row of totals is none.
func (a *arrangement) records() int {
	all := map[string]bool{}
	for i := range a.rows {
		if id := a.idAt(i); a.before[id] != nil {
			all[id] = true
		}
	}
	return len(all)
}

func (a *arrangement) say(format string, args ...any) {
	a.said = append(a.said, fmt.Sprintf(format, args...))
}

// rearrange does what people do to a file, and notes what of it changes records.
func (a *arrangement) rearrange() {
	if a.IntN(2) == 0 {
		a.columns()
	}
	if a.IntN(2) == 0 {
		gone := map[string]bool{}
		for _, id := range a.before.ids() {
			gone[id] = a.IntN(4) == 0
		}
		for i := len(a.rows) - 1; i >= 0; i-- {
			if gone[a.idAt(i)] {
				a.rows = slices.Delete(a.rows, i, i+1)
			}
		}
		a.say("filtered")
	}
	for range a.IntN(3) {
		if !a.hooked {
			a.remove()
		}
	}
	for range 1 + a.IntN(8) {
		a.edit()
	}
	if a.IntN(3) > 0 {
		a.sort()
	}
}

// columns moves and drops columns; those with ids stay, since nobody sees them.
func (a *arrangement) columns() {
	var keys []string
	var from []int
	for _, i := range a.Perm(len(a.keys)) {
		key := a.keys[i]
		if key != catalog.ID && !strings.HasSuffix(key, "."+catalog.ID) && a.IntN(6) == 0 {
			continue
		}
		keys, from = append(keys, key), append(from, i)
	}
	if len(a.head) == 3 { // a heading over several columns stands in the first of them
		var above property.Cell
		for i, key := range a.keys {
			if a.head[1][i].Kind != property.CellEmpty {
				above = a.head[1][i]
			} else if a.sheetOf(key) != nil {
				a.head[1][i] = above
			}
		}
	}
	pick := func(rows [][]property.Cell) {
		for i, row := range rows {
			rows[i] = make([]property.Cell, len(from))
			for k, at := range from {
				rows[i][k] = row[at]
			}
		}
	}
	pick(a.head)
	pick(a.rows)
	a.say("columns %s", strings.Join(keys, " "))
	a.keys = keys
}

// remove takes a row out that is not the only one of its record: its lines are removed where those of the file replace what is there.
func (a *arrangement) remove() {
	if len(a.rows) == 0 {
		return
	}
	at := a.IntN(len(a.rows))
	id := a.idAt(at)
	alone := true
	for i := range a.rows {
		alone = alone && (i == at || a.idAt(i) != id)
	}
	if alone {
		return
	}
	for i, key := range a.keys {
		sheet := a.sheetOf(key)
		line := a.rows[at][i].Text
		if sheet != nil && strings.HasSuffix(key, "."+catalog.ID) && line != "" && a.replace && a.brings(sheet) {
			a.want.forget(id, sheet.Code, line)
		}
	}
	a.edited[id] = true
	a.say("row %d of %s removed", at, id)
	a.rows = slices.Delete(a.rows, at, at+1)
}

// brings reports whether the file has a column of a sub-table that an import writes.
func (a *arrangement) brings(sheet *catalog.Field) bool {
	return slices.ContainsFunc(heading.All(a.m), func(c heading.Column) bool { return c.Sheet == sheet && a.at(c.Code()) >= 0 })
}

// edit gives a cell what another record, or another row of a sub-table, has there.
func (a *arrangement) edit() {
	if len(a.rows) < 2 {
		return
	}
	all := slices.DeleteFunc(heading.All(a.m), func(c heading.Column) bool { return a.at(c.Code()) < 0 })
	if len(all) == 0 {
		return
	}
	c := all[a.IntN(len(all))]
	at, to, from := a.at(c.Code()), a.IntN(len(a.rows)), a.IntN(len(a.rows))
	toKey, ok := a.place(c, to)
	fromKey, there := a.place(c, from)
	cell := a.rows[from][at]
	if !ok || !there || cell.Kind == property.CellEmpty && !a.clear || cell == a.rows[to][at] {
		return
	}
	toID, value := a.idAt(to), a.want[a.idAt(from)][fromKey]                             // the other cell may have been changed
	if toID == a.self || a.hooked && c.Sheet != nil || !valid(c.Field.Property, value) { // who takes a right from themselves can't import
		return
	}
	was := a.rows[to][at]
	a.rows[to][at] = cell
	a.want[toID][toKey] = value
	a.edited[toID] = true
	a.given = append(a.given, given{toID, c.Field.Code, value, a.rows[to], at, was})
	a.say("%s of %s = %.40q (%s)", c.Code(), toID, cell.Text, value)
}

// valid reports whether a save takes a value: records that are there for the test alone hold some that no form does.
func valid(p property.Property, value string) bool {
	var v any
	if json.Unmarshal([]byte(value), &v) != nil {
		return false
	}
	parsed, err := p.Parse(v)
	return err == nil && string(p.AppendJSON(nil, parsed, anyName{})) == value
}

// place is where a cell is kept; false where the row has no such value.
func (a *arrangement) place(c heading.Column, row int) (lineKey, bool) {
	if a.before[a.idAt(row)] == nil {
		return lineKey{}, false
	}
	if c.Sheet == nil {
		return lineKey{code: c.Field.Code}, a.first(row)
	}
	line := a.rows[row][a.at(c.Sheet.Code+"."+catalog.ID)].Text
	return lineKey{c.Sheet.Code, line, c.Field.Code}, line != ""
}

// sort sorts the rows by a column, or shuffles them.
func (a *arrangement) sort() {
	if at := a.IntN(len(a.keys) + 1); at < len(a.keys) {
		slices.SortStableFunc(a.rows, func(x, y []property.Cell) int { return cmp.Compare(x[at].Text, y[at].Text) })
		a.say("sorted by %s", a.keys[at])
		return
	}
	a.Shuffle(len(a.rows), func(i, k int) { a.rows[i], a.rows[k] = a.rows[k], a.rows[i] })
	a.say("shuffled")
}

func (a *arrangement) written(t testing.TB, kind string) []byte {
	t.Helper()
	var out bytes.Buffer
	var w workbook.RowWriter = workbook.NewCSV(&out)
	if kind == "xlsx" {
		w = workbook.NewWriter(&out, workbook.Options{})
	}
	w.Sheet(workbook.SheetOptions{Name: "A"})
	for _, row := range append(slices.Clone(a.head), a.rows...) {
		cells := make([]workbook.Out, len(row))
		for i, c := range row {
			cells[i].Cell = c
		}
		if err := w.Row(cells, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
