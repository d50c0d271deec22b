package query

import (
	"context"
	"strconv"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// sheetCell is what a list shows of one record's sub-table: the first rows and their number.
type sheetCell struct {
	columns []sheetColumn
	keys    [][]byte
	ids     []string
	values  [][]any
	total   int
}

// sheetQuery reads rows of a sub-table for some records, in their order.
func sheetQuery(joins map[string]plan.Expr, sheet *catalog.Field, columns []sheetColumn, records []string) (q *plan.Query, at []int) {
	parent := &plan.Field{Column: catalog.SheetParent, K: plan.ID}
	order := &plan.Field{Column: catalog.SheetOrder, K: plan.Int}
	row := &plan.Field{Column: catalog.ID, K: plan.ID}
	above := make(map[string]plan.Expr, len(joins))
	for path, rights := range joins {
		above["^."+path] = rights // seen from a row, the record's relations stand behind its parent
	}
	q = &plan.Query{Model: sheet.Sheet.Code, Joins: above, Select: []plan.Expr{parent, row}, Where: oneOf(catalog.SheetParent, records),
		Order: []plan.Order{{By: parent}, {By: order}, {By: row}}}
	for _, c := range columns {
		at = append(at, len(q.Select))
		q.Select = append(q.Select, c.node.columns()...)
	}
	return q, append(at, len(q.Select))
}

// readSheet fills the cells of a sub-table for a page of records with one query: with the first rows of each, and their number, or
// with all of them (most 0).
func (g *page) readSheet(tx *store.Tx, sheet outSheet, records []string, most int) (map[string]*sheetCell, error) {
	cells := make(map[string]*sheetCell, len(records))
	if len(records) == 0 {
		return cells, nil
	}
	keys := sheetKeys(sheet.columns)
	q, at := sheetQuery(g.graph.joins, sheet.field, sheet.columns, records)
	q.Top = most
	err := tx.Query(tx.Context(), g.view.Catalog, q, func(row []any) error {
		record, _ := row[0].(string)
		cell := cells[record]
		if cell == nil {
			cell = &sheetCell{columns: sheet.columns, keys: keys}
			cells[record] = cell
		}
		all, _ := row[len(row)-1].(int64)
		cell.total = int(all)
		cell.add(row, at, g.names)
		return nil
	})
	return cells, err
}

func sheetKeys(columns []sheetColumn) [][]byte {
	keys := make([][]byte, len(columns))
	for i, c := range columns {
		keys[i] = quotedKey(c.node.field.Code)
	}
	return keys
}

func (c *sheetCell) add(row []any, at []int, n *names) {
	id, _ := row[1].(string)
	values := make([]any, len(c.columns))
	for i, column := range c.columns {
		values[i] = column.node.field.Property.Load(row[at[i]:at[i+1]])
		n.collect(column.node.field, values[i])
	}
	c.ids, c.values = append(c.ids, id), append(c.values, values)
}

// encode writes {"rows": [...], "total": n}; a record without rows has an empty cell.
func (c *sheetCell) encode(dst []byte, n *names) []byte {
	if c == nil {
		return append(dst, "null"...)
	}
	dst = c.encodeRows(append(dst, `{"rows":`...), n)
	dst = strconv.AppendInt(append(dst, `,"total":`...), int64(c.total), 10)
	return append(dst, '}')
}

func (c *sheetCell) encodeRows(dst []byte, n *names) []byte {
	dst = append(dst, '[')
	for i, values := range c.values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = property.AppendQuoted(append(dst, `{"id":`...), c.ids[i])
		for k, v := range values {
			dst = append(append(dst, ','), c.keys[k]...)
			f := c.columns[k].node.field
			dst = f.Property.AppendJSON(dst, v, n.of(f))
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// SheetRequest asks for the rows of one record's sub-table, with the columns that a list shows.
type SheetRequest struct {
	SchemaCode   string   `json:"schemaCode"`
	QueryCode    string   `json:"queryCode"`
	ObjectID     string   `json:"objectId"`
	PropertyCode string   `json:"propertyCode"`
	Page         int      `json:"page"`
	Size         int      `json:"size"`
	Filters      []Filter `json:"filters"` // of the rows, by the codes of the sub-table
}

// SheetRows answers with the JSON of {content, totalElements}.
func (r *Reader) SheetRows(ctx context.Context, view *authz.View, req SheetRequest) ([]byte, error) {
	l, err := list(view, req.SchemaCode, req.QueryCode)
	if err != nil {
		return nil, err
	}
	g := newGraph(view, l.Model)
	n, err := g.resolve(req.PropertyCode)
	if err != nil || !n.field.IsTable() || len(n.path) > 0 {
		return nil, unknown()
	}
	f := r.filters(ctx, g, nil)
	f.row = n.field
	where, err := f.compile(req.Filters)
	if err != nil {
		return nil, err
	}
	columns := sheetColumnsOf(g, n.field, columnOf(l, n.field))
	cell := &sheetCell{columns: columns, keys: sheetKeys(columns)}
	names := r.names(ctx, view)
	err = r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		seen, err := r.sees(ctx, tx, view, l.Model, req.ObjectID, n.guard)
		if err != nil || !seen {
			return orNotFound(err)
		}
		q, at := sheetQuery(g.joins, n.field, columns, []string{req.ObjectID})
		q.Limit, q.Offset, q.Where = req.Size, req.Page*req.Size, plan.AllOf(q.Where, where)
		err = tx.Query(ctx, view.Catalog, q, func(row []any) error { cell.add(row, at, names); return nil })
		if err != nil {
			return err
		}
		total, err := tx.Count(ctx, view.Catalog, q)
		cell.total = int(total)
		if err != nil {
			return err
		}
		return names.resolve(tx.Context(), tx)
	})
	if err != nil {
		return nil, err
	}
	dst := cell.encodeRows([]byte(`{"content":`), names)
	dst = strconv.AppendInt(append(dst, `,"totalElements":`...), int64(cell.total), 10)
	return append(dst, '}'), nil
}

func orNotFound(err error) error {
	if err != nil {
		return err
	}
	return fault.New(fault.RecordNotFound)
}

// columnOf is a list's column of a property; without one all its columns show.
func columnOf(l *catalog.List, f *catalog.Field) catalog.Column {
	for _, c := range l.Columns {
		if c.Path.Field == f {
			return c
		}
	}
	return catalog.Column{}
}

// sees reports whether the principal sees a record, where a guard holds.
func (r *Reader) sees(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, record string, guard plan.Expr) (bool, error) {
	q := &plan.Query{Model: m.Code, Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}, Limit: 1,
		Where: plan.AllOf(&plan.Compare{Op: plan.EQ, A: &plan.Field{Column: catalog.ID, K: plan.ID}, B: id(record)}, rule(view.Rows(m)), rule(guard))}
	found := false
	err := tx.Query(ctx, view.Catalog, q, func([]any) error { found = true; return nil })
	return found, err
}
