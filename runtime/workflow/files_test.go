package workflow_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestFilesOfTasks: a task lets its person read the attachments that its node shows, of its record alone, without any right to the model.
func TestFilesOfTasks(t *testing.T) {
	each(t, func(w *world) {
		shown, hidden, other := w.upload("ann", "a.txt"), w.upload("ann", "b.txt"), w.upload("ann", "c.txt")
		file := func(id string) json.RawMessage { return raw([]map[string]string{{"refId": id}}) }
		_, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "contractApproval",
			Data: map[string]json.RawMessage{"title": raw("Quay"), "amount": raw(5), "plan": file(shown), "costing": file(hidden)}})
		require.NoError(w, err)
		require.True(w, w.reads("ann", shown))
		require.True(w, w.reads("sue", shown), "the task shows it")
		require.False(w, w.reads("sue", hidden), "the node hides the field")
		require.False(w, w.reads("kim", shown), "no task of theirs")
		require.False(w, w.reads("olga", shown), "the workflow has not come to them")

		w.act("sue", flow.OpTransfer, func(c *workflow.Command) { c.People = []string{w.ids["kim"]} })
		require.True(w, w.reads("kim", shown), "the task is theirs now")
		_, err = w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "contract", Set: map[string]json.RawMessage{"title": raw("Beside"), "plan": file(other)}})
		require.NoError(w, err)
		require.False(w, w.reads("sam", other), "another record")
	})
}
