package importer

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// mostPackRows bounds the rows that code of packs reads in one transaction: they are written in one too.
const mostPackRows = 50_000

// ReadRows reads the first visible worksheet of a spreadsheet for code of packs, until each returns false, as an import reads one: merged cells have
// their value in each of their rows, hidden rows come in, rows of totals at the end don't. Cells are texts, the headings come first. What is wrong
// with the file is a fault for people.
func ReadRows(ctx context.Context, name string, from io.Reader, each func(number int, cells []string) bool) error {
	tmp, size, err := spool(from)
	if err != nil {
		return err
	}
	defer tmp.Close()
	book, err := workbook.Open(ctx, name, tmp, size, workbook.Usual)
	if err != nil {
		return uploadRefusal(name, err)
	}
	defer book.Close()
	seen, merged, err := surveyed(ctx, book, 0, headRows, packHead)
	if err != nil {
		return err
	}
	shape := newShaper(seen.head, merged)
	n := 0
	var tooMany error
	err = book.Rows(ctx, 0, 1, func(r workbook.Row) bool {
		r = shape.shape(r)
		if passed(r) || slices.Contains(seen.head.Totals, r.Number) {
			return true
		}
		if n++; n > mostPackRows+1 {
			tooMany = fault.New(fault.ImportTooManyRows, mostPackRows, n-1)
			return false
		}
		cells := make([]string, len(r.Cells))
		for i := range r.Cells {
			if cells[i] = textOf(r, i); n == 1 {
				cells[i] = workbook.Heading(cells[i])
			}
			cells[i] = strings.Clone(cells[i])
		}
		return each(r.Number, cells)
	})
	if err != nil {
		return refusal(err)
	}
	return tooMany
}

// packHead takes the first row of a worksheet that says something for the headings. Code of packs reads what they mean.
func packHead(rows []workbook.Row, _ []workbook.Range) (head, error) {
	out := head{First: 1}
	for _, r := range rows {
		for len(out.Columns) < len(r.Cells) {
			out.Columns = append(out.Columns, headColumn{At: len(out.Columns), Code: workbook.Ref(1, len(out.Columns))})
		}
		if out.First == 1 && !passed(r) {
			out.First = r.Number + 1
		}
	}
	return out, nil
}

// passed reports whether code of packs is not given a row: one of keys or of an example of a template, or one without texts.
func passed(r workbook.Row) bool {
	if _, keys := workbook.TemplateKeys(r); keys || workbook.IsExample(r) {
		return true
	}
	for at := range r.Cells {
		if textOf(r, at) != "" {
			return false
		}
	}
	return true
}

// WriteRows writes a worksheet of code of packs; without rows a template.
func WriteRows(to io.Writer, s world.Sheet, rows iter.Seq2[[]any, error], locale string, now time.Time) error {
	if rows == nil {
		t := workbook.Template{Sheet: s.Name, Title: s.Name, Locale: locale, Guide: s.Guide}
		for _, c := range s.Columns {
			one := workbook.TemplateColumn{Key: c.Title, Heading: c.Title, Required: c.Required, Note: c.Note, Options: c.Options, Width: c.Width}
			if c.Example != "" {
				one.Example = property.Cell{Kind: property.CellText, Text: c.Example}
			}
			t.Columns = append(t.Columns, one)
		}
		return workbook.WriteTemplate(to, t)
	}
	w := workbook.NewWriter(to, workbook.Options{Title: s.Name, Created: now.UTC(), Locale: locale})
	bold := w.Style(workbook.Style{Bold: true})
	o, head := workbook.SheetOptions{Name: s.Name, FreezeRows: 1}, workbook.HeadRow{}
	for _, c := range s.Columns {
		o.Columns = append(o.Columns, workbook.ColumnOptions{Width: c.Width})
		head.Cells = append(head.Cells, workbook.Out{Cell: property.Cell{Kind: property.CellText, Text: c.Title}, Style: bold, Note: c.Note})
	}
	o.Head = []workbook.HeadRow{head}
	w.Sheet(o)
	for row, err := range rows {
		if err != nil {
			return err
		}
		out := make([]workbook.Out, len(row))
		for i, v := range row {
			if out[i].Cell, err = cellOf(v); err != nil {
				return err
			}
		}
		if err := w.Row(out, 0); err != nil {
			return err
		}
	}
	return w.Close()
}

func cellOf(v any) (property.Cell, error) {
	switch x := v.(type) {
	case nil:
		return property.Cell{}, nil
	case string:
		return property.Cell{Kind: property.CellText, Text: x}, nil
	case decimal.Decimal:
		return property.Cell{Kind: property.CellNumber, Text: x.String()}, nil
	case int, int64:
		return property.Cell{Kind: property.CellNumber, Text: fmt.Sprint(x)}, nil
	case bool:
		return property.Cell{Kind: property.CellBool, Bool: x}, nil
	case time.Time:
		return property.Cell{Kind: property.CellTime, Time: time.Date(x.Year(), x.Month(), x.Day(), x.Hour(), x.Minute(), x.Second(), 0, time.UTC), Format: "yyyy-mm-dd hh:mm"}, nil
	}
	return property.Cell{}, fmt.Errorf("a cell can't hold a %T", v)
}
