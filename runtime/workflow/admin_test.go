package workflow_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// branches starts the workflow with two branches.
func (w *world) branches() workflow.Done {
	w.Helper()
	done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "branches", Data: map[string]json.RawMessage{"title": raw("Lock gate"), "amount": raw(1), "secret": raw(9)}})
	require.NoError(w, err)
	return done
}

func (w *world) order(who string, o workflow.Order) error {
	_, err := w.flows().Order(w.Context(), w.as(who), o)
	return err
}

func (w *world) tasks(in workflow.TaskSearch) (out []string) {
	w.Helper()
	in.Size = 50
	page, err := w.flows().Tasks(w.Context(), w.as("eve"), in)
	require.NoError(w, err)
	require.EqualValues(w, page.Total, len(page.Content))
	for _, i := range page.Content {
		out = append(out, i.Participant.Name+" "+i.Node+" "+i.State)
	}
	slices.Sort(out)
	return out
}

func (w *world) messages(who string) (out []notify.Type) {
	w.Helper()
	page, err := w.app.Messages().Search(w.Context(), w.as(who), notify.Search{Size: 50})
	require.NoError(w, err)
	for _, m := range page.Content {
		out = append(out, m.Type)
	}
	return out
}

// TestTasksOfPeople: those who oversee workflows find the tasks of anybody, also those that wait for their turn and those of people who left.
func TestTasksOfPeople(t *testing.T) {
	each(t, func(w *world) {
		_, err := w.flows().Tasks(w.Context(), w.as("ann"), workflow.TaskSearch{Search: workflow.Search{Size: 20}})
		require.Equal(w, fault.Forbidden, fault.Of(err))
		w.branches()
		sue, open := w.ids["sue"], w.tasks(workflow.TaskSearch{})
		require.Len(w, open, 5)
		require.Equal(w, []string{"sue left TODO"}, w.tasks(workflow.TaskSearch{Participant: sue}))
		require.Equal(w, []string{"sam left WAIT"}, w.tasks(workflow.TaskSearch{Participant: w.ids["sam"]}))
		require.Empty(w, w.tasks(workflow.TaskSearch{Departed: true}))
		require.Empty(w, w.tasks(workflow.TaskSearch{Search: workflow.Search{Word: "%"}}))
		require.Len(w, w.tasks(workflow.TaskSearch{Search: workflow.Search{Word: "lock"}}), 5)
		w.disable("sue")
		require.Equal(w, []string{"sue left TODO"}, w.tasks(workflow.TaskSearch{Departed: true}))
		require.Equal(w, []string{"ann start DONE"}, w.tasks(workflow.TaskSearch{State: "finished"}))
	})
}

// TestHandOver: what is open for a person goes to another, each instance on its own; a repeat finds nothing more.
func TestHandOver(t *testing.T) {
	each(t, func(w *world) {
		first, second := w.branches(), w.branches()
		draft := w.branches()
		require.NoError(w, w.order("ann", workflow.Order{Instance: draft.Instance, Do: flow.OpRevoke}))
		hand := func(who string, h workflow.HandOver) ([]workflow.HandedOver, error) {
			done, left, err := w.flows().HandOver(w.Context(), w.as(who), h)
			require.Zero(w, left)
			return done, err
		}
		sue, kim, bob := w.ids["sue"], w.ids["kim"], w.ids["bob"]
		_, err := hand("ann", workflow.HandOver{From: sue, To: kim})
		require.Equal(w, fault.Forbidden, fault.Of(err))
		for _, wrong := range []workflow.HandOver{{From: sue, To: sue}, {From: sue, To: "none"}, {To: kim}, {To: kim, Items: []string{"none"}}} {
			_, err = hand("eve", wrong)
			require.Equal(w, fault.BadParameter, fault.Of(err), "%+v", wrong)
		}
		require.NoError(w, give(w, "ann", "sue"))
		require.NoError(w, give(w, "sue", "otto"))
		once := workflow.HandOver{From: sue, To: kim, Opinion: "left", Token: "k1"}
		done, err := hand("eve", once)
		require.NoError(w, err)
		again, err := hand("eve", once)
		require.NoError(w, err)
		require.Equal(w, done, again, "a repeat answers what the first did")
		once.To = bob
		_, err = hand("eve", once)
		require.Equal(w, fault.RepeatSubmit, fault.Of(err), "a token is of one call")
		require.Len(w, done, 2)
		require.Equal(w, []int{1, 1}, []int{done[0].Count, done[1].Count})
		require.Len(w, w.list("kim", "unfinished"), 2)
		require.Empty(w, w.tasks(workflow.TaskSearch{Participant: sue}))
		told := 0
		for _, m := range w.messages("kim") {
			if m == notify.Type(31) {
				told++
			}
		}
		require.Equal(w, 1, told, "and tells nobody twice")
		mine, err := w.flows().Delegations(w.Context(), w.as("ann"))
		require.NoError(w, err)
		require.Equal(w, kim, mine[0].To.ID, "what was delegated to the one is the other's now")
		over, err := w.flows().Delegations(w.Context(), w.as("otto"))
		require.NoError(w, err)
		require.Empty(w, over, "what they delegated ends")
		w.disable("sue")
		done, err = hand("eve", workflow.HandOver{From: sue, To: kim})
		require.NoError(w, err)
		require.Empty(w, done)

		task := w.list("kim", "unfinished")[0]
		done, err = hand("eve", workflow.HandOver{To: bob, Items: []string{task.ID}})
		require.NoError(w, err)
		require.NoError(w, done[0].Err)
		require.Equal(w, task.Instance, w.task("bob").Instance)
		done, err = hand("eve", workflow.HandOver{To: bob, Items: []string{task.ID}})
		require.NoError(w, err)
		require.Equal(w, fault.ItemFinished, fault.Of(done[0].Err))

		done, err = hand("eve", workflow.HandOver{From: w.ids["ann"], To: bob})
		require.NoError(w, err)
		require.Len(w, done, 1)
		page, err := w.flows().Mine(w.Context(), w.as("bob"), workflow.InstanceSearch{Size: 10}, false)
		require.NoError(w, err)
		require.Len(w, page.Content, 1, "a draft changes its initiator")
		for _, id := range []string{first.Instance, second.Instance, draft.Instance} {
			w.same(id)
			state, _, err := w.flows().Verify(w.Context(), id)
			require.NoError(w, err)
			differs, err := w.flows().Differs(w.Context(), id, state)
			require.NoError(w, err)
			require.Empty(w, differs)
		}
	})
}

func give(w *world, from, to string) error {
	at := w.app.Now()
	_, err := w.flows().Delegate(w.Context(), w.as(from), workflow.DelegationOrder{To: w.ids[to], Starts: at.Add(time.Hour), Ends: at.Add(2 * time.Hour), Enabled: true})
	return err
}

// TestMending: an administrator sees before what a command would do, ends a branch, starts it again and moves the instance.
func TestMending(t *testing.T) {
	each(t, func(w *world) {
		done := w.branches()
		of := func(do flow.Operation, node string) workflow.Order {
			return workflow.Order{Instance: done.Instance, Do: do, Node: node, Opinion: "why"}
		}
		for _, do := range []flow.Operation{flow.OpActivate, flow.OpCancel, flow.OpJump} {
			require.Equal(w, fault.Forbidden, fault.Of(w.order("ann", of(do, "left"))), do)
			_, err := w.flows().Preview(w.Context(), w.as("ann"), of(do, "left"))
			require.Equal(w, fault.Forbidden, fault.Of(err), do)
		}
		preview, err := w.flows().Preview(w.Context(), w.as("eve"), of(flow.OpCancel, "right"))
		require.NoError(w, err)
		require.Empty(w, preview.Nodes)
		require.Equal(w, "right", preview.Closes[0].Node)
		require.Len(w, preview.Closes[0].People, 2)
		require.Len(w, w.list("olga", "unfinished"), 1, "a preview does nothing")
		require.NoError(w, w.order("eve", of(flow.OpCancel, "right")))
		require.Empty(w, w.list("olga", "unfinished"))
		require.Contains(w, w.messages("olga"), notify.Type(14))
		require.Equal(w, fault.CancelRefused, fault.Of(w.order("eve", of(flow.OpCancel, "left"))))
		_, err = w.flows().Preview(w.Context(), w.as("eve"), of(flow.OpCancel, "left"))
		require.Equal(w, fault.CancelRefused, fault.Of(err))
		require.NoError(w, w.order("eve", of(flow.OpActivate, "right")))
		require.Len(w, w.list("olga", "unfinished"), 1)
		require.Contains(w, w.messages("ann"), notify.Type(4))
		require.Equal(w, fault.ActivateRefused, fault.Of(w.order("eve", of(flow.OpActivate, "right"))))
		track, err := w.flows().Track(w.Context(), w.as("eve"), done.Instance)
		require.NoError(w, err)
		actions := map[string][]string{}
		for _, n := range track.Nodes {
			actions[n.Node] = n.Actions
		}
		require.Equal(w, map[string][]string{"start": {}, "both": {}, "joined": {}, "last": {}, "end": {},
			"left": {"jump", "cancelActivity", "adjust"}, "right": {"jump", "cancelActivity", "adjust"}}, actions)
		require.NoError(w, w.order("eve", of(flow.OpCancel, "right")))
		require.Equal(w, fault.BadParameter, fault.Of(w.order("eve", workflow.Order{Instance: done.Instance, Do: flow.OpJump, Node: "last", From: "right"})))
		require.NoError(w, w.order("eve", workflow.Order{Instance: done.Instance, Do: flow.OpJump, Node: "last", From: "left"}))
		require.Equal(w, "last", w.task("kim").Node)
		track, err = w.flows().Track(w.Context(), w.as("ann"), done.Instance)
		require.NoError(w, err)
		for _, n := range track.Nodes {
			require.Empty(w, n.Actions, "for administrators alone")
		}
		w.same(done.Instance)
	})
}

func (w *world) instances() (out []string) {
	w.Helper()
	page, err := w.flows().Mine(w.Context(), w.as("eve"), workflow.InstanceSearch{Size: 50}, true)
	require.NoError(w, err)
	for _, i := range page.Content {
		out = append(out, i.State)
	}
	return out
}

// TestRemove: an instance that is not in progress is deleted; its record stays and can start again.
func TestRemove(t *testing.T) {
	each(t, func(w *world) {
		done := w.branches()
		require.Equal(w, fault.Forbidden, fault.Of(w.flows().Remove(w.Context(), w.as("ann"), done.Instance, "")))
		require.Equal(w, fault.RemoveRefused, fault.Of(w.flows().Remove(w.Context(), w.as("eve"), done.Instance, "")))
		require.NoError(w, w.order("eve", workflow.Order{Instance: done.Instance, Do: flow.OpVoid}))
		require.Equal(w, done.Instance, w.marked(done.Record))
		require.NoError(w, w.flows().Remove(w.Context(), w.as("eve"), done.Instance, ""))
		require.Empty(w, w.instances())
		require.Empty(w, w.marked(done.Record))
		require.Contains(w, w.messages("ann"), notify.Type(105))
		require.Equal(w, fault.WorkflowNotFound, fault.Of(w.flows().Remove(w.Context(), w.as("eve"), done.Instance, "")))
		again, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "branches", Record: done.Record})
		require.NoError(w, err)
		require.NotEqual(w, done.Instance, again.Instance)
	})
}

// marked is the workflow that a record names.
func (w *world) marked(id string) string {
	w.Helper()
	info, err := w.flows().OfRecord(w.Context(), w.as("ann"), "contract", id)
	require.NoError(w, err)
	named, status, err := w.flows().Named(w.Context(), "contract", id)
	require.NoError(w, err)
	if info == nil {
		require.Equal(w, "COMPLETED", status, "as one that never ran in a workflow")
	}
	return named
}

// TestRecordGoes: an administrator of workflows deletes a record in a workflow, and the workflow ends with it; what comes back from the
// recycle bin is in none.
func TestRecordGoes(t *testing.T) {
	each(t, func(w *world) {
		running, draft := w.branches(), w.branches()
		require.NoError(w, w.order("ann", workflow.Order{Instance: draft.Instance, Do: flow.OpRevoke}))
		for _, done := range []workflow.Done{running, draft} {
			out, err := w.app.Writer().Delete(w.Context(), w.as("ann"), "contract", []string{done.Record})
			require.NoError(w, err)
			require.Equal(w, record.DeleteNotPossible, out.Errors[0].ResultCode)
		}
		require.Len(w, w.list("olga", "unfinished"), 1)
		out, err := w.app.Writer().Delete(w.Context(), w.as("root"), "contract", []string{running.Record, draft.Record})
		require.NoError(w, err)
		require.Equal(w, 2, out.SuccessCount, out.Errors)
		require.Empty(w, w.list("olga", "unfinished"))
		require.Equal(w, []string{"CANCELED"}, w.instances(), "the draft is gone")
		require.Contains(w, w.messages("ann"), notify.Type(104))
		require.Contains(w, w.messages("ann"), notify.Type(105))
		w.same(running.Instance)
		_, err = w.app.Writer().Restore(w.Context(), w.as("root"), "contract", running.Record)
		require.NoError(w, err)
		_, err = w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "contract", ID: running.Record, Version: w.version(running.Record), Set: map[string]json.RawMessage{"amount": raw(2)}})
		require.NoError(w, err, "what comes back is not held by a workflow that is over")
	})
}

// TestModified: a change of a finished record by an administrator of workflows is told to its initiator.
func TestModified(t *testing.T) {
	each(t, func(w *world) {
		w.publish(map[string]func(string) string{"workflows/contractApproval.json": w.replaced(`"dedupe": "none"}`, `"dedupe": "none", "final": false}`)})
		done := w.start("ann", 5)
		change := func(who string, v int) {
			w.Helper()
			_, err := w.app.Writer().Save(w.Context(), w.as(who), record.Change{Model: "contract", ID: done.Record, Version: w.version(done.Record), Set: map[string]json.RawMessage{"secret": raw(v)}})
			require.NoError(w, err)
		}
		change("root", 1)
		require.NotContains(w, w.messages("ann"), notify.Type(32), "while it runs, the log tells")
		for _, who := range []string{"sue", "sam"} {
			w.act(who, flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 5}))
		}
		change("ann", 2)
		require.NotContains(w, w.messages("ann"), notify.Type(32))
		change("root", 3)
		require.Contains(w, w.messages("ann"), notify.Type(32))
	})
}

// TestCompare: what a step changed, with the fields that the reader may see.
func TestCompare(t *testing.T) {
	each(t, func(w *world) {
		done := w.branches()
		detail := func(who string, i workflow.Item) *int64 {
			d, err := w.flows().Detail(w.Context(), w.as(who), i.ID)
			require.NoError(w, err)
			return d.Form.Version
		}
		sue := w.task("sue")
		w.act("sue", flow.OpAgree, func(c *workflow.Command) {
			c.Data, c.Version = map[string]json.RawMessage{"amount": raw(7)}, detail("sue", sue)
		})
		w.act("sam", flow.OpAgree)
		track, err := w.flows().Track(w.Context(), w.as("ann"), done.Instance)
		require.NoError(w, err)
		var said []string
		for _, o := range track.Log {
			if o.Changed {
				said = append(said, string(o.Operation))
			}
		}
		require.Equal(w, []string{"start", "agree"}, said)
		compare := func(who, task string, number int64) (string, error) {
			out, err := w.flows().Compare(w.Context(), w.as(who), done.Instance, task, number)
			if err != nil {
				return "", err
			}
			text := string(out.Entry.Operation)
			for _, entry := range out.Writes {
				for _, c := range entry.Changes {
					text += " " + c.PropertyCode + " " + word(c.BeforeText) + ">" + word(c.AfterText)
				}
			}
			return text, nil
		}
		at := track.Log[1].Number
		for _, who := range []string{"ann", "sue", "olga"} {
			got, err := compare(who, "", at)
			require.NoError(w, err, who)
			require.Equal(w, "agree amount 1.00>7.00", got, who)
		}
		got, err := compare("ann", "", track.Log[0].Number)
		require.NoError(w, err)
		require.Contains(w, got, "secret")
		got, err = compare("sue", sue.ID, track.Log[0].Number)
		require.NoError(w, err)
		require.NotContains(w, got, "secret", "a hidden field is not told")
		require.Contains(w, got, "amount")
		_, err = compare("sue", w.task("sid").ID, at) // another's task is not hers
		require.NoError(w, err)
		for _, who := range []string{"bob", "kim", "eve"} {
			_, err = compare(who, sue.ID, at)
			require.Equal(w, fault.WorkflowNotFound, fault.Of(err), who)
		}
		_, err = compare("ann", "", track.Log[2].Number)
		require.Equal(w, fault.WorkflowNotFound, fault.Of(err), "a step that changed nothing")
		_, err = compare("ann", "", 1)
		require.Equal(w, fault.WorkflowNotFound, fault.Of(err), "an event that is no step")
	})
}

func word(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

// TestWorkHandover: the handover of a person's work hands over their tasks, in the background.
func TestWorkHandover(t *testing.T) {
	each(t, func(w *world) {
		first, second := w.branches(), w.branches()
		w.disable("sue")
		hand := func(who string) error {
			person := func(name string) json.RawMessage { return raw(map[string]any{"id": w.ids[name]}) }
			_, err := w.app.Writer().Save(w.Context(), w.as(who), record.Change{Model: "handover", Set: map[string]json.RawMessage{"source": person("sue"), "target": person("kim"),
				"ownership": raw(false), "leadership": raw(false), "workflows": raw(true)}})
			return err
		}
		require.Error(w, hand("eve"), "administering workflows gives no right to people's work")
		require.NoError(w, hand("root"))
		require.Eventually(w, func() bool { return len(w.list("kim", "unfinished")) == 2 }, 20*time.Second, 50*time.Millisecond)
		require.Empty(w, w.tasks(workflow.TaskSearch{Departed: true}))
		require.Contains(w, w.messages("kim"), notify.Type(31))
		require.NoError(w, hand("root"), "a repeat finds nothing more")
		w.same(first.Instance)
		w.same(second.Instance)
	})
}
