package importer

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/sheethead"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// headRows is how many rows of a file may be before its data where nobody says which row is the head.
const headRows = 12

// assignment is what somebody said of the columns of a file.
type assignment struct {
	HeadRow int        `json:"headRow,omitempty"` // number of the row above the data; 0 = as it looks
	Columns []Assigned `json:"columns"`           // nil = as they are headed
}

// Assigned is a column of a file and the property that it brings.
type Assigned struct {
	Column int    `json:"column"`       // 0 = A
	Code   string `json:"propertyCode"` // "items.point" in a sub-table, "id" for ids of records; "" = left out
}

// readHead finds the head of a sheet, or takes the one that somebody said. Refusals are faults about the whole file.
func readHead(rows []workbook.Row, merged []workbook.Range, k *known, said assignment, locale string) (headings, error) {
	if len(rows) == 0 {
		return headings{}, fault.New(fault.ImportNoRows)
	}
	h := k.find(rows, merged, said.HeadRow)
	if said.Columns != nil {
		h.assign(said.Columns)
		return h, nil
	}
	if h.score == 0 {
		return headings{}, fault.New(fault.ImportNoColumn)
	}
	var twice, unclear []string
	for _, c := range h.columns {
		switch {
		case c.twice && !slices.Contains(twice, c.codes[0]):
			twice = append(twice, c.codes[0])
		case c.asked() && !c.twice:
			unclear = append(unclear, c.text)
		}
	}
	if len(twice) > 0 {
		return headings{}, fault.New(fault.ImportColumnTwice, k.labels(twice, locale))
	}
	if len(unclear) > 0 {
		return headings{}, fault.New(fault.ImportColumnUnclear, strings.Join(unclear, ", "))
	}
	return h, nil
}

// without leaves out the ids of rows of sub-tables of which the file has nothing else.
func (h head) without() head {
	all := h.Columns
	h.Columns = nil
	for _, c := range all {
		sheet, code, inSheet := strings.Cut(c.Code, ".")
		alone := inSheet && code == rowID && !slices.ContainsFunc(all, func(of headColumn) bool {
			return of.Code != c.Code && strings.HasPrefix(of.Code, sheet+".")
		})
		if !alone {
			h.Columns = append(h.Columns, c)
		}
	}
	return h
}

// Why a column is taken for a property.
const (
	byCode     = "code" // of the row of codes in files of ours
	byName     = "name" // its heading
	byKept     = "kept" // what the person said the last time
	byAssigned = "assigned"
)

// headedColumn is a column of a file with what it is headed by.
type headedColumn struct {
	at    int
	text  string // "测点.位置" in a sub-table
	codes []string
	sure  bool   // it is the one code
	twice bool   // and another column is too
	by    string // why
}

// asked tells if somebody has to say what the column is.
func (c headedColumn) asked() bool { return !c.sure && len(c.codes) > 0 }

// headings are some rows read as the head.
type headings struct {
	columns  []headedColumn
	last     int // number of the last row of the head; 0 = these rows are none
	score    int // columns that were recognized
	inGroups int // of those: below the name of a sub-table
	byCode   bool
}

func (h *headings) take(c headedColumn) {
	h.columns = append(h.columns, c)
	if len(c.codes) > 0 {
		h.score++
	}
}

// settle compares the columns: what several are for sure has to be asked for, and what one is for sure no unsure one is.
func (h *headings) settle() {
	taken := map[string]int{}
	for _, c := range h.columns {
		if c.sure {
			taken[c.codes[0]]++
		}
	}
	for i := range h.columns {
		c := &h.columns[i]
		switch {
		case c.sure && taken[c.codes[0]] > 1:
			c.sure, c.twice = false, true
		case !c.sure:
			c.codes = slices.DeleteFunc(slices.Clone(c.codes), func(code string) bool { return taken[code] > 0 })
		}
	}
}

// assign makes the columns what somebody said.
func (h *headings) assign(said []Assigned) {
	for _, a := range said {
		if a.Code != "" && !slices.ContainsFunc(h.columns, func(c headedColumn) bool { return c.at == a.Column }) {
			h.columns = append(h.columns, headedColumn{at: a.Column})
		}
	}
	slices.SortStableFunc(h.columns, func(a, b headedColumn) int { return a.at - b.at })
	for i := range h.columns {
		c := &h.columns[i]
		c.codes, c.sure, c.twice, c.by = nil, false, false, byAssigned
		for _, a := range said {
			if a.Column == c.at && a.Code != "" {
				c.codes, c.sure = []string{a.Code}, true
			}
		}
	}
}

// head is what is kept of them.
func (h *headings) head(k *known) head {
	out := head{First: h.last + 1}
	for _, c := range h.columns {
		switch {
		case c.sure && k.has(c.codes[0]):
			out.Columns = append(out.Columns, headColumn{c.at, c.codes[0]})
		case c.text != "" && !(h.byCode && c.by == byCode):
			out.Ignored = append(out.Ignored, c.text)
		}
	}
	return out
}

// find reads the head of a sheet: a row of property codes, as templates and exports have one hidden, or else the rows whose texts are headings
// in either language: one row, or two where names of groups are above. The head ends with the row at; 0 = with the one that fits best.
func (k *known) find(rows []workbook.Row, merged []workbook.Range, at int) headings {
	best := headings{}
	for i := range rows {
		if at == 0 && i >= headRows || at > 0 && rows[i].Number > at {
			break
		}
		if codes := k.coded(rows, i, merged); codes.score > 0 {
			best = codes
			break
		}
	}
	if !best.byCode {
		for i := range min(len(rows), max(headRows, at)) {
			for _, tried := range []headings{k.double(rows, i, merged), k.single(rows, i)} {
				if tried.score > best.score && (at == 0 || tried.last == at) {
					best = tried
				}
			}
		}
	}
	if at > 0 {
		if best.last != at && !best.byCode {
			best = k.unread(rows, at)
		}
		best.last = at
	}
	best.settle()
	return best
}

// unread are the texts of a row that heads nothing that is known.
func (k *known) unread(rows []workbook.Row, at int) (out headings) {
	if i := slices.IndexFunc(rows, func(r workbook.Row) bool { return r.Number == at }); i >= 0 {
		out = k.single(rows, i)
	}
	return out
}

// coded reads a row of codes and the headings below it, which may be called otherwise since.
func (k *known) coded(rows []workbook.Row, i int, merged []workbook.Range) headings {
	out := k.codes(rows, i)
	if out.score == 0 {
		return out
	}
	hidden := rows[i].Hidden
	for below := i + 1; below < len(rows) && rows[below].Number == out.last+1; below++ {
		words, lines := k.double(rows, below, merged), 2
		if one := k.single(rows, below); words.score < (out.score+1)/2 || one.score > words.score {
			words, lines = one, 1
		}
		if words.score < (out.score+1)/2 {
			if !hidden {
				break
			}
			if lines = linesOf(rows[below], merged); lines == 2 {
				words = k.double(rows, below, merged)
			}
		}
		hidden = false
		out.overlay(words)
		out.last += lines
		below += lines - 1
	}
	return out
}

// linesOf is how many rows the headings have that begin with a row: two, where cells of it are merged.
func linesOf(r workbook.Row, merged []workbook.Range) int {
	if slices.ContainsFunc(merged, func(m workbook.Range) bool { return m.Row == r.Number && (m.Rows == 2 || m.Columns > 1) }) {
		return 2
	}
	return 1
}

// overlay gives columns that have codes their headings, and takes those that somebody added beside them.
func (h *headings) overlay(words headings) {
	for _, w := range words.columns {
		i := slices.IndexFunc(h.columns, func(c headedColumn) bool { return c.at == w.at })
		switch {
		case i >= 0:
			h.columns[i].text = w.text
		case w.sure && !slices.ContainsFunc(h.columns, func(c headedColumn) bool { return slices.Contains(c.codes, w.codes[0]) }):
			h.take(w)
		}
	}
}

func textOf(r workbook.Row, at int) string {
	if at >= len(r.Cells) {
		return ""
	}
	return strings.TrimSpace(cellText(r.Cells[at]))
}

// codes reads a row of property codes: every cell that is not empty is one. Other columns of an export are not the person's to write.
func (k *known) codes(rows []workbook.Row, i int) headings {
	out := headings{byCode: true, last: rows[i].Number}
	keys, template := workbook.TemplateKeys(rows[i])
	if !template && !rows[i].Hidden && k.foreign(rows[i]) {
		return headings{}
	}
	for at := range rows[i].Cells {
		text := textOf(rows[i], at)
		if template {
			text = keys[at]
		}
		if text == "" {
			continue
		}
		code, ok := k.byCode[strings.ToLower(text)]
		property, _, _ := strings.Cut(strings.ToLower(text), ".") // "contract.partyB" is a column of a related record
		if !ok && !k.others[strings.ToLower(text)] && !k.others[property] {
			return headings{}
		}
		c := headedColumn{at: at, by: byCode}
		if ok {
			c.codes, c.sure = []string{code}, true
		}
		out.take(c)
	}
	if out.score == 1 && len(k.columns) > 1 { // a single word is more likely a title
		return headings{}
	}
	return out
}

// foreign tells if a visible row has a label that is the code of another property, or of one that no import writes: people wrote labels. A row
// with the code of ids as it is written in files of ours has codes.
func (k *known) foreign(r workbook.Row) bool {
	found := false
	for at := range r.Cells {
		text := textOf(r, at)
		if text == rowID {
			return false
		}
		m := k.own.mean(text)
		found = found || len(m.codes) > 0 && !slices.Contains(m.codes, k.byCode[strings.ToLower(text)])
	}
	return found
}

// single reads a row of headings, those of sub-tables written with them: "检查项.名称".
func (k *known) single(rows []workbook.Row, i int) headings {
	out := headings{last: rows[i].Number}
	for at := range rows[i].Cells {
		if text := textOf(rows[i], at); text != "" {
			out.take(k.column(at, text, k.mean(text)))
		}
	}
	return out
}

// double reads two rows: the second has the headings below names of groups, and is empty below those without one. Groups are sub-tables, or
// words that belong to the headings or to nothing. Where no sub-table is among them, the two have to say more than either alone.
func (k *known) double(rows []workbook.Row, i int, merged []workbook.Range) headings {
	if i+1 >= len(rows) || rows[i+1].Number != rows[i].Number+1 {
		return headings{}
	}
	out := headings{last: rows[i+1].Number}
	g := groupsOf(rows[i], merged)
	for at := range max(len(rows[i].Cells), len(rows[i+1].Cells)) {
		above, below := textOf(rows[i], at), textOf(rows[i+1], at)
		group := g.at(at)
		switch {
		case above == "" && below == "":
		case below == "":
			out.take(k.column(at, above, k.mean(above)))
		case group == "":
			out.take(k.column(at, below, k.mean(below)))
		case k.group(group) != nil:
			m := k.within(k.group(group), below)
			if len(m.codes) > 0 {
				out.inGroups++
			}
			out.take(k.column(at, group+"."+below, m))
		default:
			out.take(k.below(at, above, group, below))
		}
	}
	if out.inGroups == 0 && out.score <= max(k.single(rows, i).score, k.single(rows, i+1).score) && !unitsBelow(rows[i+1]) {
		return headings{}
	}
	return out
}

// below reads a heading below a group other than a sub-table: "计划" above "开工日期", or "金额" above "(元)".
func (k *known) below(at int, above, group, below string) headedColumn {
	if unit, ok := unitIn(below); ok {
		text := group + "(" + unit + ")"
		return k.column(at, text, k.mean(text))
	}
	for _, text := range []string{group + below, group + "." + below, group + "(" + below + ")"} {
		if m := k.mean(text); m.sure {
			return k.column(at, group+" "+below, m)
		}
	}
	for _, text := range []string{below, above} {
		if m := k.mean(text); len(m.codes) > 0 {
			return k.column(at, group+" "+below, m)
		}
	}
	return k.column(at, group+" "+below, meaning{})
}

// unitIn is the unit that a cell is, with or without brackets.
func unitIn(text string) (unit string, ok bool) {
	unit = strings.Trim(norm.NFKC.String(strings.ToLower(text)), " ()[]【】〔〕")
	return unit, sheethead.IsUnit(unit)
}

// unitsBelow tells if a row has units and nothing else. A single one is a value, unless it is in brackets.
func unitsBelow(r workbook.Row) bool {
	found := 0
	for at := range r.Cells {
		text := textOf(r, at)
		unit, ok := unitIn(text)
		switch {
		case text == "":
		case !ok:
			return false
		case len(unit) < len(strings.TrimSpace(text)):
			found++
			fallthrough
		default:
			found++
		}
	}
	return found > 1
}

// groupNames are the texts of a row over several columns.
type groupNames struct {
	row   workbook.Row
	spans map[int]int // of merged cells: column -> the one behind its last
}

func groupsOf(r workbook.Row, merged []workbook.Range) groupNames {
	g := groupNames{r, map[int]int{}}
	for _, m := range merged {
		if m.Row == r.Number && m.Columns > 1 {
			g.spans[m.Column] = m.Column + m.Columns
		}
	}
	return g
}

// at is the group over a column: of a row with merged cells the one whose cell it is, of others the last one before it.
func (g groupNames) at(column int) string {
	for at := column; at >= 0; at-- {
		text := textOf(g.row, at)
		end, merged := g.spans[at]
		switch {
		case text == "" && !merged:
		case merged && column < end, len(g.spans) == 0, at == column:
			return text
		default:
			return ""
		}
	}
	return ""
}

// mean reads a heading without a group.
func (k *known) mean(text string) meaning {
	m, met := k.met[text]
	if !met {
		m = k.meant(text)
		if len(k.met) < mostMet {
			k.met[strings.Clone(text)] = m
		}
	}
	return m
}

func (k *known) meant(text string) meaning {
	if code, told := k.ours.Told(nil, text); told {
		return one(code)
	}
	m := k.own.mean(text)
	if len(m.codes) == 0 {
		m = k.flat.mean(sheethead.Joined(text))
	}
	if code, ok := k.byCode[strings.ToLower(text)]; ok && len(m.codes) == 0 {
		m = meaning{[]string{code}, true}
	}
	if len(m.codes) == 0 { // of two sub-tables of one name
		m = one(k.ours.Single(text))
	}
	return m
}

// within is what a heading below the name of a sub-table means.
func (k *known) within(sheet *catalog.Field, text string) meaning {
	if code, told := k.ours.Told(sheet, text); told {
		return one(code)
	}
	return k.inGroup[sheet].mean(text)
}

// group is the sub-table that a heading above others names.
func (k *known) group(text string) *catalog.Field {
	if sheet := k.groups[heading(text)]; sheet != nil {
		return sheet
	}
	return k.ours.Group(text)
}

// one is a code for sure; "" = none that is written.
func one(code string) meaning {
	if code == "" {
		return meaning{}
	}
	return meaning{[]string{code}, true}
}

// column is a column with its heading. What the person said the last time of such a heading comes before what it means.
func (k *known) column(at int, text string, m meaning) headedColumn {
	c := headedColumn{at: at, text: text, codes: m.codes, sure: m.sure, by: byName}
	if len(k.kept) == 0 {
		return c
	}
	if code, said := k.kept[heading(text)]; said {
		c.codes, c.sure, c.by = nil, false, byKept
		if code != "" {
			c.codes, c.sure = []string{code}, true
		}
	}
	return c
}
