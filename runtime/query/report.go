package query

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// MaxGroups is how many groups of a data set are read. Orders, the largest n and comparisons are made of these.
const MaxGroups = 100_000

// Grouped is a row of a data set: a value for each group, and a figure for each measure of records; nil = none.
type Grouped struct {
	Groups  []GroupValue
	Figures []any // decimal.Decimal, int64, or what the least and largest values are; in the order of DataSet.Measures, nil for those of other measures
	// Counts are how many values an average is made of, by the place of its measure; averages of several rows need them.
	Counts map[int]int64
	Sums   map[int]decimal.Decimal
}

// GroupValue is what rows of a group have in common.
type GroupValue struct {
	Value  string // id, code, text, number, or the first day of the step; "" = empty
	Text   string // in words
	Others bool   // what is left over
}

// DataSet reads a data set with the rights of a view: records that it does not see count nowhere, and what it may not read is empty.
// Filters are those of the data set's model. ok is false when there are more than MaxGroups groups; the first of them are given then.
func (r *Reader) DataSet(ctx context.Context, view *authz.View, set *catalog.DataSet, in []Filter) (out []Grouped, ok bool, err error) {
	p, err := r.groupPlan(ctx, view, set, in)
	if err != nil || plan.IsFalse(p.q.Where) && len(set.Groups) > 0 {
		return nil, true, err
	}
	names := r.names(ctx, view)
	var rows [][]any
	err = r.read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if rows, ok, err = tx.Grouped(ctx, view.Catalog, p.q, MaxGroups); err != nil {
			return err
		}
		if rows, err = r.rise(ctx, tx, p, rows); err != nil {
			return err
		}
		for _, row := range rows {
			for i, g := range set.Groups {
				if g.Step == "" {
					names.collect(g.Path.Field, p.value(i, row))
				}
			}
		}
		return names.resolve(tx.Context(), tx)
	})
	if err != nil {
		return nil, false, err
	}
	for _, row := range rows {
		out = append(out, p.grouped(row, names, r))
	}
	return out, ok, nil
}

// groupPlan is the statement of a data set for one principal.
type groupPlan struct {
	set   *catalog.DataSet
	view  *authz.View
	q     *plan.Query
	at    []int // of each group's columns in a row; the last is behind them
	parts []part
}

// part is a column of figures: of a measure, or the number or sum that its average needs.
type part struct {
	measure int
	fn      plan.Sum
}

func (r *Reader) groupPlan(ctx context.Context, view *authz.View, set *catalog.DataSet, in []Filter) (*groupPlan, error) {
	m, sheet := set.Model, ""
	if !view.Can(m, "view") {
		return nil, fault.New(fault.ModelNotFound)
	}
	g := newGraph(view, m)
	p := &groupPlan{set: set, view: view, q: &plan.Query{Model: m.Code}}
	if set.Sheet != nil {
		sheet, p.q.Model = set.Sheet.Code, set.Sheet.Sheet.Code
	}
	inside := sheet != ""
	rights := rebase(nil, inside, rule(view.Rows(m)))
	if plan.IsFalse(rights) && !plan.IsFalse(view.Rows(m)) {
		return nil, fmt.Errorf("data set %s: who sees which %s depends on rows of sub-tables, so that the rows of %s cannot be read as a whole", set.Code, m.Code, p.q.Model)
	}
	p.q.Where = plan.AllOf(rights, rebase(nil, inside, g.restrict(set.Where)))
	if inside {
		n, err := g.resolve(sheet)
		if err != nil { // a hidden sub-table has no rows
			p.q.Where = plan.False
		} else {
			p.q.Where = plan.AllOf(p.q.Where, rebase(nil, true, rule(n.guard)))
		}
	}
	where, err := r.groupFilters(ctx, g, set, in)
	if err != nil {
		return nil, err
	}
	p.q.Where = plan.AllOf(p.q.Where, where)
	for _, group := range set.Groups {
		p.at = append(p.at, len(p.q.Group))
		p.q.Group = append(p.q.Group, r.groupColumns(g, set, group)...)
	}
	p.at = append(p.at, len(p.q.Group))
	for i := range set.Measures {
		if set.Measures[i].Folds() {
			p.measure(g, i)
		}
	}
	if len(p.q.Aggregate) == 0 {
		p.q.Aggregate = []plan.AggregateOutput{{Fn: plan.SumCount}}
	}
	p.q.Joins = g.joinsIn(sheet)
	return p, nil
}

// groupFilters are the filters of a request on the rows that are read.
func (r *Reader) groupFilters(ctx context.Context, g *graph, set *catalog.DataSet, in []Filter) (plan.Expr, error) {
	of, inRow := []Filter{}, []Filter{}
	for _, f := range in {
		if set.Sheet != nil {
			if code, is := strings.CutPrefix(f.PropertyCode, set.Sheet.Code+"."); is {
				f.PropertyCode = code
				inRow = append(inRow, f)
				continue
			}
		}
		of = append(of, f)
	}
	where, err := r.filters(ctx, g, nil).compile(of)
	if err != nil || len(inRow) == 0 {
		return rebase(nil, set.Sheet != nil, where), err
	}
	inner := r.filters(ctx, g, nil)
	inner.row = set.Sheet
	rows, err := inner.compile(inRow)
	return plan.AllOf(rebase(nil, true, where), rows), err
}

// seen is a property as the rows that are read have it; nil when the view may not read it.
func seen(g *graph, set *catalog.DataSet, path catalog.Path, column string) plan.Expr {
	n, err := g.resolve(path.Code)
	if err != nil {
		return nil
	}
	return rebase(nil, set.Sheet != nil && n.sheet == nil, n.column(column))
}

func (r *Reader) groupColumns(g *graph, set *catalog.DataSet, group catalog.ReportGroup) (out []plan.Expr) {
	columns := group.Path.Field.Property.Columns()
	for i, c := range columns {
		x := seen(g, set, group.Path, c.Name)
		if x == nil || group.Level > 0 && i > 0 { // the rest of an address divides no level
			x = &plan.Const{K: c.Kind}
		}
		out = append(out, x)
	}
	if group.Step == "" {
		return out
	}
	zone := &plan.Const{K: plan.Text, Value: r.zone.String()}
	day := out[0]
	if columns[0].Kind == plan.Instant {
		day = &plan.Call{Fn: "date", Args: []plan.Expr{out[0], zone}, K: plan.Date}
	}
	if group.Step == "hour" {
		return []plan.Expr{day, &plan.Call{Fn: "hour", Args: []plan.Expr{out[0], zone}, K: plan.Number}}
	}
	return []plan.Expr{&plan.Call{Fn: expression.Step, Args: []plan.Expr{day, &plan.Const{K: plan.Text, Value: group.Step}}, K: plan.Date}}
}

// measure appends the columns of a figure. What the view may not read has none.
func (p *groupPlan) measure(g *graph, i int) {
	m := &p.set.Measures[i]
	inside := p.set.Sheet != nil
	var x plan.Expr
	switch {
	case m.Formula != nil:
		x = rebase(nil, inside, g.restrict(m.Formula))
	case m.Path != nil:
		c := m.Path.Field.Property.Columns()[0]
		if x = seen(g, p.set, *m.Path, c.Name); x == nil {
			x = &plan.Const{K: c.Kind}
		}
	case m.When != nil:
		x = &plan.Field{Column: catalog.ID, K: plan.ID}
	}
	if m.When != nil {
		x = &plan.Guarded{Cond: rebase(nil, inside, g.restrict(m.When)), X: x}
	}
	add := func(fn plan.Sum) {
		p.q.Aggregate = append(p.q.Aggregate, plan.AggregateOutput{Fn: fn, X: x})
		p.parts = append(p.parts, part{i, fn})
	}
	add(plan.Sum(m.Fn))
	if m.Fn == string(plan.SumAverage) {
		add(plan.SumSum)
		add(plan.SumCount)
	}
}

// value is a group's value in its Go form.
func (p *groupPlan) value(i int, row []any) any {
	cells := row[p.at[i]:p.at[i+1]]
	if !slices.ContainsFunc(cells, func(v any) bool { return v != nil }) {
		return nil
	}
	return keep(p.set.Groups[i].Path.Field.Property.Load(cells))
}

func (p *groupPlan) grouped(row []any, names *names, r *Reader) Grouped {
	out := Grouped{Figures: make([]any, len(p.set.Measures)), Counts: map[int]int64{}, Sums: map[int]decimal.Decimal{}}
	for i, g := range p.set.Groups {
		out.Groups = append(out.Groups, p.groupValue(i, g, row, names, r))
	}
	for k, part := range p.parts {
		v := row[p.at[len(p.at)-1]+k]
		switch {
		case part.fn == plan.Sum(p.set.Measures[part.measure].Fn):
			out.Figures[part.measure] = v
		case part.fn == plan.SumCount:
			out.Counts[part.measure] = figureOf(v).IntPart()
		default:
			out.Sums[part.measure] = figureOf(v)
		}
	}
	return out
}

// figureOf is a figure as a decimal; zero when there is none.
func figureOf(v any) decimal.Decimal {
	switch x := v.(type) {
	case decimal.Decimal:
		return x
	case int64:
		return decimal.NewFromInt(x)
	}
	return decimal.Decimal{}
}

func (p *groupPlan) groupValue(i int, g catalog.ReportGroup, row []any, names *names, r *Reader) GroupValue {
	if g.Step != "" {
		day, _ := row[p.at[i]].(string)
		if g.Step == "hour" && day != "" {
			day = fmt.Sprintf("%s %02d:00", day, figureOf(row[p.at[i]+1]).IntPart())
		}
		return GroupValue{Value: day, Text: StepText(day, g.Step, p.view.Principal().Locale)}
	}
	v := p.value(i, row)
	if v == nil {
		return GroupValue{}
	}
	f := g.Path.Field
	text := f.Property.Text(v, property.TextContext{Locale: p.view.Principal().Locale, Zone: r.zone, Names: names.of(f)})
	out := GroupValue{Value: text, Text: text}
	var wire any
	if json.Unmarshal(f.Property.AppendJSON(nil, v, names.of(f)), &wire) == nil {
		out.Value = wireKey(wire)
	}
	return out
}

// wireKey is a wire value as one text: ids and codes of objects, texts and numbers as they are.
func wireKey(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case map[string]any:
		for _, key := range []string{"id", "code", "value"} {
			if s, is := x[key].(string); is {
				return s
			}
		}
	case bool:
		return fmt.Sprint(x)
	case nil:
		return ""
	}
	text, _ := json.Marshal(v) // it was read from JSON
	return string(text)
}

// StepText is a step of time in words: "2026年3月", "Mar 2026"; its first day where it is a week.
func StepText(first, step, locale string) string {
	if len(first) < len("2026-01-01") {
		return first
	}
	year, month := first[:4], first[5:7]
	switch step {
	case "year":
		if locale == "en" {
			return year
		}
		return year + "年"
	case "quarter":
		q := string("1234"[(int(month[0]-'0')*10+int(month[1]-'0')-1)/3])
		if locale == "en" {
			return "Q" + q + " " + year
		}
		return year + "年第" + q + "季度"
	case "month":
		return year + "-" + month
	}
	return first
}

// ReportFilters are the filters of a report's page that the view may use, as a list's panel has them, by their codes.
func (r *Reader) ReportFilters(view *authz.View, report *catalog.Report) []ConditionPlan {
	out := []ConditionPlan{}
	for _, f := range report.Filters {
		if !view.Can(f.Model, "view") {
			continue
		}
		if p, ok := conditionPlan(newGraph(view, f.Model), f.Condition); ok {
			p.SchemaCode, p.SourceProperty, p.PropertyCode = f.Model.Code, p.PropertyCode, f.Code
			out = append(out, p)
		}
	}
	return out
}
