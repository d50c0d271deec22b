package workflow_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// hears returns a function that tells who got which messages since it was called last.
func (w *world) hears(people ...string) func() map[string][]notify.Type {
	before := map[string]int{}
	return func() map[string][]notify.Type {
		w.Helper()
		out := map[string][]notify.Type{}
		for _, who := range people {
			all := w.messages(who) // the newest first
			added := slices.Clone(all[:len(all)-before[who]])
			slices.Sort(added)
			if len(added) > 0 {
				out[who] = added
			}
			before[who] = len(all)
		}
		return out
	}
}

// TestWhoHearsWhat follows two instances from their start: each message goes to whom it concerns, once.
func TestWhoHearsWhat(t *testing.T) {
	each(t, func(w *world) {
		heard := w.hears("ann", "bob", "sue", "sam", "sid", "kim", "olga", "otto")
		saved, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "contract", Set: w.set("title", "Lock gate")})
		require.NoError(w, err)
		var id string
		require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) (err error) {
			id, err = w.flows().StartIn(w.Context(), tx, w.as("ann"), "telling", saved.ID)
			return err
		}))
		type told = map[string][]notify.Type
		line := make([]string, 0, 3) // the supervisors in turn
		turn := func() string {
			for _, who := range []string{"sue", "sam", "sid"} {
				if len(w.list(who, "unfinished")) > 0 {
					return who
				}
			}
			return ""
		}
		line = append(line, turn())
		got := heard()
		require.Equal(w, []notify.Type{1}, got["ann"], "code started it in the name of ann")
		require.Equal(w, []notify.Type{101}, got[line[0]])
		require.Len(w, got, 3, "and the second in the line hears that they are next: %v", got)

		w.act(line[0], flow.OpAgree)
		line = append(line, turn())
		got = heard()
		third := slices.DeleteFunc([]string{"sue", "sam", "sid"}, func(who string) bool { return slices.Contains(line, who) })[0]
		require.Equal(w, told{"ann": {13}, line[1]: {101}, third: {11}}, got)
		w.act(line[1], flow.OpAgree)
		require.Equal(w, told{"ann": {13}, third: {101}}, heard())

		w.act(third, flow.OpAgree)
		require.Equal(w, told{"ann": {13, 16}, line[0]: {12}, line[1]: {12}, "kim": {106}, "olga": {101}, "otto": {101}}, heard())
		require.NoError(w, w.order("ann", workflow.Order{Instance: id, Do: flow.OpUrge}))
		require.Equal(w, told{"olga": {107}, "otto": {107}}, heard())
		w.act("otto", flow.OpAgree)
		require.Equal(w, told{"ann": {16, 102}, "kim": {2}, "olga": {14}}, heard())

		done := w.begin("telling", map[string]any{"title": "Valve"})
		for range 3 {
			w.act(turn(), flow.OpAgree)
		}
		heard()
		require.NoError(w, w.order("eve", workflow.Order{Instance: done.Instance, Do: flow.OpVoid}))
		require.Equal(w, told{"ann": {104}, "kim": {3}, "olga": {14}, "otto": {14}}, heard())
	})
}

// TestCommonWorkflows: the seven workflows that somebody starts most often come first.
func TestCommonWorkflows(t *testing.T) {
	each(t, func(w *world) {
		list, err := w.flows().StartList(w.Context(), w.as("ann"))
		require.NoError(w, err)
		require.Empty(w, list.Common)
		started := map[string]bool{}
		for _, g := range list.Groups {
			for _, one := range g.Workflows {
				if one.Model != "contract" {
					continue
				}
				if _, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: one.Code, Data: w.set("title", one.Code)}); err == nil {
					started[one.Code] = true
				}
			}
		}
		require.Greater(w, len(started), 7)
		for range 2 {
			w.begin("telling", map[string]any{"title": "again"})
		}
		list, err = w.flows().StartList(w.Context(), w.as("ann"))
		require.NoError(w, err)
		require.Len(w, list.Common, 7)
		require.Equal(w, "telling", list.Common[0].Code)
		for _, one := range list.Common {
			require.True(w, started[one.Code], one.Code)
		}
		list, err = w.flows().StartList(w.Context(), w.as("bob"))
		require.NoError(w, err)
		require.Empty(w, list.Common, "what others start is not common to everybody")
	})
}
