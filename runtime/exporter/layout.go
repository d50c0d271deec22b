package exporter

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/heading"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// export is a file while it is written.
type export struct {
	payload
	request query.ListRequest
	codes   []string
	names   *heading.Names
	columns []query.Column
	sheets  []query.Sheet
	total   int64        // records, as counted before
	rows    atomic.Int64 // records that were written
	each    func() error

	layout []place
	cells  []workbook.Out
}

// place is a column of the file: one of a record (main), of a sub-table's row, or its id.
type place struct {
	key     string // of the hidden row: "amount", "items.rate", "id", "items.id"
	group   string // heading of the sub-table; "" = the record's own
	heading string
	single  string // heading where there is one row of them
	sheet   int    // -1 = the record's own
	column  int    // -1 = the id
	width   float64
	sum     *figure // nil = none
}

// lay puts the columns in the order in which they were chosen; the columns of a sub-table are beside each other.
func (e *export) lay() {
	if e.withIDs() {
		e.layout = append(e.layout, e.own(catalog.ID, "ID", -1, usualWidth))
	}
	for _, code := range e.codes {
		if i := slices.IndexFunc(e.columns, func(c query.Column) bool { return c.Code == code }); i >= 0 {
			p := e.own(code, e.columns[i].Label.In(e.Language), i, width(e.columns[i]))
			if sum := e.columns[i].Sum; sum != "" && e.FileType == xlsx {
				p.sum = &figure{kind: sum}
			}
			e.layout = append(e.layout, p)
			continue
		}
		sheet, _, _ := strings.Cut(code, ".")
		i := slices.IndexFunc(e.sheets, func(s query.Sheet) bool { return s.Code == sheet })
		if i < 0 || slices.ContainsFunc(e.layout, func(p place) bool { return p.sheet == i }) {
			continue // with the first of its columns
		}
		e.laySheet(i)
	}
	tellApart(e.layout)
}

// tellApart gives columns that are headed alike their codes: those of two related records, say, of which an import takes none and which no reading of headings has told
// apart. A worksheet has the codes in its hidden row, and people don't see it; a text file has headings alone.
func tellApart(layout []place) {
	headed := map[string]int{}
	for _, p := range layout {
		headed[heading.Plain(p.single)]++
	}
	for i := range layout {
		p := &layout[i]
		if headed[heading.Plain(p.single)] < 2 {
			continue
		}
		code := p.key
		if _, within, in := strings.Cut(p.key, "."); in && p.sheet >= 0 {
			code = within
		}
		p.single, p.heading = heading.WithCode(p.single, code), heading.WithCode(p.heading, code)
	}
}

// withIDs: worksheets hide the ids. A CSV file can't, so that it has them where somebody asks for them, and where rows of sub-tables have nothing
// else that says whose they are.
func (e *export) withIDs() bool {
	return e.FileType == xlsx || e.WithID || len(e.sheets) > 0
}

// own is a column of the record, called as an import reads it.
func (e *export) own(code, label string, column int, width float64) place {
	called := e.names.Written(code, label)
	return place{key: code, heading: called, single: called, sheet: -1, column: column, width: width}
}

func (e *export) laySheet(at int) {
	s := e.sheets[at]
	label := s.Label.In(e.Language)
	add := func(code, called string, column int, width float64) {
		e.layout = append(e.layout, place{key: s.Code + "." + code, group: e.names.WrittenGroup(s.Field, label), heading: e.names.WrittenWithin(s.Field, code, called),
			single: e.names.WrittenSingle(s.Field, label, code, called), sheet: at, column: column, width: width})
	}
	if e.withIDs() {
		add(catalog.ID, "ID", -1, usualWidth)
	}
	for i, c := range s.Columns {
		add(c.Code, c.Label.In(e.Language), i, width(c))
	}
}

const usualWidth = 24 // characters; a column of 176 pixels

// width is a column's width in characters: seven pixels each, and some for the borders.
func width(c query.Column) float64 {
	if c.Width == 0 {
		return usualWidth
	}
	return min(max(float64(c.Width-5)/7, 8), 80)
}

func (e *export) grouped() bool {
	return slices.ContainsFunc(e.layout, func(p place) bool { return p.sheet >= 0 })
}

// options describe the worksheet: a hidden row of keys, by which an import knows the columns again, and one row of headings, or two where
// sub-tables have theirs.
func (e *export) options(w workbook.RowWriter) workbook.SheetOptions {
	o := workbook.SheetOptions{Name: e.SheetName}
	if !e.grouped() {
		o.Rows = int(e.total)
	}
	if e.FileType == csv {
		o.Head = []workbook.HeadRow{{Cells: e.texts(0, func(p place) string { return p.single })}}
		return o
	}
	for _, p := range e.layout {
		o.Columns = append(o.Columns, workbook.ColumnOptions{Width: p.width, Hidden: p.column < 0})
	}
	head := w.Style(workbook.Style{Bold: true, Fill: "EEF1F5", Border: true})
	centred := w.Style(workbook.Style{Bold: true, Fill: "EEF1F5", Border: true, Align: "center"})
	o.Head = []workbook.HeadRow{{Cells: e.texts(0, func(p place) string { return p.key }), Height: workbook.Hidden}}
	if !e.grouped() {
		o.Head = append(o.Head, workbook.HeadRow{Cells: e.texts(head, func(p place) string { return p.heading })})
		o.FreezeRows, o.Filter = 2, true
		return o
	}
	upper := e.texts(head, func(p place) string {
		if p.group != "" {
			return p.group
		}
		return p.heading
	})
	for i, p := range e.layout {
		if p.group != "" {
			upper[i].Style = centred
		}
	}
	for i := 0; i < len(e.layout); {
		n := 1
		for e.layout[i].sheet >= 0 && i+n < len(e.layout) && e.layout[i+n].sheet == e.layout[i].sheet {
			n++
		}
		switch {
		case e.layout[i].sheet < 0:
			o.HeadMerges = append(o.HeadMerges, workbook.Range{Row: 2, Column: i, Rows: 2, Columns: 1})
		case n > 1:
			o.HeadMerges = append(o.HeadMerges, workbook.Range{Row: 2, Column: i, Rows: 1, Columns: n})
			for k := i + 1; k < i+n; k++ {
				upper[k].Cell = property.Cell{}
			}
		}
		i += n
	}
	lower := e.texts(head, func(p place) string {
		if p.group == "" {
			return ""
		}
		return p.heading
	})
	o.Head = append(o.Head, workbook.HeadRow{Cells: upper}, workbook.HeadRow{Cells: lower})
	o.FreezeRows = 3
	return o
}

// texts are a row of the head.
func (e *export) texts(style int, text func(place) string) []workbook.Out {
	out := make([]workbook.Out, len(e.layout))
	for i, p := range e.layout {
		out[i].Style = style
		if t := text(p); t != "" {
			out[i].Cell = property.Cell{Kind: property.CellText, Text: t}
		}
	}
	return out
}
