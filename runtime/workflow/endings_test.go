package workflow_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/codes"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// A delegation of workflows that are removed is over: both are told, open tasks come back, and it holds for nothing that is called so later. One that names
// others goes on for these, and one for all workflows as it is.
func TestDelegationsOfRemovedWorkflows(t *testing.T) {
	each(t, func(w *world) {
		const code = "contractApproval"
		w.start("ann", 5)
		alone := w.lend("sue", "kim", 0, 5, func(o *workflow.DelegationOrder) {
			o.Codes, o.MoveOpen, o.ReturnOpen = []string{code}, true, true
		})
		w.counts(map[string]int{"sue": 0, "kim": 1})
		other := w.lend("bob", "kim", 0, 5, func(o *workflow.DelegationOrder) { o.Codes = []string{code, "waiting"} })
		all := w.lend("ann", "kim", 0, 5, nil)
		require.NoError(w, w.app.Store().Write(w.Context(), func(ctx context.Context, tx *store.Tx) error {
			of, err := workflow.DelegationsFor(tx, code)
			require.NoError(w, err)
			require.Len(w, of, 2, "one for all is not for this one in particular")
			require.NoError(w, workflow.EndDelegations(ctx, tx, []string{code}))
			return codes.Rewrite(ctx, tx, 7, []names.Step{{Kind: names.Workflow, Old: code}})
		}))
		w.ahead.Add(int64(time.Minute))
		w.fire()
		w.counts(map[string]int{"sue": 1, "kim": 0})
		require.Contains(w, w.told("kim"), notify.Type(52))
		require.Contains(w, w.told("sue"), notify.Type(52))
		w.start("ann", 5)
		w.counts(map[string]int{"sue": 2, "kim": 0}) // another workflow of the code
		find := func(who string, of workflow.Delegation) workflow.Delegation {
			list, err := w.flows().Delegations(w.Context(), w.as(who))
			require.NoError(w, err)
			for _, d := range list {
				if d.ID == of.ID {
					return d
				}
			}
			require.Fail(w, "no delegation")
			return of
		}
		require.False(w, find("sue", alone).Active)
		require.Equal(w, "（已删除）", find("sue", alone).Known[0].Name[len(code):])
		still := find("bob", other)
		require.True(w, still.Active)
		require.Equal(w, []string{names.Gone(code), "waiting"}, still.Codes)
		require.True(w, find("ann", all).Active)

		// What is removed stays in the list while its person changes the rest, and is nobody else's to write.
		again := func(who, id string, codes ...string) error {
			_, err := w.flows().Delegate(w.Context(), w.as(who), workflow.DelegationOrder{ID: id, To: w.ids["kim"], Codes: codes, Starts: w.app.Now(), Ends: w.app.Now().Add(time.Hour), Enabled: true})
			return err
		}
		require.NoError(w, again("bob", other.ID, names.Gone(code), "waiting"))
		require.Equal(w, fault.BadParameter, fault.Of(again("bob", other.ID, names.Gone("skipping"), "waiting")))
		require.Equal(w, fault.DelegationGone, fault.Of(again("sue", alone.ID, names.Gone(code))))
	})
}
