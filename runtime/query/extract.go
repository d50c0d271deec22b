package query

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// sheetPage is how many records a page of Extract has when it brings rows of sub-tables, of which there may be many.
const sheetPage = 100

// Extract is Stream for an action of the list that takes rows elsewhere, such as an export: of the rows that a request finds it reads
// those on which the principal has the action, with all rows of the sub-tables that the request's columns name.
func (r *Reader) Extract(ctx context.Context, view *authz.View, req ListRequest, action string, each func(*Rows) bool) error {
	req, err := r.extract(view, req, action)
	if err != nil {
		return err
	}
	return r.Stream(ctx, nil, view, req, each)
}

// ExtractColumns are the columns and sub-tables that Rows of Extract have. Requests that Extract would refuse are refused.
func (r *Reader) ExtractColumns(ctx context.Context, view *authz.View, req ListRequest, action string) ([]Column, []Sheet, error) {
	req, err := r.extract(view, req, action)
	if err != nil {
		return nil, nil, err
	}
	p, err := r.compile(ctx, view, req)
	if err != nil {
		return nil, nil, err
	}
	return columnsOf(p), sheetsOf(p), nil
}

// ExtractCount is how many rows Extract would read now.
func (r *Reader) ExtractCount(ctx context.Context, view *authz.View, req ListRequest, action string) (total int64, err error) {
	if req, err = r.extract(view, req, action); err != nil {
		return 0, err
	}
	p, err := r.compile(ctx, view, req)
	if err != nil || plan.IsFalse(p.query.Where) {
		return 0, err
	}
	err = r.read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		total, err = tx.Count(ctx, view.Catalog, p.query)
		return err
	})
	return total, err
}

// extract checks that the list offers the action and that the principal has it, and says so in the request.
func (r *Reader) extract(view *authz.View, req ListRequest, action string) (ListRequest, error) {
	l, err := list(view, req.SchemaCode, req.QueryCode)
	if err != nil {
		return req, err
	}
	if !offersAction(view, l, action) {
		return req, fault.New(fault.Forbidden)
	}
	size := MaxPageSize
	if o := req.Options; o != nil && slices.ContainsFunc(o.CustomDisplayColumns, func(code string) bool { return isSheet(l.Model, code) }) {
		size = sheetPage
	}
	req.Page, req.Cursor, req.Size, req.action, req.whole, req.told = 0, nil, &size, action, true, true
	return req, nil
}

// isSheet reports whether a column is a sub-table or a column of one.
func isSheet(m *catalog.Model, code string) bool {
	sheet, _, _ := strings.Cut(code, ".")
	f := m.Field(sheet)
	return f != nil && f.Sheet != nil
}

// columnLabel is what a column is called: as the list says, or as the property is called.
func columnLabel(c catalog.Column, f *catalog.Field) plan.Label {
	if c.Label.Zh != "" {
		return c.Label
	}
	return f.Label
}

// offersAction reports whether a list has a button of an action that the principal has on some records.
func offersAction(view *authz.View, l *catalog.List, action string) bool {
	return slices.ContainsFunc(l.Actions, func(a catalog.ListAction) bool { return a.Type == action }) && view.Can(l.Model, action)
}

// allows are the rows on which the principal has an action of the list; its button may be for some rows only; free = it needs none.
func (p *listPlan) allows(action string, free bool) plan.Expr {
	all := []plan.Expr{rule(p.view.EditRows(p.list.Model, action))}
	if free {
		return all[0]
	}
	var buttons []plan.Expr
	for _, a := range p.list.Actions {
		switch {
		case a.Type != action:
		case a.Enabled == nil:
			return all[0]
		default:
			buttons = append(buttons, p.graph.restrict(a.Enabled))
		}
	}
	return plan.AllOf(append(all, plan.AnyOf(buttons...))...)
}
