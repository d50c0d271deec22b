package workflow_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestSubmitOfForms: a form that submits names its workflow to the person who can start it, for new records and for those that no workflow
// moves or has approved.
func TestSubmitOfForms(t *testing.T) {
	each(t, func(w *world) {
		offers := func(who, id string) (bool, string) {
			loaded, err := w.app.Reader().FormLoad(w.Context(), w.as(who), query.FormRequest{SchemaCode: "part", ObjectID: id})
			require.NoError(w, err)
			return slices.Contains(loaded.Actions, "submit"), loaded.Form.Submits
		}
		want := func(who, id string, offered bool) {
			w.Helper()
			got, code := offers(who, id)
			require.Equal(w, offered, got)
			require.Equal(w, "partApproval", code)
		}
		want("ann", "", true)
		saved, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "part", Form: "part", Set: map[string]json.RawMessage{"name": raw("Pump")}})
		require.NoError(w, err)
		want("ann", saved.ID, true)
		start := workflow.Start{Workflow: "partApproval", Record: saved.ID, Token: "once"}
		done, err := w.flows().Start(w.Context(), w.as("ann"), start)
		require.NoError(w, err)
		require.Equal(w, flow.Processing, done.Status)
		want("ann", saved.ID, false)
		again, err := w.flows().Start(w.Context(), w.as("ann"), start)
		require.NoError(w, err)
		require.Equal(w, done.Instance, again.Instance)
		start.Token = "twice"
		_, err = w.flows().Start(w.Context(), w.as("ann"), start)
		require.Equal(w, fault.InstanceNotOpen, fault.Of(err))
		w.act("sue", flow.OpAgree)
		want("ann", saved.ID, false) // it was approved as it is
		offered, code := offers("root", saved.ID)
		require.False(w, offered, "administrators start nothing")
		require.Empty(w, code)
	})
}
