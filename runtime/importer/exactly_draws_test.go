package importer_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// dice draw what the records hold, and what a person makes of them.
type dice struct {
	*rand.Rand
	refs map[string][]string // ids of people, departments and records, by property
}

func (d *dice) one(all ...string) string { return all[d.IntN(len(all))] }

// some are one to three of them, each once.
func (d *dice) some(all []string) []string {
	all = slices.Clone(all)
	d.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	return all[:min(1+d.IntN(3), len(all))]
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
	case "secret", "note":
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

// held is a random value for a new record.
func (d *dice) held(code string) any {
	switch code {
	case "agent", "dept", "site", "where":
		return d.one(d.refs[code]...)
	case "crew", "who":
		return d.some(d.refs[code])
	}
	v, _ := d.drawn(code)
	return v
}

var drawnOwn = []string{"title", "secret", "quantity", "price", "day", "moment", "clock", "done", "state", "tags", "agent", "crew", "dept", "site"}

var drawnLines = []string{"place", "value", "note", "who", "where"}

// parts makes some random records.
func (w *world) parts(d *dice, n int) {
	w.Helper()
	for i := range n {
		values := map[string]any{"number": fmt.Sprintf("R-%02d", i)}
		for _, code := range drawnOwn {
			if d.IntN(4) > 0 {
				values[code] = d.held(code)
			}
		}
		lines := []any{}
		for range d.IntN(5) {
			line := map[string]any{}
			line["place"] = d.held("place")
			for _, code := range []string{"value", "note", "who", "where"} {
				if d.IntN(3) > 0 {
					line[code] = d.held(code)
				}
			}
			lines = append(lines, line)
		}
		values["points"] = lines
		w.save(w.boss, "part", values)
	}
}

// worldOfParts are the people, departments and records that parts refer to: of hard names, and three people of one name.
func (w *world) worldOfParts(r *rand.Rand) *dice {
	w.Helper()
	of := w.refWorld(rand.New(rand.NewPCG(5, 6))) //nolint:gosec // names of departments beside each other differ with it
	for _, name := range []string{"same1", "same2", "same3"} {
		id, err := w.app.AddUser(w.Context(), name, sameName, []string{"clerk"})
		require.NoError(w, err)
		of["people"] = append(of["people"], id)
	}
	of["agent"], of["crew"], of["who"], of["where"] = of["people"], of["people"], of["people"], of["site"]
	return &dice{r, of}
}

// sameName is what several people are called.
const sameName = "重名"

var ids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)

// told is what a sheet calls the people, departments and records of a column: the words of cells that hold one each, by their id.
func (p *person) told(key string) map[string]string {
	out := map[string]string{}
	for _, row := range p.s.rows {
		r := p.before[idOf(row)]
		if _, given := row[key]; !given || r == nil {
			continue
		}
		now := r.own[key]
		if sheet, code, in := strings.Cut(key, "."); in {
			at := slices.IndexFunc(r.lines, func(l lineState) bool { return l.id == row[sheet+".id"].Text })
			if now = ""; at >= 0 {
				now = r.lines[at].values[code]
			}
		}
		if held := ids.FindAllString(now, -1); len(held) == 1 {
			out[held[0]] = row[key].Text
		}
	}
	return out
}

// typed is what a person makes of a cell: the value, as a save takes it, and the words. ok is false where the sheet has no words for it.
func (p *person) typed(f *catalog.Field, key string) (v any, cell property.Cell, ok bool) {
	if _, refers := f.Property.(property.Referrer); !refers {
		v, cell = p.drawn(f.Code)
		return v, cell, cell.Kind != property.CellText || len(cell.Text) <= workbook.MaxText
	}
	words := p.toldAt[key]
	if len(words) == 0 {
		return nil, cell, false
	}
	chosen, said := []string{}, []string{}
	for _, id := range p.some(slices.Sorted(maps.Keys(words))) {
		chosen, said = append(chosen, id), append(said, words[id])
	}
	cell.Kind = property.CellText
	if f.Columns()[0].Kind != plan.Set {
		cell.Text = said[0]
		return chosen[0], cell, true
	}
	for i := range said {
		said[i] = property.Unquoted(said[i])
	}
	cell.Text = property.JoinList(said)
	return chosen, cell, true
}

// ambiguous puts into a cell a name that several people have, and tells if that has to be refused: the record has none of them or several.
func (p *person) ambiguous() {
	at := p.IntN(len(p.s.rows))
	row := p.s.rows[at]
	id, first := workbook.LineOf(row["id"].Text)
	if r := p.want[id]; r == nil || !first || !slices.Contains(p.s.keys, "crew") || p.refused[id] {
		return
	}
	held := 0
	for _, one := range ids.FindAllString(p.before[id].own["crew"], -1) {
		if who, ok := p.w.app.People().Person(p.Context(), one); ok && who.Name == sameName {
			held++
		}
	}
	if held != 1 {
		row["crew"] = cell(sameName)
		p.refused[id] = true
	}
}
