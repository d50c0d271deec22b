package reporting_test

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/reporting"
	"github.com/sluice-platform/sluice/runtime/store"
)

var update = flag.Bool("update", false, "rewrite testdata/behind.json")

var kinds = apptest.Of(plugintest.Register, "testdata/kinds")

// turns are zones with a moment about which their clocks are changed: back at one, and forward or back at midnight, by half an hour; and zones
// that never change them, or are no whole hours from others.
var turns = map[string]time.Time{
	"Asia/Shanghai":       time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
	"Asia/Kathmandu":      time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
	"America/New_York":    time.Date(2025, 11, 2, 6, 0, 0, 0, time.UTC),
	"America/Havana":      time.Date(2025, 11, 2, 5, 0, 0, 0, time.UTC),
	"America/Sao_Paulo":   time.Date(2018, 11, 4, 3, 0, 0, 0, time.UTC),
	"Australia/Lord_Howe": time.Date(2026, 4, 4, 15, 0, 0, 0, time.UTC),
}

// TestBehindEveryGroup: the number of a group is that of the records in the list that opens from it, for every kind of property and of step, in
// zones that change their clocks. The conditions are written to testdata/behind.json, which the test of the interface's own reads.
func TestBehindEveryGroup(t *testing.T) {
	t.Parallel()
	zones := []string{"Asia/Shanghai", "America/New_York", "America/Havana", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu"}
	kinds.Each(t, func(t *testing.T, o store.Options) {
		for i, name := range zones {
			w := &world{TB: t, ids: map[string]string{}, sites: map[string]string{}, rand: rand.New(rand.NewPCG(7, uint64(i)))}
			seen := w.kindsIn(o, name)
			if i == 0 {
				w.corpus(seen)
			}
		}
	})
}

// kindsIn fills the kinds of an installation in a zone, compares, and answers the conditions.
func (w *world) kindsIn(o store.Options, name string) []behindCase {
	zone, err := time.LoadLocation(name)
	require.NoError(w, err)
	set := &pack.Set{}
	require.NoError(w, plugintest.Register(set))
	set.Freeze()
	a, err := app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"testdata/kinds"}, Zone: zone}, Dir: o.Dir, URL: o.URL,
		Version: apptest.Version, Clock: func() time.Time { return today }, Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
	require.NoError(w, err)
	defer func() { require.NoError(w, a.Close()) }()
	w.app = a
	for _, who := range []string{"all", "more"} {
		id := apptest.Person(w.Context(), a, who)
		if id == "" {
			id, err = a.AddUser(w.Context(), who, who, []string{"all"})
			require.NoError(w, err)
		}
		w.ids[who] = id
	}
	w.marks(turns[name])
	return w.countBehind(name)
}

// marks adds records, of which many have no value. Moments are about one at which the zone's clocks are changed.
func (w *world) marks(turn time.Time) {
	some := func() bool { return w.rand.IntN(6) > 0 }
	one := func(of ...any) any { return of[w.rand.IntN(len(of))] }
	places := []any{w.save("all", "place", map[string]any{"title": "闸室"}), w.save("all", "place", map[string]any{"title": "闸室"})}
	for range 60 {
		day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, w.rand.IntN(900)).Format(time.DateOnly)
		at := turn.Add(time.Duration(w.rand.IntN(8*3600*1000)-4*3600*1000) * time.Millisecond)
		if w.rand.IntN(3) == 0 {
			at = turn.Add(time.Duration(w.rand.IntN(48)-24) * time.Hour).Add(-time.Millisecond) // the last of an hour
		}
		data := map[string]any{}
		values := map[string]any{
			"day": day, "ofMonth": day[:7] + "-01", "ofYear": day[:4] + "-01-01", "at": at.Format("2006-01-02T15:04:05.000Z07:00"), "clock": one("08:30:00", "08:30:59", "23:59:59"),
			"short": one("p", "P", "pp", "p;q", "100%", "a_b", `it's "so"`, "5", "船闸"), "long": one("第一行\n第二行", "第一行", "x;y", "<b>"),
			"number": one("5", "5.5", "-5", "0", "1000000.25"), "share": one("0.5", "0.05", "1"), "yes": one(true, false), "radio": one("OK", "BAD"), "drop": one("a", "ab"),
			"place": one(places...), "who": one(w.ids["all"], w.ids["more"]), "area": one(map[string]any{"code": "320102"}, map[string]any{"code": "32"}, map[string]any{"code": "320102", "detail": "5"}),
		}
		for _, code := range slices.Sorted(maps.Keys(values)) {
			if some() {
				data[code] = values[code]
			}
		}
		w.save(one("all", "more").(string), "mark", data)
	}
}

// behindCase is a value of a group with the condition of the list that opens from it; none where no list can have it.
type behindCase struct {
	PropertyType int            `json:"propertyType"`
	TimeStep     *string        `json:"timeStep"`
	Level        int            `json:"level,omitempty"`
	Value        string         `json:"value"`
	Text         string         `json:"text"`
	From         string         `json:"from,omitempty"`
	Until        string         `json:"until,omitempty"`
	Others       bool           `json:"others,omitempty"`
	Filter       *behindControl `json:"filter"`
}

type behindControl struct {
	Value    string `json:"value"`
	Operator string `json:"operator"`
}

// caseOf is what ui/src/features/report/drill.ts makes of a value.
func caseOf(g reporting.Group, v reporting.Value) behindCase {
	out := behindCase{PropertyType: g.PropertyType, TimeStep: g.Step, Level: g.Level, Value: v.Value, Text: v.Text, From: v.From, Until: v.Until, Others: v.Others}
	switch {
	case v.Others || g.Level > 0 || g.PropertyType == 4 && v.Value == "": // no operator finds what is neither yes nor no
	case v.Value == "":
		out.Filter = &behindControl{"", "IsNull"}
	case g.Step != nil:
		out.Filter = &behindControl{cmp.Or(v.From, v.Value) + ";" + cmp.Or(v.Until, v.Value), "Between"}
	default:
		out.Filter = &behindControl{v.Value, "Equal"}
	}
	return out
}

// countBehind opens the list behind each group of each data set.
func (w *world) countBehind(zone string) (seen []behindCase) {
	view := w.as("all")
	report, err := w.app.Reports().Get(view, "kinds")
	require.NoError(w, err)
	all, err := w.app.Reports().Data(w.Context(), view, reporting.Request{Report: "kinds"})
	require.NoError(w, err)
	for i, d := range all {
		require.NoError(w, d.Err)
		same := map[string]decimal.Decimal{} // what the page shows of a value: rows that it cannot tell apart are one
		filters := map[string][]query.Filter{}
		for _, row := range d.Rows {
			of := []query.Filter{{Behind: "kinds/" + d.Code + "/n"}}
			for k, g := range report.Sets[i].Groups {
				c := caseOf(g, row.Groups[k])
				seen = append(seen, c)
				if c.Filter == nil {
					of = nil
					break
				}
				of = append(of, filter(g.PropertyCode, c.Filter.Operator, c.Filter.Value))
			}
			if of == nil {
				continue
			}
			key := fmt.Sprint(told(of))
			n, _ := numberOf(row.Values[0])
			same[key], filters[key] = same[key].Add(n), of
		}
		require.NotEmpty(w, same, d.Code)
		for key, of := range filters {
			text, err := w.app.Reader().List(w.Context(), view, query.ListRequest{SchemaCode: "mark", Filters: of})
			require.NoError(w, err, "%s in %s: %s", d.Code, zone, told(of))
			var page struct {
				TotalElements int64 `json:"totalElements"`
			}
			require.NoError(w, json.Unmarshal(text, &page))
			require.Equal(w, same[key].IntPart(), page.TotalElements, "%s in %s: %s", d.Code, zone, told(of))
		}
	}
	return seen
}

func told(of []query.Filter) (out []string) {
	for _, f := range of {
		out = append(out, fmt.Sprint(f.Behind, f.PropertyCode, " ", string(f.QueryFilterType), " ", string(f.PropertyValue)))
	}
	return out
}

// corpus compares the conditions with testdata/behind.json, two of each kind.
func (w *world) corpus(seen []behindCase) {
	const file = "testdata/behind.json"
	var few []behindCase
	kept := map[string]int{}
	for _, c := range seen {
		operator := "none"
		if c.Filter != nil {
			operator = c.Filter.Operator
		}
		kind := fmt.Sprint(c.PropertyType, operator)
		if c.TimeStep != nil {
			kind += *c.TimeStep
		}
		if kept[kind]++; kept[kind] > 1 || len(c.Value) == 36 { // ids are others in each run
			continue
		}
		few = append(few, c)
	}
	step := "month"
	few = append(few, caseOf(reporting.Group{PropertyType: 3, Step: &step}, reporting.Value{GroupValue: query.GroupValue{Others: true}}),
		caseOf(reporting.Group{PropertyType: 14, Level: 1}, reporting.Value{GroupValue: query.GroupValue{Value: "x", Text: "x"}}))
	text, err := json.MarshalIndent(few, "", "  ")
	require.NoError(w, err)
	if *update {
		require.NoError(w, os.WriteFile(file, append(text, '\n'), 0o644))
	}
	have, err := os.ReadFile(file)
	require.NoError(w, err)
	require.JSONEq(w, string(have), string(text))
}
