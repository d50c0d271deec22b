package printing

import (
	"slices"
	"strconv"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/query"
)

// tableRow is a row of a sub-table, or a record of a list.
type tableRow interface {
	text(p *catalog.Path, format string) string
	value(p *catalog.Path) any
	cell(p *catalog.Path, format string) (property.Cell, bool)
}

type sheetRow struct{ query.PaperRow }

func (r sheetRow) text(p *catalog.Path, format string) string { return r.Text(p.Field.Code, format) }
func (r sheetRow) value(p *catalog.Path) any                  { return r.Value(p.Field.Code) }
func (r sheetRow) cell(p *catalog.Path, format string) (property.Cell, bool) {
	return r.Cell(p.Field.Code, format)
}

type listRow struct{ query.Paper }

func (r listRow) text(p *catalog.Path, format string) string { return r.Text(p.Code, format) }
func (r listRow) value(p *catalog.Path) any {
	_, v := r.Value(p.Code)
	return v
}

func (r listRow) cell(p *catalog.Path, format string) (property.Cell, bool) {
	return r.Cell(p.Code, format)
}

// rows are those of a table that may be seen, and that its condition lets through.
func (b *binder) rows(t *catalog.PrintTable) (out []tableRow) {
	if t.List != nil {
		for _, r := range b.lists[t][b.r.ID] {
			out = append(out, listRow{r})
		}
		return out
	}
	for _, r := range b.r.Rows(t.Sheet.Code) {
		if r.Holds(t.When) {
			out = append(out, sheetRow{r})
		}
	}
	return out
}

// sheet is a table of rows; nil when there are none and no empty ones are asked for.
func (b *binder) sheet(e *catalog.PrintElement) *layout.Table {
	t := e.Table
	rows := b.rows(t)
	if len(rows) == 0 && t.MinRows == 0 && t.PerPage == 0 {
		return nil
	}
	out := b.grid(t)
	out.PerPage = t.PerPage
	first := 0 // the column of the first property
	if t.Ordinal {
		ordinal := layout.Column{Width: 12 * layout.Millimeter, Head: b.in("序号", "No."), HeadStyle: t.Head, Style: t.Body}
		ordinal.Style.Horizontal = layout.AlignCenter
		out.Columns = append([]layout.Column{ordinal}, out.Columns...)
		first = 1
	}
	f := figures{b: b, t: t, first: first, width: len(out.Columns)}
	add := func(of []tableRow, from int) {
		for i, r := range of {
			texts, values := make([]string, len(out.Columns)), make([]any, len(out.Columns))
			if t.Ordinal {
				texts[0] = strconv.Itoa(from + i + 1)
				values[0] = property.Cell{Kind: property.CellNumber, Text: texts[0]}
			}
			for k, c := range t.Columns {
				texts[first+k] = b.figure(c.Path.Field.Property, c.Format, r.text(c.Path, c.Format))
				if cell, is := r.cell(c.Path, c.Format); is {
					values[first+k] = cell
				}
			}
			out.Rows = append(out.Rows, layout.Row{Texts: texts, Values: values})
		}
	}
	if t.Group == nil {
		add(rows, 0)
	} else {
		rows = b.grouped(t, rows, func(name string, of []tableRow, from int) {
			out.Rows = append(out.Rows, layout.Row{Kind: layout.GroupRow, Texts: []string{b.ink(name)}, Span: len(out.Columns), Bold: true})
			add(of, from)
			if f.any() {
				out.Rows = append(out.Rows, f.row(of, b.in("小计", "Subtotal")))
			}
		})
	}
	for i := len(rows); i < t.MinRows; i++ {
		out.Rows = append(out.Rows, layout.Row{Texts: make([]string, len(out.Columns))})
	}
	if f.any() {
		out.Rows = append(out.Rows, f.row(rows, b.in("合计", "Total")))
	}
	if t.Carried && f.any() {
		out.Carried = f.carried(rows)
		out.Forward, out.Brought = b.in("过次页", "Carried forward"), b.in("承前页", "Brought forward")
	}
	return out
}

// grid is a table without rows.
func (b *binder) grid(t *catalog.PrintTable) *layout.Table {
	out := &layout.Table{HeadHeight: t.HeadHeight, BodyHeight: t.BodyHeight, Every: t.Every, Widow: t.Widow, Below: t.Below}
	for _, c := range t.Columns {
		column := layout.Column{Width: c.Width, HeadStyle: t.Head, Style: t.Body, CarryFigure: c.Sum != ""}
		label := c.Label
		if label.Zh == "" && c.Path != nil {
			label = c.Path.Field.Label
		}
		column.Head, column.Group = b.ink(label.In(b.locale)), b.ink(c.Group.In(b.locale))
		switch {
		case c.Align != nil:
			column.Style.Horizontal = *c.Align
		case c.Path != nil && c.Path.Field.Property.Kind() == plan.Number && t.Body.Horizontal == layout.AlignStart:
			column.Style.Horizontal = layout.AlignEnd
		}
		out.Columns = append(out.Columns, column)
	}
	return out
}

// grouped calls each for the groups of rows, in the order of their options or else in that in which they first come, and returns the rows in
// that order.
func (b *binder) grouped(t *catalog.PrintTable, rows []tableRow, each func(name string, of []tableRow, from int)) []tableRow {
	var names []string
	groups := map[string][]tableRow{}
	for _, r := range rows {
		name := r.text(t.Group, "")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		groups[name] = append(groups[name], r)
	}
	if c, is := t.Group.Field.Property.(property.Chooser); is {
		options := c.Choices()
		place := func(name string) int {
			v := groups[name][0].value(t.Group)
			if i := slices.IndexFunc(options, func(o property.Option) bool { return o.Code == v }); i >= 0 {
				return i
			}
			return len(options)
		}
		slices.SortStableFunc(names, func(a, b string) int { return place(a) - place(b) })
	}
	var out []tableRow
	for _, name := range names {
		of := groups[name]
		if name == "" {
			name = b.in("（未填）", "(none)")
		}
		each(name, of, len(out))
		out = append(out, of...)
	}
	return out
}

// logTable is the course of the record's workflow; nil when it has none, or the reader may not follow it.
func (b *binder) logTable(e *catalog.PrintElement) (*layout.Table, error) {
	c, err := b.history()
	if err != nil || c == nil || len(c.Log) == 0 || e.Workflow != "" && c.Workflow != e.Workflow {
		return nil, err
	}
	out := b.grid(e.Table)
	for _, row := range c.Log {
		texts := map[string]string{"activityName": row.Activity, "receiveTime": row.Texts.Received, "finishTime": row.Texts.Finished, "usedTime": row.Texts.Used, "name": row.Name,
			"operating": row.Operating, "comment": row.Comment}
		r := layout.Row{Texts: make([]string, len(e.Table.Columns))}
		for k, column := range e.Table.Columns {
			if r.Texts[k] = b.ink(texts[column.Log]); column.Log != "signature" || row.Signature == nil {
				continue
			}
			p, err := b.picture(*row.Signature, false)
			if err != nil {
				return nil, err
			}
			if p.Ref != "" {
				r.Pictures = make([]*layout.Picture, len(r.Texts))
				r.Pictures[k] = &p.Picture
			}
		}
		out.Rows = append(out.Rows, r)
	}
	return out, nil
}
