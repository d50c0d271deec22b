// Package reporting answers the data sets of reports: the rows that runtime/query groups with the rights of the caller, and the figures that
// are made of other figures.
package reporting

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
)

// MaxRows is how many rows of a data set are answered.
const MaxRows = 10_000

// Service reads reports. It is safe for concurrent use.
type Service struct {
	Reader *query.Reader
	Clock  func() time.Time
	Zone   *time.Location
}

// Report is a report as its page draws it (api.yaml Report).
type Report struct {
	Code     string                `json:"code"`
	Name     string                `json:"name"`
	NameI18n map[string]string     `json:"name_i18n"`
	App      *string               `json:"appCode"` // the application of its pack, where the caller opens it
	Filters  []query.ConditionPlan `json:"filters"`
	Sets     []Set                 `json:"dataSets"`
	Charts   []json.RawMessage     `json:"charts"`
	Exports  []string              `json:"exports"`
}

// Set describes the rows of a data set.
type Set struct {
	Code       string      `json:"code"`
	SchemaCode string      `json:"schemaCode"`
	Filters    []SetFilter `json:"filters"`
	Groups     []Group     `json:"groups"`
	Measures   []Measure   `json:"measures"`
}

// SetFilter is a filter of the page by the property that it compares in a data set.
type SetFilter struct {
	Code         string `json:"code"`
	PropertyCode string `json:"propertyCode"`
}

// Group is what rows are grouped by.
type Group struct {
	Code         string            `json:"code"`
	Name         string            `json:"name"`
	NameI18n     map[string]string `json:"name_i18n"`
	PropertyCode string            `json:"propertyCode"`
	PropertyType int               `json:"propertyType"`
	Step         *string           `json:"timeStep"`
	Level        int               `json:"level,omitempty"`
}

// Measure is a figure of a row.
type Measure struct {
	Code     string            `json:"code"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	SumType  string            `json:"sumType"`
	Format   *string           `json:"displayFormat"`
	Scale    *int              `json:"scale"`
	Unit     *string           `json:"unit"`

	Numerator   string `json:"numerator,omitempty"` // of ratios: codes of measures, for totals
	Denominator string `json:"denominator,omitempty"`
}

// report finds one that the caller may open, with what that person may see of it.
func (s *Service) report(view *authz.View, code string) (*catalog.Report, error) {
	if r := query.SeenReport(view, code); r != nil {
		return r, nil
	}
	return nil, fault.New(fault.ReportNotFound)
}

// Get describes a report. What the caller may not see is left out: filters, data sets and their charts.
func (s *Service) Get(view *authz.View, code string) (*Report, error) {
	r, err := s.report(view, code)
	if err != nil {
		return nil, err
	}
	out := &Report{Code: r.Code, Name: r.Label.Zh, NameI18n: r.Label.I18n, Filters: s.Reader.ReportFilters(view, r), Sets: []Set{}, Charts: []json.RawMessage{}, Exports: r.Exports}
	if app := view.Catalog.App(r.Pack); app != nil && !app.Disabled && view.Opens(app.Code) {
		out.App = &app.Code
	}
	for _, set := range r.Sets {
		out.Sets = append(out.Sets, described(set))
	}
	for _, c := range r.Charts {
		out.Charts = append(out.Charts, c.Document)
	}
	return out, nil
}

func described(set *catalog.DataSet) Set {
	out := Set{Code: set.Code, SchemaCode: set.Model.Code, Filters: []SetFilter{}, Groups: []Group{}, Measures: []Measure{}}
	for _, f := range set.Filters {
		out.Filters = append(out.Filters, SetFilter{Code: f.Filter.Code, PropertyCode: f.Path.Code})
	}
	for _, g := range set.Groups {
		out.Groups = append(out.Groups, Group{Code: g.Code, Name: g.Label.Zh, NameI18n: g.Label.I18n, PropertyCode: g.Path.Code, PropertyType: g.Path.Field.Type.Wire(), Step: orNull(g.Step), Level: g.Level})
	}
	for _, m := range set.Measures {
		one := Measure{Code: m.Code, Name: m.Label.Zh, NameI18n: m.Label.I18n, SumType: m.Fn, Format: orNull(formatOf(&m)), Scale: m.Scale, Unit: orNull(m.Unit)}
		if m.Fn == catalog.MeasureRatio {
			one.Numerator, one.Denominator = set.Measures[m.Of].Code, set.Measures[m.Per].Code
		}
		out.Measures = append(out.Measures, one)
	}
	return out
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Request asks for rows. Filters name those of the report by their codes.
type Request struct {
	Report  string
	Sets    []string // codes; none = all that the caller sees
	Filters []query.Filter
}

// Data are the rows of a data set (api.yaml ReportData).
type Data struct {
	Code      string
	Rows      []Row
	Groups    int // how many there are; 0 = more than query.MaxGroups
	Truncated bool
	Err       error // why there are no rows; the other data sets have theirs
}

// Hidden reports whether there are more groups than rows, none of which has what the others have together.
func (d Data) Hidden() bool {
	n := len(d.Rows)
	return d.Groups > n && (n == 0 || !slices.ContainsFunc(d.Rows[n-1].Groups, func(v Value) bool { return v.Others }))
}

// Row is a value for each group and a figure for each measure.
type Row struct {
	Groups []Value
	Values []any // decimal.Decimal, int64, string, time.Time; nil = none
	Means  []*Mean
}

// Mean is what an average is made of. In Row.Means it has the place of its measure; rows of data sets without averages have none. Averages of
// several rows are made of these, never of averages.
type Mean struct {
	Sum   decimal.Decimal
	Count int64
}

// meansOf are what the averages of a row are made of.
func meansOf(set *catalog.DataSet, r query.Grouped) (out []*Mean) {
	for k, m := range set.Measures {
		if m.Fn != string(plan.SumAverage) {
			continue
		}
		if out == nil {
			out = make([]*Mean, len(set.Measures))
		}
		out[k] = &Mean{Sum: r.Sums[k], Count: r.Counts[k]}
	}
	return out
}

// average is that of all values that several averages are made of; nil when there is none.
func average(of []*Mean) any {
	whole := Mean{}
	for _, m := range of {
		whole.Sum, whole.Count = whole.Sum.Add(m.Sum), whole.Count+m.Count
	}
	if whole.Count == 0 {
		return nil
	}
	return whole.Sum.DivRound(decimal.NewFromInt(whole.Count), places)
}

// Value is a group's value. Until is the last day of a step of time; of an hour From and Until are its first and last moment. From is empty
// where a range begins with the value. Rank is the place among the values of a group that is not the first.
type Value struct {
	query.GroupValue
	From  string
	Until string
	Rank  int
}

// Data reads data sets. What is wrong with one, such as a statement that would take too long, does not keep the others from the caller.
func (s *Service) Data(ctx context.Context, view *authz.View, req Request) ([]Data, error) {
	r, err := s.report(view, req.Report)
	if err != nil {
		return nil, err
	}
	given, err := s.given(r, req.Filters)
	if err != nil {
		return nil, err
	}
	var sets []*catalog.DataSet
	for _, code := range req.Sets {
		set := r.Set(code)
		if set == nil {
			return nil, fault.New(fault.BadParameter, "dataSets")
		}
		sets = append(sets, set)
	}
	if len(req.Sets) == 0 {
		sets = r.Sets
	}
	return s.all(ctx, view, sets, given)
}

// atOnce is how many data sets of a request are read at the same time.
const atOnce = 4

// all reads data sets, several at the same time. What is wrong with one of them stays with it; a caller who goes ends them all.
func (s *Service) all(ctx context.Context, view *authz.View, sets []*catalog.DataSet, given map[string]query.Filter) ([]Data, error) {
	out := make([]Data, len(sets))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(atOnce, len(sets)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(sets) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				out[i] = s.one(ctx, view, sets[i], given)
			}
		})
	}
	workers.Wait()
	return out, ctx.Err()
}

// one reads a data set.
func (s *Service) one(ctx context.Context, view *authz.View, set *catalog.DataSet, given map[string]query.Filter) (out Data) {
	defer func() {
		if v := recover(); v != nil {
			out = Data{Code: set.Code, Err: fmt.Errorf("data set %s: panic: %v\n%s", set.Code, v, debug.Stack())}
		}
	}()
	out, err := s.rows(ctx, view, set, given)
	if err != nil {
		return Data{Code: set.Code, Err: err}
	}
	out.Code = set.Code
	return out
}

// given are the filters by their codes: those of the request, and the defaults of the others. A filter with an empty value is none.
func (s *Service) given(r *catalog.Report, in []query.Filter) (map[string]query.Filter, error) {
	out := map[string]query.Filter{}
	for _, f := range r.Filters {
		if d, has := defaultOf(f); has {
			out[f.Code] = d
		}
	}
	for _, f := range in {
		known := false
		for _, of := range r.Filters {
			known = known || of.Code == f.PropertyCode
		}
		if !known || f.And != nil || f.Or != nil {
			return nil, fault.New(fault.FieldUnknown)
		}
		if empty(f) {
			delete(out, f.PropertyCode)
			continue
		}
		out[f.PropertyCode] = f
	}
	return out, nil
}

// empty reports whether a filter has no value. IsNull and IsNotNull need none.
func empty(f query.Filter) bool {
	var op string
	if json.Unmarshal(f.QueryFilterType, &op) == nil && (op == string(plan.OpIsNull) || op == string(plan.IsNotNull)) {
		return false
	}
	switch string(f.PropertyValue) {
	case "", "null", `""`, "[]", `";"`:
		return true
	}
	return false
}

func defaultOf(f *catalog.ReportFilter) (query.Filter, bool) {
	c := f.Condition
	value := c.DefaultValue
	if c.StartValue != "" || c.EndValue != "" {
		value = c.StartValue + ";" + c.EndValue
	}
	op := c.Operator
	if value == "" && op != plan.OpIsNull && op != plan.IsNotNull {
		return query.Filter{}, false
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // a text
	}
	return query.Filter{PropertyCode: f.Code, PropertyValue: text, QueryFilterType: json.RawMessage(`"` + string(op) + `"`)}, true
}

// applied are the filters of a data set by its own properties.
func applied(set *catalog.DataSet, given map[string]query.Filter) (out []query.Filter) {
	for _, f := range set.Filters {
		if one, has := given[f.Filter.Code]; has {
			one.PropertyCode = f.Path.Code
			if len(one.QueryFilterType) == 0 {
				one.QueryFilterType = json.RawMessage(`"` + string(f.Filter.Condition.Operator) + `"`)
			}
			out = append(out, one)
		}
	}
	return out
}

// days are the first and the last day that a filter on a date takes; false when it is another filter, or open.
func (s *Service) days(set *catalog.DataSet, f query.Filter) (first, last string, ok bool) {
	var op string
	var given any
	if json.Unmarshal(f.QueryFilterType, &op) != nil || op != string(plan.Between) && op != string(plan.Equal) || json.Unmarshal(f.PropertyValue, &given) != nil {
		return "", "", false
	}
	for _, of := range set.Filters {
		if of.Path.Code == f.PropertyCode {
			if dated, is := of.Path.Field.Property.(property.Dated); is {
				return dated.Days(given, property.FilterContext{Zone: s.Zone, Now: s.Clock()})
			}
		}
	}
	return "", "", false
}
