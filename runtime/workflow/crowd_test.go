package workflow_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestCrowd: 200 people act on parents and their children in the same moment, while timers bring what the children end with to their parents and
// administrators void both. Every call ends, each with success or a refusal, no transaction waits for another in a circle, and each instance is sound.
func TestCrowd(t *testing.T) {
	each(t, func(w *world) {
		const people = 200
		role, known := w.app.People().RoleID(w.Context(), "supervisor")
		require.True(w, known)
		var crowd []*authz.View
		for k := range people - 3 { // and sue, sam, sid
			name := fmt.Sprintf("crowd%03d", k)
			values := map[string]any{"username": name, "name": name}
			if k < 17 { // the others press on what is not theirs
				values["roles"] = []map[string]any{{"id": role}}
			}
			w.ids[name] = w.keep("user", values)
		}
		var parents []string
		for range 3 {
			done := w.begin("parting", map[string]any{"title": "Lock", "parts": []map[string]any{{"part": "gate", "cost": 3}, {"part": "valve", "cost": 4}}})
			parents = append(parents, done.Instance)
		}
		w.fire()
		children := w.list("sue", "unfinished")
		require.Len(w, children, 2*len(parents))
		for name := range w.ids {
			crowd = append(crowd, w.as(name))
		}
		var all sync.WaitGroup
		var did atomic.Int64
		var voided atomic.Bool
		begun := make(chan struct{})
		for k, view := range crowd {
			page, err := w.flows().Items(w.Context(), view, "unfinished", workflow.Search{Size: 50})
			require.NoError(w, err)
			all.Go(func() {
				<-begun
				ctx := context.Background()
				var errs []error
				try := func(err error) {
					if err == nil {
						did.Add(1)
					}
					errs = append(errs, err)
				}
				task := children[k%len(children)]
				if len(page.Content) > 0 {
					task = page.Content[k%len(page.Content)]
				}
				for range 2 {
					_, err := w.flows().Act(ctx, view, workflow.Command{Item: task.ID, Do: flow.OpAgree, Token: fmt.Sprint("crowd ", k)})
					try(err)
					_, err = w.flows().Act(ctx, view, workflow.Command{Item: task.ID, Do: flow.OpWithdraw})
					try(err)
				}
				switch k % 20 {
				case 0:
					_, err := w.flows().Order(ctx, w.as("eve"), workflow.Order{Instance: parents[0], Do: flow.OpVoid})
					try(err)
					if err == nil {
						voided.Store(true)
					}
				case 1:
					_, err := w.flows().Order(ctx, w.as("eve"), workflow.Order{Instance: children[0].Instance, Do: flow.OpVoid})
					try(err)
				case 2:
					_, err := w.flows().Fire(ctx)
					try(err)
				case 3:
					_, err := w.flows().Start(ctx, w.as("ann"), workflow.Start{Workflow: "parting", Data: map[string]json.RawMessage{"title": raw("More"), "parts": raw([]map[string]any{{"part": "x", "cost": 1}})}})
					try(err)
				}
				for _, err := range errs {
					if err != nil && fault.Of(err) == fault.Internal {
						w.Errorf("%d: %v", k, err)
					}
				}
			})
		}
		close(begun)
		all.Wait()
		require.Greater(w, did.Load(), int64(10))
		w.fire()
		for _, id := range w.everyInstance() {
			w.sound(id)
		}
		ended := "COMPLETED" // before anybody came to void it
		if voided.Load() {
			ended = "CANCELED"
		}
		require.Equal(w, ended, w.status(parents[0]))
		for _, id := range parents[1:] {
			require.Contains(w, []string{"COMPLETED", "EXCEPTION", "PROCESSING"}, w.status(id))
		}
		if w.place.URL == "" {
			return // one writer
		}
		require.NoError(w, w.app.Close()) // connections tell what they met when they end
		w.open()
		require.Zero(w, w.count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
	})
}
