package query

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// Sizes of the calls that fetch more than a page.
const (
	comparisonSize = 99999 // of chosen records; there are at most MaxPageSize of them
	skipSize       = 1000
	maxShown       = 200
	maxTicked      = 5000 // rows of an export that are named
	maxExtracted   = 2000 // columns of an export, those of sub-tables among them
)

// ListOptions are what a list call may choose besides its rows.
type ListOptions struct {
	// QueryDisplayType 1 answers with CustomDisplayColumns instead of the list's columns; 0 with the list's.
	QueryDisplayType     int      `json:"queryDisplayType"`
	CustomDisplayColumns []string `json:"customDisplayColumns"`
}

// shownColumns are the columns that a request wants. Those that it names itself need not be the list's; one without a Field is
// known by its code alone, and refused when the caller may not read it. Columns of a sub-table ("items.rate") are shown in the cell
// of their sub-table, which holds no others then.
func shownColumns(l *catalog.List, req ListRequest) ([]catalog.Column, error) {
	o, most := req.Options, maxShown
	if o == nil || o.QueryDisplayType == 0 {
		return l.Columns, nil
	}
	if req.whole {
		most = maxExtracted
	}
	if o.QueryDisplayType != 1 || len(o.CustomDisplayColumns) == 0 || len(o.CustomDisplayColumns) > most {
		return nil, fault.New(fault.BadParameter, "options")
	}
	var out []catalog.Column
	for _, code := range o.CustomDisplayColumns {
		if sheet, child, ok := strings.Cut(code, "."); ok {
			if f := l.Model.Field(sheet); f != nil && f.Sheet != nil {
				if slices.Contains(o.CustomDisplayColumns, sheet) {
					child = "" // asked for whole
				}
				out = withChild(out, columnOf(l, f), sheet, child)
				continue
			}
		}
		if slices.ContainsFunc(out, func(c catalog.Column) bool { return c.Path.Code == code }) {
			continue
		}
		column := catalog.Column{Path: catalog.Path{Code: code}}
		if i := slices.IndexFunc(l.Columns, func(c catalog.Column) bool { return c.Path.Code == code }); i >= 0 {
			column = l.Columns[i]
			column.Path.Field = nil
		}
		out = append(out, column)
	}
	return out, nil
}

// withChild adds a column of a sub-table, as the list shows it if it does, to the columns; "" is none of its own.
func withChild(to []catalog.Column, of catalog.Column, sheet, child string) []catalog.Column {
	if child == "" {
		return to
	}
	at := slices.IndexFunc(to, func(c catalog.Column) bool { return c.Path.Code == sheet })
	if at < 0 {
		at = len(to)
		to = append(to, catalog.Column{Path: catalog.Path{Code: sheet}, Label: of.Label})
	}
	if slices.ContainsFunc(to[at].Children, func(c catalog.Column) bool { return c.Path.Code == child }) {
		return to
	}
	one := catalog.Column{Path: catalog.Path{Code: child}, Width: 176}
	if i := slices.IndexFunc(of.Children, func(c catalog.Column) bool { return c.Path.Field != nil && c.Path.Field.Code == child }); i >= 0 {
		one = of.Children[i]
		one.Path = catalog.Path{Code: child}
	}
	to[at].Children = append(to[at].Children, one)
	return to
}

// SkipRequest asks for the first rows of a list in one go, without pages.
type SkipRequest struct {
	ListRequest
	Condition *Filter `json:"condition"` // joined with the filters
}

// SkipList answers like List, with up to 1000 rows.
func (r *Reader) SkipList(ctx context.Context, view *authz.View, req SkipRequest) ([]byte, error) {
	in := req.ListRequest
	if in.Page != 0 {
		return nil, fault.New(fault.PageOutOfRange)
	}
	if in.most = skipSize; in.Size == nil {
		size := skipSize
		in.Size = &size
	}
	if req.Condition != nil {
		in.Filters = append(slices.Clone(in.Filters), *req.Condition)
	}
	return r.List(ctx, view, in)
}
