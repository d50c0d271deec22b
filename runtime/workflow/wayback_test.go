package workflow_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// sited is ann's instance of the workflow of these tests; she works at a site of a company.
func (w *world) sited() (done workflow.Done, company string) {
	w.Helper()
	company = w.keep("department", map[string]any{"name": "Company"})
	w.alter("user", w.ids["ann"], map[string]any{"mainDepartment": w.keep("department", map[string]any{"name": "Site", "parent": company})})
	return w.begin("wayback", map[string]any{"title": "Lock", "amount": 1}), company
}

// takesBack reports whether somebody's list says that they can take back what they did last.
func (w *world) takesBack(who string) bool {
	w.Helper()
	return w.list(who, "finished")[0].CanWithdraw
}

func (w *world) node(who, instance, node string) workflow.TrackNode {
	w.Helper()
	track, err := w.flows().Track(w.Context(), w.as(who), instance)
	require.NoError(w, err)
	k := slices.IndexFunc(track.Nodes, func(n workflow.TrackNode) bool { return n.Node == node })
	return track.Nodes[k]
}

// TestThereAndBack: by the name and departments of who started it, changed by who handled the step before, sent back, taken back, and past what
// holds already.
func TestThereAndBack(t *testing.T) {
	each(t, func(w *world) {
		done, _ := w.sited()
		require.Equal(w, "future", w.node("ann", done.Instance, "small").State)
		require.NotEmpty(w, w.node("ann", done.Instance, "small").Predicted)
		require.Equal(w, "never", w.node("ann", done.Instance, "large").State, "as the amount is now, nobody there is asked")
		require.Empty(w, w.node("ann", done.Instance, "large").Predicted)
		w.act("sue", flow.OpAgree)
		require.Equal(w, "small", w.task("sam").Node, "ann, of one of the departments of the initiator, with a small amount")
		require.True(w, w.takesBack("sue"))

		adjust := workflow.Order{Instance: done.Instance, Do: flow.OpAdjust, Node: "small", People: []string{w.ids["kim"]}, Remove: []string{w.ids["sam"]}}
		require.Equal(w, fault.Forbidden, fault.Of(w.order("ann", adjust)), "the start has no such action")
		require.Contains(w, w.node("sue", done.Instance, "small").Actions, "adjust")
		require.Empty(w, w.node("ann", done.Instance, "small").Actions)
		_, err := w.flows().Preview(w.Context(), w.as("ann"), adjust)
		require.Equal(w, fault.Forbidden, fault.Of(err))
		_, err = w.flows().Preview(w.Context(), w.as("sue"), adjust)
		require.NoError(w, err)
		self := adjust
		self.People = []string{w.ids["sue"]}
		require.Equal(w, fault.AdjustToSelf, fault.Of(w.order("sue", self)))
		for _, do := range []flow.Operation{flow.OpJump, flow.OpCancel, flow.OpActivate, flow.OpRetry} {
			require.Equal(w, fault.Forbidden, fault.Of(w.order("sue", workflow.Order{Instance: done.Instance, Do: do, Node: "small"})))
		}
		require.NoError(w, w.order("sue", adjust))
		require.Empty(w, w.list("sam", "unfinished"))
		require.Equal(w, fault.UrgeRefused, fault.Of(w.order("ann", workflow.Order{Instance: done.Instance, Do: flow.OpUrge})), "the start has no such action")
		require.NoError(w, w.order("sue", workflow.Order{Instance: done.Instance, Do: flow.OpUrge}))
		require.Error(w, w.order("ann", workflow.Order{Instance: done.Instance, Do: flow.OpRevoke}))
		w.act("kim", flow.OpAgree)
		require.False(w, w.takesBack("sue"), "kim has decided")

		detail, err := w.flows().Detail(w.Context(), w.as("olga"), w.task("olga").ID)
		require.NoError(w, err)
		require.Len(w, detail.Targets, 3)
		require.True(w, detail.Targets[0].Direct)
		back := func(node string) {
			w.Helper()
			w.act("olga", flow.OpReject, func(c *workflow.Command) { c.Node = node })
		}
		back("first")
		require.NotEmpty(w, w.list("sue", "unfinished"))
		require.True(w, w.takesBack("olga"))
		_, err = w.flows().Act(w.Context(), w.as("olga"), workflow.Command{Item: w.list("olga", "finished")[0].ID, Do: flow.OpWithdraw})
		require.NoError(w, err)
		require.Empty(w, w.list("sue", "unfinished"))
		back("first")
		require.Equal(w, "future", w.node("ann", done.Instance, "last").State)
		require.Equal(w, "done", w.node("ann", done.Instance, "small").State, "it goes back directly, past it")
		w.act("sue", flow.OpAgree)
		require.NotEmpty(w, w.list("olga", "unfinished"))
		require.Equal(w, "skipped", w.node("ann", done.Instance, "small").State)
		require.Equal(w, "never", w.node("ann", done.Instance, "large").State)
		w.same(done.Instance)
	})
}

// TestChainOfTimeLimits: who gets a task because its time is over gets the rest of the chain with it, not the chain again.
func TestChainOfTimeLimits(t *testing.T) {
	each(t, func(w *world) {
		w.alter("user", w.ids["olga"], map[string]any{"mainDepartment": w.keep("department", map[string]any{"name": "Client", "leader": map[string]any{"id": w.ids["kim"]}})})
		done, _ := w.sited()
		w.act("sue", flow.OpAgree)
		w.act("sam", flow.OpAgree)
		was := w.task("olga").Due
		w.ahead.Add(int64(61 * time.Minute))
		w.fire()
		require.Empty(w, w.list("olga", "unfinished"))
		require.Equal(w, []int{23}, w.numbers("kim"), "who leads olga's department")
		require.Equal(w, was.UTC(), w.task("otto").Due.UTC())
		require.True(w, w.task("otto").Overdue)
		w.ahead.Add(int64(59 * time.Minute))
		w.fire()
		require.Len(w, w.list("otto", "unfinished"), 1)
		w.ahead.Add(int64(2 * time.Minute))
		w.fire()
		require.Equal(w, "COMPLETED", w.status(done.Instance))
		w.same(done.Instance)
	})
}

// TestSearchOfInstances: by the department that who started it belonged to then, or one above, and by who has to act.
func TestSearchOfInstances(t *testing.T) {
	each(t, func(w *world) {
		done, company := w.sited()
		w.start("bob", 5)
		site := w.keep("department", map[string]any{"name": "Elsewhere"})
		found := func(change func(*workflow.InstanceSearch)) (out []string) {
			in := workflow.InstanceSearch{Size: 20}
			change(&in)
			page, err := w.flows().Mine(w.Context(), w.as("eve"), in, true)
			require.NoError(w, err)
			require.EqualValues(w, page.Total, len(page.Content))
			for _, one := range page.Content {
				out = append(out, one.ID)
			}
			return out
		}
		ofCompany := func(in *workflow.InstanceSearch) { in.Department = company }
		waitsForSue := func(in *workflow.InstanceSearch) { in.Handler = w.ids["sue"]; in.Workflow = "wayback" }
		waitsForSam := func(in *workflow.InstanceSearch) { in.Handler = w.ids["sam"]; in.Workflow = "wayback" }
		require.Equal(w, []string{done.Instance}, found(ofCompany))
		require.Empty(w, found(func(in *workflow.InstanceSearch) { in.Department = site }))
		require.Equal(w, []string{done.Instance}, found(waitsForSue))
		require.Empty(w, found(waitsForSam))
		c := workflow.Command{Item: w.list("sue", "unfinished")[0].ID, Do: flow.OpAgree}
		for _, i := range w.list("sue", "unfinished") {
			if i.Instance == done.Instance {
				c.Item = i.ID
			}
		}
		_, err := w.flows().Act(w.Context(), w.as("sue"), c)
		require.NoError(w, err)
		require.Empty(w, found(waitsForSue))
		require.Equal(w, []string{done.Instance}, found(waitsForSam))

		// What an older program left is brought to what this one reads when it starts.
		before := w.handled()
		require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
			for _, text := range []string{"DELETE FROM sl_wf_actor", "UPDATE sl_wf_instance SET dept = NULL", "CREATE INDEX sl_wf_timer_due ON sl_wf_timer (done, due)"} {
				if err := tx.System().Exec(text).Error; err != nil {
					return err
				}
			}
			return nil
		}))
		require.NoError(w, w.app.Close())
		w.open()
		require.Equal(w, before, w.handled())
		require.Equal(w, []string{done.Instance}, found(ofCompany))
		require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec("CREATE INDEX sl_wf_timer_due ON sl_wf_timer (done, due)").Error
		}), "the index of before is gone")
		w.same(done.Instance)
	})
}
