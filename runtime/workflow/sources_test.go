package workflow_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestGroupsAndProjects: people of defined departments start and decide; those who work on the project of the record are found by their roles there.
func TestGroupsAndProjects(t *testing.T) {
	each(t, func(w *world) {
		start := func(by string) (workflow.Done, error) {
			return w.flows().Start(w.Context(), w.as(by), workflow.Start{Workflow: "board", Data: map[string]json.RawMessage{"title": raw("Lock gate")}})
		}
		members := func(who ...string) (out []map[string]any) {
			for _, one := range who {
				out = append(out, map[string]any{"person": w.ids[one]})
			}
			return out
		}
		_, err := start("ann")
		require.Equal(w, fault.StartRefused, fault.Of(err), "a group that nobody keeps")
		clerks := w.keep("definedDepartment", map[string]any{"code": "clerks", "name": "Clerks", "members": members("ann")})
		w.keep("definedDepartment", map[string]any{"code": "experts", "name": "Experts", "members": members("olga", "kim", "otto")})
		w.keep("definedDepartment", map[string]any{"code": "gone", "name": "Gone", "disabled": true, "members": members("bob")})
		_, err = start("bob")
		require.Equal(w, fault.StartRefused, fault.Of(err))

		office := w.keep("department", map[string]any{"name": "Office", "kind": "PROJECT"})
		team := w.keep("department", map[string]any{"name": "Team", "parent": office})
		other := w.keep("department", map[string]any{"name": "Other"})
		w.alter("user", w.ids["ann"], map[string]any{"mainDepartment": team})
		w.alter("user", w.ids["sue"], map[string]any{"mainDepartment": team})
		w.alter("user", w.ids["sam"], map[string]any{"mainDepartment": other})
		w.alter("user", w.ids["bob"], map[string]any{"mainDepartment": office}) // without the role
		supervisor, known := w.app.People().RoleID(w.Context(), "supervisor")
		require.True(w, known)
		w.keep("definedDepartment", map[string]any{"code": "site", "name": "Site", "project": office,
			"members": []map[string]any{{"person": w.ids["eve"], "roles": []string{supervisor}}, {"person": w.ids["otto"]}}})
		w.disable("otto")
		done, err := start("ann")
		require.NoError(w, err)
		w.counts(map[string]int{"olga": 1, "kim": 1, "bob": 0})
		w.act("olga", flow.OpAgree)
		w.act("kim", flow.OpAgree)
		w.counts(map[string]int{"sue": 1, "eve": 1, "sam": 0, "bob": 0})
		w.act("sue", flow.OpAgree)
		w.act("eve", flow.OpAgree)
		w.same(done.Instance)

		w.alter("definedDepartment", clerks, map[string]any{"disabled": true})
		_, err = start("ann")
		require.Equal(w, fault.StartRefused, fault.Of(err), "a disabled group holds nobody")
		w.alter("definedDepartment", clerks, map[string]any{"disabled": false})
		w.alter("user", w.ids["ann"], map[string]any{"mainDepartment": other})
		done, err = start("ann")
		require.NoError(w, err)
		w.act("olga", flow.OpAgree)
		w.act("kim", flow.OpAgree)
		require.Equal(w, "site", w.task("eve").Node, "outside of a project it goes to who administers workflows")
		w.counts(map[string]int{"sue": 0})
		w.same(done.Instance)
	})
}
