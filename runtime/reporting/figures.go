package reporting

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
)

// rows reads a data set and computes what is made of its figures: the steps without data, ratios, comparisons, running sums, the order,
// the largest n and what they leave over.
func (s *Service) rows(ctx context.Context, view *authz.View, set *catalog.DataSet, given map[string]query.Filter) (Data, error) {
	filters := applied(set, given)
	found, ok, err := s.Reader.DataSet(ctx, view, set, filters)
	if err != nil {
		return Data{}, err
	}
	t := &table{set: set, time: timeGroup(set), locale: view.Principal().Locale, rows: found}
	if err := s.fill(t, filters); err != nil {
		return Data{}, err
	}
	if slices.ContainsFunc(set.Measures, func(m catalog.Measure) bool { return m.Fn == catalog.MeasureCompare }) {
		if t.before, err = s.before(ctx, view, t, filters); err != nil {
			return Data{}, err
		}
	}
	t.evaluate()
	t.order()
	t.sort()
	groups := 0
	if ok {
		groups = len(t.rows)
	}
	t.cut()
	ranks := t.ranks()
	out := Data{Rows: []Row{}, Groups: groups, Truncated: !ok}
	for i, r := range t.rows {
		if i == MaxRows {
			out.Truncated = true
			break
		}
		row := Row{Values: t.values[i], Means: meansOf(set, r)}
		for k, g := range r.Groups {
			v := Value{GroupValue: g, Rank: ranks[k][g.Value]}
			if g.Others {
				v.Rank = len(ranks[k])
			}
			switch step := set.Groups[k].Step; {
			case step == "" || g.Value == "":
			case step == "hour":
				v.From, v.Until = hourSpan(g.Value, s.Zone)
			default:
				v.Until = lastDay(g.Value, step)
				if step == "week" && !tellsDays(set.Groups[k].Path.Field.Property) {
					v.From = v.Until
				}
			}
			row.Groups = append(row.Groups, v)
		}
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

// table is a data set while it is computed.
type table struct {
	set     *catalog.DataSet
	time    int // the group with steps of time; -1 = none
	locale  string
	rows    []query.Grouped
	values  [][]any                     // of each row, of each measure
	options []map[string]int            // of each group of options: the places of their codes
	before  map[string]map[string][]any // what a period before had, by the kind of comparison, and key and step
}

func timeGroup(set *catalog.DataSet) int {
	return slices.IndexFunc(set.Groups, func(g catalog.ReportGroup) bool { return g.Step != "" })
}

// key is a row by its values, the step of time aside; step is that.
func (t *table) key(r query.Grouped) (key, step string) {
	var parts []string
	for i, g := range r.Groups {
		if i == t.time {
			step = g.Value
			continue
		}
		parts = append(parts, g.Value)
	}
	return strings.Join(parts, "\x00"), step
}

// mostSteps bounds the steps that are filled: some 27 years of days.
const mostSteps = 10_000

// fill adds the steps without data, from the first to the last that there is or that the filter names, for each combination of the other
// groups that has data at all.
func (s *Service) fill(t *table, filters []query.Filter) error {
	if t.time < 0 || !t.set.Groups[t.time].Fill || t.set.Groups[t.time].Step == "hour" {
		return nil
	}
	g := t.set.Groups[t.time]
	first, last := "", ""
	have := map[string]map[string]bool{}
	var keys []query.Grouped
	for _, r := range t.rows {
		key, step := t.key(r)
		if have[key] == nil {
			have[key] = map[string]bool{}
			keys = append(keys, r)
		}
		have[key][step] = true
		if step == "" {
			continue
		}
		if first == "" || step < first {
			first = step
		}
		last = max(last, step)
	}
	for _, f := range filters {
		if f.PropertyCode != g.Path.Code {
			continue
		}
		if from, to, ok := s.days(t.set, f); ok {
			first, last = stepOf(from, g.Step), stepOf(to, g.Step)
		}
	}
	if first == "" || len(t.set.Groups) == 1 && len(keys) == 0 {
		if first == "" {
			return nil
		}
		keys = []query.Grouped{{Groups: []query.GroupValue{{}}}}
		have[""] = map[string]bool{}
	}
	var steps []string
	for step := first; step <= last && len(steps) < mostSteps; step = shift(step, g.Step, 1) {
		steps = append(steps, step)
	}
	if len(steps)*len(keys) > query.MaxGroups {
		return nil // they would be cut off
	}
	for _, r := range keys {
		key, _ := t.key(r)
		for _, step := range steps {
			if have[key][step] {
				continue
			}
			one := query.Grouped{Groups: slices.Clone(r.Groups), Figures: make([]any, len(t.set.Measures))}
			one.Groups[t.time] = query.GroupValue{Value: step, Text: query.StepText(step, g.Step, t.locale)}
			for i, m := range t.set.Measures {
				if m.Fn == string(plan.SumCount) || m.Fn == string(plan.SumDistinct) {
					one.Figures[i] = decimal.Decimal{}
				}
			}
			t.rows = append(t.rows, one)
		}
	}
	return nil
}

// before reads the periods that comparisons need, by their kind, key and step. Where no filter cuts them off, they are in the answer itself.
func (s *Service) before(ctx context.Context, view *authz.View, t *table, filters []query.Filter) (map[string]map[string][]any, error) {
	out := map[string]map[string][]any{}
	at := -1
	for i, f := range filters {
		if t.time >= 0 && f.PropertyCode != t.set.Groups[t.time].Path.Code {
			continue
		}
		if _, _, ok := s.days(t.set, f); ok {
			at = i
			break
		}
	}
	for _, m := range t.set.Measures {
		if m.Fn != catalog.MeasureCompare || out[m.With] != nil {
			continue
		}
		out[m.With] = map[string][]any{}
		earlier := t.rows
		if at >= 0 {
			moved := slices.Clone(filters)
			first, last, _ := s.days(t.set, moved[at])
			first, last = t.moved(first, last, m.With)
			value, err := json.Marshal(first + ";" + last)
			if err != nil {
				return nil, err
			}
			moved[at].PropertyValue, moved[at].QueryFilterType = value, json.RawMessage(`"`+string(plan.Between)+`"`)
			if earlier, _, err = s.Reader.DataSet(ctx, view, t.set, moved); err != nil {
				return nil, err
			}
		} else if t.time < 0 {
			continue // there is no period
		}
		of := &table{set: t.set, time: t.time, rows: slices.Clone(earlier)}
		of.evaluate()
		for i, r := range of.rows {
			key, step := of.key(r)
			out[m.With][key+"\x01"+step] = of.values[i]
		}
	}
	return out, nil
}

// moved are the days of the period before.
func (t *table) moved(first, last, with string) (string, string) {
	if with == "previousYear" {
		return yearBefore(first), yearBefore(last)
	}
	if t.time >= 0 {
		step := t.set.Groups[t.time].Step
		return shiftDays(first, step), shiftDays(last, step)
	}
	a, _ := time.Parse(time.DateOnly, first)
	b, _ := time.Parse(time.DateOnly, last)
	next := b.AddDate(0, 0, 1)
	if a.Day() == 1 && next.Day() == 1 { // whole months
		months := (next.Year()-a.Year())*12 + int(next.Month()) - int(a.Month())
		return a.AddDate(0, -months, 0).Format(time.DateOnly), a.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	n := int(next.Sub(a) / (24 * time.Hour))
	return a.AddDate(0, 0, -n).Format(time.DateOnly), a.AddDate(0, 0, -1).Format(time.DateOnly)
}

// evaluate computes the measures of all rows, in their order: each is made of those before it.
func (t *table) evaluate() {
	t.values = make([][]any, len(t.rows))
	for i := range t.rows {
		t.values[i] = slices.Clone(t.rows[i].Figures)
	}
	for k := range t.set.Measures {
		switch m := &t.set.Measures[k]; m.Fn {
		case catalog.MeasureRatio:
			for i := range t.rows {
				t.values[i][k] = ratio(t.values[i][m.Of], t.values[i][m.Per])
			}
		case catalog.MeasureCompare:
			for i, r := range t.rows {
				t.values[i][k] = compare(m, t.values[i][m.Of], t.earlier(r, m))
			}
		case catalog.MeasureCumulative:
			t.accumulate(k, m.Of)
		}
	}
}

// earlier is what a measure was in the period before; nil = there was none.
func (t *table) earlier(r query.Grouped, m *catalog.Measure) any {
	key, step := t.key(r)
	if t.time >= 0 {
		if step == "" {
			return nil
		}
		if m.With == "previousYear" {
			step = stepOf(yearBefore(step), t.set.Groups[t.time].Step)
		} else {
			step = shift(step, t.set.Groups[t.time].Step, -1)
		}
	}
	if of := t.before[m.With][key+"\x01"+step]; of != nil {
		return of[m.Of]
	}
	return nil
}

// places of decimal fractions that divisions give.
const places = 8

func ratio(a, b any) any {
	x, y, ok := two(a, b)
	if !ok || y.IsZero() {
		return nil
	}
	return x.DivRound(y, places)
}

func compare(m *catalog.Measure, now, then any) any {
	if m.As == "value" {
		return then
	}
	x, y, ok := two(now, then)
	switch {
	case !ok:
		return nil
	case m.As == "difference":
		return x.Sub(y)
	case y.IsZero():
		return nil
	}
	return x.Sub(y).DivRound(y.Abs(), places)
}

func two(a, b any) (x, y decimal.Decimal, ok bool) {
	x, one := number(a)
	y, two := number(b)
	return x, y, one && two
}

func number(v any) (decimal.Decimal, bool) {
	switch x := v.(type) {
	case decimal.Decimal:
		return x, true
	case int64:
		return decimal.NewFromInt(x), true
	}
	return decimal.Decimal{}, false
}

// sort orders the rows: by the data set's order, and what is equal by the groups, empty values first. Rows without a time come behind the
// last step: they are no step before the first.
func (t *table) sort() {
	order := make([]int, len(t.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		for _, o := range t.set.Order {
			n := 0
			if o.Group >= 0 {
				n = t.compareGroups(o.Group, t.rows[a].Groups[o.Group], t.rows[b].Groups[o.Group])
			} else {
				n = compareValues(t.values[a][o.Measure], t.values[b][o.Measure])
			}
			if o.Descending {
				n = -n
			}
			if n != 0 {
				return n
			}
		}
		for i := range t.rows[a].Groups {
			x, y := t.rows[a].Groups[i], t.rows[b].Groups[i]
			if i == t.time && (x.Value == "") != (y.Value == "") {
				return map[bool]int{true: 1, false: -1}[x.Value == ""]
			}
			if n := t.compareGroups(i, x, y); n != 0 {
				return n
			}
		}
		return 0
	})
	t.take(order)
}

func (t *table) take(order []int) {
	rows, values := make([]query.Grouped, len(order)), make([][]any, len(order))
	for to, from := range order {
		rows[to], values[to] = t.rows[from], t.values[from]
	}
	t.rows, t.values = rows, values
}

// order reads in which order the options of groups stand.
func (t *table) order() {
	t.options = make([]map[string]int, len(t.set.Groups))
	for i, g := range t.set.Groups {
		if c, is := g.Path.Field.Property.(property.Chooser); is {
			t.options[i] = map[string]int{}
			for at, o := range c.Choices() {
				t.options[i][o.Code] = at
			}
		}
	}
}

// ranks are the places of the values of every group but the first among all of them: a row need not have each. The rows have the values of the
// first group in their order, which may be that of a figure.
func (t *table) ranks() []map[string]int {
	out := make([]map[string]int, len(t.set.Groups))
	for i := 1; i < len(out); i++ {
		var all []query.GroupValue
		seen := map[string]bool{}
		for _, r := range t.rows {
			if g := r.Groups[i]; !g.Others && !seen[g.Value] {
				seen[g.Value] = true
				all = append(all, g)
			}
		}
		slices.SortStableFunc(all, func(a, b query.GroupValue) int { return t.compareGroups(i, a, b) })
		if slices.ContainsFunc(t.set.Order, func(o catalog.ReportOrder) bool { return o.Group == i && o.Descending }) {
			slices.Reverse(all)
		}
		out[i] = map[string]int{}
		for at, g := range all {
			out[i][g.Value] = at
		}
	}
	return out
}

// compareGroups orders values of a group: options as their author has, numbers by size, dates and texts by their characters.
func (t *table) compareGroups(group int, a, b query.GroupValue) int {
	if options := t.options[group]; options != nil && a.Value != "" && b.Value != "" {
		place := func(v query.GroupValue) int {
			if at, ok := options[v.Value]; ok {
				return at
			}
			return len(options)
		}
		if n := cmp.Compare(place(a), place(b)); n != 0 {
			return n
		}
	}
	if x, err := decimal.NewFromString(a.Value); err == nil {
		if y, err := decimal.NewFromString(b.Value); err == nil {
			return x.Cmp(y)
		}
	}
	return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.Value, b.Value))
}

// compareValues orders figures; none comes first.
func compareValues(a, b any) int {
	if x, y, ok := two(a, b); ok {
		return x.Cmp(y)
	}
	switch x := a.(type) {
	case nil:
		if b == nil {
			return 0
		}
		return -1
	case string:
		if y, is := b.(string); is {
			return cmp.Compare(x, y)
		}
	case time.Time:
		if y, is := b.(time.Time); is {
			return x.Compare(y)
		}
	}
	if b == nil {
		return 1
	}
	return 0
}

// cut leaves the first rows, and makes one of all others where the data set asks for it. Distinct values of several rows cannot be told, nor
// comparisons and running sums: the row has none.
func (t *table) cut() {
	top := t.set.Top
	if top == 0 || len(t.rows) <= top {
		return
	}
	rest, values := t.rows[top:], t.values[top:]
	t.rows, t.values = t.rows[:top:top], t.values[:top:top]
	if !t.set.Others {
		return
	}
	left := query.Grouped{Groups: make([]query.GroupValue, len(t.set.Groups)), Counts: map[int]int64{}, Sums: map[int]decimal.Decimal{}}
	for i := range left.Groups {
		left.Groups[i].Others = true
	}
	out := make([]any, len(t.set.Measures))
	for k, m := range t.set.Measures {
		switch m.Fn {
		case string(plan.SumSum), string(plan.SumCount):
			out[k] = sumOf(values, k)
		case string(plan.SumMinimum), string(plan.SumMaximum):
			out[k] = extremeOf(values, k, m.Fn)
		case string(plan.SumAverage):
			for _, r := range rest {
				left.Sums[k], left.Counts[k] = left.Sums[k].Add(r.Sums[k]), left.Counts[k]+r.Counts[k]
			}
			out[k] = average([]*Mean{{Sum: left.Sums[k], Count: left.Counts[k]}})
		case catalog.MeasureRatio:
			out[k] = ratio(out[m.Of], out[m.Per])
		}
	}
	t.rows, t.values = append(t.rows, left), append(t.values, out)
}

// sumOf adds a measure of rows up; nil when none of them has it.
func sumOf(values [][]any, k int) any {
	sum, some := decimal.Decimal{}, false
	for _, v := range values {
		if x, ok := number(v[k]); ok {
			sum, some = sum.Add(x), true
		}
	}
	if !some {
		return nil
	}
	return sum
}
