package workflow_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// gets gives somebody roles, instead of those they have.
func (w *world) gets(who string, roles ...string) {
	w.Helper()
	refs := []any{}
	for _, code := range roles {
		id, known := w.app.People().RoleID(w.Context(), code)
		require.True(w, known, code)
		refs = append(refs, map[string]any{"id": id})
	}
	w.alter("user", w.ids[who], map[string]any{"roles": refs})
}

// have compares who has an open task at a node.
func (w *world) have(node string, want ...string) {
	w.Helper()
	got := []string{}
	for _, who := range slices.Sorted(maps.Keys(staff)) {
		for _, i := range w.list(who, "unfinished") {
			if i.Node == node {
				got = append(got, who)
			}
		}
	}
	require.ElementsMatch(w, want, got)
}

// heard is how many messages of a number somebody got.
func (w *world) heard(who string, number int) (n int) {
	w.Helper()
	for _, one := range w.numbers(who) {
		if one == number {
			n++
		}
	}
	return n
}

// TestLivePool: who joins the role, the group or leaves them gains or loses an unclaimed task.
func TestLivePool(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("duty", map[string]any{"title": "Lock", "amount": 1})
		w.fire()
		w.have("duty", "sue", "sam", "sid")
		require.Equal(w, 1, w.heard("sue", 101))
		of := w.task("sid")
		w.gets("kim", "supervisor", "staff")
		w.gets("sid", "staff")
		w.have("duty", "sue", "sam", "sid") // until the schedule looks
		var nodes sync.WaitGroup
		for range 3 { // several nodes look at the same time
			nodes.Go(func() {
				_, err := w.flows().Fire(context.Background())
				if err != nil {
					w.Error(err)
				}
			})
		}
		nodes.Wait()
		w.fire()
		w.have("duty", "sue", "sam", "kim")
		require.Equal(w, []int{1, 1, 1}, []int{w.heard("kim", 101), w.heard("sue", 101), w.heard("sid", 101)}, "each hears of their task once")
		require.Equal(w, 1, w.heard("sid", 14))
		_, err := w.flows().Detail(w.Context(), w.as("sid"), of.ID)
		require.Equal(w, fault.ItemFinished, fault.Of(err))
		opens, err := w.flows().Opens(w.Context(), w.as("sid"), of.ID, done.Instance)
		require.NoError(w, err)
		require.Equal(w, workflow.OpensTrack, opens, "the message no longer opens a task")
		_, err = w.flows().Act(w.Context(), w.as("sid"), workflow.Command{Item: of.ID, Do: flow.OpClaim})
		require.Equal(w, fault.ItemFinished, fault.Of(err))
		track, err := w.flows().Track(w.Context(), w.as("ann"), done.Instance)
		require.NoError(w, err)
		log := track.Log[len(track.Log)-1]
		require.Equal(w, flow.OpFollow, log.Operation)
		require.Nil(w, log.Person)
		require.Equal(w, []string{"kim", "sid"}, []string{log.People[0].Name, log.Removed[0].Name})
		events := w.count("SELECT count(*) FROM sl_wf_event")
		w.fire()
		require.Equal(w, events, w.count("SELECT count(*) FROM sl_wf_event"), "nothing has changed")

		group := w.keep("definedDepartment", map[string]any{"code": "duty", "name": "Duty", "members": []any{map[string]any{"person": map[string]any{"id": w.ids["bob"]}}}})
		w.fire()
		w.have("duty", "sue", "sam", "kim", "bob")
		w.alter("definedDepartment", group, map[string]any{"disabled": true})
		w.disable("sue")
		w.fire()
		w.have("duty", "sam", "kim")

		w.act("kim", flow.OpClaim)
		w.gets("kim", "staff")
		w.gets("sid", "supervisor")
		w.fire()
		w.have("duty", "kim")
		w.sound(done.Instance)
		w.act("kim", flow.OpRelease)
		w.fire()
		w.have("duty", "sam", "sid")
		require.Equal(w, 1, w.heard("kim", 101), "who put it back and may not have it is not told of it again")
		w.act("sam", flow.OpAgree)
		require.Equal(w, "COMPLETED", w.status(done.Instance))
		w.sound(done.Instance)
	})
}

// TestLivePoolOfNobody: where nobody is left the task goes to the person who administers workflows, until somebody comes.
func TestLivePoolOfNobody(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("duty", map[string]any{"title": "Lock", "amount": 1})
		for _, who := range []string{"sue", "sam", "sid"} {
			w.gets(who, "staff")
		}
		w.fire()
		w.have("duty", "eve")
		w.gets("sam", "supervisor")
		w.fire()
		w.have("duty", "sam")
		w.sound(done.Instance)
		_, err := w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: done.Instance, Do: flow.OpVoid})
		require.NoError(w, err)
		w.gets("sid", "supervisor")
		w.fire()
		w.have("duty")
		w.sound(done.Instance)
	})
}

// TestLivePoolElsewhere: another process, which was not there when people changed, looks at every pool when it starts.
func TestLivePoolElsewhere(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("duty", map[string]any{"title": "Lock", "amount": 1})
		w.fire()
		w.gets("kim", "supervisor")
		require.NoError(w, w.app.Close())
		w.open() // it was killed before it looked
		w.fire()
		w.have("duty", "sue", "sam", "sid", "kim")
		w.sound(done.Instance)
	})
}
