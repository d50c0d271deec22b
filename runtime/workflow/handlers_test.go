package workflow_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// handled lists contracts as ann sees them: the record's id and the people whose tasks wait at it, in order.
func (w *world) handled(filters ...query.Filter) map[string][]string {
	w.Helper()
	body, err := w.app.Reader().List(w.Context(), w.as("ann"), query.ListRequest{SchemaCode: "contract", Filters: filters})
	require.NoError(w, err)
	var page struct {
		Content []struct {
			ID   string
			Data struct {
				People []struct{ ID, Name string } `json:"participants_"`
			}
		}
	}
	require.NoError(w, json.Unmarshal(body, &page))
	out := map[string][]string{}
	for _, row := range page.Content {
		out[row.ID] = []string{}
		for _, p := range row.Data.People {
			require.Equal(w, w.ids[p.Name], p.ID)
			out[row.ID] = append(out[row.ID], p.Name)
		}
	}
	return out
}

func handlers(op string, ids ...string) query.Filter {
	f := query.Filter{PropertyCode: catalog.Participants, QueryFilterType: raw(op)}
	if len(ids) > 0 {
		f.PropertyValue = raw(ids)
	}
	return f
}

// TestHandlers: a list shows, finds and exports who has to act on a record, as their tasks say.
func TestHandlers(t *testing.T) {
	each(t, func(w *world) {
		var records, instances []string
		for _, amount := range []any{1, 2_000_000, 2_000_000, 5} {
			done := w.start("ann", amount)
			records, instances = append(records, done.Record), append(instances, done.Instance)
		}
		first := func(who, record string) string {
			for _, i := range w.list(who, "unfinished") {
				if i.Record == record {
					return i.ID
				}
			}
			return ""
		}
		do := func(who, record string, op flow.Operation, change func(*workflow.Command)) {
			c := workflow.Command{Item: first(who, record), Do: op}
			if change != nil {
				change(&c)
			}
			_, err := w.flows().Act(w.Context(), w.as(who), c)
			require.NoError(w, err, who)
		}
		checked := func(record string) func(*workflow.Command) { return w.writes(record, map[string]any{"checked": 5}) }
		do("sue", records[1], flow.OpAgree, checked(records[1]))
		do("sue", records[2], flow.OpAgree, checked(records[2]))
		do("sam", records[2], flow.OpAgree, nil)
		do("sue", records[3], flow.OpTransfer, func(c *workflow.Command) { c.People = []string{w.ids["kim"]} })
		alone, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "contract", Set: w.set("title", "No workflow")})
		require.NoError(w, err)
		records = append(records, alone.ID)

		want := map[string][]string{}
		for _, r := range records {
			want[r] = []string{}
			for _, who := range slices.Sorted(maps.Keys(staff)) {
				if first(who, r) != "" {
					want[r] = append(want[r], who)
				}
			}
		}
		require.NotEmpty(w, want[records[1]])
		got := w.handled()
		for _, people := range got {
			slices.Sort(people)
		}
		require.Equal(w, want, got)

		seen := 0
		for range 15 {
			var of, ids []string
			for _, who := range []string{"sue", "sam", "sid", "olga", "otto", "kim", "ann"} {
				if rand.IntN(3) == 0 {
					of, ids = append(of, who), append(ids, w.ids[who])
				}
			}
			if len(of) == 0 {
				continue
			}
			in := func(who string) bool { return slices.Contains(of, who) }
			for op, holds := range map[string]func(f []string) bool{
				"Equal": func(f []string) bool {
					return len(f) == len(of) && !slices.ContainsFunc(f, func(w string) bool { return !in(w) })
				},
				"Contains": func(f []string) bool { return slices.ContainsFunc(f, in) },
				"Have": func(f []string) bool {
					return !slices.ContainsFunc(of, func(w string) bool { return !slices.Contains(f, w) })
				},
				"In": func(f []string) bool {
					return len(f) > 0 && !slices.ContainsFunc(f, func(w string) bool { return !in(w) })
				},
				"IsNull": func(f []string) bool { return len(f) == 0 },
			} {
				no := map[string]string{"Equal": "NotEqual", "Contains": "NotContains", "Have": "NotHave", "In": "NotIn", "IsNull": "IsNotNull"}[op]
				values := ids
				if op == "IsNull" {
					values = nil
				}
				var yes, not []string
				for r, people := range want {
					if holds(people) {
						yes = append(yes, r)
					} else {
						not = append(not, r)
					}
				}
				require.ElementsMatch(w, yes, slices.Collect(maps.Keys(w.handled(handlers(op, values...)))), "%s %v", op, of)
				require.ElementsMatch(w, not, slices.Collect(maps.Keys(w.handled(handlers(no, values...)))), "%s %v", no, of)
				seen += len(yes)
			}
		}
		require.NotZero(w, seen)

		_, err = w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "contract", Set: map[string]json.RawMessage{"title": raw("Mine"), catalog.Participants: raw([]string{w.ids["ann"]})}})
		require.Error(w, err, "nobody writes who has to act")
		exported := func(list string) (codes []string) {
			fields, err := w.app.Reader().ExtractFields(w.as("ann"), "contract", list, "add")
			require.NoError(w, err)
			for _, f := range fields {
				codes = append(codes, f.PropertyCode)
			}
			return codes
		}
		require.Contains(w, exported("contract"), catalog.Participants, "its list shows the column")
		require.NotContains(w, exported("plain"), catalog.Participants)
		do("kim", records[3], flow.OpAgree, checked(records[3]))
		do("sam", records[3], flow.OpAgree, nil)
		do("sue", records[0], flow.OpAgree, checked(records[0]))
		do("sam", records[0], flow.OpAgree, nil)
		require.Empty(w, w.handled()[records[0]], "a workflow that ended waits for nobody")
		require.NoError(w, w.order("eve", workflow.Order{Instance: instances[1], Do: flow.OpVoid, Opinion: "Wrong"}))
		require.Empty(w, w.handled()[records[1]])
		require.NotEmpty(w, w.handled()[records[2]])
		for i, id := range instances {
			require.Equal(w, i != 2, w.handled()[records[i]] == nil || len(w.handled()[records[i]]) == 0, id)
		}
	})
}
