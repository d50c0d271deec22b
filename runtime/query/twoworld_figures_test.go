package query_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/reporting"
)

// figures are the calls for reports and for records of widgets: every data set with every filter, the files of the report, and the rows of each widget.
func figures(w *world) (out []call) {
	reports := func(w *world) *reporting.Service {
		return &reporting.Service{Reader: w.Reader, Clock: func() time.Time { return now }, Zone: zone}
	}
	r := w.c.Report("figures")
	filters := [][]query.Filter{nil}
	for _, f := range []query.Filter{filter("part", "", "A"), filter("price", "", "5;600"), filter("price", "IsNull", nil), filter("title", "", "One"), filter("title", "IsNull", nil),
		filter("mobile", "IsNotNull", nil), filter("rate", "IsNotNull", nil), filter("source", "Equal", id("h1"))} {
		filters = append(filters, []query.Filter{f})
	}
	for _, set := range r.Sets {
		for _, in := range filters {
			out = append(out, call{fmt.Sprint("figures ", set.Code, in), func(w *world, view *authz.View) (any, error) {
				data, err := reports(w).Data(w.t.Context(), view, reporting.Request{Report: r.Code, Sets: []string{set.Code}, Filters: in})
				if err == nil && data[0].Err != nil {
					err = data[0].Err
				}
				return fmt.Sprintf("%+v", data), err
			}})
		}
	}
	for _, kind := range []string{reporting.XLSX, reporting.PDF} {
		for _, in := range filters[:3] {
			out = append(out, call{fmt.Sprint("file ", kind, in), func(w *world, view *authz.View) (any, error) {
				f, err := reports(w).File(w.t.Context(), view, reporting.FileRequest{Report: r.Code, Type: kind, Filters: in})
				if err != nil {
					return nil, err
				}
				return string(f.Bytes), nil
			}})
		}
	}
	out = append(out, call{"report", func(w *world, view *authz.View) (any, error) { return reports(w).Get(view, r.Code) }})
	for _, widget := range w.c.Portal("page").Widgets {
		for _, rows := range widget.Rows {
			for _, in := range [][]query.Filter{nil, {filter("price", "Between", "5;600")}, {filter("contract.title", "Contains", "One")}} {
				out = append(out, call{fmt.Sprint("widget ", widget.Code, in), func(w *world, view *authz.View) (any, error) {
					got, more, err := w.Widget(w.t.Context(), view, query.WidgetRequest{Rows: rows, Key: widget.Code, Size: 10, Filters: in})
					if err != nil {
						return nil, err
					}
					return rowsText(got, more), nil
				}})
			}
		}
	}
	return append(out, pages(w)...)
}

// pages are whole portal pages, and the records of each of their widgets: of every tab, inside layouts, and of those that the clerk does not get.
func pages(w *world) (out []call) {
	portals := func(w *world) *portal.Service {
		return &portal.Service{DB: w.db, Reader: w.Reader, Reports: &reporting.Service{Reader: w.Reader, Clock: func() time.Time { return now }, Zone: zone},
			Edits: func(*authz.View, string) bool { return false }}
	}
	out = append(out, call{"pages", func(w *world, view *authz.View) (any, error) { return portals(w).List(view, ""), nil }})
	for _, p := range w.c.Portals() {
		if p.Personal {
			continue // an arrangement is a row of the reader's own
		}
		out = append(out, call{"page " + p.Code, func(w *world, view *authz.View) (any, error) { return portals(w).Get(w.t.Context(), view, p.Code) }})
		var each func([]*catalog.Widget)
		each = func(in []*catalog.Widget) {
			for _, widget := range in {
				each(widget.Widgets)
				for tab := range max(1, len(widget.Rows)) {
					for _, req := range []portal.RowsRequest{{}, {Keyword: "a"}, {Keyword: "hidden"}, {From: "2020-01-01", To: "2030-01-01"}, {Page: 1, Size: 1},
						{Filters: []query.Filter{filter("contract.title", "Contains", "One")}}, {Filters: []query.Filter{filter("price", "IsNotNull", nil)}}} {
						req.Portal, req.Widget, req.Tab = p.Code, widget.ID, tab
						req.Size = max(req.Size, 1)
						if req.Page == 0 {
							req.Size = 10
						}
						out = append(out, call{fmt.Sprintf("rows of page %+v", req), func(w *world, view *authz.View) (any, error) {
							got, err := portals(w).Rows(w.t.Context(), view, req)
							if err != nil {
								return nil, err
							}
							return fmt.Sprint(got.List, rowsText(got.Rows, got.More)), nil
						}})
					}
				}
			}
		}
		each(p.Widgets)
	}
	return out
}

// rowsText is everything that rows of a widget tell.
func rowsText(got *query.Rows, more bool) string {
	plans, err := json.Marshal(got.Plans())
	if err != nil {
		return err.Error()
	}
	text := fmt.Sprint(string(plans), more)
	for i := range got.Len() {
		text += "\n" + got.ID(i)
		for column := range got.Plans() {
			text += "|" + got.Text(i, column) + string(got.AppendJSON(nil, i, column))
		}
	}
	return text
}
