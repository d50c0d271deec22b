package httpapi

import (
	"net/http"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/reporting"
)

// reportRoutes answer reports.
func (s *Server) reportRoutes() {
	s.register(route{method: "GET", path: "/api/runtime/report/get", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Reports().Get(r.view, r.QueryParam("reportCode"))
	}})
	s.register(route{method: "POST", path: "/api/runtime/report/data", access: signedIn, body: small, deadline: patient, handle: s.reportData})
	s.register(route{method: "POST", path: "/api/runtime/report/export", access: signedIn, body: small, deadline: patient, handle: s.reportFile})
}

// reportRow is a row on the wire.
type reportRow struct {
	Groups []reportGroup `json:"groups"`
	Values []*string     `json:"values"`
	Means  []*reportMean `json:"means,omitempty"`
}

// reportMean is what an average is made of.
type reportMean struct {
	Sum   string `json:"sum"`
	Count int64  `json:"count"`
}

type reportGroup struct {
	Value  *string `json:"value"`
	Text   string  `json:"text"`
	From   string  `json:"from,omitempty"`
	Until  string  `json:"until,omitempty"`
	Others bool    `json:"others,omitempty"`
	Rank   int     `json:"rank,omitempty"`
}

type reportSet struct {
	Code      string      `json:"code"`
	Rows      []reportRow `json:"rows"`
	Groups    *int        `json:"groups"`
	Truncated bool        `json:"truncated"`
	Error     *jobError   `json:"error"`
}

func (s *Server) reportData(r *request) (any, error) {
	in := struct {
		Report  string         `json:"reportCode"`
		Sets    []string       `json:"dataSets"`
		Filters []query.Filter `json:"filters"`
	}{}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	all, err := s.app.Reports().Data(r.ctx, r.view, reporting.Request{Report: in.Report, Sets: in.Sets, Filters: in.Filters})
	if err != nil {
		return nil, err
	}
	out := struct {
		Sets []reportSet `json:"dataSets"`
	}{[]reportSet{}}
	for _, d := range all {
		set := reportSet{Code: d.Code, Rows: []reportRow{}, Truncated: d.Truncated}
		if d.Err == nil && (d.Groups > 0 || !d.Truncated) {
			set.Groups = &d.Groups
		}
		if d.Err != nil {
			set.Error = s.partFailed(r, "data set "+in.Report+"/"+d.Code, d.Err)
		}
		for _, row := range d.Rows {
			set.Rows = append(set.Rows, wireRow(row))
		}
		out.Sets = append(out.Sets, set)
	}
	return out, nil
}

// reportFile answers tables of a report as a file. Nothing in it acts as a page of ours: its type is fixed, and scripts have no rights.
func (s *Server) reportFile(r *request) (any, error) {
	in := struct {
		Report  string         `json:"reportCode"`
		Charts  []string       `json:"charts"`
		Filters []query.Filter `json:"filters"`
		Type    string         `json:"fileType"`
	}{}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	file, err := s.app.Reports().File(r.ctx, r.view, reporting.FileRequest{Report: in.Report, Charts: in.Charts, Filters: in.Filters, Type: in.Type})
	if err != nil {
		return nil, err
	}
	about := audit.Entry{Kind: audit.Exported, Actor: r.view.User(), Subject: file.Report.Code, About: file.Report.Label.In("zh"), Detail: map[string]string{"file": file.Name}}
	if err := s.app.Note(r.ctx, about); err != nil {
		return nil, err
	}
	h := r.Response().Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Disposition", disposition(false, file.Name))
	return sent{}, r.Blob(http.StatusOK, file.Mime, file.Bytes)
}

func wireRow(row reporting.Row) reportRow {
	out := reportRow{Groups: []reportGroup{}, Values: []*string{}}
	for _, g := range row.Groups {
		one := reportGroup{Text: g.Text, From: g.From, Until: g.Until, Others: g.Others, Rank: g.Rank}
		if g.Value != "" {
			one.Value = &g.Value
		}
		out.Groups = append(out.Groups, one)
	}
	for _, v := range row.Values {
		out.Values = append(out.Values, figureText(v))
	}
	for _, m := range row.Means {
		var one *reportMean
		if m != nil {
			one = &reportMean{Sum: m.Sum.String(), Count: m.Count}
		}
		out.Means = append(out.Means, one)
	}
	return out
}

// figureText is a figure as the wire has it.
func figureText(v any) *string {
	var text string
	switch x := v.(type) {
	case decimal.Decimal:
		text = x.String()
	case int64:
		text = decimal.NewFromInt(x).String()
	case string:
		text = x
	case time.Time:
		text = x.UTC().Format(time.RFC3339)
	default:
		return nil
	}
	return &text
}
