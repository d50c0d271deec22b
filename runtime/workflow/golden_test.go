package workflow_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestDelegationGolden: x delegates to k, so the task is k's for x; k cannot delegate to x at that time.
func TestDelegationGolden(t *testing.T) {
	each(t, func(w *world) {
		now := w.app.Now()
		give := func(from, to string) error {
			_, err := w.flows().Delegate(w.Context(), w.as(from), workflow.DelegationOrder{To: w.ids[to], Starts: now.Add(-time.Minute), Ends: now.Add(time.Hour), Enabled: true})
			return err
		}
		require.NoError(w, give("sue", "kim"))
		done := w.start("ann", 5)
		task := w.task("kim")
		require.Equal(w, w.ids["sue"], task.DelegatedBy.ID)
		require.Equal(w, w.ids["kim"], task.Participant.ID)
		state, _, err := w.flows().Verify(w.Context(), done.Instance)
		require.NoError(w, err)
		for _, i := range state.Items {
			require.NotEqual(w, w.ids["sue"], i.Person)
		}
		require.Equal(w, fault.DelegationCircle, fault.Of(give("kim", "sue")))
		require.EqualValues(w, 405004, fault.DelegationCircle)
	})
}

// TestSameMillisecondGolden: two of the three agree at the same moment, in transactions of their own. Both votes are kept, A is left once,
// the third task is canceled once with one message, and each of the next three people hears once.
func TestSameMillisecondGolden(t *testing.T) {
	each(t, func(w *world) {
		const times = 4
		instances := map[string]map[string]string{} // of an instance, the tasks by person
		for range times {
			instances[w.begin("golden", map[string]any{"title": "Gate", "amount": 5}).Instance] = map[string]string{}
		}
		for _, who := range []string{"sue", "sam", "sid"} {
			for _, i := range w.list(who, "unfinished") {
				instances[i.Instance][who] = i.ID
			}
		}
		heard := w.hears("sue", "sam", "sid", "olga", "otto", "kim", "bob")
		heard() // of the first tasks
		var both sync.WaitGroup
		ready := make(chan struct{})
		for _, tasks := range instances {
			for _, who := range []string{"sue", "sam"} {
				view := w.as(who)
				both.Go(func() {
					<-ready
					if _, err := w.flows().Act(context.Background(), view, workflow.Command{Item: tasks[who], Do: flow.OpAgree}); err != nil {
						w.Errorf("%s: %v", who, err)
					}
				})
			}
		}
		close(ready)
		both.Wait()
		for id := range instances {
			state, _, err := w.flows().Verify(w.Context(), id)
			require.NoError(w, err)
			were := map[string]flow.ItemState{}
			left := 0
			for _, a := range state.Activities {
				if a.Node != "A" {
					continue
				}
				left++
				require.Equal(w, flow.ActivityPassed, a.State)
				for _, i := range state.Items {
					if i.Activity == a.ID {
						were[i.Person] = i.State
					}
				}
			}
			require.Equal(w, 1, left)
			require.Equal(w, map[string]flow.ItemState{w.ids["sue"]: flow.ItemDone, w.ids["sam"]: flow.ItemDone, w.ids["sid"]: flow.ItemCancelled}, were)
			require.Len(w, state.Live(), 2, "one token for each branch")
			w.same(id)
		}
		for who, messages := range heard() {
			want := map[string][]notify.Type{"sid": {14}, "olga": {101}, "otto": {101}, "kim": {101}}[who]
			require.Equal(w, slices.Repeat(want, times), slices.DeleteFunc(messages, func(n notify.Type) bool { return n != 14 && n != 101 }), who)
		}
	})
}

// TestVoidGolden: voided at any point an instance has no task, no token and no timer left, and the record returns to a draft through a hook.
func TestVoidGolden(t *testing.T) {
	each(t, func(w *world) {
		way := []string{"sue", "sam", "sid", "olga", "kim", "bob"}
		for steps := range len(way) + 1 {
			done := w.begin("undone", map[string]any{"title": "Gate", "amount": 5})
			for _, who := range way[:steps] {
				w.act(who, flow.OpAgree)
			}
			require.Equal(w, "COUNTED", w.value(done.Record, "state"))
			require.NoError(w, w.order("eve", workflow.Order{Instance: done.Instance, Do: flow.OpVoid, Opinion: "Wrong"}))
			require.Equal(w, "CANCELED", w.status(done.Instance))
			require.Equal(w, "DRAFT", w.value(done.Record, "state"), "after %d steps", steps)
			state, _, err := w.flows().Verify(w.Context(), done.Instance)
			require.NoError(w, err)
			require.Empty(w, state.Live())
			for _, i := range state.Items {
				require.False(w, i.Open(), "%+v", i)
			}
			require.Zero(w, w.count("SELECT count(*) FROM sl_wf_item WHERE instance = ? AND list = 'unfinished'", done.Instance))
			w.same(done.Instance)
		}
		told := map[string]int{}
		for who := range staff {
			told[who] = len(w.told(who))
		}
		w.ahead.Add(int64(10 * time.Hour))
		w.fire()
		for who := range staff {
			require.Len(w, w.told(who), told[who], "no timer acts for %s", who)
		}
		require.Zero(w, w.count("SELECT count(*) FROM sl_wf_timer WHERE done = ?", false))
	})
}

// TestTimersGolden: after 60 minutes message 21, after 120 message 23, after 180 the task agrees by itself, unless a required field is empty.
func TestTimersGolden(t *testing.T) {
	each(t, func(w *world) {
		types := func() []notify.Type {
			out := []notify.Type{}
			page, err := w.app.Messages().Search(w.Context(), w.as("sue"), notify.Search{Size: 20})
			require.NoError(w, err)
			for _, m := range page.Content {
				out = append(out, m.Type)
			}
			return out
		}
		for _, filled := range []bool{true, false} {
			done := w.start("ann", 2_000_000)
			if filled {
				w.act("sue", flow.OpSave, w.writes(done.Record, map[string]any{"checked": 1}))
			}
			had := len(types())
			for _, at := range []struct {
				minutes int
				told    []notify.Type
			}{{59, []notify.Type{}}, {2, []notify.Type{21}}, {58, []notify.Type{21}}, {2, []notify.Type{23, 21}}, {58, []notify.Type{23, 21}}} {
				w.ahead.Add(int64(time.Duration(at.minutes) * time.Minute))
				w.fire()
				require.Equal(w, at.told, types()[:len(types())-had], "%v", at)
				require.Len(w, w.list("sue", "unfinished"), 1)
			}
			w.ahead.Add(int64(3 * time.Minute))
			w.fire()
			if !filled {
				require.Len(w, w.list("sue", "unfinished"), 1, "what is required only a person can fill")
				require.Empty(w, w.list("olga", "unfinished"))
				continue
			}
			require.Empty(w, w.list("sue", "unfinished"))
			state, _, err := w.flows().Verify(w.Context(), done.Instance)
			require.NoError(w, err)
			rules := 0
			for _, i := range state.Items {
				if i.Rule == "timeout" && i.State == flow.ItemDone && i.Verdict == flow.Agree {
					rules++
				}
			}
			require.Equal(w, 2, rules, "two of three are enough")
			w.act("olga", flow.OpAgree)
			w.same(done.Instance)
		}
	})
}

// TestLateTimer: a timer that is due although its task is over does nothing but be done.
func TestLateTimer(t *testing.T) {
	each(t, func(w *world) {
		done := w.start("ann", 5)
		for _, who := range []string{"sue", "sam"} {
			w.act(who, flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 5}))
		}
		require.Equal(w, "COMPLETED", w.status(done.Instance))
		late := w.app.Now().UTC().Add(-time.Minute)
		require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec("UPDATE sl_wf_timer SET done = ?, rest = NULL, due = ? WHERE instance = ?", false, late, done.Instance).Error
		}))
		events := w.count("SELECT events FROM sl_wf_instance WHERE id = ?", done.Instance)
		require.NotZero(w, w.count("SELECT count(*) FROM sl_wf_timer WHERE instance = ?", done.Instance))
		w.fire()
		require.Zero(w, w.count("SELECT count(*) FROM sl_wf_timer WHERE instance = ? AND done = ?", done.Instance, false))
		require.Equal(w, events, w.count("SELECT events FROM sl_wf_instance WHERE id = ?", done.Instance))
		require.Zero(w, w.count("SELECT count(*) FROM sl_message WHERE type IN (21, 23)"))
	})
}
