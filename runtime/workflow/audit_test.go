package workflow_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// audited runs a whole audit.
func (w *world) audited() (at workflow.Audited) {
	w.Helper()
	at, err := w.flows().AuditAll(w.Context())
	require.NoError(w, err)
	return at
}

// found are the findings of an instance: what, where and whose.
func (w *world) found(instance string) (out []string) {
	w.Helper()
	page, err := w.flows().Findings(w.Context(), w.as("eve"), 0, 50)
	require.NoError(w, err)
	for _, f := range page.Content {
		if f.Instance.ID != instance {
			continue
		}
		who := ""
		if f.Person != nil {
			who = f.Person.Name
		}
		require.NotEmpty(w, f.Ways)
		require.Equal(w, f.Kind == "LEFT", f.Item != nil)
		out = append(out, fmt.Sprint(f.Kind, " ", f.Node, " ", who))
	}
	return out
}

func (w *world) sql(text string, args ...any) {
	w.Helper()
	require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Exec(text, args...).Error }))
}

// TestAuditOfWaiting: the audit finds nothing in what waits for people, a signal, a time, a service, children or an administrator.
func TestAuditOfWaiting(t *testing.T) {
	each(t, func(w *world) {
		w.begin("waiting", map[string]any{"title": "x", "number": "A-1"})
		parts := []map[string]any{{"part": "gate", "cost": 3}, {"part": "valve", "cost": 3}}
		parent := w.begin("parting", map[string]any{"title": "Lock", "parts": parts})
		w.begin("branches", map[string]any{"title": "Lock"})
		w.begin("counting", map[string]any{"title": "Gate", "amount": 13}) // it is tried again later
		stopped := w.begin("counting", map[string]any{"title": "Gate", "amount": 14})
		require.Equal(w, flow.Exception, stopped.Status)
		child := w.list("sam", "unfinished")[0].Instance
		if w.status(child) == "PROCESSING" {
			require.NoError(w, w.order("ann", workflow.Order{Instance: child, Do: flow.OpRevoke}))
		}
		at := w.audited()
		require.GreaterOrEqual(w, at.Looked, int64(5))
		require.Zero(w, at.Found)
		require.Empty(w, w.found(parent.Instance))
		_, err := w.flows().Findings(w.Context(), w.as("ann"), 0, 20)
		require.Equal(w, fault.Forbidden, fault.Of(err))
	})
}

// TestAudit: what nothing in a workflow can mend is told to administrators once, and is gone with the command that mends it.
func TestAudit(t *testing.T) {
	each(t, func(w *world) {
		told := func() (n int) {
			for _, m := range w.messages("eve") {
				if m == notify.Custom {
					n++
				}
			}
			return n
		}
		first := w.begin("wayback", map[string]any{"title": "Lock", "amount": 1})
		parent := w.begin("parting", map[string]any{"title": "Lock", "parts": []map[string]any{{"part": "gate", "cost": 3}}})
		signal := w.begin("waiting", map[string]any{"title": "x", "number": "A-1"})
		require.Zero(w, w.audited().Found)

		w.disable("sue")
		w.sql("DELETE FROM sl_wf_signal WHERE instance = ?", signal.Instance)
		w.sql("DELETE FROM sl_wf_instance WHERE parent = ?", parent.Instance)
		at := w.audited()
		require.Equal(w, []string{"LEFT first sue"}, w.found(first.Instance))
		require.Equal(w, []string{"CHILD each "}, w.found(parent.Instance))
		require.Len(w, w.found(signal.Instance), 1)
		require.Contains(w, w.found(signal.Instance)[0], "NOBODY ")
		require.Equal(w, 3, at.Found)
		require.Equal(w, 3, told())
		require.Zero(w, w.audited().Found, "each once")
		require.Equal(w, 3, told())

		_, _, err := w.flows().HandOver(w.Context(), w.as("eve"), workflow.HandOver{From: w.ids["sue"], To: w.ids["sam"]})
		require.NoError(w, err)
		require.Empty(w, w.found(first.Instance), "it is gone with the handover")
		require.NoError(w, w.order("eve", workflow.Order{Instance: signal.Instance, Do: flow.OpJump, Node: "end"}))
		require.Empty(w, w.found(signal.Instance))
		require.NoError(w, w.order("eve", workflow.Order{Instance: parent.Instance, Do: flow.OpVoid}))
		require.Empty(w, w.found(parent.Instance))

		w.disable("ann")
		w.audited()
		require.Equal(w, []string{"OWNER  ann"}, w.found(first.Instance))
		_, _, err = w.flows().HandOver(w.Context(), w.as("eve"), workflow.HandOver{From: w.ids["ann"], To: w.ids["bob"]})
		require.NoError(w, err)
		require.Empty(w, w.found(first.Instance))
	})
}

// TestAuditOfBroken: an instance whose kept state cannot be read is made of its log; where that cannot be read either, it is a finding, the audit goes
// on behind it, lists show it, and it can be deleted and nothing else.
func TestAuditOfBroken(t *testing.T) {
	each(t, func(w *world) {
		healed := w.begin("wayback", map[string]any{"title": "Healed", "amount": 1})
		broken := w.begin("wayback", map[string]any{"title": "Broken", "amount": 1})
		last := w.begin("wayback", map[string]any{"title": "Last", "amount": 1})
		w.sql("UPDATE sl_wf_instance SET state = ? WHERE id IN ?", []byte("{"), []string{healed.Instance, broken.Instance})
		w.sql("UPDATE sl_wf_event SET body = ? WHERE instance = ? AND number = 2", []byte("{"), broken.Instance)
		w.disable("sue")
		at := w.audited()
		require.EqualValues(w, 3, at.Looked)
		require.Equal(w, []string{"LEFT first sue"}, w.found(last.Instance), "what is behind the broken one")
		require.Equal(w, []string{"LEFT first sue"}, w.found(healed.Instance))
		require.Equal(w, []string{"BROKEN  "}, w.found(broken.Instance))

		page, err := w.flows().Mine(w.Context(), w.as("eve"), workflow.InstanceSearch{Size: 10}, true)
		require.NoError(w, err)
		require.Len(w, page.Content, 3)
		require.Len(w, w.list("sue", "unfinished"), 3)
		_, err = w.flows().Versions(w.Context(), w.as("eve"), "wayback")
		require.NoError(w, err)
		require.Equal(w, fault.CourseUnreadable, fault.Of(w.order("eve", workflow.Order{Instance: broken.Instance, Do: flow.OpVoid})))
		require.Equal(w, fault.RemoveRefused, fault.Of(w.flows().Remove(w.Context(), w.as("eve"), healed.Instance, "")))
		require.NoError(w, w.order("eve", workflow.Order{Instance: healed.Instance, Do: flow.OpVoid}))
		w.same(healed.Instance)
		require.Equal(w, fault.Forbidden, fault.Of(w.flows().Remove(w.Context(), w.as("ann"), broken.Instance, "")))
		require.NoError(w, w.flows().Remove(w.Context(), w.as("eve"), broken.Instance, ""))
		require.Zero(w, w.count("SELECT count(*) FROM sl_wf_finding WHERE instance = '"+broken.Instance+"'"))
		require.Zero(w, w.count("SELECT count(*) FROM sl_wf_actor WHERE v = '"+broken.Record+"'"))
		_, err = w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "wayback", Record: broken.Record})
		require.NoError(w, err, "its record is free")
	})
}
