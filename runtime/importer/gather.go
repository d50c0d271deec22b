package importer

import (
	"hash/maphash"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// gatherer joins the rows of a file to records: rows that have one id, or one key, wherever they stand, and rows without any that stand below them.
type gatherer struct {
	head head
	// sheet is which of the import's worksheets the rows are of.
	sheet int
	key   string // column by which rows find their record; "" = none
	// apart are the records whose rows are not beside each other, with how many they have; census finds them.
	apart map[string]int
	now   *raw
	held  map[string]*raw // of those apart: what came of them so far
	ready []*raw          // whole, in the order of their last rows
}

// mostHeld is how many records may be under way at once because their rows are apart.
const mostHeld = 100_000

// line is a row of the file: what the record itself holds, and a row of each of its sub-tables.
type line struct {
	raw
	subs  map[string]rawRow
	first bool // or it does not say
}

// read reads a row; nil when it is none of a record.
func (g *gatherer) read(r workbook.Row) *line {
	if workbook.IsExample(r) {
		return nil
	}
	at := rowOf(g.sheet, r.Number)
	one := &line{raw: raw{Row: at, last: at, Cells: make(map[string]input, len(g.head.Columns))}, first: true}
	g.each(r, func(c headColumn, in input) {
		switch sheet, code, inSheet := strings.Cut(c.Code, "."); {
		case c.Code == rowID:
			one.ID, one.first = workbook.LineOf(in.text())
		case !inSheet:
			one.Cells[c.Code] = in
		default:
			one.put(sheet, code, in)
		}
	})
	if !ofRecord(one.ID, len(one.Cells) > 0 || len(one.subs) > 0) {
		return nil
	}
	return one
}

// ofRecord reports whether a row with an id, and with cells or without, is one of a record.
func ofRecord(id string, cells bool) bool { return id != workbook.TotalsKey && (cells || id != "") }

// each calls f for the cells of a row that have something, with their columns.
func (g *gatherer) each(r workbook.Row, f func(c headColumn, in input)) {
	for _, c := range g.head.Columns {
		if c.At >= len(r.Cells) || r.Cells[c.At].Kind == property.CellEmpty {
			continue
		}
		if in := (input{cell: r.Cells[c.At]}); !in.empty() {
			f(c, in)
		}
	}
}

// gist reads no more of a row than whose it is and whether it has cells of the record itself; false: it is none of a record.
func (g *gatherer) gist(r workbook.Row) (whose string, own, ok bool) {
	if workbook.IsExample(r) {
		return "", false, false
	}
	id, key, rows := "", "", false
	g.each(r, func(c headColumn, in input) {
		switch {
		case c.Code == rowID:
			id, _ = workbook.LineOf(in.text())
		case strings.Contains(c.Code, "."):
			rows = true
		case c.Code == g.key:
			key, own = in.text(), true
		default:
			own = true
		}
	})
	return whoseIs(id, key), own, ofRecord(id, own || rows)
}

func (l *line) put(sheet, code string, in input) {
	sub := l.subs[sheet]
	if sub.Row = l.Row; code == rowID {
		sub.ID = in.text()
	} else {
		if sub.Cells == nil {
			sub.Cells = map[string]input{}
		}
		sub.Cells[code] = in
	}
	if l.subs == nil {
		l.subs = map[string]rawRow{}
	}
	l.subs[sheet] = sub
}

// whoseIs is what a row with an id and a key says of the record that it belongs to; "" = nothing.
func whoseIs(id, key string) string {
	switch {
	case id != "":
		return "id " + strings.ToLower(id)
	case key != "":
		return "key " + key
	}
	return ""
}

// grouped reports whether records may have several rows that say whose they are.
func (g *gatherer) grouped() bool {
	return g.head.has(rowID) || g.key != "" && slices.ContainsFunc(g.head.Columns, func(c headColumn) bool { return strings.Contains(c.Code, ".") })
}

// census looks through the rows of the file for records whose rows are apart.
type census struct {
	g     *gatherer
	seed  maphash.Seed
	rows  map[uint64]int // by hash of whose: 500,000 texts are too many to keep
	apart map[string]bool
	last  string
}

func (g *gatherer) census() *census {
	return &census{g: g, seed: maphash.MakeSeed(), rows: map[uint64]int{}, apart: map[string]bool{}}
}

func (c *census) see(r workbook.Row) {
	whose, own, ok := c.g.gist(r)
	if !ok {
		return
	}
	if whose == "" {
		if own {
			c.last = ""
		}
		return
	}
	h := maphash.String(c.seed, whose)
	if c.rows[h] > 0 && c.last != whose {
		c.apart[whose] = true
	}
	c.rows[h]++
	c.last = whose
}

// end gives the gatherer what was found.
func (c *census) end() {
	c.g.apart, c.g.held = make(map[string]int, len(c.apart)), map[string]*raw{}
	for whose := range c.apart {
		c.g.apart[whose] = c.rows[maphash.String(c.seed, whose)]
	}
}

// take adds a row of the file. Records that are whole by it are ready. It refuses a file whose records are too far apart.
func (g *gatherer) take(r workbook.Row) error {
	one := g.read(r)
	if one == nil {
		return nil
	}
	whose := whoseIs(one.ID, one.Cells[g.key].text())
	if left := g.apart[whose]; whose != "" && left > 0 {
		g.done()
		g.apart[whose] = left - 1
		g.takeApart(whose, one, left == 1)
		if len(g.held) > mostHeld {
			return refusedFile{fault.New(fault.ImportScattered, mostHeld)}
		}
		return nil
	}
	if whose == "" && len(one.Cells) == 0 && (g.now == nil || len(g.apart) > 0) {
		g.done()
		one.Stray = len(g.apart) > 0
	}
	if g.now == nil || !g.continues(g.now, one) {
		g.done()
		g.now = one.record()
		return nil
	}
	g.now.join(one)
	return nil
}

// takeApart adds a row of a record whose rows are apart.
func (g *gatherer) takeApart(whose string, one *line, last bool) {
	of := g.held[whose]
	switch {
	case of == nil:
		of = one.record()
		g.held[whose] = of
	case g.continues(of, one):
		of.join(one)
	default: // it says the whole record once more
		g.ready = append(g.ready, one.record())
	}
	if last {
		delete(g.held, whose)
		g.ready = append(g.ready, of)
	}
}

// done ends the record that rows without an id may continue.
func (g *gatherer) done() {
	if g.now != nil {
		g.ready = append(g.ready, g.now)
		g.now = nil
	}
}

// next gives a record that is whole; nil when there is none.
func (g *gatherer) next() *raw {
	if len(g.ready) == 0 {
		return nil
	}
	one := g.ready[0]
	g.ready = g.ready[1:]
	return one
}

// continues reports whether a row brings more of a record: it has the record's id, or its key and nothing else of the record's own, or neither
// an id nor cells of the record's own.
func (g *gatherer) continues(of *raw, one *line) bool {
	switch {
	case of.Stray || one.Stray:
		return false
	case one.ID != "" && of.ID != "":
		return strings.EqualFold(one.ID, of.ID) && (len(one.subs) > 0 || of.Further || !one.first)
	case len(one.subs) == 0:
		return false
	case len(one.Cells) == 0 && one.ID == "":
		return true
	case g.key == "" || one.Cells[g.key].text() == "" || one.Cells[g.key].text() != of.Cells[g.key].text():
		return false
	}
	for code, in := range one.Cells {
		if in.text() != of.Cells[code].text() {
			return false
		}
	}
	return true
}

// record makes a record of a row.
func (l *line) record() *raw {
	r := l.raw
	r.Further = !l.first
	r.addRows(l.subs)
	return &r
}

// join adds a row to a record.
func (r *raw) join(l *line) {
	r.last = l.Row
	r.Further = r.Further && (l.ID == "" || !l.first)
	for code, in := range l.Cells {
		have, there := r.Cells[code]
		switch {
		case !there:
			r.Cells[code] = in
		case have.text() != in.text():
			if r.Says == nil {
				r.Says = map[string]int{}
			}
			r.Says[code] = l.Row
		}
	}
	r.addRows(l.subs)
}

func (r *raw) addRows(subs map[string]rawRow) {
	for sheet, sub := range subs {
		if r.Rows == nil {
			r.Rows = map[string][]rawRow{}
		}
		r.Rows[sheet] = append(r.Rows[sheet], sub)
	}
}

// strayed refuses a row that does not say of which record it is.
func (r *raw) strayed(key *catalog.Field) *Verdict {
	if !r.Stray || key != nil && r.Cells[key.Code].text() != "" {
		return nil
	}
	column := ""
	if key != nil {
		column = key.Code
	}
	v := refuse(column, nil, fault.LineOfNone)
	return &v
}
