package query

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Rows are some rows of a list as its users see them: typed values, with the names that they refer to. The JSON of the list call, and
// everything else that shows or writes what a list shows, is made from it.
type Rows struct {
	page  *page
	texts []property.TextContext // of each column
}

// Column is a column of Rows. Columns that the principal may not read are not there.
type Column struct {
	Code  string // as the list writes it: "part", "contract.partyB"
	Label plan.Label
	Field *catalog.Field
}

// Columns are the columns in the list's order, without sub-tables.
func (p *Rows) Columns() []Column {
	out := make([]Column, len(p.page.columns))
	for i, c := range p.page.columns {
		out[i] = Column{Code: c.of.Path.Code, Label: c.of.Label, Field: c.node.field}
	}
	return out
}

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
	for {
		pg := &page{listPlan: p, reader: r, names: r.names(ctx, view), ctx: ctx}
		if tx != nil {
			err = pg.loadRows(tx)
		} else {
			err = r.read(ctx, pg.loadRows)
		}
		if err != nil {
			return err
		}
		if len(pg.rows) > 0 && !each(newRows(pg)) || !pg.more {
			return nil
		}
		p, err = p.behind(pg.rows[len(pg.rows)-1]), ctx.Err()
		if err != nil {
			return err
		}
	}
}

// behind is the plan of the page behind a row.
func (p *listPlan) behind(row []any) *listPlan {
	next, q := *p, *p.query
	next.query, next.byCursor = &q, true
	q.Offset, q.After = 0, make([]any, len(p.orderAt))
	for i, at := range p.orderAt {
		q.After[i] = row[at]
	}
	return &next
}

func newRows(pg *page) *Rows {
	out := &Rows{page: pg, texts: make([]property.TextContext, len(pg.columns))}
	for i, c := range pg.columns {
		out.texts[i] = property.TextContext{Locale: pg.view.Principal().Locale, Zone: pg.reader.zone, Names: pg.seen[i], DisplayFormat: c.of.DisplayFormat}
	}
	return out
}

// loadRows reads the rows of a page with their names, and nothing else.
func (g *page) loadRows(tx *store.Tx) error {
	if err := g.readRows(tx); err != nil {
		return err
	}
	g.readValues()
	return g.names.resolve(tx)
}
