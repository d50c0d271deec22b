package workflow_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// change publishes a changed document of the tests' pack.
func (w *world) change(path string, pairs ...string) {
	w.Helper()
	author := w.app.State().Policy.View(principal.Principal{UserID: "01900000-0000-7000-8000-000000000001", Roles: []string{"administrator"}, Locale: "en"}, w.app.Now(), w.app.Zone())
	now, err := w.app.DocumentText(w.Context(), author, "approvals", path, 0)
	require.NoError(w, err)
	for i := 0; i < len(pairs); i += 2 {
		require.Contains(w, *now.Text, pairs[i])
	}
	text := strings.NewReplacer(pairs...).Replace(*now.Text)
	_, err = w.app.Publish(w.Context(), author, app.Changeset{Files: []app.Change{{Pack: "approvals", Path: path, Text: &text, Seen: now.Seen}}}, app.Confirmation{})
	require.NoError(w, err)
}

// TestVersions: an instance keeps the version that it was started by; an administrator lets it go on by the newest where it passed what
// comes before its step.
func TestVersions(t *testing.T) {
	each(t, func(w *world) {
		const path = "workflows/contractApproval.json"
		early, late := w.start("ann", 5_000_000), w.start("bob", 5_000_000)
		for _, who := range []string{"sue", "sam"} {
			for _, task := range w.list(who, "unfinished") {
				if task.Instance == late.Instance {
					_, err := w.flows().Act(w.Context(), w.as(who), workflow.Command{Item: task.ID, Do: flow.OpAgree, Version: w.versionOf(who, task.ID), Data: w.set("checked", 1)})
					require.NoError(w, err)
				}
			}
		}
		// The new version has one step more behind the check, and the client is another one.
		w.change(path,
			`"time": {"expectMinutes": 60, "timeoutMinutes": 120, "onTimeout": [{"action": "autoAgree", "afterMinutes": 60}]}, "next": ["large"]}`,
			`"next": ["second"]}, {"id": "second", "type": "APPROVE", "name": "复核", "name_i18n": {"en": "Second check"}, "participants": [{"type": "role", "value": ["owner"]}], "mode": "ANY", "next": ["large"]}`)
		third := w.start("ann", 3)
		track, err := w.flows().Track(w.Context(), w.as("ann"), third.Instance)
		require.NoError(w, err)
		require.Equal(w, 2, track.Instance.Version)
		track, err = w.flows().Track(w.Context(), w.as("ann"), early.Instance)
		require.NoError(w, err)
		require.Equal(w, 1, track.Instance.Version)
		for _, n := range track.Nodes {
			require.NotEqual(w, "second", n.Node)
		}

		_, err = w.flows().VersionCounts(w.Context(), w.as("ann"))
		require.Equal(w, fault.Forbidden, fault.Of(err))
		counts, err := w.flows().VersionCounts(w.Context(), w.as("eve"))
		require.NoError(w, err)
		require.Equal(w, "contractApproval", counts[0].Workflow, "those with instances of older versions come first")
		require.Equal(w, []int64{3, 2, 0}, []int64{counts[0].Count, counts[0].Old, counts[1].Old})
		_, err = w.flows().Versions(w.Context(), w.as("ann"), "contractApproval")
		require.Equal(w, fault.Forbidden, fault.Of(err))
		versions, err := w.flows().Versions(w.Context(), w.as("eve"), "contractApproval")
		require.NoError(w, err)
		require.Len(w, versions, 2)
		require.True(w, versions[0].Current)
		require.EqualValues(w, 2, versions[1].Count)
		require.Equal(w, []string{late.Instance, early.Instance}, []string{versions[1].Instances[0].Instance, versions[1].Instances[1].Instance}, "the newest first")
		require.Empty(w, versions[1].Instances[1].Misfits)
		client, second := workflow.StepName{Name: "业主审批", NameI18n: map[string]string{"en": "Client"}}, workflow.StepName{Name: "复核", NameI18n: map[string]string{"en": "Second check"}}
		require.Equal(w, []workflow.VersionMisfit{{Kind: flow.MisfitSkipped, Node: client, Before: &second}}, versions[1].Instances[0].Misfits)
		require.Equal(w, []workflow.StepName{client}, versions[1].Instances[0].At)

		ids := []string{early.Instance, late.Instance}
		_, err = w.flows().Migrate(w.Context(), w.as("ann"), "contractApproval", ids, false)
		require.Equal(w, fault.Forbidden, fault.Of(err))
		for _, check := range []bool{true, false} {
			moved, err := w.flows().Migrate(w.Context(), w.as("eve"), "contractApproval", ids, check)
			require.NoError(w, err)
			require.Equal(w, !check, moved[0].Moved)
			require.False(w, moved[1].Moved, "it has not passed the new step")
		}
		w.same(early.Instance)
		for _, who := range []string{"sue", "sam"} {
			for _, task := range w.list(who, "unfinished") {
				if task.Instance == early.Instance {
					_, err := w.flows().Act(w.Context(), w.as(who), workflow.Command{Item: task.ID, Do: flow.OpAgree, Version: w.versionOf(who, task.ID), Data: w.set("checked", 1)})
					require.NoError(w, err)
				}
			}
		}
		nodes := map[string]string{}
		for _, task := range w.list("olga", "unfinished") {
			nodes[task.Instance] = task.Node
		}
		require.Equal(w, map[string]string{early.Instance: "second", late.Instance: "client"}, nodes, "the other one goes on by its own version")
		w.same(early.Instance)
		w.same(late.Instance)
	})
}
