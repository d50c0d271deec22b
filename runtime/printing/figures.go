package printing

import (
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// figures are the footer figures of a table.
type figures struct {
	b            *binder
	t            *catalog.PrintTable
	first, width int
}

func (f figures) any() bool {
	return slices.ContainsFunc(f.t.Columns, func(c catalog.PrintColumn) bool { return c.Sum != "" })
}

func (f figures) texts(of []tableRow) []string {
	out := make([]string, f.width)
	for k, c := range f.t.Columns {
		if c.Sum != "" {
			text, _ := f.figure(c, of)
			out[f.first+k] = f.b.figure(c.Path.Field.Property, c.Format, text)
		}
	}
	return out
}

// counted is a figure as a cell of a spreadsheet, which computes it from the cells above.
type counted struct {
	property.Cell
	sum plan.Sum
}

func (f figures) values(of []tableRow) []any {
	out := make([]any, f.width)
	for k, c := range f.t.Columns {
		if c.Sum != "" {
			_, cell := f.figure(c, of)
			if cell.Kind == property.CellEmpty {
				continue
			}
			out[f.first+k] = counted{cell, c.Sum}
			if c.Sum == plan.SumCount && f.t.Group != nil && f.first+k == 0 {
				out[0] = cell // names of groups are in this column, which a formula would count too
			}
		}
	}
	return out
}

func (f figures) row(of []tableRow, label string) layout.Row {
	r := layout.Row{Kind: layout.SumRow, Texts: f.texts(of), Values: f.values(of), Bold: true}
	span := slices.IndexFunc(f.t.Columns, func(c catalog.PrintColumn) bool { return c.Sum != "" }) + f.first
	if r.Span = max(span, 1); span > 0 {
		r.Texts[0] = label
	}
	return r
}

// figure is a figure in words and as a cell.
func (f figures) figure(c catalog.PrintColumn, of []tableRow) (string, property.Cell) {
	var t tally
	for _, r := range of {
		t.add(c, r)
	}
	return f.words(c, t)
}

// carried gives the figures of the first rows, by how many they are. Each row is added once for all pages of a table.
func (f figures) carried(rows []tableRow) func(n int) []string {
	first := make([][]tally, len(f.t.Columns)) // by column, of the first 0, 1, 2... rows
	for k, c := range f.t.Columns {
		if c.Sum == "" {
			continue
		}
		first[k] = make([]tally, len(rows)+1)
		for n, r := range rows {
			first[k][n+1] = first[k][n]
			first[k][n+1].add(c, r)
		}
	}
	return func(n int) []string {
		out := make([]string, f.width)
		for k, c := range f.t.Columns {
			if c.Sum != "" {
				text, _ := f.words(c, first[k][min(n, len(rows))])
				out[f.first+k] = f.b.figure(c.Path.Field.Property, c.Format, text)
			}
		}
		return out
	}
}

// tally counts values of a column in the form in which they are stored.
type tally struct {
	count     int
	sum       decimal.Decimal
	low, high any
}

func (t *tally) add(c catalog.PrintColumn, r tableRow) {
	v := r.value(c.Path)
	if v == nil {
		return
	}
	stored := c.Path.Field.Property.Store(v)[0]
	t.count++
	switch {
	case c.Sum == plan.SumMinimum && (t.low == nil || less(stored, t.low)):
		t.low = stored
	case c.Sum == plan.SumMaximum && (t.high == nil || less(t.high, stored)):
		t.high = stored
	case c.Sum == plan.SumSum || c.Sum == plan.SumAverage:
		d, _ := stored.(decimal.Decimal)
		t.sum = t.sum.Add(d)
	}
}

// words are what was counted, in words and as a cell. What no row has a value of is empty, and no zero; only a count has nothing to wait for.
func (f figures) words(c catalog.PrintColumn, t tally) (string, property.Cell) {
	var out any
	switch {
	case c.Sum == plan.SumCount:
		text := strconv.Itoa(t.count)
		return text, property.Cell{Kind: property.CellNumber, Text: text}
	case t.count == 0:
		return "", property.Cell{}
	case c.Sum == plan.SumMinimum:
		out = t.low
	case c.Sum == plan.SumMaximum:
		out = t.high
	case c.Sum == plan.SumAverage:
		out = t.sum.DivRound(decimal.NewFromInt(int64(t.count)), 8)
	default:
		out = t.sum
	}
	p, in := c.Path.Field.Property, property.TextContext{Locale: f.b.locale, Zone: f.b.s.Zone, DisplayFormat: c.Format}
	v := p.Load([]any{out})
	text := p.Text(v, in)
	if w, is := p.(property.CellWriter); is {
		return text, w.Cell(v, in)
	}
	return text, property.Cell{Kind: property.CellText, Text: text}
}

func less(a, b any) bool {
	switch a := a.(type) {
	case decimal.Decimal:
		b, is := b.(decimal.Decimal)
		return is && a.LessThan(b)
	case time.Time:
		b, is := b.(time.Time)
		return is && a.Before(b)
	case string:
		b, is := b.(string)
		return is && a < b
	}
	return false
}
