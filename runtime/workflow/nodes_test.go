package workflow_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// A publication that only renames makes no version, whatever it renames; one in which a text means something else does.
func TestRenamesMakeNoVersion(t *testing.T) {
	each(t, func(w *world) {
		w.orders()
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": w.replaced("total >= 1000000", "total >= 1000000 and node('check').result == 'agree'")})
		first := w.asks(5_000_000)
		old := func() int64 {
			counts, err := w.flows().VersionCounts(w.Context(), w.as("eve"))
			require.NoError(w, err)
			return counts[0].Old
		}
		renamed := w.replaced(`"total"`, `"amountDue"`, "total >=", "amountDue >=",
			"node('check')", "node('review')", `"id": "check"`, `"id": "review", "renamedFrom": "check"`, `"next": ["check"]`, `"next": ["review"]`,
			`"id": "large"`, `"id": "size", "renamedFrom": "large"`, `"next": ["large"]`, `"next": ["size"]`, `"of": "large"`, `"of": "size"`)
		w.publish(map[string]func(string) string{"models/order.json": w.replaced(`"code": "total"`, `"code": "amountDue", "renamedFrom": "total"`), "workflows/orderApproval.json": renamed})
		asks := func() int {
			done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "orderApproval", Data: w.set("amountDue", 1)})
			require.NoError(w, err)
			track, err := w.flows().Track(w.Context(), w.as("ann"), done.Instance)
			require.NoError(w, err)
			return track.Instance.Version
		}
		require.Equal(w, 1, asks())
		require.Zero(w, old())
		w.same(first.Instance)
		for was, now := range map[string]string{"check": "review", "large": "size", "none": ""} {
			_, err := w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: first.Instance, Do: flow.OpJump, Node: was})
			var f *fault.Error
			require.ErrorAs(w, err, &f)
			if now == "" {
				require.Equal(w, fault.JumpRefused, f.Code)
			} else {
				require.Equal(w, []any{fault.StepRenamed, now}, []any{f.Code, f.Args[0]}, was)
			}
		}

		// A node that another takes the id of: the version says it otherwise, and knows which is which.
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": w.replaced(
			"node('review')", "node('client')", `"id": "review", "renamedFrom": "check"`, `"id": "client", "renamedFrom": ["review", "check"]`, `"next": ["review"]`, `"next": ["client"]`,
			`"id": "client"`, `"id": "review", "renamedFrom": "client"`, `"to": "client"`, `"to": "review"`)})
		require.Equal(w, 1, asks())
		require.Zero(w, old())
		var at []string
		for _, task := range w.list("sue", "unfinished") {
			if task.Instance == first.Instance {
				at = append(at, task.Node+" "+task.NodeName)
			}
		}
		require.Equal(w, []string{"client 审核"}, at)

		// The same words with other meanings.
		w.publish(map[string]func(string) string{"models/order.json": w.replaced(
			`"code": "amountDue", "renamedFrom": "total"`, `"code": "floor", "renamedFrom": "amountDue"`, `"code": "floor"`, `"code": "amountDue", "renamedFrom": "floor"`)})
		require.Equal(w, 2, asks())
		require.NotZero(w, old())
		done, err := w.agrees("sue", first)
		require.NoError(w, err)
		require.Equal(w, flow.Processing, done.Status, "5,000,000 is asked for where it is")
		track, err := w.flows().Track(w.Context(), w.as("ann"), first.Instance)
		require.NoError(w, err)
		require.Equal(w, 1, track.Instance.Version)
		var passed []string
		for _, n := range track.Nodes {
			passed = append(passed, n.Node+" "+n.State)
		}
		require.Contains(w, strings.Join(passed, ", "), "review active")
		w.same(first.Instance)
	})
}

// An installation that kept no names, or none of nodes, follows the nodes that its first apply renames: tasks and instances go on.
func TestNodesRenamedWithTheFirstNames(t *testing.T) {
	for name, forget := range map[string]string{
		"no names":       `DELETE FROM sl_name_set`,
		"names of older": `UPDATE sl_name_set SET digest = 'older', names = '{"workflow": [{"c": "orderApproval"}]}'`,
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(w *world) {
				w.orders()
				first := w.asks(5_000_000)
				require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Exec(forget).Error }))
				w.publish(map[string]func(string) string{"workflows/orderApproval.json": w.replaced(
					`"id": "check"`, `"id": "review", "renamedFrom": "check"`, `"next": ["check"]`, `"next": ["review"]`)})
				var at []string
				for _, task := range w.list("sue", "unfinished") {
					if task.Instance == first.Instance {
						at = append(at, task.Node)
					}
				}
				require.Equal(w, []string{"review"}, at)
				done, err := w.agrees("sue", first)
				require.NoError(w, err)
				require.NotEqual(w, flow.Exception, done.Status)
				w.same(first.Instance)
			})
		})
	}
}
