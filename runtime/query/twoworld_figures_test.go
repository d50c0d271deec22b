package query_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/sluice-platform/sluice/runtime/authz"
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
					plans, err := json.Marshal(got.Plans())
					text := fmt.Sprint(string(plans), more)
					for i := range got.Len() {
						text += "\n" + got.ID(i)
						for column := range got.Plans() {
							text += "|" + got.Text(i, column) + string(got.AppendJSON(nil, i, column))
						}
					}
					return text, err
				}})
			}
		}
	}
	return out
}
