package reporting

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
)

// The types of files. Pictures of charts are made by browsers.
const (
	XLSX = "xlsx"
	PDF  = "pdf"
)

var mimes = map[string]string{XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", PDF: "application/pdf"}

// FileRequest asks for a report as a file.
type FileRequest struct {
	Report  string
	Charts  []string // codes; none = all that the caller sees
	Filters []query.Filter
	Type    string // XLSX or PDF
}

// File is a report as a file.
type File struct {
	Name, Mime string
	Report     *catalog.Report
	Bytes      []byte
}

// File writes the tables of charts into a file, as the caller sees them: the same rows, with the filters named.
func (s *Service) File(ctx context.Context, view *authz.View, req FileRequest) (*File, error) {
	r, err := s.report(view, req.Report)
	if err != nil {
		return nil, err
	}
	switch {
	case mimes[req.Type] == "":
		return nil, fault.New(fault.BadParameter, "fileType")
	case !slices.Contains(r.Exports, req.Type):
		return nil, fault.New(fault.Forbidden)
	}
	charts, err := chosen(r, req.Charts)
	if err != nil {
		return nil, err
	}
	p, err := s.pages(ctx, view, r, charts, req.Filters)
	if err != nil {
		return nil, err
	}
	name := p.name
	if len(req.Charts) == 1 { // several charts of a report are not told apart by the second
		one, err := chartOf(charts[0])
		if err != nil {
			return nil, err
		}
		name += " " + one.title(p.locale)
	}
	out := &File{Name: name + " " + p.at.Format("20060102-150405") + "." + req.Type, Mime: mimes[req.Type], Report: r}
	var file bytes.Buffer
	if req.Type == PDF {
		err = p.pdf(ctx, &file)
	} else {
		err = p.xlsx(ctx, &file)
	}
	out.Bytes = file.Bytes()
	return out, err
}

// chosen are charts of a report that the caller sees, in the report's order.
func chosen(r *catalog.Report, codes []string) (out []*catalog.ReportChart, err error) {
	for _, c := range r.Charts {
		if len(codes) == 0 || slices.Contains(codes, c.Code) {
			out = append(out, c)
		}
	}
	if len(out) == 0 || len(codes) > 0 && len(out) < len(codes) {
		return nil, fault.New(fault.BadParameter, "charts")
	}
	return out, nil
}

// pages are what a file shows.
type pages struct {
	name, locale string
	by           string
	at           time.Time
	zone         *time.Location
	filters      []query.FilterText
	grids        []*grid
}

// pages reads charts. Key figures and gauges, which are a figure each, share a table.
func (s *Service) pages(ctx context.Context, view *authz.View, r *catalog.Report, charts []*catalog.ReportChart, filters []query.Filter) (*pages, error) {
	locale := view.Principal().Locale
	out := &pages{name: r.Label.In(locale), locale: locale, by: view.Principal().Name, at: s.Clock().In(s.Zone), zone: s.Zone}
	req := Request{Report: r.Code, Filters: filters}
	for _, c := range charts {
		if !slices.Contains(req.Sets, c.Set.Code) {
			req.Sets = append(req.Sets, c.Set.Code)
		}
	}
	all, err := s.Data(ctx, view, req)
	if err != nil {
		return nil, err
	}
	var single *grid
	for _, c := range charts {
		d := all[slices.Index(req.Sets, c.Set.Code)]
		if d.Err != nil {
			return nil, d.Err
		}
		one, err := chartOf(c)
		if err != nil {
			return nil, err
		}
		if len(one.groups()) > 0 || c.Type == "pivot" {
			out.grids = append(out.grids, gridOf(&one, d, locale))
			continue
		}
		if single == nil {
			single = &grid{locale: locale, title: inWords(locale, "关键数字", "Key figures"), labels: []string{inWords(locale, "名称", "Name")}}
			out.grids = append(out.grids, single)
		}
		single.figures(&one, d)
	}
	out.filters, err = s.narrowed(ctx, view, r, charts, filters)
	return out, err
}

// figures adds the figures of a chart that has no groups: its own in the first column, those that it is compared with behind.
func (g *grid) figures(c *chart, d Data) {
	of := &grid{set: c.of.Set, locale: g.locale}
	of.flat(nil, c.measures(), d.Rows)
	l := line{labels: []string{c.title(g.locale)}}
	if len(of.lines) > 0 {
		l.values = of.lines[0].values
	}
	for i := range l.values {
		l.values[i].measure = of.columns[i]
	}
	if len(l.values) > 0 && of.columns[0].Unit != "" {
		l.labels[0] += " (" + of.columns[0].Unit + ")"
	}
	for len(g.columns) < len(l.values) {
		head := inWords(g.locale, "数值", "Value")
		if len(g.columns) > 0 {
			head = inWords(g.locale, "比较", "Comparison")
		}
		g.columns, g.heads = append(g.columns, of.columns[len(g.columns)]), append(g.heads, []string{head})
	}
	g.lines = append(g.lines, l)
}

// narrowed are the filters that apply to some of the charts, in words.
func (s *Service) narrowed(ctx context.Context, view *authz.View, r *catalog.Report, charts []*catalog.ReportChart, filters []query.Filter) ([]query.FilterText, error) {
	given, err := s.given(r, filters)
	if err != nil {
		return nil, err
	}
	var in []query.Narrowed
	for _, f := range r.Filters {
		applies := slices.ContainsFunc(charts, func(c *catalog.ReportChart) bool {
			return slices.ContainsFunc(c.Set.Filters, func(of catalog.DataSetFilter) bool { return of.Filter == f })
		})
		if one, has := given[f.Code]; has && applies {
			in = append(in, query.Narrowed{Of: f, Set: one})
		}
	}
	return s.Reader.FilterTexts(ctx, view, in)
}

// about are the lines below the title of a file: when and for whom it was made, and how it is narrowed.
func (p *pages) about() []string {
	when := p.at.Format("2006-01-02 15:04")
	out := []string{inWords(p.locale, "导出时间："+when+"　导出人："+p.by, "Exported "+when+" by "+p.by)}
	colon, comma := inWords(p.locale, "：", ": "), inWords(p.locale, "；", "; ")
	var texts []string
	for _, f := range p.filters {
		texts = append(texts, f.Name+colon+f.Text)
	}
	if len(texts) == 0 {
		texts = []string{inWords(p.locale, "无", "none")}
	}
	return append(out, inWords(p.locale, "查询条件：", "Filters: ")+strings.Join(texts, comma))
}

// measureOf is what a cell's figure is.
func (g *grid) measureOf(c cell, column int) *catalog.Measure {
	if c.measure != nil {
		return c.measure
	}
	return g.columns[column]
}
