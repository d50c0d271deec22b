package quality

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/sheethead"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// headRows is how many rows with content may be before the data, titles and remarks among them.
const headRows = 12

// countedColumns are the columns with numbers: a unit behind their heading changes nothing.
var countedColumns = []string{codes.DesignQty, codes.Volume, codes.Area, codes.Length, codes.SortKey, codes.Ratio}

// levelCode is what the columns with the codes of a level are called by, in tables with a column for each level.
const levelCode = ".code"

// index finds the columns of a kind by what files call them. Of a breakdown a column may be a level too: 单位工程, and 单位工程编码 for its codes.
func (k importKind) index() *sheethead.Index {
	x := sheethead.New()
	plain := func(label string) string { return label }
	for _, c := range k.columns {
		x.Add(sheethead.Column{Code: c.key, Last: c.key, Labels: []string{c.zh, c.en}, Counted: slices.Contains(countedColumns, c.key)}, plain)
	}
	if k.model != node {
		return x
	}
	for _, level := range levelOrder {
		name := levelNames[level]
		zh, en := name.Zh, strings.TrimPrefix(name.In("en"), "a ")
		en = strings.TrimPrefix(en, "an ")
		for _, label := range []string{zh, strings.TrimSuffix(zh, "工程"), en} {
			for _, name := range []string{label, label + "名称", label + " name"} {
				x.Name(name, level)
			}
			for _, code := range []string{label + "编码", label + "编号", label + "划分编码", label + " code"} {
				x.Name(code, level+levelCode)
			}
		}
	}
	return x
}

// head is what the columns of a file bring: the key of each, "" for none.
type head struct {
	at      []string
	ignored []string
	score   int
}

// head reads a row of headings.
func (m *importing) head(x *sheethead.Index, cells []string) (head, error) {
	out, has := head{at: make([]string, len(cells))}, map[string]bool{}
	for i, title := range cells {
		meant := x.Mean(title)
		switch {
		case meant.Sure && !has[meant.Codes[0]]:
			out.at[i], has[meant.Codes[0]] = meant.Codes[0], true
			out.score++
		case title != "" && !slices.Contains(out.ignored, title):
			out.ignored = append(out.ignored, title)
		}
	}
	wide := m.wide(out.at)
	var missing []string
	for _, col := range m.columns {
		if col.required && !has[col.key] && !(wide && (col.key == "name" || col.key == "nodeType")) {
			missing = append(missing, say(m, col.zh, col.en))
		}
	}
	if len(missing) > 0 {
		return out, fault.New(fault.ImportColumnMissing, strings.Join(missing, say(m, "、", ", ")))
	}
	return out, nil
}

// wide reports whether a file has a column for each level, at least two, instead of a level and a name.
func (m *importing) wide(at []string) bool {
	levels := 0
	for _, key := range at {
		levels += int(count(slices.Contains(levelOrder, key)))
	}
	return m.model == node && levels > 1 && !slices.Contains(at, "nodeType")
}

// read takes the rows of a file, below its headings: in Chinese, in English or by their keys, with titles above them or without.
func (m *importing) read(ctx context.Context, file string) error {
	var before []world.SheetRow // until it is known which one is the head
	var found *head
	x := m.index()
	for row, err := range m.SheetRows(ctx, file) {
		if err != nil {
			return err
		}
		if found != nil {
			if err := m.add(found, row); err != nil {
				return err
			}
			continue
		}
		if before = append(before, row); len(before) == headRows {
			if found, err = m.begun(x, before); err != nil {
				return err
			}
		}
	}
	if found == nil && len(before) > 0 {
		if _, err := m.begun(x, before); err != nil {
			return err
		}
	}
	return nil
}

// begun finds the head among the first rows: the one with the most columns that are known, and takes the rows below it.
func (m *importing) begun(x *sheethead.Index, rows []world.SheetRow) (*head, error) {
	at, best := 0, head{}
	var why error
	for i, row := range rows {
		h, err := m.head(x, row.Cells)
		if i == 0 || h.score > best.score {
			at, best, why = i, h, err
		}
	}
	if why != nil {
		return nil, why
	}
	m.ignored, m.isWide = best.ignored, m.wide(best.at)
	for _, row := range rows[at+1:] {
		if err := m.add(&best, row); err != nil {
			return nil, err
		}
	}
	return &best, nil
}

// add takes a row of the file.
func (m *importing) add(h *head, row world.SheetRow) error {
	data := map[string]string{}
	for i, v := range row.Cells {
		if i < len(h.at) && h.at[i] != "" && v != "" {
			data[h.at[i]] = v
		}
	}
	if m.isWide {
		m.addWide(row.Number, data)
	} else if len(data) > 0 {
		m.rows = append(m.rows, &ImportRow{Row: row.Number, Data: data, Errors: []CellError{}})
	}
	if len(m.rows) > mostRows {
		return fault.New(fault.ImportTooManyRows, mostRows, len(m.rows))
	}
	return nil
}

// addWide takes a row of a table with a column for each level: a node for each level that is not that of the row above. An empty level with one
// below it is that of the row above; the other columns are of the lowest one.
func (m *importing) addWide(number int, data map[string]string) {
	lowest := -1
	for i, level := range levelOrder {
		if data[level] != "" {
			lowest = i
		}
	}
	if m.open == nil {
		m.open, m.seen = make([]*ImportRow, len(levelOrder)), map[[4]string]*ImportRow{}
	}
	if lowest < 0 {
		if len(data) > 0 {
			one := &ImportRow{Row: number, Data: data, Errors: []CellError{}, wide: true}
			one.bad(m, levelOrder[len(levelOrder)-1], empty, "这一行没有任何层级的名称", "This row has no name of any level")
			m.rows = append(m.rows, one)
		}
		return
	}
	var up *ImportRow
	for i, level := range levelOrder[:lowest+1] {
		name, code := data[level], data[level+levelCode]
		if name == "" && code == "" { // that of the row above, or a level that this part of the works has not
			if m.open[i] != nil {
				up = m.open[i]
			}
			continue
		}
		key := [4]string{level, name, code, up.path()}
		one := m.seen[key]
		if one == nil || i == lowest {
			one = m.level(number, level, data, one, i < lowest)
			one.up = up
			if m.seen[key] == nil {
				m.seen[key] = one
			}
		}
		if up = one; m.open[i] != one {
			clear(m.open[i:])
			m.open[i] = one
		}
	}
	clear(m.open[lowest+1:])
}

// path tells the rows of a file apart that are above others.
func (r *ImportRow) path() string {
	if r == nil {
		return ""
	}
	return r.up.path() + "\x00" + r.Data["nodeType"] + "\x01" + r.Data["name"] + "\x01" + r.Data["code"]
}

// level adds the node of a level. The lowest one has the other columns of the row; before is a row that has it already.
func (m *importing) level(number int, level string, data map[string]string, before *ImportRow, upper bool) *ImportRow {
	one := &ImportRow{Row: number, Data: map[string]string{"nodeType": level}, Errors: []CellError{}, wide: true, upper: upper}
	for key, col := range map[string]string{level: "name", level + levelCode: "code"} {
		if v := data[key]; v != "" {
			one.Data[col] = v
		}
	}
	for key, v := range data {
		if !upper && !strings.HasSuffix(key, levelCode) && !slices.Contains(levelOrder, key) {
			one.Data[key] = v
		}
	}
	if before != nil {
		one.bad(m, "name", repeat, fmt.Sprintf("“%s”与第 %d 行重复", data[level], before.Row), fmt.Sprintf("“%s” is in row %d too", data[level], before.Row))
	}
	m.rows = append(m.rows, one)
	return one
}

// namedNodes finds nodes by the one above them, their level and their name; those of several are left out.
type namedNodes map[[3]string]string

// alike is the id of nodes that nobody can tell apart by name.
const alike = "*"

func (n namedNodes) note(up, level, name, id string) {
	key := [3]string{up, level, name}
	if n[key] != "" {
		id = alike
	}
	n[key] = id
}

// hung hangs a row of a wide table below its upper row, and finds the node that is there already: a row without a code is known by its name.
func (m *importing) hung(r *ImportRow, there namedNodes) {
	up := m.parent
	if r.up != nil {
		if r.above = r.up; r.up.id == "" && r.Data["code"] == "" {
			return
		}
		up = r.up.id
	} else if m.parent != "" {
		r.values[codes.ParentID] = m.parent
	}
	if r.id == "" && r.Data["code"] == "" {
		switch r.id = there[[3]string{up, r.Data["nodeType"], r.Data["name"]}]; {
		case r.id == alike:
			r.id = ""
			r.bad(m, "name", repeat, "这里有几个“"+r.Data["name"]+"”，请写编码", "Several nodes here are called “"+r.Data["name"]+"”: give the code")
		case r.id != "" && !r.upper && !m.overwrite:
			r.bad(m, "name", repeat, "“"+r.Data["name"]+"”已存在", "“"+r.Data["name"]+"” is there already")
		}
	}
	r.same = r.id != "" && r.upper
}
