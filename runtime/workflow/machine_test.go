package workflow_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	packworld "github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// ran is what the services of the tests were called with, by the instance's id.
var ran sync.Map

func happened(instance string) []string {
	v, _ := ran.Load(instance)
	out, _ := v.([]string)
	return out
}

func happens(instance, what string) {
	ran.Store(instance, append(slices.Clone(happened(instance)), what))
}

// register registers the packs of the product and what the workflows of the tests run.
func register(set *pack.Set) error {
	if err := plugintest.Register(set); err != nil {
		return err
	}
	count := packworld.Service{Code: "approvals.count", Title: plan.Label{Zh: "统计"}, Reason: "approvalsCount", Run: func(ctx context.Context, w packworld.World, call packworld.ServiceCall) (map[string]any, error) {
		amount, _ := call.Input["amount"].(string)
		r, err := w.Get(ctx, call.Model, call.Record)
		if err != nil {
			return nil, err
		}
		if _, err := w.Update(ctx, call.Model, call.Record, r.Version, map[string]any{"state": "COUNTED"}); err != nil {
			return nil, err
		}
		switch {
		case amount == "13.00" || amount == "13":
			return nil, errors.New("what was written before is given up")
		case amount == "14.00" || amount == "14":
			return nil, fault.New(fault.RecordNotFound)
		}
		happens(call.Instance, "count")
		return map[string]any{"double": json.Number("2.50"), "text": map[string]any{"number": "N-" + call.Node}}, nil
	}}
	note := packworld.Service{Code: "approvals.note", Title: plan.Label{Zh: "记录"}, Reason: "approvalsCount", Run: func(ctx context.Context, w packworld.World, call packworld.ServiceCall) (map[string]any, error) {
		r, err := w.Get(ctx, call.Model, call.Record)
		if err != nil {
			return nil, err
		}
		if r.Values["title"] == "stop "+call.Event {
			return nil, fault.New(fault.NotBatch)
		}
		happens(call.Instance, call.Event)
		return nil, nil
	}}
	draft := packworld.Service{Code: "approvals.draft", Title: plan.Label{Zh: "退回草稿"}, Reason: "approvalsCount", Run: func(ctx context.Context, w packworld.World, call packworld.ServiceCall) (map[string]any, error) {
		r, err := w.Get(ctx, call.Model, call.Record)
		if err != nil {
			return nil, err
		}
		_, err = w.Update(ctx, call.Model, call.Record, r.Version, map[string]any{"state": "DRAFT"})
		return nil, err
	}}
	return errors.Join(set.Services.Add(count), set.Services.Add(note), set.Services.Add(draft))
}

func (w *world) begin(code string, data map[string]any) workflow.Done {
	w.Helper()
	set := map[string]json.RawMessage{}
	for k, v := range data {
		set[k] = raw(v)
	}
	done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: code, Data: set})
	require.NoError(w, err)
	return done
}

func (w *world) status(instance string) string {
	w.Helper()
	track, err := w.flows().Track(w.Context(), w.as("ann"), instance)
	require.NoError(w, err)
	return track.Instance.State
}

// TestServices: a service runs behind the command that led to it and writes with the instance's next step; a hook runs with it.
func TestServices(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("counting", map[string]any{"title": "Gate", "amount": 5})
		require.Equal(w, []string{"count"}, happened(done.Instance), "the request has waited for it")
		require.Equal(w, flow.Processing, done.Status)
		require.Equal(w, "2.5", w.value(done.Record, "checked"))
		require.Equal(w, "N-count", w.value(done.Record, "number"))
		require.Equal(w, "COUNTED", w.value(done.Record, "state"))
		w.act("sue", flow.OpAgree)
		require.Equal(w, []string{"count", "activity.completed", "instance.completed"}, happened(done.Instance))
		require.Equal(w, "COMPLETED", w.status(done.Instance))
		w.same(done.Instance)

		done = w.begin("counting", map[string]any{"title": "stop instance.completed", "amount": 5})
		require.Equal(w, fault.NotBatch, fault.Of(w.try("sue", flow.OpAgree)), "a hook refuses what led to it")
		require.Equal(w, "PROCESSING", w.status(done.Instance))
		require.NotEmpty(w, w.list("sue", "unfinished"))
	})
}

// stuck tells where an instance is stuck, why, and by which error, as somebody sees it.
func (w *world) stuck(who, instance string) (out []string) {
	w.Helper()
	track, err := w.flows().Track(w.Context(), w.as(who), instance)
	require.NoError(w, err)
	for _, one := range track.Stuck {
		require.Equal(w, one.Code != 0, one.Fault != nil)
		out = append(out, fmt.Sprint(one.Node, " ", one.Reason, " ", int(one.Code)))
	}
	return out
}

// TestServiceFails: what a failed attempt wrote is given up; it is tried again with longer and longer pauses, then an administrator decides.
func TestServiceFails(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("counting", map[string]any{"title": "Gate", "amount": 13})
		require.Equal(w, flow.Processing, done.Status)
		require.Nil(w, w.value(done.Record, "state"))
		for _, minutes := range []int{1, 2} {
			w.ahead.Add(int64(time.Duration(minutes)*time.Minute - 30*time.Second)) // a busy machine takes its time
			w.fire()
			require.Equal(w, "PROCESSING", w.status(done.Instance))
			w.ahead.Add(int64(31 * time.Second))
			w.fire()
		}
		require.Equal(w, "EXCEPTION", w.status(done.Instance))
		require.Equal(w, []string{"count SERVICE_FAILED 0"}, w.stuck("eve", done.Instance))
		state, _, err := w.flows().Verify(w.Context(), done.Instance)
		require.NoError(w, err)
		require.Equal(w, 3, state.Activities[1].Attempt)
		_, err = w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: done.Instance, Do: flow.OpRetry})
		require.NoError(w, err)
		require.Equal(w, "PROCESSING", w.status(done.Instance), "it is tried again from the beginning")
		w.same(done.Instance)

		done = w.begin("counting", map[string]any{"title": "Gate", "amount": 14})
		require.Equal(w, flow.Exception, done.Status, "a refusal is not tried again")
		require.Equal(w, []string{fmt.Sprint("count FAULT ", int(fault.RecordNotFound))}, w.stuck("eve", done.Instance))
		require.Equal(w, []string{"count FAULT 0"}, w.stuck("ann", done.Instance), "what an error says is for those who administer workflows")
		w.same(done.Instance)
	})
}

type answers func(*http.Request) (int, string)

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := a(r)
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body)), Header: http.Header{}, Request: r}, nil
}

// comes waits until an instance has a status. The program's own scheduler may be the one that makes a call.
func (w *world) comes(instance, status string) {
	w.Helper()
	require.Eventually(w, func() bool {
		w.fire()
		return w.status(instance) == status
	}, 20*time.Second, 10*time.Millisecond)
}

// rests waits until a number of attempts at the service of an instance failed.
func (w *world) rests(instance string, attempts int) {
	w.Helper()
	require.Eventually(w, func() bool {
		w.fire()
		state, _, err := w.flows().Verify(w.Context(), instance)
		return err == nil && slices.ContainsFunc(state.Activities, func(a flow.Activity) bool { return a.Attempt == attempts })
	}, 20*time.Second, 10*time.Millisecond)
}

// TestCallOutside: a call over HTTP is made in the background, with one key for all attempts, and its answer is written.
func TestCallOutside(t *testing.T) {
	each(t, func(w *world) {
		var calls atomic.Int64
		var keys sync.Map
		w.flows().Calls(&http.Client{Transport: answers(func(r *http.Request) (int, string) {
			keys.Store(r.Header.Get("Idempotency-Key"), true)
			if r.URL.Host != "check.example.com" || r.URL.EscapedPath() != "/contracts/a%2F..%2Fb%20%3Fc" {
				return 400, r.URL.String()
			}
			var in struct{ Input struct{ Amount string } }
			body, _ := io.ReadAll(r.Body)
			if json.NewDecoder(bytes.NewReader(body)).Decode(&in) != nil || in.Input.Amount != "7" {
				return 400, string(body)
			}
			if calls.Add(1) == 1 {
				return 503, ""
			}
			return 200, `{"amount": 6.75, "more": [1]}`
		})})
		done := w.begin("asking", map[string]any{"title": "a/../b ?c", "amount": 7})
		require.Equal(w, flow.Processing, done.Status)
		w.rests(done.Instance, 1)
		require.Equal(w, "PROCESSING", w.status(done.Instance))
		w.ahead.Add(int64(time.Minute))
		w.comes(done.Instance, "COMPLETED")
		require.Equal(w, "6.75", w.value(done.Record, "checked"))
		n := 0
		keys.Range(func(any, any) bool { n++; return true })
		require.Equal(w, 1, n)
		require.EqualValues(w, 2, calls.Load())
		w.same(done.Instance)

		w.flows().Calls(&http.Client{Transport: answers(func(*http.Request) (int, string) { return 200, "<html>" })})
		done = w.begin("asking", map[string]any{"title": "a/../b ?c", "amount": 7})
		w.rests(done.Instance, 1)
		w.ahead.Add(int64(time.Minute))
		w.comes(done.Instance, "EXCEPTION")
	})
}

// TestChildren: a SUB starts an instance for each row that its condition holds for, waits for all of them, and takes over what they end with.
func TestChildren(t *testing.T) {
	each(t, func(w *world) {
		parts := []map[string]any{{"part": "gate", "cost": 3}, {"part": "none", "cost": 0}, {"part": "valve", "cost": 4}}
		done := w.begin("parting", map[string]any{"title": "Lock", "parts": parts})
		require.Equal(w, flow.Processing, done.Status)
		require.Equal(w, []notify.Type{108, 108}, w.messages("ann"), "in whose name each part runs")
		tasks := w.list("sue", "unfinished")
		require.Len(w, tasks, 2)
		code := func(model, id string) int {
			w.Helper()
			states, err := w.app.Writer().DeleteCheck(w.Context(), w.as("root"), model, []string{id})
			require.NoError(w, err)
			return states[0].ResultCode
		}
		alone := w.begin("parting", map[string]any{"title": "Lock", "parts": parts[1:2]})
		require.Equal(w, []int{record.DeleteParent, record.DeleteChild, record.DeleteProcess},
			[]int{code("contract", done.Record), code(tasks[0].Model, tasks[0].Record), code("contract", alone.Record)}, "what a deletion is asked for with")
		var first any
		for i, task := range tasks {
			c := workflow.Command{Item: task.ID, Do: flow.OpAgree}
			if i == 0 {
				detail, err := w.flows().Detail(w.Context(), w.as("sue"), task.ID)
				require.NoError(w, err)
				require.Contains(w, string(raw(detail.Form.Data)), `"Lock"`, "a property of the record above")
				c.Data, c.Version = map[string]json.RawMessage{"note": raw("seen")}, detail.Form.Version
			}
			_, err := w.flows().Act(w.Context(), w.as("sue"), c)
			require.NoError(w, err)
			w.fire()
			if i == 0 {
				first = w.value(done.Record, "number")
			}
			require.Equal(w, []string{"PROCESSING", "COMPLETED"}[i], w.status(done.Instance))
		}
		require.Equal(w, "APPROVED", w.value(done.Record, "state"))
		require.Equal(w, "seen", first)
		w.same(done.Instance)

		done = w.begin("parting", map[string]any{"title": "Lock", "parts": parts})
		child := w.list("sue", "unfinished")[0]
		_, err := w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: child.Instance, Do: flow.OpVoid})
		require.NoError(w, err)
		w.fire()
		require.Equal(w, "EXCEPTION", w.status(done.Instance), "a voided child holds its parent")
		require.Equal(w, []string{"each CHILD_VOIDED 0"}, w.stuck("ann", done.Instance))
		_, err = w.flows().Order(w.Context(), w.as("ann"), workflow.Order{Instance: done.Instance, Do: flow.OpVoid})
		require.NoError(w, err)
		require.Empty(w, w.list("sue", "unfinished"), "with the parent its children are voided")
		w.fire()
		require.Equal(w, "CANCELED", w.status(done.Instance))
		w.same(done.Instance)

		done = w.begin("parting", map[string]any{"title": "Lock", "parts": parts[1:2]})
		w.comes(done.Instance, "COMPLETED") // without rows it goes on, by the request or by what looks for due work meanwhile
	})
}

// TestEndlessChildren: a workflow whose condition starts it again and again stops at a depth, says so, and ends with the first of them.
func TestEndlessChildren(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("endless", map[string]any{"title": "Lock", "amount": 1})
		for range 60 {
			w.fire()
		}
		require.EqualValues(w, 21, w.count("SELECT count(*) FROM sl_wf_instance"), "the first, and twenty below it")
		var deepest string
		require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Raw("SELECT id FROM sl_wf_instance WHERE status = 'EXCEPTION'").Scan(&deepest).Error
		}))
		require.Equal(w, []string{"again FAULT 407001"}, w.stuck("eve", deepest))
		require.NoError(w, w.order("eve", workflow.Order{Instance: done.Instance, Do: flow.OpVoid}))
		for range 60 {
			w.fire()
		}
		require.Zero(w, w.count("SELECT count(*) FROM sl_wf_instance WHERE status NOT IN ('CANCELED')"))
		w.same(done.Instance)
	})
}

// TestSignals: a signal lets go on what waits for its name and key, once.
func TestSignals(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("waiting", map[string]any{"title": "x", "number": "A-1"})
		other := w.begin("waiting", map[string]any{"title": "y", "number": "A-2"})
		require.Equal(w, flow.Processing, done.Status)
		_, err := w.flows().Signal(w.Context(), w.as("ann"), "paid", "A-1")
		require.Equal(w, fault.Forbidden, fault.Of(err))
		for _, want := range []int{1, 0} {
			n, err := w.flows().Signal(w.Context(), w.as("eve"), "Paid", "A-1")
			require.NoError(w, err)
			require.Equal(w, want, n)
		}
		w.fire()
		require.Equal(w, "COMPLETED", w.status(done.Instance))
		require.Equal(w, "PROCESSING", w.status(other.Instance))
		w.same(done.Instance)
	})
}

// TestSignalsActAtOnce: what waits goes on when a signal is stored, however long its transaction takes, and without waiting for the next regular look.
func TestSignalsActAtOnce(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("waiting", map[string]any{"title": "x", "number": "A-1"})
		require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
			n, err := w.flows().SignalIn(tx, "paid", "A-1")
			require.Equal(w, 1, n)
			time.Sleep(300 * time.Millisecond) // who looks now finds nothing
			return err
		}))
		require.Eventually(w, func() bool { return w.status(done.Instance) == "COMPLETED" }, 8*time.Second, 20*time.Millisecond)
	})
}

// TestSignalsOfOtherNodes: what a process stores that fires nothing itself is done at once by a node that does.
func TestSignalsOfOtherNodes(t *testing.T) {
	each(t, func(w *world) {
		done := w.begin("waiting", map[string]any{"title": "x", "number": "A-1"})
		time.Sleep(300 * time.Millisecond) // what the start stirred is over
		set := &pack.Set{}
		require.NoError(w, register(set))
		set.Freeze()
		other, err := app.Open(w.Context(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"testdata/demo"}, Zone: shanghai}, Dir: w.place.Dir, URL: w.place.URL,
			Version: apptest.Version, Idle: true, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
		require.NoError(w, err)
		defer func() { require.NoError(w, other.Close()) }()
		require.NoError(w, other.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
			n, err := other.Workflows().SignalIn(tx, "paid", "A-1")
			require.Equal(w, 1, n)
			return err
		}))
		require.Eventually(w, func() bool { return w.status(done.Instance) == "COMPLETED" }, 2*time.Second, 20*time.Millisecond)
	})
}

// TestChoices: the initiator, and the person of the node before, choose people among the candidates; nobody else gets in.
func TestChoices(t *testing.T) {
	each(t, func(w *world) {
		start := func(people ...string) (workflow.Done, error) {
			var ids []string
			for _, p := range people {
				ids = append(ids, w.ids[p])
			}
			choices := map[string][]string{}
			if ids != nil {
				choices["first"] = ids
			}
			return w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "choosing", Data: map[string]json.RawMessage{"title": raw("x")}, Choices: choices})
		}
		_, err := start()
		require.Equal(w, fault.ChoiceNeeded, fault.Of(err))
		_, err = start("kim")
		require.Equal(w, fault.BadParameter, fault.Of(err), "no candidate")
		_, err = start("sue", "sam")
		require.Equal(w, fault.BadParameter, fault.Of(err), "too many")
		done, err := start("sam")
		require.NoError(w, err)
		require.Empty(w, w.list("sue", "unfinished"))
		require.Equal(w, fault.ChoiceNeeded, fault.Of(w.try("sam", flow.OpAgree)))
		next, err := w.flows().Next(w.Context(), w.as("sam"), workflow.Command{Item: w.task("sam").ID, Do: flow.OpAgree})
		require.NoError(w, err)
		require.Len(w, next.Choices, 1)
		require.Equal(w, "second", next.Choices[0].Node)
		require.Len(w, next.Choices[0].Candidates, 2)
		require.Equal(w, fault.BadParameter, fault.Of(w.try("sam", flow.OpAgree, func(c *workflow.Command) { c.Choices = map[string][]string{"second": {w.ids["sue"]}} })))
		w.act("sam", flow.OpAgree, func(c *workflow.Command) { c.Choices = map[string][]string{"second": {w.ids["otto"]}} })
		require.Empty(w, w.list("olga", "unfinished"))
		_, err = w.flows().Act(w.Context(), w.as("otto"), workflow.Command{Item: w.task("otto").ID, Do: flow.OpCirculate, People: []string{w.ids["kim"]}})
		require.NoError(w, err)
		w.act("otto", flow.OpAgree, says("well done"))
		require.Equal(w, "COMPLETED", w.status(done.Instance))
		require.Equal(w, "well done", w.value(done.Record, "state"), "expressions read what people made of a node")
		require.Equal(w, []int{13, 16, 16, 102}, w.numbers("ann"))
		require.Equal(w, []int{2, 106}, w.numbers("kim"), "who got a copy hears of the end")
		w.same(done.Instance)
	})
}

// versionOf is the version of a task's record, as its person sees it.
func (w *world) versionOf(who, task string) *int64 {
	w.Helper()
	detail, err := w.flows().Detail(w.Context(), w.as(who), task)
	require.NoError(w, err)
	return detail.Form.Version
}

func (w *world) set(code string, v any) map[string]json.RawMessage {
	return map[string]json.RawMessage{code: raw(v)}
}

// numbers are those of somebody's messages, in order of the numbers.
func (w *world) numbers(who string) []int {
	w.Helper()
	page, err := w.app.Messages().Search(w.Context(), w.as(who), notify.Search{Size: 50})
	require.NoError(w, err)
	out := []int{}
	for _, m := range page.Content {
		out = append(out, int(m.Type))
	}
	slices.Sort(out)
	return out
}

// TestStatesInLists: the rows of a list say how far the workflow of each record is, by which lists mark what is unfinished.
func TestStatesInLists(t *testing.T) {
	each(t, func(w *world) {
		done := w.start("ann", 5)
		for _, who := range []string{"sue", "sam"} {
			w.act(who, flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 5}))
		}
		want := map[string]string{w.branches().Record: "PROCESSING"}
		draft, void := w.branches(), w.branches()
		require.NoError(w, w.order("ann", workflow.Order{Instance: draft.Instance, Do: flow.OpRevoke}))
		require.NoError(w, w.order("eve", workflow.Order{Instance: void.Instance, Do: flow.OpVoid}))
		want[draft.Record], want[void.Record], want[done.Record] = "DRAFT", "CANCELED", "COMPLETED"
		list := func(filters ...query.Filter) map[string]string {
			w.Helper()
			data, err := w.app.Reader().List(w.Context(), w.as("root"), query.ListRequest{SchemaCode: "contract", Filters: filters})
			require.NoError(w, err)
			var page struct {
				Content []struct{ ID, WorkflowInstanceID, SequenceStatus string }
			}
			require.NoError(w, json.Unmarshal(data, &page))
			got := map[string]string{}
			for _, row := range page.Content {
				require.NotEmpty(w, row.WorkflowInstanceID)
				got[row.ID] = row.SequenceStatus
			}
			return got
		}
		require.Equal(w, want, list())
		only := query.Filter{PropertyCode: "sequenceStatus", PropertyValue: raw("草稿")}
		require.Equal(w, map[string]string{draft.Record: "DRAFT"}, list(only), "found by the state's label")
	})
}
