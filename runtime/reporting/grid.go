package reporting

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/query"
)

// mostCells bounds the cells of a pivot table in a file, by its columns: what is beyond is left out, and the file says so.
const mostCells = 1_000_000

// grid is the table of a chart: labels of groups on the left, figures on the right.
type grid struct {
	set    *catalog.DataSet
	locale string
	title  string
	notes  []string
	labels []string // heads of the columns of labels
	heads  [][]string
	// heads are those of each column of figures, from the top; all have as many.
	columns []*catalog.Measure
	lines   []line
}

// line is a row of a grid.
type line struct {
	kind   lineKind
	labels []string
	values []cell
}

type lineKind uint8

const (
	dataLine lineKind = iota
	subtotalLine
	totalLine
)

// cell is a figure. An unknown one is a total that does not follow from its rows.
type cell struct {
	measure *catalog.Measure // nil = that of its column
	value   any
	unknown bool
}

// gridOf is the table of a chart of rows.
func gridOf(c *chart, d Data, locale string) *grid {
	g := &grid{set: c.of.Set, locale: locale, title: c.title(locale)}
	if c.of.Type == "pivot" {
		g.pivot(c, d.Rows)
	} else {
		g.flat(c.groups(), c.measures(), d.Rows)
	}
	switch {
	case d.Hidden():
		g.note("共 {all} 组，只显示前 {n} 组", "The first {n} of {all} groups", len(d.Rows), d.Groups)
	case d.Truncated && len(d.Rows) == MaxRows:
		g.note("超过 {all} 组，只显示前 {n} 组", "The first {n} of more than {all} groups", MaxRows, query.MaxGroups)
	case d.Truncated:
		g.note("分组过多，只统计了前 {n} 组", "Too many groups: only the first {n} are counted", query.MaxGroups, 0)
	}
	return g
}

func (g *grid) note(zh, en string, n, all int) {
	words := strings.NewReplacer("{n}", grouped(itoa(n)), "{all}", grouped(itoa(all)))
	g.notes = append(g.notes, words.Replace(inWords(g.locale, zh, en)))
}

// flat has a line for each combination of the groups that the chart names.
func (g *grid) flat(groups, measures []int, rows []Row) {
	for _, i := range groups {
		g.labels = append(g.labels, g.set.Groups[i].Label.In(g.locale))
	}
	for _, i := range measures {
		g.columns, g.heads = append(g.columns, &g.set.Measures[i]), append(g.heads, []string{g.measureHead(i)})
	}
	var order []string
	found := map[string][]Row{}
	for _, r := range rows {
		key := keyOf(r, groups)
		if found[key] == nil {
			order = append(order, key)
		}
		found[key] = append(found[key], r)
	}
	for _, key := range order {
		of := found[key]
		l := line{}
		for _, i := range groups {
			l.labels = append(l.labels, g.groupText(of[0].Groups[i]))
		}
		for _, i := range measures {
			l.values = append(l.values, g.cell(of, i))
		}
		g.lines = append(g.lines, l)
	}
}

func (g *grid) cell(of []Row, measure int) cell {
	v, known := combined(g.set, of, measure)
	return cell{value: v, unknown: !known}
}

func (g *grid) measureHead(i int) string {
	m := &g.set.Measures[i]
	if m.Unit == "" {
		return m.Label.In(g.locale)
	}
	return m.Label.In(g.locale) + " (" + m.Unit + ")"
}

// groupText is what a group's value is called; empty ones and what top left over have words of ours.
func (g *grid) groupText(v Value) string {
	switch {
	case v.Text != "":
		return v.Text
	case v.Others:
		return inWords(g.locale, "其他", "Others")
	case v.Value == "":
		return inWords(g.locale, "（空）", "(empty)")
	}
	return v.Value
}

// keyOf is a row by some of its groups.
func keyOf(r Row, groups []int) string {
	var out strings.Builder
	for _, i := range groups {
		out.WriteString(valueKey(r.Groups[i]))
		out.WriteByte(0)
	}
	return out.String()
}

func valueKey(v Value) string {
	if v.Others {
		return "\x01"
	}
	return v.Value
}

// path is a line or a column of a pivot table: the values of its groups. A subtotal has fewer, the total none.
type path struct {
	values []Value
	key    string
	kind   lineKind
}

// branch is a value of a group with those of the next group below it, in their order.
type branch struct {
	value Value
	keys  []string
	below map[string]*branch
}

func (b *branch) add(r Row, groups []int) {
	for _, i := range groups {
		key := valueKey(r.Groups[i])
		next := b.below[key]
		if next == nil {
			next = &branch{value: r.Groups[i]}
			if b.below == nil {
				b.below = map[string]*branch{}
			}
			b.below[key], b.keys = next, append(b.keys, key)
		}
		b = next
	}
}

// paths are the lines below a branch.
func (b *branch) paths(before path, depth int, subtotals bool, out []path) []path {
	slices.SortStableFunc(b.keys, func(x, y string) int { return cmp.Compare(b.below[x].value.Rank, b.below[y].value.Rank) })
	for _, key := range b.keys {
		next := b.below[key]
		p := path{values: append(before.values[:len(before.values):len(before.values)], next.value), key: before.key + key + "\x00"}
		if len(p.values) == depth {
			out = append(out, p)
			continue
		}
		out = next.paths(p, depth, subtotals, out)
		if subtotals {
			p.kind = subtotalLine
			out = append(out, p)
		}
	}
	return out
}

func pathsOf(rows []Row, groups []int, subtotals, total bool) []path {
	if len(groups) == 0 {
		return []path{{}}
	}
	root := &branch{}
	for _, r := range rows {
		root.add(r, groups)
	}
	out := root.paths(path{}, len(groups), subtotals, nil)
	if total {
		out = append(out, path{kind: totalLine})
	}
	return out
}

// pivot has the values of some groups down and of others across. Totals are made of the rows, not of what is shown.
func (g *grid) pivot(c *chart, rows []Row) {
	at := func(codes []string) []int {
		return (&chart{of: c.of, Rows: codes}).groups()
	}
	down, across, measures := at(c.Rows), at(c.Columns), (&chart{of: c.of, Measures: c.Measures}).measures()
	if len(measures) == 0 {
		return
	}
	wanted := func(set *bool) bool { return set == nil || *set }
	lines, columns := pathsOf(rows, down, c.Subtotals, wanted(c.ColumnTotals)), pathsOf(rows, across, c.Subtotals, wanted(c.RowTotals))
	if most := max(mostCells/max(len(lines)*len(measures), 1), 1); len(columns) > most {
		columns = columns[:most]
		g.note("列太多，只列出前 {n} 列", "Too many columns: only the first {n} are listed", most, 0)
	}
	for _, i := range down {
		g.labels = append(g.labels, g.set.Groups[i].Label.In(g.locale))
	}
	named := len(measures) > 1 || len(across) == 0
	for _, p := range columns {
		for _, m := range measures {
			head := g.headsOf(p, len(across))
			if named {
				head = append(head, g.measureHead(m))
			}
			g.columns, g.heads = append(g.columns, &g.set.Measures[m]), append(g.heads, head)
		}
	}
	if !named {
		if unit := g.set.Measures[measures[0]].Unit; unit != "" {
			g.title += " (" + unit + ")"
		}
	}
	found := rowsAt(rows, down, across)
	for _, p := range lines {
		l := line{kind: p.kind, labels: g.headsOf(p, len(down))}
		for _, column := range columns {
			of := found[p.key+"\x02"+column.key]
			for _, m := range measures {
				l.values = append(l.values, g.cell(of, m))
			}
		}
		g.lines = append(g.lines, l)
	}
}

// rowsAt are the rows of each cell, those of totals among them.
func rowsAt(rows []Row, down, across []int) map[string][]Row {
	out := map[string][]Row{}
	for _, r := range rows {
		for i := range len(down) + 1 {
			for j := range len(across) + 1 {
				key := keyOf(r, down[:i]) + "\x02" + keyOf(r, across[:j])
				out[key] = append(out[key], r)
			}
		}
	}
	return out
}

// headsOf are the words of a path, as many as there are groups.
func (g *grid) headsOf(p path, depth int) []string {
	out := make([]string, 0, depth+1)
	for _, v := range p.values {
		out = append(out, g.groupText(v))
	}
	if p.kind != dataLine {
		out = append(out, map[lineKind]string{subtotalLine: inWords(g.locale, "小计", "Subtotal"), totalLine: inWords(g.locale, "合计", "Total")}[p.kind])
	}
	for len(out) < depth {
		out = append(out, "")
	}
	return out
}
