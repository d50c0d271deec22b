package workflow_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// timedCrowd are instances whose timers two nodes fire while people read copies, leave, forge and amend.
type timedCrowd struct {
	*world
	nodes   []*workflow.Service // two of them on PostgreSQL; on SQLite one, asked twice
	open    []workflow.Done     // in the order of their start
	ids     map[string]int      // their places by record
	decided map[int]bool        // sam agrees to these by hand
	amended map[int]bool
	answers map[fault.Code]int // to attempts to forge
	lock    sync.Mutex         // of answers and amended
}

// TestTimersOfTwoNodes: more than 300 timers that two nodes fire at the same time are each done once, beside people who read copies, try to change
// what was approved, amend it, and leave. In the end every instance is sealed and sound, what was amended stays amended, and who read a copy has read it.
func TestTimersOfTwoNodes(t *testing.T) {
	each(t, func(w *world) {
		c := w.timedCrowd(36)
		c.pass(61*time.Minute, c.circulates, c.reads("kim", 3))
		require.Equal(w, 3*len(c.open)-len(c.decided), int(w.count("SELECT count(*) FROM sl_message WHERE type = 21")), "each task once")
		w.disable("sid")
		c.pass(60*time.Minute, c.reads("otto", 2), c.attempts)
		require.Equal(w, 3*len(c.open)-len(c.decided), int(w.count("SELECT count(*) FROM sl_message WHERE type = 23")), "each task once")
		c.pass(61*time.Minute, c.attempts, c.amends, c.reads("kim", 1))
		c.pass(time.Minute, c.attempts, c.amends, c.reads("otto", 1))
		require.NotZero(w, c.answers[fault.RecordSealed], "%v", c.answers)
		c.ends()
	})
}

// timedCrowd starts contracts that three people check within a time limit; what they have to fill in is filled in.
func (w *world) timedCrowd(n int) *timedCrowd {
	w.Helper()
	c := &timedCrowd{world: w, nodes: []*workflow.Service{w.flows(), w.flows()}, ids: map[string]int{}, decided: map[int]bool{}, amended: map[int]bool{}, answers: map[fault.Code]int{}}
	if w.place.URL != "" {
		second := *w
		second.open()
		w.Cleanup(func() { require.NoError(w, second.app.Close()) })
		c.nodes[1] = second.flows()
	}
	id, err := w.app.AddUser(w.Context(), "alex", "alex", []string{"amender"})
	require.NoError(w, err)
	w.ids["alex"] = id
	for i := range n {
		done := w.start("ann", 5_000+i)
		c.ids[done.Record] = i
		c.open = append(c.open, done)
	}
	for _, task := range w.list("sue", "unfinished") {
		_, err := w.flows().Act(w.Context(), w.as("sue"), workflow.Command{Item: task.ID, Do: flow.OpSave, Data: w.set("checked", 1), Version: w.version(task.Record)})
		require.NoError(w, err)
	}
	for k, task := range w.list("sam", "unfinished") {
		if k%4 == 0 {
			_, err := w.flows().Act(w.Context(), w.as("sam"), workflow.Command{Item: task.ID, Do: flow.OpAgree})
			require.NoError(w, err)
			c.decided[c.ids[task.Record]] = true
		}
	}
	return c
}

// pass lets time go by: both nodes fire what is due until nothing is, while people do something.
func (c *timedCrowd) pass(after time.Duration, people ...func() error) {
	c.Helper()
	c.ahead.Add(int64(after))
	var all sync.WaitGroup
	failed := make(chan error, len(c.nodes)+len(people))
	for _, node := range c.nodes {
		all.Go(func() {
			for fired := 1; fired > 0; {
				var err error
				if fired, err = node.Fire(context.Background()); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	for _, does := range people {
		all.Go(func() { failed <- does() })
	}
	all.Wait()
	close(failed)
	for err := range failed {
		require.NoError(c, err)
	}
}

// circulates sends each instance to two who read it, one call after the other.
func (c *timedCrowd) circulates() error {
	page, err := c.nodes[0].Items(context.Background(), c.as("sue"), "unfinished", workflow.Search{Size: 50})
	if err != nil {
		return err
	}
	for _, task := range page.Content {
		_, err := c.nodes[1].Act(context.Background(), c.as("sue"), workflow.Command{Item: task.ID, Do: flow.OpCirculate, People: []string{c.world.ids["kim"], c.world.ids["otto"]}})
		if err != nil {
			return fmt.Errorf("circulate: %w", err)
		}
	}
	return nil
}

// reads lets somebody read every k-th of their copies.
func (c *timedCrowd) reads(who string, k int) func() error {
	return func() error {
		page, err := c.nodes[1].Items(context.Background(), c.as(who), "unread", workflow.Search{Size: 50})
		if err != nil {
			return err
		}
		for i, copy := range page.Content {
			if i%k == 0 {
				if err := c.nodes[i%2].MarkRead(context.Background(), c.as(who), []string{copy.ID}); err != nil {
					return fmt.Errorf("read: %w", err)
				}
			}
		}
		return nil
	}
}

// attempts lets the initiator try to change the title of every contract that has ended; of those that run too, whose workflow refuses it.
func (c *timedCrowd) attempts() error {
	for _, one := range c.open {
		err := forge(context.Background(), c.app, c.as("ann"), one.Record)
		code := fault.Of(err)
		if err == nil || code == fault.Internal {
			return fmt.Errorf("forge %s: %w", one.Record, err)
		}
		c.lock.Lock()
		c.answers[code]++
		c.lock.Unlock()
	}
	return nil
}

// amends gives a third of the contracts that were approved another number, once each.
func (c *timedCrowd) amends() error {
	for i, one := range c.open {
		c.lock.Lock()
		before := c.amended[i]
		c.lock.Unlock()
		if i%3 != 0 || before {
			continue
		}
		err := c.edits("alex", one.Record, "as invoiced", map[string]any{"number": fmt.Sprint("A-", i)})
		switch code := fault.Of(err); {
		case err == nil:
			c.lock.Lock()
			c.amended[i] = true
			c.lock.Unlock()
		case code == 0 || code == fault.Internal:
			return fmt.Errorf("amend: %w", err)
		}
	}
	return nil
}

// ends checks what is left of everything.
func (c *timedCrowd) ends() {
	c.Helper()
	c.leave()
	require.GreaterOrEqual(c, c.count("SELECT count(*) FROM sl_wf_timer"), int64(300))
	require.Zero(c, c.count("SELECT count(*) FROM sl_wf_timer WHERE NOT done"))
	require.Len(c, c.amended, len(c.open)/3)
	for i, one := range c.open {
		require.Equal(c, string(flow.Completed), c.status(one.Instance))
		require.EqualValues(c, 1, c.count("SELECT count(*) FROM sl_wf_instance WHERE id = ? AND sealed", one.Instance))
		c.sound(one.Instance)
		amended := 0
		for _, entry := range c.log("ann", one.Instance) {
			if entry.Operation == flow.OpAmend {
				amended++
			}
		}
		if c.amended[i] {
			require.Equal(c, 1, amended)
			require.Equal(c, fmt.Sprint("A-", i), c.value(one.Record, "number"))
		} else {
			require.Zero(c, amended)
		}
		require.Equal(c, map[string]string{"kim": "read", "otto": "read"}, c.copies(one.Instance))
	}
}

// copies are those to whom an instance was circulated, with what the course says of their copies.
func (c *timedCrowd) copies(instance string) map[string]string {
	c.Helper()
	track, err := c.flows().Track(c.Context(), c.as("ann"), instance)
	require.NoError(c, err)
	out := map[string]string{}
	for _, n := range track.Nodes {
		for _, r := range n.Rounds {
			for _, i := range r.Items {
				if i.Type == string(flow.ItemCirculate) {
					out[i.Participant.Name] = i.Result
				}
			}
		}
	}
	return out
}
