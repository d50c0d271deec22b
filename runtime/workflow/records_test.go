package workflow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestRecordFlow: people who can read a record see its workflow, who handles it, and their own task; others see nothing.
func TestRecordFlow(t *testing.T) {
	each(t, func(w *world) {
		done := w.start("ann", 5)
		of := func(who string) *workflow.BaseInfo {
			info, err := w.flows().OfRecord(w.Context(), w.as(who), "contract", done.Record)
			require.NoError(w, err)
			return info
		}
		load, err := w.app.Reader().FormLoad(w.Context(), w.as("ann"), query.FormRequest{SchemaCode: "contract", ObjectID: done.Record})
		require.NoError(w, err)
		require.NotNil(w, load.Workflow)
		require.Equal(w, done.Instance, *load.Workflow)
		fresh, err := w.app.Reader().FormLoad(w.Context(), w.as("ann"), query.FormRequest{SchemaCode: "contract"})
		require.NoError(w, err)
		require.Nil(w, fresh.Workflow)

		info := of("ann")
		require.Equal(w, "PROCESSING", info.Status)
		require.Len(w, info.Instance.Current, 1)
		require.Equal(w, "check", info.Instance.Current[0].Node)
		require.Len(w, info.Instance.Current[0].People, 3)
		require.Nil(w, info.Item, "nothing waits for the initiator")
		_, err = w.flows().OfRecord(w.Context(), w.as("bob"), "contract", done.Record)
		require.Equal(w, fault.RecordNotFound, fault.Of(err))
		_, err = w.flows().OfRecord(w.Context(), w.as("kim"), "contract", done.Record)
		require.Equal(w, fault.ModelNotFound, fault.Of(err))

		w.act("sue", flow.OpReject, says("why"), func(c *workflow.Command) { c.Node = "start" })
		info = of("ann")
		require.NotNil(w, info.Item)
		require.Equal(w, w.task("ann").ID, *info.Item)
		w.act("ann", flow.OpSubmit)
		for _, who := range []string{"sue", "sam"} {
			w.act(who, flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 5}))
		}
		info = of("ann")
		require.Equal(w, "COMPLETED", info.Status)
		require.Empty(w, info.Instance.Current)
		require.Nil(w, info.Item)
	})
}
