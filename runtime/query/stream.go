package query

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Rows are some rows of a list as its users see them: typed values, with the names that they refer to. The JSON of the list call, and
// everything else that shows or writes what a list shows, is made from it.
type Rows struct {
	page    *page
	columns []Column
	texts   []property.TextContext // of each column
	writers []cellWriter           // of each column
	sheets  []Sheet
	within  [][]property.TextContext // of each column of each sub-table
}

// Column is a column of Rows. Columns that the principal may not read are not there.
type Column struct {
	Code   string // as the list writes it: "part", "contract.partyB"; in a Sheet the property's own
	Label  plan.Label
	Width  int // pixels; 0 = the list has no such column
	Format string
	Sum    plan.Sum // "" = none
	Field  *catalog.Field
}

// Sheet is a sub-table of Rows.
type Sheet struct {
	Code    string
	Label   plan.Label
	Field   *catalog.Field
	Columns []Column
}

// Columns are the columns in the list's order, without sub-tables.
func (p *Rows) Columns() []Column { return slices.Clone(p.columns) }

func columnsOf(p *listPlan) []Column {
	out := make([]Column, len(p.columns))
	for i, c := range p.columns {
		out[i] = Column{Code: c.of.Path.Code, Label: columnLabel(c.of, c.node.field), Width: c.of.Width, Format: c.of.DisplayFormat, Field: c.node.field}
		if c.of.Sum != "" && sums(c.node, c.of.Sum) {
			out[i].Sum = c.of.Sum
		}
	}
	return out
}

// Column is one of Columns.
func (p *Rows) Column(i int) *Column { return &p.columns[i] }

// Sheets are the sub-tables in the list's order. They have rows only where the stream was asked for them.
func (p *Rows) Sheets() []Sheet { return p.sheets }

// Len is the number of rows.
func (p *Rows) Len() int { return len(p.page.rows) }

// ID is the record of a row.
func (p *Rows) ID(row int) string {
	id, _ := p.page.rows[row][placeID].(string)
	return id
}

// Value is a cell in the Go form of its property; nil is empty.
func (p *Rows) Value(row, column int) any { return p.page.values[row*len(p.page.columns)+column] }

// Text is a cell in words, in the principal's language and the form that the list asks for; "" is empty.
func (p *Rows) Text(row, column int) string {
	v := p.Value(row, column)
	if v == nil {
		return ""
	}
	return p.page.columns[column].node.field.Property.Text(v, p.texts[column])
}

// Cell is a cell as spreadsheets hold it.
func (p *Rows) Cell(row, column int) property.Cell {
	return p.writers[column].cell(p.Value(row, column), p.texts[column])
}

// cellWriter makes the cells of a field: typed ones where its type can, texts otherwise.
type cellWriter struct {
	of    property.Property
	typed property.CellWriter  // nil = texts
	whole property.SheetWriter // nil = texts as they are displayed
}

func cellsOf(f *catalog.Field) cellWriter {
	typed, _ := f.Property.(property.CellWriter)
	whole, _ := f.Property.(property.SheetWriter)
	return cellWriter{f.Property, typed, whole}
}

func (w cellWriter) cell(v any, c property.TextContext) property.Cell {
	if v == nil {
		return property.Cell{}
	}
	if w.typed != nil {
		return w.typed.Cell(v, c)
	}
	text := ""
	if w.whole != nil {
		text = w.whole.SheetText(v, c)
	} else {
		text = w.of.Text(v, c)
	}
	if text == "" {
		return property.Cell{}
	}
	return property.Cell{Kind: property.CellText, Text: text}
}

// Inner is how many rows a row has in a sub-table.
func (p *Rows) Inner(row, sheet int) int {
	if cell := p.inner(row, sheet); cell != nil {
		return len(cell.ids)
	}
	return 0
}

// InnerID is the id of a sub-table's row.
func (p *Rows) InnerID(row, sheet, i int) string { return p.inner(row, sheet).ids[i] }

// InnerValue is a value of a sub-table's row; nil is empty.
func (p *Rows) InnerValue(row, sheet, i, column int) any {
	return p.inner(row, sheet).values[i][column]
}

// InnerCell is a cell of a sub-table's row as spreadsheets hold it.
func (p *Rows) InnerCell(row, sheet, i, column int) property.Cell {
	return cellsOf(p.sheets[sheet].Columns[column].Field).cell(p.InnerValue(row, sheet, i, column), p.within[sheet][column])
}

// inner are the rows of a sub-table; nil where the principal does not see them.
func (p *Rows) inner(row, sheet int) *sheetCell {
	if sheet >= len(p.page.sheets) {
		return nil
	}
	if at := p.page.listPlan.sheets[sheet].shown; at >= 0 && p.page.rows[row][at] != true {
		return nil
	}
	return p.page.sheets[sheet][p.ID(row)]
}

// Stream reads all rows that a list request finds, in its order, a page at a time, until each returns false. Size is how many rows a page
// has; there is no limit to the pages. They are sought by the last row's keys, so that the last page costs what the first does. Without tx
// each page is a read of its own: what is written meanwhile may show in later pages, and no row comes twice unless its place in the order
// changed.
func (r *Reader) Stream(ctx context.Context, tx *store.Tx, view *authz.View, req ListRequest, each func(*Rows) bool) error {
	if req.Size == nil {
		size := MaxPageSize
		req.Size = &size
	}
	req.Page, req.Cursor, req.Ancestors = 0, nil, false
	p, err := r.compile(ctx, view, req)
	if err != nil || plan.IsFalse(p.query.Where) {
		return err
	}
	var apart *told
	if req.told {
		apart = r.told(ctx, view)
	}
	for {
		pg := &page{listPlan: p, reader: r, names: r.names(ctx, view), ctx: ctx, whole: req.whole}
		pg.names.told = apart
		if tx != nil {
			err = pg.loadRows(ctx, tx)
		} else {
			err = r.read(ctx, pg.loadRows)
		}
		if err != nil {
			return err
		}
		if len(pg.rows) > 0 && !each(newRows(pg)) || !pg.more {
			return nil
		}
		p, err = p.after(pg.rows[len(pg.rows)-1]), ctx.Err()
		if err != nil {
			return err
		}
	}
}

// after is the plan of the page behind a row.
func (p *listPlan) after(row []any) *listPlan {
	next, q := *p, *p.query
	next.query, next.byCursor = &q, true
	q.Offset, q.After = 0, make([]any, len(p.orderAt))
	for i, at := range p.orderAt {
		q.After[i] = row[at]
	}
	return &next
}

func newRows(pg *page) *Rows {
	context := func(format string, n property.Names) property.TextContext {
		return property.TextContext{Locale: pg.view.Principal().Locale, Zone: pg.reader.zone, Names: n, DisplayFormat: format}
	}
	out := &Rows{page: pg, columns: columnsOf(pg.listPlan), texts: make([]property.TextContext, len(pg.columns)), writers: make([]cellWriter, len(pg.columns))}
	for i, c := range pg.columns {
		out.texts[i], out.writers[i] = context(c.of.DisplayFormat, pg.seen[i]), cellsOf(c.node.field)
	}
	for _, s := range pg.listPlan.sheets {
		var texts []property.TextContext
		for _, c := range s.columns {
			texts = append(texts, context(c.format, pg.names.of(c.node.field)))
		}
		out.within = append(out.within, texts)
	}
	out.sheets = sheetsOf(pg.listPlan)
	return out
}

func sheetsOf(p *listPlan) []Sheet {
	out := make([]Sheet, len(p.sheets))
	for i, s := range p.sheets {
		out[i] = Sheet{Code: s.field.Code, Label: s.label, Field: s.field}
		for _, c := range s.columns {
			out[i].Columns = append(out[i].Columns, Column{Code: c.node.field.Code, Label: c.label, Width: c.width, Format: c.format, Field: c.node.field})
		}
	}
	return out
}

// loadRows reads the rows of a page with their names and, when the page is whole, the rows of their sub-tables.
func (g *page) loadRows(_ context.Context, tx *store.Tx) error {
	if err := g.readRows(tx); err != nil {
		return err
	}
	g.readValues()
	ids := g.ids()
	if err := g.readGathered(tx, ids); err != nil {
		return err
	}
	if g.whole {
		for _, sheet := range g.listPlan.sheets {
			cells, err := g.readSheet(tx, sheet, ids, 0)
			if err != nil {
				return err
			}
			g.sheets = append(g.sheets, cells)
		}
	}
	return g.names.resolve(tx.Context(), tx)
}
