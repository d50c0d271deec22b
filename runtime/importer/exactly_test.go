package importer_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// state is what the records hold: by id, the JSON of each property, and the rows of "points" in their order.
type state map[string]*recordState

type recordState struct {
	own   map[string]string
	lines []lineState
}

type lineState struct {
	id     string
	values map[string]string
}

type everyName struct{}

func (everyName) Name(plan.Ref) (property.Named, bool) { return property.Named{Name: "-"}, true }

func jsonOf(f *catalog.Field, v any) string {
	return string(f.Property.AppendJSON(nil, v, everyName{}))
}

// state reads all parts.
func (w *world) state() state {
	w.Helper()
	view := w.view(w.boss)
	m := view.Model("part")
	var fields []*catalog.Field
	for _, f := range append(slices.Clone(m.Fields), m.Field("points").Sheet.Fields...) {
		if !f.System && f.Code != "amount" && (f.Sheet != nil || len(f.Columns()) > 0) {
			fields = append(fields, f)
		}
	}
	out := state{}
	require.NoError(w, w.app.Store().Read(w.Context(), func(ctx context.Context, tx *store.Tx) error {
		var ids []string
		key := &plan.Field{Column: catalog.ID, K: plan.ID}
		q := &plan.Query{Model: m.Code, Where: plan.True, Select: []plan.Expr{key}, Order: []plan.Order{{By: key}}}
		if err := tx.Query(ctx, view.Catalog, q, func(row []any) error { ids = append(ids, row[0].(string)); return nil }); err != nil {
			return err
		}
		held, err := w.app.Reader().Holds(ctx, tx, view, m, ids, fields)
		for id, h := range held {
			r := &recordState{own: map[string]string{}}
			for f, v := range h.Values {
				r.own[f.Code] = jsonOf(f, v)
			}
			for _, one := range h.Rows[m.Field("points")] {
				l := lineState{id: one.ID, values: map[string]string{}}
				for f, v := range one.Values {
					l.values[f.Code] = jsonOf(f, v)
				}
				r.lines = append(r.lines, l)
			}
			out[id] = r
		}
		return err
	}))
	return out
}

// drawn are random values, as a save takes them, and as a cell says them.
func (d *dice) drawn(code string) (any, property.Cell) {
	text := func(s string) (any, property.Cell) { return s, property.Cell{Kind: property.CellText, Text: s} }
	number := func(s, format string) (any, property.Cell) {
		return s, property.Cell{Kind: property.CellNumber, Text: s, Format: format}
	}
	switch code {
	case "title", "place":
		return text(d.one("梁", "板 2", "=1+1", "+86", "'q", "0012", "TRUE", "2026-01-02", "12%", "a;b,c、d", "_x0041_", "<b>&", "1.5E+10", "#REF!", "#N/A", "≥ 5 ㎡", strings.Repeat("长", 90)))
	case "secret":
		return text(d.one("line\nbreak", "tab\there", strings.Repeat("文", 33000), "x", "\"quoted\"", "a\n\nb"))
	case "quantity", "price", "value":
		return number(d.one("0", "1", "0.1", "12.34", "999.99", "-7.5", "0.07"), d.one("", "0", "0.0", "0.00%", "#,##0.00", `0.00 "t"`))
	case "day":
		day := time.Date(2020+d.IntN(10), time.Month(1+d.IntN(12)), 1+d.IntN(28), 0, 0, 0, 0, time.UTC)
		return day.Format(time.DateOnly), property.Cell{Kind: property.CellTime, Time: day, Format: d.one("yyyy-mm-dd", `yyyy"年"m"月"d"日"`)}
	case "moment":
		at := time.Date(2020+d.IntN(10), 3, 5, d.IntN(24), d.IntN(60), 0, 0, time.UTC)
		return at.Format("2006-01-02 15:04"), property.Cell{Kind: property.CellTime, Time: at, Format: "yyyy-mm-dd hh:mm"}
	case "clock":
		at := time.Date(1899, 12, 31, d.IntN(24), d.IntN(60), d.IntN(60), 0, time.UTC)
		return at.Format(time.TimeOnly), property.Cell{Kind: property.CellTime, Time: at, Format: "hh:mm:ss"}
	case "done":
		v := d.IntN(2) == 0
		return v, property.Cell{Kind: property.CellText, Text: map[bool]string{true: "是", false: "否"}[v]}
	case "state":
		return text(d.one("OPEN", "CLOSED"))
	case "tags":
		v := d.one("A", "B", "A;C")
		return strings.Split(v, ";"), property.Cell{Kind: property.CellText, Text: v}
	}
	panic(code)
}

type dice struct{ *rand.Rand }

func (d *dice) one(all ...string) string { return all[d.IntN(len(all))] }

var drawnOwn = []string{"title", "secret", "quantity", "price", "day", "moment", "clock", "done", "state", "tags"}

// parts makes some random records.
func (w *world) parts(d *dice, n int) {
	w.Helper()
	for i := range n {
		values := map[string]any{"number": fmt.Sprintf("R-%02d", i)}
		for _, code := range drawnOwn {
			if d.IntN(4) > 0 {
				values[code], _ = d.drawn(code)
			}
		}
		lines := []any{}
		for range d.IntN(5) {
			line := map[string]any{}
			line["place"], _ = d.drawn("place")
			if d.IntN(3) > 0 {
				line["value"], _ = d.drawn("value")
			}
			lines = append(lines, line)
		}
		values["points"] = lines
		w.save(w.boss, "part", values)
	}
}

// sheet is an export that a person works in: rows below the head, with their columns by key.
type sheet struct {
	keys []string
	head [][]property.Cell // of all columns, in their order
	rows []map[string]property.Cell
}

// readSheet reads an export. Of a text file, which has no row of keys, the keys are those of the same export as a workbook.
func readSheet(t testing.TB, content []byte, keys ...string) *sheet {
	name, heads := "x.xlsx", 3
	if len(keys) > 0 {
		name, heads = "x.csv", 1
	}
	book, err := workbook.Open(t.Context(), name, bytes.NewReader(content), int64(len(content)), workbook.Usual)
	require.NoError(t, err)
	defer book.Close()
	s := &sheet{keys: keys}
	require.NoError(t, book.Rows(t.Context(), 0, 1, func(r workbook.Row) bool {
		cells := slices.Clone(r.Cells)
		if s.keys == nil {
			for _, c := range cells {
				s.keys = append(s.keys, c.Text)
			}
		}
		for len(cells) < len(s.keys) {
			cells = append(cells, property.Cell{})
		}
		if len(s.head) < heads {
			s.head = append(s.head, cells)
			return true
		}
		row := map[string]property.Cell{}
		for i, key := range s.keys {
			if cells[i].Kind != property.CellEmpty {
				row[key] = cells[i]
			}
		}
		s.rows = append(s.rows, row)
		return true
	}))
	return s
}

// columns moves and drops columns; those with ids stay, since nobody sees them.
func (s *sheet) columns(d *dice) (dropped []string) {
	order := d.Perm(len(s.keys))
	keys, head := []string{}, make([][]property.Cell, len(s.head))
	group := property.Cell{}
	groups := make([]property.Cell, len(s.keys)) // a merged heading stands in its first cell
	for i, key := range s.keys {
		if len(s.head) == 1 {
			break
		}
		if group.Kind == property.CellEmpty || s.head[1][i].Kind != property.CellEmpty {
			group = s.head[1][i]
		}
		if groups[i] = s.head[1][i]; strings.Contains(key, ".") {
			groups[i] = group
		}
	}
	for _, i := range order {
		if key := s.keys[i]; key != "id" && key != "points.id" && key != "number" && d.IntN(6) == 0 {
			dropped = append(dropped, key)
			continue
		}
		keys = append(keys, s.keys[i])
		for k := range head {
			cell := s.head[k][i]
			if k == 1 {
				cell = groups[i]
			}
			head[k] = append(head[k], cell)
		}
	}
	s.keys, s.head = keys, head
	return dropped
}

func (s *sheet) sort(d *dice) {
	key := d.one(s.keys...)
	slices.SortStableFunc(s.rows, func(a, b map[string]property.Cell) int {
		x, y := a[key], b[key]
		if (x.Kind == property.CellEmpty) != (y.Kind == property.CellEmpty) {
			return map[bool]int{true: 1, false: -1}[x.Kind == property.CellEmpty]
		}
		return strings.Compare(x.Text+x.Time.String(), y.Text+y.Time.String())
	})
	if d.IntN(3) == 0 {
		d.Shuffle(len(s.rows), func(i, j int) { s.rows[i], s.rows[j] = s.rows[j], s.rows[i] })
	}
}

func (s *sheet) bytes(t testing.TB, fileType string) []byte {
	var out bytes.Buffer
	var w workbook.RowWriter = workbook.NewCSV(&out)
	if fileType == "xlsx" {
		w = workbook.NewWriter(&out, workbook.Options{})
	}
	w.Sheet(workbook.SheetOptions{Name: "A"})
	put := func(cell func(i int, key string) property.Cell) {
		cells := make([]workbook.Out, len(s.keys))
		for i, key := range s.keys {
			cells[i].Cell = cell(i, key)
		}
		require.NoError(t, w.Row(cells, 0))
	}
	for k := range s.head {
		put(func(i int, _ string) property.Cell { return s.head[k][i] })
	}
	for _, row := range s.rows {
		put(func(_ int, key string) property.Cell { return row[key] })
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// saved is what another program makes of a file that it opens and saves.
func saved(t testing.TB, content []byte) []byte {
	f, err := excelize.OpenReader(bytes.NewReader(content))
	require.NoError(t, err)
	var again bytes.Buffer
	require.NoError(t, f.Write(&again))
	return again.Bytes()
}

// person changes a sheet and notes what should come of it.
type person struct {
	*dice
	testing.TB
	m       *catalog.Model
	s       *sheet
	before  state
	want    state
	clear   bool
	replace bool
}

func idOf(row map[string]property.Cell) string {
	id, _ := workbook.LineOf(row["id"].Text)
	return id
}

// edit gives a cell another value.
func (p *person) edit() {
	row := p.s.rows[p.IntN(len(p.s.rows))]
	id, first := workbook.LineOf(row["id"].Text)
	r := p.want[id]
	key := p.one(p.s.keys...)
	sheet, code, inSheet := strings.Cut(key, ".")
	if key == "id" || code == "id" || key == "amount" || key == "number" || !inSheet && !slices.Contains(drawnOwn, key) || r == nil || !inSheet && !first {
		return
	}
	var f *catalog.Field
	var values map[string]string
	switch {
	case !inSheet:
		f, values = p.m.Field(key), r.own
	default:
		at := slices.IndexFunc(r.lines, func(l lineState) bool { return l.id == row[sheet+".id"].Text })
		if at < 0 {
			return
		}
		f, values, key = p.m.Field(sheet).Sheet.Field(code), r.lines[at].values, sheet+"."+code
	}
	if p.clear && f.Code != "place" && f.Code != "done" && p.IntN(5) == 0 {
		delete(row, key)
		p.set(values, f, nil)
		return
	}
	v, cell := p.drawn(f.Code)
	if f.Code == "secret" && len(v.(string)) > workbook.MaxText {
		return
	}
	row[key] = cell
	p.set(values, f, v)
}

func (p *person) set(values map[string]string, f *catalog.Field, v any) {
	parsed, err := f.Property.Parse(v)
	require.NoError(p, err)
	values[f.Code] = jsonOf(f, parsed)
}

// remove takes a row of a sub-table out of the sheet.
func (p *person) remove() {
	at := p.IntN(len(p.s.rows))
	row := p.s.rows[at]
	id := idOf(row)
	line, has := row["points.id"]
	if !has || p.want[id] == nil || p.count(id) < 2 {
		return
	}
	p.s.rows = slices.Delete(p.s.rows, at, at+1)
	if _, first := workbook.LineOf(row["id"].Text); first { // with what was changed of the record itself
		p.want[id].own = clone(p.before)[id].own
	}
	if i := slices.IndexFunc(p.want[id].lines, func(l lineState) bool { return l.id == line.Text }); i >= 0 {
		was := clone(p.before)[id].lines
		p.want[id].lines[i] = was[slices.IndexFunc(was, func(l lineState) bool { return l.id == line.Text })]
	}
	if !p.replace {
		return
	}
	r := p.want[id]
	r.lines = slices.DeleteFunc(r.lines, func(l lineState) bool { return l.id == line.Text })
}

func (p *person) count(id string) (n int) {
	for _, row := range p.s.rows {
		if idOf(row) == id {
			n++
		}
	}
	return n
}

// add puts a row of a sub-table below one of its record.
func (p *person) add() {
	at := p.IntN(len(p.s.rows))
	id := idOf(p.s.rows[at])
	if p.want[id] == nil || !slices.Contains(p.s.keys, "points.place") {
		return
	}
	v, cell := p.drawn("place")
	text := fmt.Sprint(v) + " new" + fmt.Sprint(p.Int64())
	if len([]rune(text)) > 100 {
		return
	}
	cell.Text = text
	p.s.rows = slices.Insert(p.s.rows, at+1, map[string]property.Cell{"points.place": cell})
	l := lineState{values: map[string]string{"place": string(property.AppendQuoted(nil, text)), "value": "null"}}
	p.want[id].lines = append(p.want[id].lines, l)
}

// filter leaves out all rows of some records.
func (p *person) filter() {
	for _, id := range slices.Sorted(maps.Keys(p.want)) {
		if p.IntN(5) == 0 {
			p.s.rows = slices.DeleteFunc(p.s.rows, func(row map[string]property.Cell) bool { return idOf(row) == id })
		}
	}
}

func clone(s state) state {
	out := state{}
	for id, r := range s {
		c := &recordState{own: map[string]string{}}
		for k, v := range r.own {
			c.own[k] = v
		}
		for _, l := range r.lines {
			n := lineState{id: l.id, values: map[string]string{}}
			for k, v := range l.values {
				n.values[k] = v
			}
			c.lines = append(c.lines, n)
		}
		out[id] = c
	}
	return out
}

// texts are a state in lines. Rows of sub-tables that were not there before have no place: they stand behind the others.
func (s state) texts(before state) (out []string) {
	known := map[string]bool{}
	for _, r := range before {
		for _, l := range r.lines {
			known[l.id] = true
		}
	}
	for id, r := range s {
		for code, v := range r.own {
			out = append(out, id+" "+code+" "+v)
		}
		for i, l := range r.lines {
			at := fmt.Sprint(i, " ", l.id)
			if !known[l.id] {
				at = "new " + l.values["place"]
			}
			for code, v := range l.values {
				out = append(out, fmt.Sprint(id, " points ", at, " ", code, " ", v))
			}
		}
	}
	slices.Sort(out)
	return out
}

// Export, any rearrangement, import: exactly the changes that a person made.
func TestExactlyTheChanges(t *testing.T) {
	t.Parallel()
	rounds := storetest.Full(12, 60)
	each(t, func(t *testing.T, w *world) {
		d := &dice{rand.New(rand.NewPCG(42, uint64(rounds)))} //nolint:gosec // draws of a test
		w.parts(d, 12)
		for n := range rounds {
			before := w.state()
			locale, kind := d.one("zh", "en"), d.one("xlsx", "csv")
			s := readSheet(t, w.export(w.boss, "xlsx", locale, false))
			if kind == "csv" {
				s = readSheet(t, w.export(w.boss, kind, locale, false), s.keys...)
			}
			p := &person{dice: d, TB: t, m: w.view(w.boss).Model("part"), s: s, before: before, want: clone(before)}
			p.clear, p.replace = d.IntN(2) == 0, d.IntN(2) == 0
			sorted := d.IntN(2) == 0
			did := []string{fmt.Sprintf("round %d clear %v replace %v sorted %v %s %s", n, p.clear, p.replace, sorted, kind, locale)}
			if d.IntN(2) == 0 {
				did = append(did, fmt.Sprint("dropped ", p.s.columns(d)))
			}
			if d.IntN(2) == 0 {
				p.filter()
			}
			for range d.IntN(8) {
				if len(p.s.rows) > 0 {
					p.edit()
				}
			}
			for range d.IntN(4) {
				if len(p.s.rows) > 0 {
					p.remove()
				}
			}
			if !sorted {
				for range d.IntN(3) {
					if len(p.s.rows) > 0 {
						p.add()
					}
				}
			} else {
				p.s.sort(d)
			}
			if len(p.s.rows) == 0 {
				continue
			}
			changes := int64(0)
			for id, r := range p.want {
				if !slices.Equal((state{id: r}).texts(before), (state{id: before[id]}).texts(before)) {
					changes++
				}
			}
			content := p.s.bytes(t, kind)
			if kind == "xlsx" && d.IntN(2) == 0 {
				content = saved(t, content)
			}
			req := importer.Request{FileName: w.upload(w.boss, "all."+kind, content), Mode: importer.Update, ClearEmpty: p.clear, ReplaceLines: p.replace}
			out := w.run(w.boss, req, true)
			require.Equal(t, []int64{0, changes, 0}, []int64{out.Added, out.Changed, out.Errors}, "%v %v", did, refusedAs(out))
			require.Equal(t, before.texts(before), w.state().texts(before), "a check changes nothing")
			out = w.run(w.boss, req, false)
			require.Equal(t, []int64{0, changes, 0}, []int64{out.Added, out.Changed, out.Errors}, "%v %v", did, refusedAs(out))
			require.Equal(t, p.want.texts(before), w.state().texts(before), "%v", did)
		}
	})
}
