package query

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// WidgetRequest asks for the records that a widget of a portal page lists.
type WidgetRequest struct {
	Rows       *catalog.PortalRows
	Key        string // names the page and the place in it: the same rows have the same conditions each time
	Once       bool   // of a page that is not served: its plan is not kept
	Page, Size int
	Keyword    string
	Filters    []Filter
	IDs        []string // these records only
	From, To   string   // days of a calendar, the end exclusive; "" = all
}

// Widget reads a page of the records that a widget lists, as the list that it names would show them. more is true when others follow.
// Properties that the principal may not read are left out.
func (r *Reader) Widget(ctx context.Context, view *authz.View, req WidgetRequest) (rows *Rows, more bool, err error) {
	of := req.Rows
	queryCode := ""
	if of.List != nil {
		queryCode = of.List.Code
	}
	l, err := list(view, of.Model.Code, queryCode)
	if err != nil {
		return nil, false, err
	}
	g := newGraph(view, l.Model)
	var columns []string
	for _, code := range slices.Concat(of.Columns, of.More) {
		if _, err := g.resolve(code); err == nil && !slices.Contains(columns, code) {
			columns = append(columns, code)
		}
	}
	if len(columns) == 0 {
		columns = []string{catalog.ID}
	}
	in := ListRequest{SchemaCode: l.Model.Code, QueryCode: l.Code, Page: req.Page, Size: &req.Size, Keyword: req.Keyword, Filters: req.Filters, ObjectIDs: req.IDs, widget: &req,
		Options: &ListOptions{QueryDisplayType: 1, CustomDisplayColumns: columns}}
	if _, err := g.resolve(of.Sort); of.Sort != "" && err == nil {
		in.OrderByFields, in.OrderType = []string{of.Sort}, 1
		if of.Descending {
			in.OrderType = 2
		}
	}
	if req.From != "" || req.To != "" {
		days, err := calendarDays(g, of, req.From, req.To)
		if err != nil {
			return nil, false, err
		}
		in.Filters = append(slices.Clone(in.Filters), days)
	}
	p, err := r.compile(ctx, view, in)
	if err != nil {
		return nil, false, err
	}
	pg := &page{listPlan: p, reader: r, names: r.names(ctx, view), ctx: ctx}
	if !plan.IsFalse(p.query.Where) && !p.beyond {
		if err := r.within(ctx, r.db.ReadCommitted, pg.loadRows); err != nil {
			return nil, false, err
		}
	}
	return newRows(pg), pg.more, nil
}

// calendarDays finds what happens on some days: it begins before their end, and ends, or begins where it has no end, on the first or later.
func calendarDays(g *graph, of *catalog.PortalRows, from, to string) (Filter, error) {
	first, err := time.Parse(time.DateOnly, from)
	end, failed := time.Parse(time.DateOnly, to)
	if err != nil || failed != nil || of.Start == "" || !first.Before(end) {
		return Filter{}, fault.New(fault.BadParameter, "from")
	}
	between := func(code, value string) Filter {
		text, _ := json.Marshal(value) // a text always marshals
		return Filter{PropertyCode: code, PropertyValue: text, QueryFilterType: json.RawMessage(`"Between"`)}
	}
	begins := between(of.Start, ";"+end.AddDate(0, 0, -1).Format(time.DateOnly))
	later := between(of.Start, from+";")
	if _, err := g.resolve(of.End); of.End == "" || err != nil {
		return Filter{And: []Filter{begins, later}}, nil
	}
	open := Filter{PropertyCode: of.End, QueryFilterType: json.RawMessage(`"IsNull"`)}
	return Filter{And: []Filter{begins, {Or: []Filter{between(of.End, from+";"), {And: []Filter{open, later}}}}}}, nil
}

// Plans are the columns as a client draws them.
func (p *Rows) Plans() []FieldPlan {
	out := make([]FieldPlan, len(p.page.columns))
	for i, c := range p.page.columns {
		out[i] = fieldPlan(c.node, c.of.Path.Code, columnLabel(c.of, c.node.field), c.of.DisplayFormat)
	}
	return out
}

// AppendJSON appends a cell in the form of the list call.
func (p *Rows) AppendJSON(dst []byte, row, column int) []byte {
	v := p.Value(row, column)
	if v == nil {
		return append(dst, "null"...)
	}
	return p.page.columns[column].node.field.Property.AppendJSON(dst, v, p.page.seen[column])
}
