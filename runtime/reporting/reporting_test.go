package reporting_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/reporting"
	"github.com/sluice-platform/sluice/runtime/store"
)

// lot is a record as the test knows it.
type lot struct {
	owner              string
	day, result, place string
	site               string
	area               string
	done               time.Time
	amount             *decimal.Decimal
	items              []item
}

type item struct {
	kind  string
	value int64
}

type world struct {
	testing.TB
	app   *app.App
	ids   map[string]string
	sites map[string]string // names by id
	lots  []lot
	rand  *rand.Rand
}

var (
	demo  = apptest.Installation{Register: plugintest.Register, Dirs: []string{"testdata/demo"}, Zone: shanghai}.Template()
	today = time.Date(2026, 11, 26, 2, 0, 0, 0, time.UTC)
)

var shanghai = func() *time.Location {
	zone, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		panic(err)
	}
	return zone
}()

func each(t *testing.T, f func(w *world)) {
	t.Parallel()
	demo.Each(t, func(t *testing.T, o store.Options) {
		w := &world{TB: t, ids: map[string]string{}, sites: map[string]string{}, rand: rand.New(rand.NewPCG(1, 2))}
		set := &pack.Set{}
		require.NoError(t, plugintest.Register(set))
		set.Freeze()
		a, err := app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"testdata/demo"}, Zone: shanghai}, Dir: o.Dir, URL: o.URL, Version: apptest.Version,
			Clock: func() time.Time { return today }, Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()) })
		w.app = a
		for _, name := range []string{"all", "own", "none", "part"} {
			w.ids[name], err = a.AddUser(t.Context(), name, name, []string{name})
			require.NoError(t, err)
		}
		above := ""
		for _, name := range []string{"上闸首", "闸室", "下闸首", "底板"} { // 底板 is below 下闸首, which is below 闸室
			data := map[string]any{"title": name}
			if above != "" {
				data["above"] = above
			}
			id := w.save("all", "site", data)
			w.sites[id] = name
			if name != "上闸首" {
				above = id
			}
		}
		w.fill(180)
		f(w)
	})
}

func (w *world) as(name string) *authz.View {
	person, ok := w.app.People().Person(w.Context(), w.ids[name])
	require.True(w, ok)
	p := authn.Principal(w.Context(), w.app.People(), person, "")
	p.Locale = "zh"
	return w.app.State().Policy.View(p, today, w.app.Zone())
}

func (w *world) save(name, model string, data map[string]any) string {
	set := map[string]json.RawMessage{}
	for k, v := range data {
		text, err := json.Marshal(v)
		require.NoError(w, err)
		set[k] = text
	}
	saved, err := w.app.Writer().Save(w.Context(), w.as(name), record.Change{Model: model, Set: set})
	require.NoError(w, err)
	return saved.ID
}

// fill makes records, many of them with properties that are empty.
func (w *world) fill(n int) {
	some := func() bool { return w.rand.IntN(8) > 0 }
	sites := slices.Sorted(maps.Keys(w.sites))
	for range n {
		l := lot{owner: []string{"all", "own"}[w.rand.IntN(2)]}
		data := map[string]any{}
		if some() {
			at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, w.rand.IntN(640))
			l.day = at.Format(time.DateOnly)
			data["day"] = l.day
		}
		if some() {
			l.done = time.Date(2026, 3, 1, w.rand.IntN(48), w.rand.IntN(60), 0, 0, time.UTC)
			data["done"] = l.done.Format(time.RFC3339)
		}
		if some() {
			l.result = []string{"OK", "BAD"}[w.rand.IntN(2)]
			data["result"] = l.result
		}
		if some() {
			l.place = fmt.Sprint("p", w.rand.IntN(5))
			data["place"] = l.place
		}
		if some() {
			l.area = []string{"320102", "320104", "320583", "110101", "32"}[w.rand.IntN(5)]
			data["area"] = map[string]any{"code": l.area, "detail": fmt.Sprint("No. ", w.rand.IntN(3))}
		}
		if l.owner == "all" && some() { // the other one sees no sites
			l.site = sites[w.rand.IntN(len(sites))]
			data["site"] = l.site
		}
		for range w.rand.IntN(3) {
			l.items = append(l.items, item{fmt.Sprint("k", w.rand.IntN(3)), int64(w.rand.IntN(100))})
		}
		writer := "all"
		if l.owner == "own" {
			writer = "own"
			l.items = nil // it may not write them
		} else {
			if some() {
				v := decimal.New(int64(w.rand.IntN(20000)-3000), -2)
				l.amount = &v
				data["amount"] = v.String()
			}
			if len(l.items) > 0 {
				rows := []map[string]any{}
				for _, i := range l.items {
					rows = append(rows, map[string]any{"kind": i.kind, "value": i.value})
				}
				data["items"] = rows
			}
		}
		id := w.save(writer, "lot", data)
		if l.owner == "own" && some() { // rows and an amount that the owner does not see
			l.items = []item{{"k1", 7}}
			amount := decimal.New(6000, -2)
			l.amount = &amount
			first := int64(1)
			set := map[string]json.RawMessage{"items": json.RawMessage(`[{"kind": "k1", "value": 7}]`), "amount": json.RawMessage("60")}
			_, err := w.app.Writer().Save(w.Context(), w.as("all"), record.Change{Model: "lot", ID: id, Version: &first, Set: set})
			require.NoError(w, err)
		}
		w.lots = append(w.lots, l)
	}
}

func (w *world) data(name, set string, filters ...query.Filter) reporting.Data {
	w.Helper()
	got, err := w.app.Reports().Data(w.Context(), w.as(name), reporting.Request{Report: "lots", Sets: []string{set}, Filters: filters})
	require.NoError(w, err)
	require.Len(w, got, 1)
	require.NoError(w, got[0].Err)
	require.False(w, got[0].Truncated)
	return got[0]
}

// lines are rows as texts: groups, and figures; no figure is "-".
func lines(d reporting.Data) []string {
	out := []string{}
	for _, r := range d.Rows {
		var parts []string
		for _, g := range r.Groups {
			text := g.Value
			if g.Others {
				text = "others"
			}
			parts = append(parts, text)
		}
		for _, v := range r.Values {
			parts = append(parts, figure(v))
		}
		out = append(out, strings.Join(parts, "|"))
	}
	return out
}

func figure(v any) string {
	switch x := v.(type) {
	case decimal.Decimal:
		return x.String()
	case *decimal.Decimal:
		if x != nil {
			return x.String()
		}
	case int64:
		return fmt.Sprint(x)
	}
	return "-"
}

// group brings lots together by a key, in its order.
func group(lots []lot, key func(lot) string) (keys []string, of map[string][]lot) {
	of = map[string][]lot{}
	for _, l := range lots {
		of[key(l)] = append(of[key(l)], l)
	}
	return slices.Sorted(maps.Keys(of)), of
}

func sum(lots []lot) *decimal.Decimal {
	var out *decimal.Decimal
	for _, l := range lots {
		if l.amount != nil {
			v := *l.amount
			if out != nil {
				v = v.Add(*out)
			}
			out = &v
		}
	}
	return out
}

func count(lots []lot, f func(lot) bool) int64 {
	n := int64(0)
	for _, l := range lots {
		if f(l) {
			n++
		}
	}
	return n
}

func filter(code, op, value string) query.Filter {
	text, _ := json.Marshal(value)
	return query.Filter{PropertyCode: code, PropertyValue: text, QueryFilterType: json.RawMessage(`"` + op + `"`)}
}

func month(day string) string {
	if day == "" {
		return ""
	}
	return day[:8] + "01"
}

func TestReports(t *testing.T) {
	each(t, func(w *world) {
		w.againstSums()
		w.options()
		w.steps()
		w.beforeNumbers()
		w.largest()
		w.levels()
		w.rowsOfSheets()
		w.rights()
		w.behind()
		w.periodBefore()
		w.files()
		w.oracle()
		w.leftOut()
		w.many()
	})
}

// againstSums compares every measure with sums that the test makes of the records itself.
func (w *world) againstSums() {
	for _, period := range []string{"", "2025-06-10;2026-02-20", "thisYear"} {
		from, to := "", "9"
		var filters []query.Filter
		switch period {
		case "":
		case "thisYear":
			from, to = "2026-01-01", "2026-12-31"
			filters = []query.Filter{filter("period", "Between", period)}
		default:
			from, to, _ = strings.Cut(period, ";")
			filters = []query.Filter{filter("period", "Between", period)}
		}
		in := func(l lot) bool { return period == "" || l.day != "" && l.day >= from && l.day <= to }
		shown := slices.DeleteFunc(slices.Clone(w.lots), func(l lot) bool { return !in(l) })
		require.Equal(w, w.months(shown, period, from, to), lines(w.data("all", "months", filters...)), period)
	}
	// Filters on choices.
	ok := slices.DeleteFunc(slices.Clone(w.lots), func(l lot) bool { return l.result != "OK" })
	require.Equal(w, w.months(ok, "", "", ""), lines(w.data("all", "months", filter("result", "Equal", "OK"))))
}

// results are the codes of the model's options in their order, behind what is empty.
var results = []string{"", "OK", "BAD"}

// behind: a list that is opened from a figure has the records of that figure, with the conditions of its data set and measure.
func (w *world) behind() {
	total := func(name string, filters ...query.Filter) int64 {
		text, err := w.app.Reader().List(w.Context(), w.as(name), query.ListRequest{SchemaCode: "lot", Filters: filters})
		require.NoError(w, err)
		var page struct {
			TotalElements int64 `json:"totalElements"`
		}
		require.NoError(w, json.Unmarshal(text, &page))
		return page.TotalElements
	}
	number := func(v any) int64 {
		d, _ := v.(decimal.Decimal)
		return d.IntPart()
	}
	at := func(code, value string) query.Filter {
		if value == "" {
			return query.Filter{PropertyCode: code, QueryFilterType: json.RawMessage(`"IsNull"`)}
		}
		return filter(code, "Equal", value)
	}
	for list, narrowed := range map[string]bool{"lot": false, "lot_good": true} {
		config, err := w.app.Reader().Config(w.as("all"), "lot", list)
		require.NoError(w, err)
		require.Equal(w, narrowed, config.Narrowed, list)
	}
	for _, name := range []string{"all", "own", "part"} {
		sum := int64(0)
		for _, r := range w.data(name, "results").Rows {
			of := []query.Filter{at("place", r.Groups[0].Value), at("result", r.Groups[1].Value), {Behind: "lots/results/lots"}}
			require.Equal(w, number(r.Values[0]), total(name, of...), "%s %v", name, r.Groups)
			sum += number(r.Values[0])
		}
		require.Equal(w, sum, total(name, query.Filter{Behind: "lots/results"}))
		lots, large := int64(0), int64(0)
		for _, r := range w.data(name, "months").Rows {
			if name == "own" { // who may not read amounts has no figures that name them
				lots += number(r.Values[0])
				continue
			}
			lots, large = lots+number(r.Values[4]), large+number(r.Values[5])
		}
		if name == "own" {
			for _, of := range []string{"large", "share"} {
				_, err := w.app.Reader().List(w.Context(), w.as(name), query.ListRequest{SchemaCode: "lot", Filters: []query.Filter{{Behind: "lots/months/" + of}}})
				require.Equal(w, fault.FieldUnknown, fault.Of(err), of)
			}
			require.Equal(w, lots, total(name, query.Filter{Behind: "lots/months/year"}), "what is compared")
			continue
		}
		require.Equal(w, large, total(name, query.Filter{Behind: "lots/months/large"}), name)
		require.Equal(w, lots, total(name, query.Filter{Behind: "lots/months/share"}), "all that a ratio is a part of")
		require.Equal(w, lots, total(name, query.Filter{Behind: "lots/months/year"}), "what is compared")
	}
	for of, code := range map[string]fault.Code{"lots": fault.BadParameter, "lots/nothing": fault.FieldUnknown, "nothing/months": fault.FieldUnknown, "lots/months/nothing": fault.FieldUnknown,
		"secret/n": fault.FieldUnknown} {
		_, err := w.app.Reader().List(w.Context(), w.as("own"), query.ListRequest{SchemaCode: "lot", Filters: []query.Filter{{Behind: of}}})
		require.Equal(w, code, fault.Of(err), of)
	}
}

// options: values of options come in the order of their author, and each has its place also where a row lacks the others.
func (w *world) options() {
	for _, r := range w.data("all", "months").Rows {
		require.Zero(w, r.Groups[0].Rank)
		require.Equal(w, slices.Index(results, r.Groups[1].Value), r.Groups[1].Rank)
	}
	_, rows := w.sheets(w.file("all", reporting.XLSX, []string{"across"}))
	require.Equal(w, []string{"地点", "（空）", "合格", "不合格", "合计"}, rows["按结论"][3])
}

func (w *world) months(shown []lot, period, from, to string) []string {
	key := func(l lot) string { return month(l.day) + "|" + l.result }
	keys, of := group(shown, key)
	_, ever := group(w.lots, key)
	slices.SortFunc(keys, func(a, b string) int {
		x, p, _ := strings.Cut(a, "|")
		y, q, _ := strings.Cut(b, "|")
		return cmp.Or(cmp.Compare(last(x), last(y)), cmp.Compare(slices.Index(results, p), slices.Index(results, q)))
	})
	running := map[string]decimal.Decimal{} // of those that have had a number: before the first of them there is no sum
	out := []string{}
	for _, k := range keys {
		lots := of[k]
		m, code, _ := strings.Cut(k, "|")
		total := sum(lots)
		var average, least, most, double, share, change any
		n := count(lots, func(l lot) bool { return l.amount != nil })
		for _, l := range lots {
			if l.amount == nil {
				continue
			}
			if least == nil || l.amount.LessThan(least.(decimal.Decimal)) {
				least = *l.amount
			}
			if most == nil || l.amount.GreaterThan(most.(decimal.Decimal)) {
				most = *l.amount
			}
		}
		if total != nil {
			average = total.DivRound(decimal.NewFromInt(n), 8)
			double = total.Mul(decimal.NewFromInt(2)).Add(decimal.NewFromInt(n))
			if m != "" { // what has no day is in no sum along the days
				running[code] = running[code].Add(*total)
			}
		}
		large := count(lots, func(l lot) bool { return l.amount != nil && l.amount.GreaterThan(decimal.NewFromInt(50)) })
		places := map[string]bool{}
		for _, l := range lots {
			if l.place != "" {
				places[l.place] = true
			}
		}
		share = decimal.NewFromInt(large).DivRound(decimal.NewFromInt(int64(len(lots))), 8)
		// Of a period that a filter cuts off, the one before is cut off alike, a month or a year earlier.
		earlier := func(months int, last func(string) string) []lot {
			if m == "" {
				return nil
			}
			at, _ := time.Parse(time.DateOnly, m)
			before := at.AddDate(0, -months, 0).Format(time.DateOnly) + "|" + code
			lots := ever[before]
			if period == "" {
				return of[before]
			}
			return slices.DeleteFunc(slices.Clone(lots), func(l lot) bool { return l.day < last(from) || l.day > last(to) })
		}
		back := func(months int) func(string) string {
			return func(day string) string {
				at, _ := time.Parse(time.DateOnly, day)
				if at.AddDate(0, 0, 1).Day() == 1 { // the last of a month
					return at.AddDate(0, 0, 1).AddDate(0, -months, 0).AddDate(0, 0, -1).Format(time.DateOnly)
				}
				return at.AddDate(0, -months, 0).Format(time.DateOnly)
			}
		}
		if then := sum(earlier(1, back(1))); then != nil && total != nil {
			change = total.Sub(*then)
		}
		var year any
		if then := earlier(12, back(12)); len(then) > 0 {
			year = int64(len(then))
		}
		var along any
		if so, some := running[code]; some && m != "" {
			along = so
		}
		out = append(out, strings.Join([]string{m, code, figure(total), figure(average), figure(least), figure(most), fmt.Sprint(len(lots)), fmt.Sprint(large), fmt.Sprint(len(places)),
			figure(double), figure(share), figure(change), figure(year), figure(along)}, "|"))
	}
	return out
}

// last is a step as it is compared: what has no time comes after all that has.
func last(step string) string { return cmp.Or(step, "~") }

func steps(keys []string) []string {
	slices.SortFunc(keys, func(a, b string) int { return cmp.Compare(last(a), last(b)) })
	return keys
}

func (w *world) steps() {
	keys, of := group(w.lots, func(l lot) string {
		if l.day == "" {
			return ""
		}
		at, _ := time.Parse(time.DateOnly, l.day)
		year, week := at.ISOWeek()
		for y, n := at.ISOWeek(); y == year && n == week; y, n = at.ISOWeek() {
			at = at.AddDate(0, 0, -1)
		}
		return at.AddDate(0, 0, 1).Format(time.DateOnly)
	})
	want := []string{}
	for _, k := range steps(keys) {
		want = append(want, fmt.Sprint(k, "|", len(of[k])))
	}
	require.Equal(w, want, lines(w.data("all", "weeks")))
	for set, layout := range map[string]string{"hours": "2006-01-02 15:00", "days": "2006-01-02"} {
		keys, of := group(w.lots, func(l lot) string {
			if l.done.IsZero() {
				return ""
			}
			return l.done.In(w.app.Zone()).Format(layout)
		})
		want := []string{}
		for _, k := range steps(keys) {
			want = append(want, fmt.Sprint(k, "|", len(of[k])))
		}
		require.Equal(w, want, lines(w.data("all", set)), set)
	}
	got := w.data("all", "quarters", filter("period", "Between", "2023-02-01;2025-05-01"))
	require.Len(w, got.Rows, 10, "quarters without data are rows")
	require.Equal(w, "2023-01-01|0|-", lines(got)[0])
	require.Equal(w, []string{"2023年第1季度", "2023-03-31"}, []string{got.Rows[0].Groups[0].Text, got.Rows[0].Groups[0].Until})
	total := int64(0)
	for _, r := range got.Rows {
		n, _ := r.Values[0].(int64)
		if d, is := r.Values[0].(decimal.Decimal); is {
			n = d.IntPart()
		}
		total += n
	}
	require.Equal(w, count(w.lots, func(l lot) bool { return l.day >= "2023-02-01" && l.day != "" && l.day <= "2025-05-01" }), total)
}

// beforeNumbers: a running total begins with the first number, and stays when no more come.
func (w *world) beforeNumbers() {
	var before, after int
	for _, line := range lines(w.data("all", "late")) {
		parts := strings.Split(line, "|")
		switch {
		case parts[0] < "2025-09-01": // what has no day among them
			before++
			require.Equal(w, []string{"-", "-"}, parts[1:], line)
		case parts[0] >= "2026-03-01":
			after++
			require.Equal(w, "-", parts[1], line)
			require.NotEqual(w, "-", parts[2], line)
		}
	}
	require.Greater(w, before, 2)
	require.Greater(w, after, 2)
}

// The largest groups, and one of all others.
func (w *world) largest() {
	shown := slices.DeleteFunc(slices.Clone(w.lots), func(l lot) bool { return l.result != "OK" })
	keys, of := group(shown, func(l lot) string { return l.site })
	slices.SortStableFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(of[b]), len(of[a])), cmp.Compare(w.sites[a], w.sites[b]))
	})
	got := w.data("all", "sites")
	require.Len(w, got.Rows, 3)
	var rest []lot
	for i, k := range keys {
		if i >= 2 {
			rest = append(rest, of[k]...)
			continue
		}
		require.Equal(w, k, got.Rows[i].Groups[0].Value)
		require.Equal(w, w.sites[k], got.Rows[i].Groups[0].Text)
		require.Equal(w, fmt.Sprint(len(of[k])), figure(got.Rows[i].Values[0]))
	}
	last := got.Rows[2]
	require.True(w, last.Groups[0].Others)
	require.Equal(w, fmt.Sprint(len(rest)), figure(last.Values[0]))
	n := count(rest, func(l lot) bool { return l.amount != nil })
	average := sum(rest).DivRound(decimal.NewFromInt(n), 8)
	require.Equal(w, average.String(), figure(last.Values[1]))
	require.Equal(w, "-", figure(last.Values[2]), "distinct values of several groups are not known")
	require.Equal(w, average.DivRound(decimal.NewFromInt(int64(len(rest))), 8).String(), figure(last.Values[3]))
}

// Groups by the records above on a level of a tree, and by the province or city of addresses.
func (w *world) levels() {
	ids := map[string]string{"": ""}
	for id, name := range w.sites {
		ids[name] = id
	}
	expect := func(lots []lot, key func(lot) string, line func(string, []lot) string, got reporting.Data) {
		w.Helper()
		keys, of := group(lots, key)
		want := []string{}
		for _, k := range keys {
			want = append(want, line(k, of[k]))
		}
		slices.Sort(want)
		have := lines(got)
		slices.Sort(have)
		require.Equal(w, want, have)
	}
	figures := func(k string, lots []lot) string {
		n := count(lots, func(l lot) bool { return l.amount != nil })
		total := sum(lots)
		var average, share, least, most any
		for _, l := range lots {
			if l.amount == nil {
				continue
			}
			if least == nil || l.amount.LessThan(least.(decimal.Decimal)) {
				least = *l.amount
			}
			if most == nil || l.amount.GreaterThan(most.(decimal.Decimal)) {
				most = *l.amount
			}
		}
		if total != nil {
			average, share = total.DivRound(decimal.NewFromInt(n), 8), total.DivRound(decimal.NewFromInt(int64(len(lots))), 8)
		}
		return strings.Join([]string{k, fmt.Sprint(len(lots)), figure(total), figure(average), figure(least), figure(most), figure(share)}, "|")
	}
	up := func(tops map[string]string) func(lot) string {
		return func(l lot) string {
			if top, has := tops[w.sites[l.site]]; has {
				return ids[top]
			}
			return l.site
		}
	}
	expect(w.lots, up(map[string]string{"下闸首": "闸室", "底板": "闸室"}), figures, w.data("all", "level1"))
	expect(w.lots, func(l lot) string { return up(map[string]string{"底板": "下闸首"})(l) + "|" + l.result }, func(k string, lots []lot) string { return fmt.Sprint(k, "|", len(lots)) },
		w.data("all", "level2"))
	expect(w.lots, up(map[string]string{"下闸首": ""}), figures, w.data("part", "level1"))
	expect(w.lots, func(l lot) string { return l.area[:min(len(l.area), 4)] }, func(k string, lots []lot) string { return fmt.Sprint(k, "|", len(lots)) }, w.data("all", "cities"))
	require.Equal(w, lines(w.data("all", "level1")), lines(w.data("all", "level1")), "rows in memory stay as they are")
}

// Rows of sub-tables, with filters and groups of both.
func (w *world) rowsOfSheets() {
	for _, kind := range []string{"", "k1"} {
		of := map[string][]int64{}
		for _, l := range w.lots {
			for _, i := range l.items {
				if l.result == "OK" && (kind == "" || i.kind == kind) {
					of[i.kind+"|"+l.place] = append(of[i.kind+"|"+l.place], i.value)
				}
			}
		}
		want := []string{}
		for _, k := range slices.Sorted(maps.Keys(of)) {
			total := int64(0)
			for _, v := range of[k] {
				total += v
			}
			want = append(want, fmt.Sprint(k, "|", len(of[k]), "|", total))
		}
		var filters []query.Filter
		if kind != "" {
			filters = append(filters, filter("kind", "Contains", kind))
		}
		require.Equal(w, want, lines(w.data("all", "kinds", filters...)), kind)
	}
}

// What somebody may not see is in no figure.
func (w *world) rights() {
	own := slices.DeleteFunc(slices.Clone(w.lots), func(l lot) bool { return l.owner != "own" })
	require.Equal(w, []string{fmt.Sprint(len(own))}, lines(w.data("own", "all")), "no amounts")
	_, err := w.app.Reports().Data(w.Context(), w.as("own"), reporting.Request{Report: "lots", Sets: []string{"kinds"}})
	require.Equal(w, fault.BadParameter, fault.Of(err), "no data set of a hidden sub-table")
	described, err := w.app.Reports().Get(w.as("own"), "lots")
	require.NoError(w, err)
	for _, set := range described.Sets {
		require.NotEqual(w, "kinds", set.Code)
		if set.Code == "months" {
			var codes []string
			for _, m := range set.Measures {
				codes = append(codes, m.Code)
			}
			require.Equal(w, []string{"lots", "places", "year"}, codes, "no figure of a hidden property, not by a condition, not by a formula and not by another figure")
		}
	}
	for _, r := range w.data("own", "months").Rows {
		require.Len(w, r.Values, 3)
	}
	for _, r := range w.data("own", "sites").Rows {
		require.Empty(w, r.Groups[0].Value, "records that may not be seen have no group")
	}
	reports := w.app.Reports()
	got, err := reports.Get(w.as("own"), "lots")
	require.NoError(w, err)
	require.Equal(w, "demo", *got.App)
	var filters []string
	for _, f := range got.Filters {
		filters = append(filters, f.PropertyCode)
	}
	require.Equal(w, []string{"period", "result"}, filters)
	got, err = reports.Get(w.as("none"), "lots")
	require.NoError(w, err)
	require.Empty(w, got.Sets)
	require.Empty(w, got.Charts)
	_, err = reports.Data(w.Context(), w.as("none"), reporting.Request{Report: "lots", Sets: []string{"all"}})
	require.Equal(w, fault.BadParameter, fault.Of(err))
	_, err = reports.Get(w.as("own"), "secret")
	require.Equal(w, fault.ReportNotFound, fault.Of(err))
	_, err = reports.Get(w.as("all"), "secret")
	require.NoError(w, err)
	_, err = reports.Data(w.Context(), w.as("own"), reporting.Request{Report: "lots", Filters: []query.Filter{filter("amount", "Equal", "1")}})
	require.Equal(w, fault.FieldUnknown, fault.Of(err), "filters are those of the report")
	bad, err := reports.Data(w.Context(), w.as("all"), reporting.Request{Report: "lots", Filters: []query.Filter{filter("period", "Between", "nonsense;")}})
	require.NoError(w, err)
	for _, d := range bad {
		if d.Code == "weeks" {
			require.NoError(w, d.Err)
			require.NotEmpty(w, d.Rows, "a data set without the filter has its rows")
		} else if d.Code == "months" {
			require.Equal(w, fault.FilterValue, fault.Of(d.Err))
		}
	}
}

// A figure without groups is compared with the period before by the days of the filter.
func (w *world) periodBefore() {
	between := func(from, to string) *decimal.Decimal {
		return sum(slices.DeleteFunc(slices.Clone(w.lots), func(l lot) bool { return l.day == "" || l.day < from || l.day > to }))
	}
	for _, c := range [][3]string{{"2026-02-01;2026-02-28", "2026-01-01", "2026-01-31"}, {"2026-01-01;2026-06-30", "2025-07-01", "2025-12-31"}, {"2026-03-10;2026-03-19", "2026-02-28", "2026-03-09"}} {
		got := w.data("all", "all", filter("period", "Between", c[0]))
		require.Equal(w, figure(between(c[1], c[2])), figure(got.Rows[0].Values[2]), c[0])
	}
}
