package exporter

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// exactDigits is how many digits of a number a spreadsheet keeps. Longer numbers are texts, which its functions leave out.
const exactDigits = 15

// figure adds up a column for the last row: the value that its formula has, and all it can say where a formula would be wrong.
type figure struct {
	kind        plan.Sum
	count       int64
	numbers     int64
	sum         decimal.Decimal
	least, most decimal.Decimal
	first, last time.Time // of times
	times       int64
	format      string
	inexact     bool // some value is a text in the file
}

func (f *figure) add(c property.Cell) {
	if c.Kind == property.CellEmpty {
		return
	}
	f.count++
	switch c.Kind {
	case property.CellNumber:
		d, err := decimal.NewFromString(c.Text)
		if err != nil {
			return
		}
		f.inexact = f.inexact || digits(c.Text) > exactDigits
		if f.numbers == 0 || d.LessThan(f.least) {
			f.least = d
		}
		if f.numbers == 0 || d.GreaterThan(f.most) {
			f.most = d
		}
		f.sum = f.sum.Add(d)
		f.numbers++
	case property.CellTime:
		if f.times == 0 || c.Time.Before(f.first) {
			f.first = c.Time
		}
		if f.times == 0 || c.Time.After(f.last) {
			f.last = c.Time
		}
		f.times++
	default:
		f.inexact = f.inexact || f.kind != plan.SumCount
	}
	if len(c.Format) > len(f.format) {
		f.format = c.Format
	}
}

func digits(text string) int {
	n := 0
	for _, r := range strings.TrimLeft(text, "-0.") {
		if r >= '0' && r <= '9' {
			n++
		}
	}
	return n
}

// averageDigits is how many decimal places an average has beyond what its numbers show.
const averageDigits = 8

// cell is the figure's value.
func (f *figure) cell() property.Cell {
	number := func(d decimal.Decimal) property.Cell {
		return property.Cell{Kind: property.CellNumber, Text: d.String(), Format: f.format}
	}
	switch {
	case f.kind == plan.SumCount:
		return property.Cell{Kind: property.CellNumber, Text: decimal.NewFromInt(f.count).String()}
	case f.times > 0 && f.kind == plan.SumMinimum:
		return property.Cell{Kind: property.CellTime, Time: f.first, Format: f.format}
	case f.times > 0 && f.kind == plan.SumMaximum:
		return property.Cell{Kind: property.CellTime, Time: f.last, Format: f.format}
	case f.numbers == 0:
		return property.Cell{}
	case f.kind == plan.SumSum:
		return number(f.sum)
	case f.kind == plan.SumAverage:
		return number(f.sum.DivRound(decimal.NewFromInt(f.numbers), averageDigits))
	case f.kind == plan.SumMinimum:
		return number(f.least)
	case f.kind == plan.SumMaximum:
		return number(f.most)
	}
	return property.Cell{}
}

// functions are what spreadsheets call the figures. COUNTA counts texts too.
var functions = map[plan.Sum]string{plan.SumSum: "SUM", plan.SumAverage: "AVERAGE", plan.SumMinimum: "MIN", plan.SumMaximum: "MAX", plan.SumCount: "COUNTA"}

// totals writes the last row: a live formula for each figure of the list, with its value.
func (e *export) totals(w workbook.RowWriter) error {
	some := false
	for i := range e.layout {
		some = some || e.layout[i].sum != nil
	}
	if !some || e.rows.Load() == 0 {
		return nil
	}
	parts, bold := w.Parts(), w.Style(workbook.Style{Bold: true, Fill: "F7F8FA"})
	named := false
	for i := range e.layout {
		p, out := &e.layout[i], &e.cells[i]
		*out = workbook.Out{Style: bold}
		switch {
		case p.sum != nil:
			if out.Cell = p.sum.cell(); out.Kind == property.CellEmpty {
				continue
			}
			if !p.sum.inexact {
				out.Formula = formula(functions[p.sum.kind], i, parts)
			}
		case p.column < 0 && p.sheet < 0:
			out.Cell = property.Cell{Kind: property.CellText, Text: workbook.TotalsKey}
		case p.column >= 0 && !named:
			named = true
			out.Cell = property.Cell{Kind: property.CellText, Text: map[bool]string{true: "Total", false: "合计"}[e.Language == "en"]}
		}
	}
	return w.Row(e.cells, 0)
}

// formula is a function over a column in all worksheets that have rows.
func formula(function string, column int, parts []workbook.Part) string {
	var ranges []string
	for _, p := range parts {
		if p.Last < p.First {
			continue
		}
		one := fmt.Sprintf("%s%d:%s%d", workbook.ColumnName(column), p.First, workbook.ColumnName(column), p.Last)
		if len(parts) > 1 {
			one = "'" + strings.ReplaceAll(p.Sheet, "'", "''") + "'!" + one
		}
		ranges = append(ranges, one)
	}
	return function + "(" + strings.Join(ranges, ",") + ")"
}
