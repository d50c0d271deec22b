package workflow_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestDelegationEditedMeanwhile: a delegation that its person changes while its tasks move is looked at again, as it is then; a task that
// has gone elsewhere in the meantime is left where it is.
func TestDelegationEditedMeanwhile(t *testing.T) {
	each(t, func(w *world) {
		both := func(id string) func(*workflow.DelegationOrder) {
			return func(o *workflow.DelegationOrder) { o.ID, o.MoveOpen, o.ReturnOpen = id, true, true }
		}
		first := w.start("ann", 5)
		d := w.lend("sue", "kim", 1, 5, both(""))
		w.ahead.Add(int64(61 * time.Minute))
		require.NoError(w, w.flows().HandOn(w.Context(), d.ID, func() { // it begins later now
			w.lend("sue", "kim", 2, 5, both(d.ID))
		}))
		w.counts(map[string]int{"sue": 0, "kim": 1})
		second := w.start("ann", 6)
		w.counts(map[string]int{"sue": 1, "kim": 1})
		w.ahead.Add(int64(121 * time.Minute))
		w.fire()
		w.counts(map[string]int{"sue": 0, "kim": 2})

		require.NoError(w, w.flows().GiveBack(w.Context(), d.ID, func() { // to somebody else
			w.lend("sue", "bob", 0, 5, both(d.ID))
			w.counts(map[string]int{"sue": 0, "kim": 0, "bob": 2})
		}))
		w.counts(map[string]int{"sue": 0, "kim": 0, "bob": 2})
		w.same(first.Instance)
		w.same(second.Instance)
	})
}
