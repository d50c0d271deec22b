package workflow_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestUpTheLine: leaders, superiors, an earlier handler, a person of the record; the wait behind them; what the initiator and those who
// follow the instance hear of it.
func TestUpTheLine(t *testing.T) {
	each(t, func(w *world) {
		company := w.keep("department", map[string]any{"name": "Company", "leader": map[string]any{"id": w.ids["olga"]}})
		office := w.keep("department", map[string]any{"name": "Office", "parent": company}) // without a leader
		site := w.keep("department", map[string]any{"name": "Site", "parent": office, "leader": map[string]any{"id": w.ids["sid"]}})
		team := w.keep("department", map[string]any{"name": "Team", "parent": site, "leader": map[string]any{"id": w.ids["sue"]}})
		w.alter("user", w.ids["ann"], map[string]any{"mainDepartment": team})
		data := map[string]json.RawMessage{"title": raw("Lock gate"), "amount": raw(1), "manager": raw(map[string]any{"id": w.ids["kim"]})}
		start := func() workflow.Done {
			done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "line", Data: data})
			require.NoError(w, err)
			return done
		}
		at := func() (out []string) {
			for name := range staff {
				for _, i := range w.list(name, "unfinished") {
					out = append(out, i.Node+" "+name)
				}
			}
			slices.Sort(out)
			return out
		}
		done := start()
		for _, one := range []struct {
			who  string
			open []string
		}{
			{"sue", []string{"leader sue"}},
			{"sid", []string{"above sid"}},
			{"sue", []string{"line sue"}}, // one after the other
			{"sid", []string{"line sid"}},
			{"olga", []string{"line olga"}}, // the first of the line with the role
			{"sue", []string{"again sue"}},
			{"kim", []string{"manager ann", "manager kim"}}, // the same person twice is asked once
			{"ann", []string{"manager ann"}},
		} {
			require.Equal(w, one.open, at())
			w.act(one.who, flow.OpAgree)
		}
		require.Empty(w, at())
		w.fire()
		require.Equal(w, "PROCESSING", w.status(done.Instance))
		w.ahead.Add(int64(23 * time.Hour))
		w.fire()
		require.Equal(w, "PROCESSING", w.status(done.Instance), "until the day after tomorrow begins")
		w.ahead.Add(int64(25 * time.Hour))
		w.fire()
		require.Equal(w, "COMPLETED", w.status(done.Instance))
		w.same(done.Instance)
		require.Contains(w, w.numbers("ann"), 102)

		// Where a department has no leader, that of the next one above is asked.
		w.alter("department", site, map[string]any{"leader": nil})
		done = start()
		w.act("sue", flow.OpAgree)
		require.Equal(w, []string{"above olga"}, at())
		w.alter("department", team, map[string]any{"leader": nil})
		start()
		require.Contains(w, at(), "leader olga")
		w.same(done.Instance)
	})
}

// TestDepartmentsInConditions: a condition asks whether the people and departments of the record belong to a department or lie below it; nobody belongs nowhere.
func TestDepartmentsInConditions(t *testing.T) {
	each(t, func(w *world) {
		office := w.keep("department", map[string]any{"name": "Office"})
		team := w.keep("department", map[string]any{"name": "Team", "parent": office})
		other := w.keep("department", map[string]any{"name": "Other"})
		w.alter("user", w.ids["ann"], map[string]any{"mainDepartment": office})
		w.alter("user", w.ids["kim"], map[string]any{"mainDepartment": team})
		w.alter("user", w.ids["bob"], map[string]any{"mainDepartment": other})
		for _, one := range []struct{ manager, node string }{{"kim", "same"}, {"ann", "same"}, {"bob", "apart"}, {"", "apart"}} {
			data := map[string]json.RawMessage{"title": raw("Lock gate")}
			if one.manager != "" {
				data["manager"] = raw(map[string]any{"id": w.ids[one.manager]})
			}
			done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "near", Data: data})
			require.NoError(w, err)
			require.Equal(w, one.node, w.task("sue").Node, one.manager)
			w.act("sue", flow.OpAgree)
			w.same(done.Instance)
		}
	})
}
