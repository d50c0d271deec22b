package workflow_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// listed are the amounts of the contracts that a list shows somebody. Its total follows within a second.
func (w *world) listed(who, list string, filters ...query.Filter) []string {
	w.Helper()
	out, total := w.pageOf(who, list, filters)
	require.Eventually(w, func() bool {
		_, total = w.pageOf(who, list, filters)
		return total == len(out)
	}, 5*time.Second, 100*time.Millisecond, "the total of %s", list)
	return out
}

func (w *world) pageOf(who, list string, filters []query.Filter) (amounts []string, total int) {
	body, err := w.app.Reader().List(w.Context(), w.as(who), query.ListRequest{SchemaCode: "contract", QueryCode: list, Filters: filters})
	require.NoError(w, err)
	var page struct {
		Content       []struct{ Data struct{ Amount string } }
		TotalElements int
	}
	require.NoError(w, json.Unmarshal(body, &page))
	for _, row := range page.Content {
		amounts = append(amounts, row.Data.Amount)
	}
	slices.Sort(amounts)
	return amounts, page.TotalElements
}

// TestEngineRowsInConditions: lists name tasks, comments and files in their conditions; pages, totals and filters follow, at once, and
// nobody learns of what they may not see.
func TestEngineRowsInConditions(t *testing.T) {
	each(t, func(w *world) {
		for name, roles := range map[string][]string{"rita": {"supervisor", "reader"}, "oscar": {"outsider"}} {
			id, err := w.app.AddUser(w.Context(), name, name, roles)
			require.NoError(w, err)
			w.ids[name] = id
		}
		w.ahead.Store(int64(-3 * time.Hour)) // the first task will be late
		first := w.start("ann", 1)
		w.ahead.Store(0)
		w.start("ann", 2)
		free, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "contract", Set: map[string]json.RawMessage{"title": raw("Free"), "amount": raw(3)}})
		require.NoError(w, err)

		require.Equal(w, []string{"1", "2"}, w.listed("rita", "todo"))
		require.Equal(w, []string{"2"}, w.listed("rita", "todo", query.Filter{PropertyCode: "amount", QueryFilterType: raw("GreaterThan"), PropertyValue: raw("1")}))
		require.Empty(w, w.listed("ann", "todo"))
		require.Equal(w, []string{"1"}, w.listed("rita", "late"))
		require.Equal(w, []string{"3"}, w.listed("rita", "idle"))
		i := slices.IndexFunc(w.list("rita", "unfinished"), func(i workflow.Item) bool { return i.Record == first.Record })
		_, err = w.flows().Act(w.Context(), w.as("rita"), workflow.Command{Item: w.list("rita", "unfinished")[i].ID, Do: "agree",
			Version: w.version(first.Record), Data: map[string]json.RawMessage{"checked": raw(1)}})
		require.NoError(w, err)
		require.Equal(w, []string{"2"}, w.listed("rita", "todo"))
		_, err = w.flows().Act(w.Context(), w.as("rita"), workflow.Command{Item: w.task("rita").ID, Do: "transfer", People: []string{w.ids["kim"]}})
		require.NoError(w, err)
		require.Empty(w, w.listed("rita", "todo"), "the record is as it was, the total is another")

		at := query.Ref{SchemaCode: "contract", ID: free.ID}
		within := time.Now().Truncate(time.Millisecond).Add(999_900 * time.Nanosecond)
		w.still.Store(&within) // what was said in this millisecond was said by now
		said, err := w.app.Comments().Add(w.Context(), w.as("ann"), comment.Draft{At: at, Text: "The gate leaks"})
		require.NoError(w, err)
		require.Equal(w, []string{"3"}, w.listed("rita", "discussed"))
		require.Empty(w, w.listed("ann", "discussed"), "only what others say")
		w.still.Store(nil)
		require.NoError(w, w.app.Comments().Delete(w.Context(), w.as("ann"), said.ID))
		require.Empty(w, w.listed("rita", "discussed"))

		require.Len(w, w.listed("rita", "unfiled"), 3)
		for _, field := range []string{"costing", "plan"} {
			version := w.version(free.ID)
			_, err = w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "contract", ID: free.ID, Version: version,
				Set: map[string]json.RawMessage{field: raw([]string{w.upload("ann", "Drawing.txt")})}})
			require.NoError(w, err)
			require.Equal(w, []string{"3"}, w.listed("rita", "drawn"))
			require.Equal(w, field == "plan", len(w.listed("oscar", "drawn")) == 1, "oscar does not see the field %s", field)
			require.Equal(w, field == "plan", len(w.listed("oscar", "unfiled")) == 2)
		}
		// Who has tasks is hidden from oscar: for oscar nobody has any.
		require.Empty(w, w.listed("oscar", "late"))
		require.Len(w, w.listed("oscar", "idle"), 3)
	})
}
