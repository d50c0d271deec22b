package catalog

import (
	"encoding/json"

	"github.com/sluice-platform/sluice/engine/plan"
)

// KindReport is the kind of documents whose Value is a *Report.
const KindReport = "report"

// Report is a compiled report: data sets over models, and the charts that show them.
type Report struct {
	Code, Pack string
	Label      plan.Label
	Exports    []string
	Filters    []*ReportFilter
	Sets       []*DataSet
	Charts     []*ReportChart
}

// ReportFilter is a filter of the page. Its condition has the property that decides its control and its choices.
type ReportFilter struct {
	Code      string
	Model     *Model
	Condition Condition
}

// ReportChart is a chart as its document has it.
type ReportChart struct {
	Code     string
	Label    plan.Label
	Type     string
	Set      *DataSet
	Document json.RawMessage
}

// ChartGroups and ChartMeasures are the keys of a chart's document that name groups and measures, by its type.
var (
	ChartGroups = map[string][]string{"bar": {"category", "splitBy"}, "line": {"category", "splitBy"}, "area": {"category", "splitBy"}, "pie": {"category"}, "funnel": {"category"},
		"waterfall": {"category"}, "scatter": {"category", "splitBy"}, "heatMap": {"across", "up"}, "radar": {"category", "splitBy"}, "sCurve": {"category"}, "map": {"place"}, "pivot": {"rows", "columns"}, "figure": {"trend"}}
	ChartMeasures = map[string][]string{"bar": {"series"}, "line": {"series"}, "area": {"series"}, "pie": {"measure"}, "funnel": {"measure"}, "waterfall": {"measure"}, "gauge": {"measure", "target"},
		"scatter": {"across", "up", "size"}, "heatMap": {"measure"}, "radar": {"series"}, "sCurve": {"planned", "actual", "forecast"}, "map": {"measure", "longitude", "latitude"}, "pivot": {"measures"}, "figure": {"measure", "compare"}}
)

// DataSet is one grouped query with the figures that are computed from its rows.
type DataSet struct {
	Code     string
	Label    plan.Label
	Model    *Model
	Sheet    *Field // its rows are counted; nil = records are
	Where    plan.Expr
	Filters  []DataSetFilter
	Groups   []ReportGroup
	Measures []Measure
	Order    []ReportOrder
	Top      int  // groups of the answer; 0 = all
	Others   bool // what Top leaves over is a row more
}

// DataSetFilter is a filter of the page that applies to a data set, by a property of its own.
type DataSetFilter struct {
	Filter *ReportFilter
	Path   Path
}

// ReportGroup is what rows are grouped by.
type ReportGroup struct {
	Code  string
	Label plan.Label
	Path  Path
	Step  string // of dates and times: year, quarter, month, week, day, hour; "" = the values themselves
	Fill  bool   // steps without data are rows too
	Level int    // of trees and addresses: the level, from 1, at which values are put together; 0 = the values themselves
}

// Words of Measure.Fn besides plan.Sum.
const (
	MeasureRatio      = "ratio"
	MeasureCompare    = "compare"
	MeasureCumulative = "cumulative"
)

// Measure is a figure of a row: of the records (plan.Sum), or of other measures.
type Measure struct {
	Code    string
	Label   plan.Label
	Fn      string
	Path    *Path     // of records; nil with Formula, and of count
	Formula plan.Expr // of records
	When    plan.Expr // only records where it holds; nil = all

	Of, Per int    // places of other measures: numerator and denominator, or the one that is compared or added up; -1 = none
	With    string // of compare: previousPeriod, previousYear
	As      string // of compare: percent, difference, value

	Format string
	Scale  *int
	Unit   string
}

// Folds reports whether it is a figure of records.
func (m *Measure) Folds() bool {
	return m.Fn != MeasureRatio && m.Fn != MeasureCompare && m.Fn != MeasureCumulative
}

// ReportOrder sorts rows by a group or a measure.
type ReportOrder struct {
	Group, Measure int // one of them is -1
	Descending     bool
}

// Report returns the report of that code, without case; nil when there is none.
func (c *Catalog) Report(code string) *Report {
	d := c.Document(KindReport, code)
	if d == nil {
		return nil
	}
	r, _ := d.Value.(*Report)
	return r
}

// Set returns the data set of a code; nil when there is none.
func (r *Report) Set(code string) *DataSet {
	for _, s := range r.Sets {
		if s.Code == code {
			return s
		}
	}
	return nil
}
