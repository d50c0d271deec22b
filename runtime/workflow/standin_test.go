package workflow_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// lend makes or changes a delegation from now on for some hours.
func (w *world) lend(from, to string, starts, hours int, change func(*workflow.DelegationOrder)) workflow.Delegation {
	w.Helper()
	now := w.app.Now()
	o := workflow.DelegationOrder{To: w.ids[to], Starts: now.Add(time.Duration(starts) * time.Hour), Ends: now.Add(time.Duration(starts+hours) * time.Hour), Enabled: true}
	if change != nil {
		change(&o)
	}
	d, err := w.flows().Delegate(w.Context(), w.as(from), o)
	require.NoError(w, err)
	return d
}

// counts compares how many open tasks people have.
func (w *world) counts(want map[string]int) {
	w.Helper()
	for who, n := range want {
		require.Len(w, w.list(who, "unfinished"), n, who)
	}
}

// titles are the titles of somebody's messages of a type, each with its lines, the newest first.
func (w *world) titles(who string, of notify.Type) (out []string) {
	w.Helper()
	page, err := w.app.Messages().Search(w.Context(), w.as(who), notify.Search{Size: 50, Type: strconv.Itoa(int(of))})
	require.NoError(w, err)
	for _, m := range page.Content {
		out = append(out, strings.TrimSuffix(m.Title+"|"+m.Content, "|"))
	}
	return out
}

// TestManyTasksMoveAtOnce: who gets open tasks by a delegation, or has them back, hears of it once, each in words of their own.
func TestManyTasksMoveAtOnce(t *testing.T) {
	each(t, func(w *world) {
		for amount := range 3 {
			w.start("ann", amount)
		}
		own := len(w.titles("sue", 101))
		w.lend("sue", "kim", 0, 2, func(o *workflow.DelegationOrder) { o.MoveOpen, o.ReturnOpen = true, true })
		w.counts(map[string]int{"sue": 0, "kim": 3})
		require.Empty(w, w.titles("kim", 101), "not one by one")
		require.Equal(w, []string{"sue 的 3 项任务已转给您", "sue 将流程委托给您"}, w.titles("kim", 51))
		w.ahead.Add(int64(3 * time.Hour))
		w.fire()
		w.counts(map[string]int{"sue": 3, "kim": 0})
		require.Len(w, w.titles("sue", 101), own)
		require.Equal(w, []string{"您对 kim 的委托已结束|退回的任务：3 项"}, w.titles("sue", 52))
		require.Equal(w, []string{"sue 对您的委托已结束"}, w.titles("kim", 52))
		w.fire()
		require.Len(w, w.titles("sue", 52), 1)
	})
}

// TestOpenTasksMove: open tasks go to the delegate when the period begins, and come back when it ends or is ended.
func TestOpenTasksMove(t *testing.T) {
	each(t, func(w *world) {
		first := w.start("ann", 5)
		w.lend("sue", "kim", 1, 2, func(o *workflow.DelegationOrder) { o.MoveOpen, o.ReturnOpen, o.KeepCopy = true, true, true })
		w.fire()
		w.counts(map[string]int{"sue": 1, "kim": 0})
		w.ahead.Add(int64(61 * time.Minute))
		w.fire()
		w.counts(map[string]int{"sue": 0, "kim": 1})
		require.Equal(w, w.ids["sue"], w.task("kim").DelegatedBy.ID)
		w.same(first.Instance)
		second := w.start("ann", 6)
		w.counts(map[string]int{"sue": 0, "kim": 2})
		copies := w.list("sue", "delegated")
		require.Len(w, copies, 2)
		require.Equal(w, w.ids["kim"], copies[0].Participant.ID)
		require.Empty(w, w.list("kim", "delegated"))
		_, err := w.flows().Act(w.Context(), w.as("sue"), workflow.Command{Item: copies[0].ID, Do: flow.OpAgree})
		require.Equal(w, fault.ItemNotYours, fault.Of(err), "a copy is to look at")
		_, err = w.flows().Detail(w.Context(), w.as("sue"), copies[0].ID)
		require.Error(w, err)
		_, err = w.flows().Track(w.Context(), w.as("sue"), copies[0].Instance)
		require.NoError(w, err)
		_, err = w.flows().Act(w.Context(), w.as("kim"), workflow.Command{Item: copies[1].ID, Do: flow.OpAgree, Data: nil})
		require.Equal(w, fault.RecordInvalid, fault.Of(err), "the delegate acts with what the step asks for")

		w.ahead.Add(int64(2 * time.Hour))
		w.fire()
		w.counts(map[string]int{"sue": 2, "kim": 0})
		require.Empty(w, w.list("sue", "delegated"), "what came back is no copy")
		require.Contains(w, w.told("kim"), notify.Type(52))
		require.Contains(w, w.told("sue"), notify.Type(52))
		w.fire()
		track, err := w.flows().Track(w.Context(), w.as("ann"), second.Instance)
		require.NoError(w, err)
		var log []string
		for _, o := range track.Log {
			if o.Operation == flow.OpDelegate || o.Operation == flow.OpReturn {
				log = append(log, o.Of.Name+" "+string(o.Operation)+" "+o.People[0].Name)
			}
		}
		require.Equal(w, []string{"sue delegate kim", "kim return sue"}, log)
		w.same(second.Instance)

		d := w.lend("sue", "kim", 0, 5, func(o *workflow.DelegationOrder) { o.MoveOpen, o.ReturnOpen = true, true })
		w.counts(map[string]int{"sue": 0, "kim": 2}) // at once: it has begun
		require.Empty(w, w.list("sue", "delegated"), "no copy was wanted")
		d = w.lend("sue", "bob", 0, 5, func(o *workflow.DelegationOrder) { o.ID, o.MoveOpen, o.ReturnOpen = d.ID, true, true })
		w.counts(map[string]int{"sue": 0, "kim": 0, "bob": 2}) // another delegate
		d = w.lend("sue", "bob", 0, 5, func(o *workflow.DelegationOrder) { o.ID, o.Enabled, o.ReturnOpen = d.ID, false, true })
		w.counts(map[string]int{"sue": 2, "bob": 0}) // switched off
		d = w.lend("sue", "bob", 0, 5, func(o *workflow.DelegationOrder) { o.ID, o.MoveOpen, o.ReturnOpen = d.ID, true, true })
		w.counts(map[string]int{"sue": 0, "bob": 2})
		require.NoError(w, w.flows().Undelegate(w.Context(), w.as("sue"), d.ID))
		w.counts(map[string]int{"sue": 2, "bob": 0}) // deleted
		require.Equal(w, fault.DelegationNotFound, fault.Of(w.flows().Undelegate(w.Context(), w.as("sue"), d.ID)))
		left, err := w.flows().Delegations(w.Context(), w.as("sue"))
		require.NoError(w, err)
		require.Len(w, left, 1, "the one that is over")

		w.lend("sue", "sam", 0, 5, func(o *workflow.DelegationOrder) { o.MoveOpen = true })
		w.counts(map[string]int{"sue": 2, "sam": 2}) // who has a task of the step gets no second one
	})
}

// TestInitiatorDepartments: a delegation may be for instances of some departments only.
func TestInitiatorDepartments(t *testing.T) {
	each(t, func(w *world) {
		yard := w.keep("department", map[string]any{"name": "Yard"})
		team := w.keep("department", map[string]any{"name": "Team", "parent": yard})
		w.alter("user", w.ids["bob"], map[string]any{"mainDepartment": team})
		w.start("ann", 5)
		w.start("bob", 6)
		_, err := w.flows().Delegate(w.Context(), w.as("sue"), workflow.DelegationOrder{To: w.ids["kim"], Starts: w.app.Now(), Ends: w.app.Now().Add(time.Hour), Enabled: true, Departments: []string{"none"}})
		require.Equal(w, fault.BadParameter, fault.Of(err))
		d := w.lend("sue", "kim", 0, 5, func(o *workflow.DelegationOrder) { o.MoveOpen, o.Departments = true, []string{yard} })
		require.Equal(w, []workflow.Department{{ID: yard, Name: "Yard"}}, d.Departments)
		w.counts(map[string]int{"sue": 1, "kim": 1})
		w.start("ann", 7)
		w.start("bob", 8)
		w.counts(map[string]int{"sue": 2, "kim": 2})
	})
}

// TestChainOfDelegations: a workflow says how many delegations are followed, never back to somebody who was passed; what came that way goes back to who delegated first.
func TestChainOfDelegations(t *testing.T) {
	each(t, func(w *world) {
		begin := func() workflow.Done {
			done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "near", Data: map[string]json.RawMessage{"title": raw("Lock gate")}})
			require.NoError(w, err)
			return done
		}
		none := func(*workflow.DelegationOrder) {}
		w.lend("kim", "otto", 0, 9, none)
		last := w.lend("otto", "sue", 0, 9, none)
		first := begin()
		w.counts(map[string]int{"sue": 1})
		d := w.lend("sue", "kim", 0, 5, func(o *workflow.DelegationOrder) { o.MoveOpen, o.ReturnOpen = true, true })
		w.counts(map[string]int{"sue": 0, "kim": 0, "otto": 1}) // what was open, and not round to sue again
		begin()
		w.counts(map[string]int{"sue": 0, "kim": 0, "otto": 2})
		require.Equal(w, w.ids["sue"], w.list("otto", "unfinished")[0].DelegatedBy.ID)
		w.lend("otto", "bob", 0, 9, func(o *workflow.DelegationOrder) { o.ID = last.ID })
		w.lend("bob", "eve", 0, 9, none)
		begin()
		w.counts(map[string]int{"otto": 2, "bob": 1, "eve": 0}) // three, not four
		w.start("ann", 5)
		w.counts(map[string]int{"kim": 1}) // a workflow that says nothing
		require.NoError(w, w.flows().Undelegate(w.Context(), w.as("sue"), d.ID))
		w.counts(map[string]int{"sue": 4, "kim": 0, "otto": 0, "bob": 0})
		w.same(first.Instance)

		for _, to := range []string{"kim", "bob"} { // what a delegate of before kept stays there
			d = w.lend("sue", to, 0, 5, func(o *workflow.DelegationOrder) { o.ReturnOpen = to == "bob" })
			if to == "kim" {
				w.start("ann", 6)
			}
			require.NoError(w, w.flows().Undelegate(w.Context(), w.as("sue"), d.ID))
			w.counts(map[string]int{"sue": 4, "kim": 1})
		}
	})
}
