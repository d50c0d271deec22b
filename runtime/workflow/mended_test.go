package workflow_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestServiceBehindTimeLimit: a service has its own number, which may be that of a task that is over; its call runs all the same. A reminder that
// comes with the time limit is told once.
func TestServiceBehindTimeLimit(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("later", map[string]any{"title": "Lock", "amount": 3})
		w.ahead.Add(int64(121 * time.Minute))
		w.fire()
		for _, who := range []string{"olga", "otto"} {
			late := 0
			for _, m := range w.messages(who) {
				if m == notify.Type(23) {
					late++
				}
			}
			require.Equal(w, 1, late)
		}
		w.act("olga", flow.OpAgree)
		w.fire()
		require.Equal(w, "COMPLETED", w.status(done.Instance))
		w.same(done.Instance)
	})
}

// TestSecretInListsOfOthers: who oversees tasks without administering workflows does not read what was said in secret, nor does who takes part.
func TestSecretInListsOfOthers(t *testing.T) {
	each(t, func(w *world) {
		var err error
		w.ids["walt"], err = w.app.AddUser(w.Context(), "walt", "walt", []string{"warden"})
		require.NoError(w, err)
		done := w.reviewed(1, "please")
		for _, who := range []string{"sue", "sam", "sid"} {
			w.act(who, flow.OpAgree, says("open words"))
		}
		w.act("olga", flow.OpAgree, says("secret words"))
		said := func(who string) string {
			page, err := w.flows().Tasks(w.Context(), w.as(who), workflow.TaskSearch{State: "finished", Search: workflow.Search{Size: 50}})
			require.NoError(w, err)
			return string(raw(page.Content))
		}
		require.Contains(w, said("walt"), "open words")
		require.NotContains(w, said("walt"), "secret words")
		require.Contains(w, said("eve"), "secret words")
		require.Contains(w, string(raw(w.list("olga", "finished"))), "secret words", "what one said oneself")
		for who, reads := range map[string]bool{"ann": false, "sue": false, "olga": true, "eve": true} {
			course, err := w.flows().Track(w.Context(), w.as(who), done.Instance)
			require.NoError(w, err)
			for part, text := range map[string]string{"nodes": string(raw(course.Nodes)), "log": string(raw(course.Log))} {
				require.Contains(w, text, "open words", "%s of %s", part, who)
				require.Equal(w, reads, strings.Contains(text, "secret words"), "%s of %s", part, who)
			}
		}
	})
}

// TestPoolsComeToRest: two pools of one instance are looked at once after a command, and then no more until something changes.
func TestPoolsComeToRest(t *testing.T) {
	each(t, func(w *world) {
		w.begin("duties", map[string]any{"title": "Lock"})
		due := func() (n int) {
			require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
				return tx.System().Raw("SELECT count(*) FROM sl_wf_pool WHERE due = ?", true).Scan(&n).Error
			}))
			return n
		}
		require.Equal(w, 2, due())
		w.fire()
		require.Zero(w, due())
		w.have("left", "sue", "sam", "sid")
		w.have("right", "olga", "otto")
	})
}

// TestVoidWhatWasSentBack: the initiator of a workflow that administrators void gives up what came back to them.
func TestVoidWhatWasSentBack(t *testing.T) {
	each(t, func(w *world) {
		done := w.reviewed(1, "please")
		give := workflow.Order{Instance: done.Instance, Do: flow.OpVoid}
		require.Equal(w, fault.VoidRefused, fault.Of(w.order("ann", give)))
		w.act("sue", flow.OpReject, says("no"), func(c *workflow.Command) { c.Node = "start" })
		require.Error(w, w.order("sue", give))
		require.NoError(w, w.order("ann", give))
		require.Equal(w, "CANCELED", w.status(done.Instance))
	})
}
