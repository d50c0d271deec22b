package query

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// PaperRequest is a PrintRequest of a template.
type PaperRequest struct {
	PrintRequest
	Template   string      // its code: one template has the same columns and conditions each time
	Columns    []string    // properties of related records that it shows
	Conditions []plan.Expr // on the record
	Labels     bool        // LabelRight, not PrintRight; and no sub-tables
}

func (r PaperRequest) right() string {
	if r.Labels {
		return LabelRight
	}
	return PrintRight
}

// Paper is a record for a print template: what its reader may see of it.
type Paper struct {
	ID       string
	Workflow string // the instance that it runs in, or last ran in; "" = none
	rows     *Rows
	row      int
}

// Paper reads records for a print template, in the order of the request: those that the principal sees in the list and may print.
func (r *Reader) Paper(ctx context.Context, tx *store.Tx, view *authz.View, req PaperRequest) ([]Paper, error) {
	l, err := r.printed(view, req.PrintRequest, req.right())
	if err != nil {
		return nil, err
	}
	var columns []string
	if !req.Labels {
		columns = printable(view, l)
	}
	g := newGraph(view, l.Model)
	for _, code := range req.Columns {
		if _, err := g.resolve(code); err == nil && !slices.Contains(columns, code) {
			columns = append(columns, code)
		}
	}
	if len(columns) == 0 { // a label without a caption
		columns = []string{catalog.ID}
	}
	size := MaxPrinted
	list := ListRequest{SchemaCode: l.Model.Code, QueryCode: l.Code, ObjectIDs: req.ObjectIDs, Size: &size, action: req.right(), free: true, whole: true, paper: &req,
		Options: &ListOptions{QueryDisplayType: 1, CustomDisplayColumns: columns}}
	var out []Paper
	err = r.Stream(ctx, tx, view, list, func(p *Rows) bool {
		for i := range p.Len() {
			out = append(out, Paper{ID: p.ID(i), rows: p, row: i})
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(a, b Paper) int { return slices.Index(req.ObjectIDs, a.ID) - slices.Index(req.ObjectIDs, b.ID) })
	found := make([]Printed, len(out))
	for i, p := range out {
		found[i].ID = p.ID
	}
	err = withWorkflows(ctx, tx, view, l.Model, found)
	for i := range found {
		out[i].Workflow = found[i].Workflow
	}
	return out, err
}

// Pointing reads the records of a list that point to some records by a relation, as their reader sees them, by the id of the record that they
// point to. Columns are the properties that are wanted of them.
func (r *Reader) Pointing(ctx context.Context, tx *store.Tx, view *authz.View, l *catalog.List, relation *catalog.Field, to, columns []string, when plan.Expr, template string) (map[string][]Paper, error) {
	out := map[string][]Paper{}
	seen := view.List(l.Code)
	if seen == nil || len(to) == 0 {
		return out, nil
	}
	g := newGraph(view, seen.Model)
	if _, err := g.resolve(relation.Code); err != nil {
		return out, nil // the reader does not see what points where
	}
	wanted := []string{relation.Code}
	for _, code := range columns {
		if _, err := g.resolve(code); err == nil && !slices.Contains(wanted, code) {
			wanted = append(wanted, code)
		}
	}
	any := Filter{}
	for _, id := range to {
		value, err := json.Marshal(id)
		if err != nil {
			return nil, err
		}
		any.Or = append(any.Or, Filter{PropertyCode: relation.Code, PropertyValue: value, QueryFilterType: json.RawMessage(`"Equal"`)})
	}
	req := PaperRequest{Template: template}
	if when != nil {
		req.Conditions = []plan.Expr{when}
	}
	list := ListRequest{SchemaCode: seen.Model.Code, QueryCode: seen.Code, Filters: []Filter{any}, whole: true, paper: &req,
		Options: &ListOptions{QueryDisplayType: 1, CustomDisplayColumns: wanted}}
	err := r.Stream(ctx, tx, view, list, func(p *Rows) bool {
		at, _ := p.columnAt(relation.Code)
		for i := range p.Len() {
			one := Paper{ID: p.ID(i), rows: p, row: i}
			if when != nil && !one.Holds(0) {
				continue
			}
			if of, is := relation.Property.(property.Referrer); is {
				for _, ref := range of.Refs(p.Value(i, at)) {
					out[ref.ID] = append(out[ref.ID], one)
				}
			}
		}
		return true
	})
	return out, err
}

// Within runs reads in one transaction.
func (r *Reader) Within(ctx context.Context, do func(ctx context.Context, tx *store.Tx) error) error {
	return r.read(ctx, do)
}

// printed is the list of a request that may be printed.
func (r *Reader) printed(view *authz.View, req PrintRequest, right string) (*catalog.List, error) {
	l, err := list(view, req.SchemaCode, req.QueryCode)
	if err != nil {
		return nil, err
	}
	switch {
	case !view.Can(l.Model, right):
		return nil, fault.New(fault.Forbidden)
	case len(req.ObjectIDs) == 0:
		return nil, fault.New(fault.EmptyParameter, "objectIds")
	case len(req.ObjectIDs) > MaxPrinted:
		return nil, fault.New(fault.PrintAtOnce, MaxPrinted, len(req.ObjectIDs))
	}
	return l, nil
}

func (p *Rows) columnAt(code string) (int, bool) {
	i := slices.IndexFunc(p.columns, func(c Column) bool { return c.Code == code })
	return i, i >= 0
}

// Holds reports whether a condition of the request holds.
func (p Paper) Holds(condition int) bool {
	at := p.rows.page.listPlan.conditions[condition]
	return at < 0 || p.rows.page.rows[p.row][at] == true
}

// Whole is all that was read of the record, as JSON and in words.
func (p Paper) Whole() (json.RawMessage, map[string]any) {
	all := p.rows.printed(p.row)
	return all.Data, all.Texts
}

// Value is a property in its Go form, with its field; nil where it is empty or its reader may not see it.
func (p Paper) Value(code string) (*catalog.Field, any) {
	i, ok := p.rows.columnAt(code)
	if !ok {
		return nil, nil
	}
	return p.rows.columns[i].Field, p.rows.Value(p.row, i)
}

// Cell is a property as a cell of a spreadsheet, of the kinds that these sort and sum; false for the others, which are their Text.
func (p Paper) Cell(code, format string) (property.Cell, bool) {
	i, ok := p.rows.columnAt(code)
	if !ok {
		return property.Cell{}, false
	}
	return cellOf(p.rows.columns[i].Field, p.rows.Value(p.row, i), p.rows.texts[i], format)
}

// cellOf is a number or time as a cell.
func cellOf(f *catalog.Field, v any, c property.TextContext, format string) (property.Cell, bool) {
	writer, is := f.Property.(property.CellWriter)
	if !is || v == nil {
		return property.Cell{}, false
	}
	c.DisplayFormat = format
	cell := writer.Cell(v, c)
	return cell, cell.Kind == property.CellNumber || cell.Kind == property.CellTime
}

// Text is a property in words; format "" is that of the property.
func (p Paper) Text(code, format string) string {
	i, ok := p.rows.columnAt(code)
	if !ok {
		return ""
	}
	v := p.rows.Value(p.row, i)
	if v == nil {
		return ""
	}
	c := p.rows.texts[i]
	c.DisplayFormat = format
	return p.rows.columns[i].Field.Property.Text(v, c)
}

// PaperRow is a row of a sub-table.
type PaperRow struct {
	of        Paper
	sheet, at int
}

// Rows are the rows of a sub-table.
func (p Paper) Rows(sheet string) []PaperRow {
	k := slices.IndexFunc(p.rows.sheets, func(s Sheet) bool { return s.Code == sheet })
	if k < 0 {
		return nil
	}
	out := make([]PaperRow, p.rows.Inner(p.row, k))
	for i := range out {
		out[i] = PaperRow{p, k, i}
	}
	return out
}

func (r PaperRow) column(code string) int {
	return slices.IndexFunc(r.of.rows.sheets[r.sheet].Columns, func(c Column) bool { return c.Code == code })
}

// Value is a property of the row in its Go form.
func (r PaperRow) Value(code string) any {
	if i := r.column(code); i >= 0 {
		return r.of.rows.InnerValue(r.of.row, r.sheet, r.at, i)
	}
	return nil
}

// Text is a property of the row in words.
func (r PaperRow) Text(code, format string) string {
	i := r.column(code)
	v := r.Value(code)
	if v == nil {
		return ""
	}
	c := r.of.rows.within[r.sheet][i]
	c.DisplayFormat = format
	return r.of.rows.sheets[r.sheet].Columns[i].Field.Property.Text(v, c)
}

// Cell is a property of the row as a cell of a spreadsheet, as Paper.Cell is.
func (r PaperRow) Cell(code, format string) (property.Cell, bool) {
	i := r.column(code)
	if i < 0 {
		return property.Cell{}, false
	}
	return cellOf(r.of.rows.sheets[r.sheet].Columns[i].Field, r.Value(code), r.of.rows.within[r.sheet][i], format)
}

// Holds reports whether a condition on the rows of the sub-table holds; a failing one does not.
func (r PaperRow) Holds(when plan.Expr) bool {
	if when == nil {
		return true
	}
	by := blank{r.of.rows.page.view}
	ok, err := expression.Holds(by.view.Bind(when), expression.Row(paperScope{by, r.of.rows.sheets[r.sheet].Columns, r.Value},
		paperScope{by, r.of.rows.columns, func(code string) any { _, v := r.of.Value(code); return v }}))
	return err == nil && ok
}

// paperScope gives conditions the values that are read for paper.
type paperScope struct {
	blank
	columns []Column
	value   func(code string) any
}

// Column implements expression.Scope.
func (s paperScope) Column(f *plan.Field) any {
	if len(f.Path) > 0 {
		return nil
	}
	for _, c := range s.columns {
		for i, column := range c.Field.Property.Columns() {
			if column.Name != f.Column || c.Code != c.Field.Code {
				continue
			}
			if v := s.value(c.Code); v != nil {
				return c.Field.Property.Store(v)[i]
			}
			return nil
		}
	}
	return nil
}
