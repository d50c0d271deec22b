package reporting_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/reporting"
	"github.com/sluice-platform/sluice/runtime/store"
)

// How many random reports there are, and data sets of each.
const (
	randomReports = 3
	randomSets    = 100
)

// grouping is a way to group lots, and what the test makes of it itself.
type grouping struct {
	document map[string]any
	of       func(w *world, l lot) string
	time     bool
	level    bool
}

// measuring is a figure, and what the test makes of it itself; nil = none.
type measuring struct {
	document map[string]any
	of       func([]lot) any
	folds    bool // of several groups it is not known
}

// randomSet is a data set with what its rows have to be.
type randomSet struct {
	code     string
	where    func(lot) bool
	groups   []grouping
	measures []measuring
	order    int // the measure that sorts; -1 = the groups do
	down     bool
	top      int
	others   bool
}

func day(l lot) (time.Time, bool) {
	at, err := time.Parse(time.DateOnly, l.day)
	return at, err == nil
}

// groupings are all ways to group by one property.
func groupings() (out []grouping) {
	plain := func(property string, of func(lot) string) {
		out = append(out, grouping{map[string]any{"propertyCode": property}, func(_ *world, l lot) string { return of(l) }, false, false})
	}
	plain("result", func(l lot) string { return l.result })
	plain("place", func(l lot) string { return l.place })
	plain("site", func(l lot) string { return l.site })
	for step, of := range map[string]func(time.Time) time.Time{
		"year": func(at time.Time) time.Time { return time.Date(at.Year(), 1, 1, 0, 0, 0, 0, time.UTC) },
		"quarter": func(at time.Time) time.Time {
			return time.Date(at.Year(), (at.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
		},
		"month": func(at time.Time) time.Time { return at.AddDate(0, 0, 1-at.Day()) },
		"week":  func(at time.Time) time.Time { return at.AddDate(0, 0, -(int(at.Weekday())+6)%7) },
		"day":   func(at time.Time) time.Time { return at },
	} {
		out = append(out, grouping{map[string]any{"propertyCode": "day", "timeStep": step}, func(_ *world, l lot) string {
			if at, ok := day(l); ok {
				return of(at).Format(time.DateOnly)
			}
			return ""
		}, true, false})
	}
	for step, layout := range map[string]string{"hour": "2006-01-02 15:00", "day": "2006-01-02", "month": "2006-01-01"} {
		out = append(out, grouping{map[string]any{"propertyCode": "done", "timeStep": step}, func(w *world, l lot) string {
			if l.done.IsZero() {
				return ""
			}
			at := l.done.In(w.app.Zone())
			if step == "month" {
				return at.Format("2006-01") + "-01"
			}
			return at.Format(layout)
		}, true, false})
	}
	above := map[string][]string{"下闸首": {"闸室"}, "底板": {"闸室", "下闸首"}}
	for level := 1; level <= 2; level++ {
		out = append(out, grouping{map[string]any{"propertyCode": "site", "level": level}, func(w *world, l lot) string {
			if up := above[w.sites[l.site]]; len(up) >= level {
				for id, name := range w.sites {
					if name == up[level-1] {
						return id
					}
				}
			}
			return l.site
		}, false, true}, grouping{map[string]any{"propertyCode": "area", "level": level}, func(_ *world, l lot) string { return l.area[:min(len(l.area), 2*level)] }, false, true})
	}
	slices.SortFunc(out, func(a, b grouping) int { return cmp.Compare(fmt.Sprint(a.document), fmt.Sprint(b.document)) })
	return out
}

type condition struct {
	text string
	of   func(lot) bool
}

var conditions = []condition{
	{"", func(lot) bool { return true }},
	{"result == 'OK'", func(l lot) bool { return l.result == "OK" }},
	{"result != 'OK'", func(l lot) bool { return l.result != "OK" }},
	{"amount > 50", func(l lot) bool { return l.amount != nil && l.amount.GreaterThan(decimal.NewFromInt(50)) }},
	{"place == 'p1' || place == 'p2'", func(l lot) bool { return l.place == "p1" || l.place == "p2" }},
	{"day >= date('2025-09-01')", func(l lot) bool { return l.day >= "2025-09-01" }},
}

// amounts are what figures of the amount are made of.
func amounts(lots []lot, where func(lot) bool) (out []decimal.Decimal) {
	for _, l := range lots {
		if where(l) && l.amount != nil {
			out = append(out, *l.amount)
		}
	}
	return out
}

func total(of []decimal.Decimal) any {
	if len(of) == 0 {
		return nil
	}
	return decimal.Sum(of[0], of[1:]...)
}

func randomMeasures(r *rand.Rand, level bool) (out []measuring) {
	n := 1 + r.IntN(4)
	for i := range n {
		c := conditions[r.IntN(len(conditions))]
		m := measuring{document: map[string]any{"code": fmt.Sprint("m", i)}}
		if c.text != "" {
			m.document["condition"] = c.text
		}
		kind := r.IntN(7)
		if level && kind == 5 {
			kind = 0
		}
		fn := []string{"count", "sum", "average", "minimum", "maximum", "distinct", "sum"}[kind]
		m.document["sumType"] = fn
		switch {
		case kind == 6:
			m.document["formula"] = "amount * 2 + 1"
		case fn == "distinct":
			m.document["propertyCode"] = "place"
		case fn != "count":
			m.document["propertyCode"] = "amount"
		}
		m.folds = fn == "distinct"
		m.of = func(lots []lot) any {
			of := amounts(lots, c.of)
			switch {
			case fn == "count":
				return count(lots, c.of)
			case fn == "distinct":
				places := map[string]bool{}
				for _, l := range lots {
					if c.of(l) && l.place != "" {
						places[l.place] = true
					}
				}
				return int64(len(places))
			case len(of) == 0:
				return nil
			case kind == 6:
				return total(of).(decimal.Decimal).Mul(decimal.NewFromInt(2)).Add(decimal.NewFromInt(int64(len(of))))
			case fn == "sum":
				return total(of)
			case fn == "average":
				return total(of).(decimal.Decimal).DivRound(decimal.NewFromInt(int64(len(of))), 8)
			case fn == "minimum":
				return slices.MinFunc(of, decimal.Decimal.Cmp)
			default:
				return slices.MaxFunc(of, decimal.Decimal.Cmp)
			}
		}
		out = append(out, m)
	}
	if n > 1 && r.IntN(2) == 0 {
		a, b := out[r.IntN(n)], out[r.IntN(n)]
		out = append(out, measuring{map[string]any{"code": "share", "sumType": "ratio", "numerator": a.document["code"], "denominator": b.document["code"]}, func(lots []lot) any {
			x, one := numberOf(a.of(lots))
			y, two := numberOf(b.of(lots))
			if !one || !two || y.IsZero() {
				return nil
			}
			return x.DivRound(y, 8)
		}, a.folds || b.folds})
	}
	return out
}

func numberOf(v any) (decimal.Decimal, bool) {
	switch x := v.(type) {
	case decimal.Decimal:
		return x, true
	case int64:
		return decimal.NewFromInt(x), true
	}
	return decimal.Decimal{}, false
}

// randomSetOf makes a data set up.
func randomSetOf(r *rand.Rand, all []grouping, i int) (randomSet, map[string]any) {
	c := conditions[r.IntN(len(conditions))]
	s := randomSet{code: fmt.Sprint("s", i), where: c.of, order: -1}
	document := map[string]any{"code": s.code, "schemaCode": "lot", "filters": []string{"period", "result"}}
	if c.text != "" {
		document["condition"] = c.text
	}
	groups, measures, level := []map[string]any{}, []map[string]any{}, false
	for k := range r.IntN(4) {
		g := all[r.IntN(len(all))]
		s.groups, level = append(s.groups, g), level || g.level
		with := map[string]any{"code": fmt.Sprint("g", k)}
		for key, value := range g.document {
			with[key] = value
		}
		groups = append(groups, with)
	}
	s.measures = randomMeasures(r, level)
	for _, m := range s.measures {
		measures = append(measures, m.document)
	}
	if len(groups) > 0 && r.IntN(2) == 0 {
		s.order, s.down = r.IntN(len(measures)), r.IntN(2) == 0
		direction := "ascending"
		if s.down {
			direction = "descending"
		}
		document["orderBy"] = []map[string]any{{"code": measures[s.order]["code"], "direction": direction}}
		if r.IntN(2) == 0 {
			s.top, s.others = 1+r.IntN(4), r.IntN(2) == 0
			document["top"], document["others"] = s.top, s.others
		}
	}
	document["groups"], document["measures"] = groups, measures
	return s, document
}

// oracle compares random data sets over random records, with random filters and different rights, with what the test computes itself.
func (w *world) oracle() {
	author, err := w.app.AddUser(w.Context(), "author", "author", []string{"administrator"})
	require.NoError(w, err)
	w.ids["author"] = author
	seed := rand.Uint64()
	w.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	all := groupings()
	sets := map[string][]randomSet{}
	change := app.Changeset{Note: "random"}
	for n := range randomReports {
		code := fmt.Sprint("random", n)
		documents := []any{}
		for i := range randomSets {
			s, document := randomSetOf(r, all, i)
			sets[code], documents = append(sets[code], s), append(documents, document)
		}
		text, err := json.Marshal(map[string]any{"name": code, "dataSets": documents, "charts": []any{map[string]any{"code": "c", "chartType": "figure", "dataSet": "s0", "measure": "m0"}},
			"filters": []any{map[string]any{"code": "period", "schemaCode": "lot", "propertyCode": "day"}, map[string]any{"code": "result", "schemaCode": "lot", "propertyCode": "result"}}})
		require.NoError(w, err)
		document := string(text)
		change.Files = append(change.Files, app.Change{Pack: "demo", Path: "reports/" + code + ".json", Text: &document})
	}
	_, err = w.app.Publish(w.Context(), w.as("author"), change, app.Confirmation{})
	require.NoError(w, err)
	for code, of := range sets {
		for _, name := range []string{"all", "own"} {
			from := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, r.IntN(400))
			first, last := from.Format(time.DateOnly), from.AddDate(0, 0, r.IntN(400)).Format(time.DateOnly)
			filters, in := []query.Filter{}, func(lot) bool { return true }
			switch r.IntN(3) {
			case 0:
				filters, in = append(filters, filter("period", "Between", first+";"+last)), func(l lot) bool { return l.day != "" && l.day >= first && l.day <= last }
			case 1:
				filters, in = append(filters, filter("result", "Equal", "BAD")), func(l lot) bool { return l.result == "BAD" }
			}
			got, err := w.app.Reports().Data(w.Context(), w.as(name), reporting.Request{Report: code, Filters: filters})
			require.NoError(w, err)
			of := of
			if name == "own" {
				of = withoutAmounts(of)
			}
			require.Len(w, got, len(of), "%s for %s", code, name)
			var lots []lot
			for _, l := range w.lots {
				if name == "own" {
					l.amount, l.site = nil, ""
				}
				if in(l) && (name == "all" || l.owner == "own") {
					lots = append(lots, l)
				}
			}
			for i, d := range got {
				require.NoError(w, d.Err)
				w.same(of[i], lots, d, fmt.Sprint(code, " ", of[i].code, " for ", name, " ", filters, " seed ", seed))
			}
		}
	}
}

// withoutAmounts are data sets as those have them who may not read amounts: without figures that name one, or are made of one that does.
func withoutAmounts(in []randomSet) (out []randomSet) {
	for _, s := range in {
		hidden := map[any]bool{}
		var left []measuring
		order := -1
		for i, m := range s.measures {
			d := m.document
			if strings.Contains(fmt.Sprint(d["propertyCode"], d["formula"], d["condition"]), "amount") || hidden[d["numerator"]] || hidden[d["denominator"]] {
				hidden[d["code"]] = true
				continue
			}
			if i == s.order {
				order = len(left)
			}
			left = append(left, m)
		}
		if s.measures, s.order = left, order; len(left) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// same compares the rows of a data set with the lots that they are made of.
func (w *world) same(s randomSet, lots []lot, d reporting.Data, what string) {
	w.Helper()
	of := map[string][]lot{}
	if len(s.groups) == 0 {
		of[""] = nil // always one row
	}
	for _, l := range lots {
		if s.where(l) {
			var key []string
			for _, g := range s.groups {
				key = append(key, g.of(w, l))
			}
			of[strings.Join(key, "|")] = append(of[strings.Join(key, "|")], l)
		}
	}
	expected := func(lots []lot, rest bool) (out []string) {
		for _, m := range s.measures {
			if rest && m.folds {
				out = append(out, "-")
				continue
			}
			out = append(out, figure(m.of(lots)))
		}
		return out
	}
	rows, left := len(of), of
	if s.top > 0 && s.top < len(of) {
		if rows = s.top; s.others {
			rows++
		}
	}
	require.Len(w, d.Rows, rows, what)
	var sorted []decimal.Decimal
	for _, row := range d.Rows {
		var key, have []string
		for _, g := range row.Groups {
			key = append(key, g.Value)
		}
		for _, v := range row.Values {
			have = append(have, figure(v))
		}
		if len(row.Groups) > 0 && row.Groups[0].Others {
			var rest []lot
			for _, lots := range left {
				rest = append(rest, lots...)
			}
			require.Equal(w, expected(rest, true), have, what)
			continue
		}
		k := strings.Join(key, "|")
		lots, there := left[k]
		require.True(w, there, "%s: %q", what, k)
		require.Equal(w, expected(lots, false), have, "%s: %q", what, k)
		delete(left, k)
		if s.order >= 0 {
			if v, ok := numberOf(row.Values[s.order]); ok {
				sorted = append(sorted, v)
			}
		}
	}
	ordered := func(a, b decimal.Decimal) int {
		if s.down {
			return b.Cmp(a)
		}
		return a.Cmp(b)
	}
	require.True(w, slices.IsSortedFunc(sorted, ordered), what)
	if s.top > 0 && len(sorted) > 0 { // nothing that was left over belongs before the last of them
		for k, lots := range left {
			if v, ok := numberOf(s.measures[s.order].of(lots)); ok {
				require.GreaterOrEqual(w, ordered(v, sorted[len(sorted)-1]), 0, "%s: %q", what, k)
			}
		}
	}
}

// many asks for more groups than are read: the first are answered, within bounds, and it is said that there are more.
func (w *world) many() {
	const more = query.MaxGroups + 50
	m := w.app.State().Catalog.Model("lot")
	if strings.HasSuffix(w.Name(), "postgres") {
		return // the bounds are the same, and making so many rows takes seconds
	}
	require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
		columns, err := tx.System().Migrator().ColumnTypes(m.Table)
		if err != nil {
			return err
		}
		var into, from []string
		for _, c := range columns {
			name := store.Ident(c.Name())
			into = append(into, name)
			switch c.Name() {
			case "id":
				name = "randomblob(16)"
			case "rid":
				name = "NULL"
			case "place":
				name = "'x' || (100000 + n.n)"
			case "sequence_no", "sequenceNo":
				name = "'T-' || n.n"
			}
			from = append(from, name)
		}
		table := store.Ident(m.Table)
		return tx.System().Exec("INSERT INTO " + table + " (" + strings.Join(into, ", ") + ") SELECT " + strings.Join(from, ", ") + " FROM (SELECT * FROM " + table + " LIMIT 1) AS one, " +
			fmt.Sprintf("(WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < %d) SELECT n FROM n) AS n", more)).Error
	}))
	text := `{"name": "many", "dataSets": [{"code": "places", "schemaCode": "lot", "groups": ["place"], "measures": [{"code": "n", "sumType": "count"}]},
		{"code": "top", "schemaCode": "lot", "groups": ["place"], "measures": [{"code": "n", "sumType": "count"}], "orderBy": [{"code": "n", "direction": "descending"}], "top": 5}],
		"charts": [{"code": "c", "chartType": "bar", "dataSet": "places", "category": "place", "series": ["n"]}]}`
	_, err := w.app.Publish(w.Context(), w.as("author"), app.Changeset{Files: []app.Change{{Pack: "demo", Path: "reports/many.json", Text: &text}}}, app.Confirmation{})
	require.NoError(w, err)
	got, err := w.app.Reports().Data(w.Context(), w.as("all"), reporting.Request{Report: "many", Sets: []string{"top"}})
	require.NoError(w, err)
	require.NoError(w, got[0].Err)
	require.True(w, got[0].Truncated)
	require.Len(w, got[0].Rows, 5)
	require.Zero(w, got[0].Groups, "nobody counted all of them")
	file, err := w.app.Reports().File(w.Context(), w.as("all"), reporting.FileRequest{Report: "many", Type: reporting.XLSX})
	require.NoError(w, err)
	names, sheets := w.sheets(file)
	require.Contains(w, fmt.Sprint(sheets[names[0]][:5]), "超过 100,000 组，只显示前 10,000 组")
	require.InDelta(w, reporting.MaxRows, len(sheets[names[0]]), 10)
}
