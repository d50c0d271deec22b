package query

import (
	"encoding/json"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// SeenReport is a report as its author would have written it had the caller's properties been all: without filters, measures, data sets and charts
// of what the caller may not read. nil where the caller may not open it. Everything that answers something of a report is made of this.
func SeenReport(view *authz.View, code string) *catalog.Report {
	r := view.Report(code)
	if r == nil {
		return nil
	}
	out := *r
	out.Filters, out.Sets, out.Charts = nil, nil, nil
	for _, f := range r.Filters {
		if view.Can(f.Model, "view") && Shows(view, f.Model, f.Condition.Path.Code) {
			out.Filters = append(out.Filters, f)
		}
	}
	sets := map[*catalog.DataSet]*catalog.DataSet{}
	for _, s := range r.Sets {
		if set := seenSet(view, s, out.Filters); set != nil {
			sets[s], out.Sets = set, append(out.Sets, set)
		}
	}
	for _, c := range r.Charts {
		if one := seenChart(c, sets[c.Set]); one != nil {
			out.Charts = append(out.Charts, one)
		}
	}
	return &out
}

// seenSet is a data set without the measures that the caller may not read; nil where it counts or groups by what is hidden from the caller.
func seenSet(view *authz.View, s *catalog.DataSet, filters []*catalog.ReportFilter) *catalog.DataSet {
	sheet := ""
	if s.Sheet != nil {
		sheet = s.Sheet.Code
	}
	hidden := func(g catalog.ReportGroup) bool { return !Shows(view, s.Model, g.Path.Code) }
	if !view.Can(s.Model, "view") || sheet != "" && !Shows(view, s.Model, sheet) || slices.ContainsFunc(s.Groups, hidden) {
		return nil
	}
	out := *s
	out.Filters, out.Measures, out.Order = nil, nil, nil
	for _, f := range s.Filters {
		if slices.Contains(filters, f.Filter) && Shows(view, s.Model, f.Path.Code) {
			out.Filters = append(out.Filters, f)
		}
	}
	shows := make([]bool, len(s.Measures))
	var visible func(i int) bool
	visible = func(i int) bool {
		m := &s.Measures[i]
		switch {
		case !m.Folds():
			return (m.Of < 0 || visible(m.Of)) && (m.Per < 0 || visible(m.Per))
		case m.Path != nil && !Shows(view, s.Model, m.Path.Code):
			return false
		}
		return ShowsAll(view, s.Model, m.Formula, sheet) && ShowsAll(view, s.Model, m.When, sheet)
	}
	at := make([]int, len(s.Measures)) // the new places
	for i := range s.Measures {
		at[i] = -1
		if shows[i] = visible(i); shows[i] {
			at[i] = len(out.Measures)
			out.Measures = append(out.Measures, s.Measures[i])
		}
	}
	if len(out.Measures) == 0 {
		return nil
	}
	for i := range out.Measures {
		m := &out.Measures[i]
		if !m.Folds() {
			m.Of = movedTo(at, m.Of)
			m.Per = movedTo(at, m.Per)
		}
	}
	for _, o := range s.Order {
		if o.Measure >= 0 && !shows[o.Measure] {
			continue
		}
		o.Measure = movedTo(at, o.Measure)
		out.Order = append(out.Order, o)
	}
	return &out
}

func movedTo(at []int, i int) int {
	if i < 0 {
		return i
	}
	return at[i]
}

// spared are the keys of charts that name a measure without which they are drawn all the same.
var spared = []string{"size", "target", "forecast", "compare"}

// seenChart is a chart without measures that its data set no longer has; nil where it cannot be drawn without them.
func seenChart(c *catalog.ReportChart, set *catalog.DataSet) *catalog.ReportChart {
	if set == nil {
		return nil
	}
	out := *c
	out.Set = set
	if len(set.Measures) == len(c.Set.Measures) {
		return &out
	}
	doc, err := edit.Parse(string(c.Document))
	if err != nil {
		return nil
	}
	gone := func(n *edit.Node) bool {
		code := n.Text()
		if n.Kind == source.Object {
			code = n.Get("measure").Text()
		}
		return !slices.ContainsFunc(set.Measures, func(m catalog.Measure) bool { return m.Code == code })
	}
	for _, key := range catalog.ChartMeasures[c.Type] {
		switch of := doc.Get(key); {
		case of == nil:
		case of.Kind == source.Array:
			if of.Remove(gone); len(of.Items()) == 0 {
				return nil
			}
		case gone(of) && slices.Contains(spared, key):
			doc.Set(key, nil)
		case gone(of):
			return nil
		}
	}
	text, err := doc.JSON(anyLayout{})
	if err != nil {
		return nil
	}
	out.Document = json.RawMessage(text)
	return &out
}

// anyLayout is the layout of a document that nobody edits.
type anyLayout struct{}

func (anyLayout) Keys(*source.Node) []string { return nil }
func (anyLayout) Short(*source.Node) string  { return "" }
