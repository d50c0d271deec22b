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

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
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
	w       *world
	rights  *authz.View
	m       *catalog.Model
	s       *sheet
	before  state
	want    state
	clear   bool
	replace bool
	toldAt  map[string]map[string]string
	refused map[string]bool // records whose rows say something that nobody can tell
}

// writes reports whether the person who imports may write a property.
func (p *person) writes(f *catalog.Field) bool {
	right, _ := p.rights.Field(f)
	return right != catalog.Hidden && right != catalog.Readable
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
		if p.writes(f) {
			p.set(values, f, nil)
		}
		return
	}
	v, cell, ok := p.typed(f, key)
	if !ok {
		return
	}
	if row[key] = cell; p.writes(f) {
		p.set(values, f, v)
	}
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
	l := lineState{values: map[string]string{}}
	for _, code := range drawnLines {
		p.set(l.values, p.m.Field("points").Sheet.Field(code), map[string]any{"place": text}[code])
	}
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

// settle decides what the import has to do: how many records it changes, and how many rows it refuses. Nothing of a record is written whose row says
// something that nobody can tell, that the person does not see, or that they may not change.
func (p *person) settle() (changes, errors int64) {
	limited := p.rights.User() != p.w.boss
	for _, id := range slices.Sorted(maps.Keys(p.want)) {
		number := p.before[id].own["number"]
		changed := !slices.Equal((state{id: p.want[id]}).texts(p.before), (state{id: p.before[id]}).texts(p.before))
		unseen, sealed := limited && number == `"R-03"`, limited && number == `"R-05"`
		switch {
		case unseen && p.count(id) > 0, p.refused[id], sealed && changed:
			errors++
			p.want[id] = clone(p.before)[id]
		case changed:
			changes++
		}
	}
	return changes, errors
}

// exported is the file that somebody works in, exported by a person with their rights.
func (w *world) exportedBy(user, kind, locale string) *sheet {
	view := w.view(user)
	var columns []string
	for _, code := range append(slices.Clone(drawnOwn), "number", "amount", "points") {
		if right, _ := view.Field(view.Model("part").Field(code)); right != catalog.Hidden {
			columns = append(columns, code)
		}
	}
	s := readSheet(w, w.exports(user, "part", "xlsx", locale, false, columns...))
	if kind == "csv" {
		s = readSheet(w, w.exports(user, "part", kind, locale, false, columns...), s.keys...)
	}
	return s
}

// Export, any rearrangement, import: exactly the changes that a person made, of what they see and may change.
func TestExactlyTheChanges(t *testing.T) {
	t.Parallel()
	rounds := storetest.Full(16, 80)
	each(t, func(t *testing.T, w *world) {
		d := w.worldOfParts(rand.New(rand.NewPCG(42, uint64(rounds)))) //nolint:gosec // draws of a test
		partial, err := w.app.AddUser(t.Context(), "partial", "partial", []string{"partial"})
		require.NoError(t, err)
		w.parts(d, 12)
		for n := range rounds {
			round(t, w, d, n, partial)
		}
	})
}

func round(t *testing.T, w *world, d *dice, n int, partial string) {
	before := w.state()
	locale, kind := d.one("zh", "en"), d.one("xlsx", "csv")
	user := d.one(w.boss, w.boss, partial)
	exporter := d.one(w.boss, user) // somebody may have been given the file of another person
	p := &person{dice: d, TB: t, w: w, rights: w.view(user), m: w.view(w.boss).Model("part"), s: w.exportedBy(exporter, kind, locale), before: before, want: clone(before), refused: map[string]bool{}}
	p.clear, p.replace = d.IntN(2) == 0, d.IntN(2) == 0
	p.toldAt = map[string]map[string]string{}
	for _, key := range p.s.keys {
		p.toldAt[key] = p.told(key)
	}
	sorted := d.IntN(2) == 0
	did := []string{fmt.Sprintf("round %d clear %v replace %v sorted %v %s %s limited %v %v", n, p.clear, p.replace, sorted, kind, locale, user == partial, exporter == partial)}
	if d.IntN(2) == 0 {
		did = append(did, fmt.Sprint("dropped ", p.s.columns(d)))
	}
	if d.IntN(2) == 0 {
		p.filter()
	}
	times := func(most int, do func()) {
		for range d.IntN(most) {
			if len(p.s.rows) > 0 {
				do()
			}
		}
	}
	times(12, p.edit)
	times(4, p.remove)
	times(3, p.ambiguous)
	if sorted {
		p.s.sort(d)
	} else {
		times(3, p.add)
	}
	if len(p.s.rows) == 0 {
		return
	}
	changes, refused := p.settle()
	content := p.s.bytes(t, kind)
	if kind == "xlsx" && d.IntN(2) == 0 {
		content = saved(t, content)
	}
	req := importer.Request{FileName: w.upload(user, "all."+kind, content), Mode: importer.Update, ClearEmpty: p.clear, ReplaceLines: p.replace, Language: locale}
	out := w.run(user, req, true)
	require.Equal(t, []int64{0, changes, refused}, []int64{out.Added, out.Changed, out.Errors}, "%v %v", did, refusedAs(out))
	require.Equal(t, before.texts(before), w.state().texts(before), "a check changes nothing")
	out = w.run(user, req, false)
	require.Equal(t, []int64{0, changes, refused}, []int64{out.Added, out.Changed, out.Errors}, "%v %v", did, refusedAs(out))
	require.Equal(t, p.want.texts(before), w.state().texts(before), "%v", did)
}
