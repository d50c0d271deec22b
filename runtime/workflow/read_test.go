package workflow_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestReadAfterTheEnd: a copy is read when its reader comes to it, also after the workflow has ended. The course says who read it; nothing else of the
// instance changes, and the record stays in the workflow that it is in by then.
func TestReadAfterTheEnd(t *testing.T) {
	each(t, func(w *world) {
		id, err := w.app.AddUser(w.Context(), "lea", "lea", []string{"staff"})
		require.NoError(w, err)
		done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "telling", Data: map[string]json.RawMessage{"title": raw("Gate"), "amount": raw(1)}})
		require.NoError(w, err)
		for turn := 0; turn < 3; turn++ { // in their turn
			for _, who := range []string{"sam", "sid", "sue"} {
				if len(w.list(who, "unfinished")) > 0 {
					w.act(who, flow.OpAgree)
				}
			}
		}
		w.act("olga", flow.OpAgree)
		require.Equal(w, "COMPLETED", w.status(done.Instance))
		ended := w.ended(done.Instance)
		again, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "telling", Record: done.Record, Version: w.version(done.Record)})
		require.NoError(w, err)

		require.NoError(w, w.flows().MarkRead(w.Context(), w.as("kim"), nil))
		require.Empty(w, w.list("kim", "unread"))
		require.Len(w, w.list("kim", "read"), 1)
		require.Equal(w, map[string]string{"kim": "read"}, w.readers(done.Instance))
		require.Equal(w, ended, w.ended(done.Instance))
		require.Equal(w, again.Instance, w.marked(done.Record))

		// What an older program answered and did not keep.
		require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec("UPDATE sl_wf_item SET opened = received WHERE instance = ? AND person = ?", done.Instance, id).Error
		}))
		require.NoError(w, w.flows().ReadOpened(w.Context()))
		require.Equal(w, map[string]string{"kim": "read", "lea": "read"}, w.readers(done.Instance))
		kept, rebuilt, err := w.flows().Verify(w.Context(), done.Instance)
		require.NoError(w, err)
		require.Equal(w, rebuilt, kept)
	})
}

// readers are those who have read their copies, with what the course calls it.
func (w *world) readers(instance string) map[string]string {
	w.Helper()
	track, err := w.flows().Track(w.Context(), w.as("ann"), instance)
	require.NoError(w, err)
	out := map[string]string{}
	for _, n := range track.Nodes {
		for _, r := range n.Rounds {
			for _, i := range r.Items {
				if n.Type == flow.Circulate && i.Result != "" {
					out[i.Participant.Name] = i.Result
				}
			}
		}
	}
	return out
}

// ended is when an instance ended.
func (w *world) ended(instance string) string {
	w.Helper()
	track, err := w.flows().Track(w.Context(), w.as("ann"), instance)
	require.NoError(w, err)
	return track.Instance.Finished.String()
}
