package workflow_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// acts are the entries of a log at a node: who, in whose place, what, by which rule and step, to whom.
func (w *world) acts(instance, node string) (out []string) {
	w.Helper()
	name := func(p *workflow.Person) string {
		if p == nil {
			return "-"
		}
		return p.Name
	}
	for _, o := range w.log("eve", instance) {
		if o.Node != node {
			continue
		}
		text := fmt.Sprintf("%s %s %s %s%d", name(o.Person), name(o.Of), o.Operation, o.Rule, o.Step)
		for _, p := range o.People {
			text += " " + p.Name
		}
		out = append(out, text)
	}
	return out
}

// papers are the rows of an instance's log on paper at a node.
func (w *world) papers(instance, node string) (out []string) {
	w.Helper()
	require.NoError(w, w.app.Store().Read(w.Context(), func(ctx context.Context, tx *store.Tx) error {
		course, err := w.flows().Course(ctx, tx, w.as("eve"), instance)
		if err != nil {
			return err
		}
		for _, row := range course.Log {
			if row.Node == node {
				require.NotEmpty(w, row.Texts.Finished)
				out = append(out, row.Name+"|"+row.Operating)
			}
		}
		return nil
	}))
	return out
}

// TestTimeLimitActs: what a time limit does is an act of the limit, in the place of the person whom it was for; reminders stand in the course
// and on paper too.
func TestTimeLimitActs(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("wayback", map[string]any{"title": "Lock", "amount": 1_000_000})
		w.act("sue", flow.OpAgree)
		w.act("sid", flow.OpAgree)
		require.NoError(w, w.order("sue", workflow.Order{Instance: done.Instance, Do: flow.OpUrge, Opinion: "please"}))
		for _, after := range []time.Duration{61 * time.Minute, time.Minute, 61 * time.Minute} {
			w.ahead.Add(int64(after))
			w.fire()
		}
		require.Equal(w, []string{"- olga remind timeout0 olga", "- olga transfer timeout1 otto", "- otto agree timeout2"}, w.acts(done.Instance, "last"))
		require.Equal(w, []string{"系统（代olga）|到期提醒（处理时限）", "系统（代olga）|转办（处理时限，第1步）", "系统（代otto）|同意（处理时限，第2步）"}, w.papers(done.Instance, "last"))
		require.Contains(w, w.acts(done.Instance, ""), "sue - urge 0 olga")
		for _, m := range w.from("otto") {
			require.Empty(w, m, "nobody in person sends what a time limit passes on")
		}
		w.same(done.Instance)
	})
}

// from are the senders of somebody's messages.
func (w *world) from(who string) (out []string) {
	w.Helper()
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Raw("SELECT COALESCE(sender, '') FROM sl_message WHERE recipient = ?", w.ids[who]).Scan(&out).Error
	}))
	require.NotEmpty(w, out)
	return out
}

// TestDepartedInitiators: the children of somebody who left are started for who has the node then, what comes back goes to them, and a
// handover makes its receiver the initiator of what runs.
func TestDepartedInitiators(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("parting", map[string]any{"title": "Lock", "parts": []map[string]any{{"part": "gate", "cost": 3}}})
		other := w.begin("wayback", map[string]any{"title": "Lock", "amount": 1_000_000})
		require.NoError(w, w.order("eve", workflow.Order{Instance: w.list("sam", "unfinished")[0].Instance, Do: flow.OpVoid}))
		w.fire()
		require.Equal(w, "EXCEPTION", w.status(done.Instance))
		w.act("sue", flow.OpAgree)
		w.act("sid", flow.OpAgree)
		w.disable("ann")
		require.NoError(w, w.order("eve", workflow.Order{Instance: done.Instance, Do: flow.OpRetry}))
		w.fire()
		require.Equal(w, "PROCESSING", w.status(done.Instance))
		require.Equal(w, "eve", w.list("sam", "unfinished")[0].Originator.Name)
		require.Contains(w, w.acts(done.Instance, "each"), "- ann assign emptyPolicy0 eve")

		w.act("olga", flow.OpReject, func(c *workflow.Command) { c.Node = "start" })
		require.Equal(w, "start", w.task("eve").Node)
		require.Contains(w, w.acts(other.Instance, "start"), "- - assign emptyPolicy0 eve")
		out, _, err := w.flows().HandOver(w.Context(), w.as("eve"), workflow.HandOver{From: w.ids["ann"], To: w.ids["bob"]})
		require.NoError(w, err)
		require.Len(w, out, 2)
		for _, one := range out {
			require.NoError(w, one.Err)
		}
		track, err := w.flows().Track(w.Context(), w.as("bob"), other.Instance)
		require.NoError(w, err)
		require.Equal(w, "bob", track.Instance.Originator.Name)
		require.Contains(w, w.acts(other.Instance, ""), "eve ann handOver leaver0 bob")
		w.same(other.Instance)
		w.same(done.Instance)
	})
}

// TestDeletedChild: a parent does not wait for a child that was taken back and deleted.
func TestDeletedChild(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("parting", map[string]any{"title": "Lock", "parts": []map[string]any{{"part": "gate", "cost": 3}}})
		child := w.list("sue", "unfinished")[0].Instance
		require.NoError(w, w.order("ann", workflow.Order{Instance: child, Do: flow.OpRevoke}))
		w.fire()
		require.Equal(w, "PROCESSING", w.status(done.Instance), "it may be started again")
		require.NoError(w, w.flows().Remove(w.Context(), w.as("eve"), child, ""))
		w.fire()
		require.Equal(w, "EXCEPTION", w.status(done.Instance))
		require.Equal(w, []string{"each CHILD_VOIDED 0"}, w.stuck("ann", done.Instance))
		require.NoError(w, w.order("eve", workflow.Order{Instance: done.Instance, Do: flow.OpRetry}))
		w.fire()
		require.Len(w, w.list("sue", "unfinished"), 1, "tried again, it starts another")
		w.same(done.Instance)
	})
}
