package workflow_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// demo is a database on which the documents of the tests have been opened, with the staff.
var demo = apptest.Installation{Register: register, Dirs: []string{"testdata/demo"}, Zone: shanghai, People: staff}.Template()

// shanghai is a zone by name: formulas find it so.
var shanghai = func() *time.Location {
	zone, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		panic(err)
	}
	return zone
}()

// staff are the people of the tests with their roles.
var staff = map[string]string{"ann": "clerk", "bob": "clerk", "sue": "supervisor", "sam": "supervisor", "sid": "supervisor", "olga": "owner", "otto": "owner", "kim": "staff", "eve": "flowAdmin", "root": "administrator"}

type world struct {
	*testing.T
	app   *app.App
	ids   map[string]string
	ahead *atomic.Int64
	still *atomic.Pointer[time.Time] // the clock stands at; nil = it runs
	place store.Options              // of the database
}

// each runs a test on both databases.
func each(t *testing.T, test func(w *world)) {
	t.Parallel()
	demo.Each(t, func(t *testing.T, o store.Options) {
		w := &world{T: t, ids: map[string]string{}, ahead: &atomic.Int64{}, still: &atomic.Pointer[time.Time]{}, place: o}
		w.open()
		t.Cleanup(func() { require.NoError(t, w.app.Close()) })
		for name := range staff {
			w.ids[name] = apptest.Person(t.Context(), w.app, name)
		}
		test(w)
	})
}

// open begins to serve the database.
func (w *world) open() {
	w.Helper()
	set := &pack.Set{}
	require.NoError(w, register(set))
	set.Freeze()
	now := func() time.Time {
		if at := w.still.Load(); at != nil {
			return *at
		}
		return time.Now().Add(time.Duration(w.ahead.Load()))
	}
	var err error
	w.app, err = app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Dirs: []string{"testdata/demo"}, Zone: shanghai},
		Dir: w.place.Dir, URL: w.place.URL, Version: apptest.Version, Workers: 1, Clock: now, Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
	require.NoError(w, err)
}

func (w *world) as(user string) *authz.View {
	person, ok := w.app.People().Person(w.Context(), w.ids[user])
	require.True(w, ok)
	p := authn.Principal(w.Context(), w.app.People(), person, "")
	return w.app.State().Policy.View(p, w.app.Now(), w.app.Zone())
}

func (w *world) flows() *workflow.Service { return w.app.Workflows() }

func raw(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

func (w *world) start(by string, amount any) workflow.Done {
	w.Helper()
	done, err := w.flows().Start(w.Context(), w.as(by), workflow.Start{Workflow: "contractApproval", Data: map[string]json.RawMessage{"title": raw("Lock gate"), "amount": raw(amount)}})
	require.NoError(w, err)
	return done
}

func (w *world) list(who, list string) []workflow.Item {
	w.Helper()
	page, err := w.flows().Items(w.Context(), w.as(who), list, workflow.Search{Size: 50})
	require.NoError(w, err)
	require.Len(w, page.Content, int(page.Total))
	return page.Content
}

// task is the only open task of somebody.
func (w *world) task(who string) workflow.Item {
	w.Helper()
	open := w.list(who, "unfinished")
	require.Len(w, open, 1, who)
	return open[0]
}

func (w *world) try(who string, do flow.Operation, change ...func(*workflow.Command)) error {
	w.Helper()
	c := workflow.Command{Item: w.task(who).ID, Do: do}
	for _, f := range change {
		f(&c)
	}
	_, err := w.flows().Act(w.Context(), w.as(who), c)
	return err
}

func (w *world) act(who string, do flow.Operation, change ...func(*workflow.Command)) {
	w.Helper()
	require.NoError(w, w.try(who, do, change...), who)
}

func (w *world) version(id string) *int64 {
	w.Helper()
	loaded, err := w.app.Reader().FormLoad(w.Context(), w.as("ann"), query.FormRequest{SchemaCode: "contract", ObjectID: id})
	require.NoError(w, err)
	return loaded.Version
}

// writes changes fields of the record with an action.
func (w *world) writes(id string, set map[string]any) func(*workflow.Command) {
	data := map[string]json.RawMessage{}
	for code, v := range set {
		data[code] = raw(v)
	}
	return func(c *workflow.Command) { c.Data, c.Version = data, w.version(id) }
}

func (w *world) value(id, code string) any {
	w.Helper()
	loaded, err := w.app.Reader().FormLoad(w.Context(), w.as("ann"), query.FormRequest{SchemaCode: "contract", ObjectID: id})
	require.NoError(w, err)
	var data map[string]any
	require.NoError(w, json.Unmarshal(raw(loaded.Data), &data))
	return data[code]
}

func says(text string) func(*workflow.Command) { return func(c *workflow.Command) { c.Opinion = text } }

// TestApproval: a contract passes from its initiator over those who check it to the client, with the rights of each node.
func TestApproval(t *testing.T) {
	each(t, func(w *world) {
		_, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "contractApproval", Data: map[string]json.RawMessage{"title": raw("Lock gate")}})
		require.Equal(w, fault.RecordInvalid, fault.Of(err), "amount is required at the start")
		_, err = w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "contractApproval", Data: map[string]json.RawMessage{"title": raw("Lock gate"), "amount": raw(1), "state": raw("APPROVED")}})
		require.Error(w, err, "the start does not let the state be written")
		_, err = w.flows().Start(w.Context(), w.as("sue"), workflow.Start{Workflow: "contractApproval", Data: map[string]json.RawMessage{"title": raw("x"), "amount": raw(1)}})
		require.Error(w, err, "supervisors may not start")
		require.Empty(w, w.list("sue", "unfinished"), "a refused start leaves nothing")

		done := w.start("ann", 2_000_000)
		require.Equal(w, flow.Processing, done.Status)
		require.Equal(w, "Lock gate "+w.app.Now().In(w.app.Zone()).Format("20060102"), w.task("sue").Name)

		detail, err := w.flows().Detail(w.Context(), w.as("sue"), w.task("sue").ID)
		require.NoError(w, err)
		require.Equal(w, []string{"agree", "disagree", "save", "reject", "transfer", "add_sign", "assist", "circulate"}, detail.Actions)
		shown := string(raw(detail.Form))
		require.NotContains(w, shown, "secret", "a hidden field is not sent")
		require.Contains(w, shown, "Lock gate", "a task shows its record to who has no right of their own")
		_, err = w.app.Reader().FormLoad(w.Context(), w.as("sue"), query.FormRequest{SchemaCode: "contract", ObjectID: done.Record})
		require.Error(w, err, "beside the task the record stays hidden")

		require.Equal(w, fault.RecordInvalid, fault.Of(w.try("sue", flow.OpAgree)), "the checked amount is required")
		require.Error(w, w.try("sue", flow.OpAgree, w.writes(done.Record, map[string]any{"title": "Mine"})), "the title is not hers to write")
		require.Error(w, w.try("sue", flow.OpAgree, w.writes(done.Record, map[string]any{"secret": 1})))
		require.Nil(w, w.value(done.Record, "checked"), "a refused action writes nothing")
		w.act("sue", flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 1_900_000}), says("fine"))
		require.Equal(w, "1900000", w.value(done.Record, "checked"))
		require.Empty(w, w.list("olga", "unfinished"))
		next, err := w.flows().Next(w.Context(), w.as("sam"), workflow.Command{Item: w.task("sam").ID, Do: flow.OpAgree})
		require.NoError(w, err)
		require.Len(w, next.Nodes, 1)
		require.Equal(w, "client", next.Nodes[0].Node)
		require.Len(w, next.Nodes[0].People, 2)
		require.Len(w, w.list("sam", "unfinished"), 1, "a prediction does nothing")
		w.act("sam", flow.OpAgree)
		require.Empty(w, w.list("sid", "unfinished"), "two of three decide")
		require.Len(w, w.list("sue", "finished"), 1)

		w.act("olga", flow.OpAgree)
		require.Empty(w, w.list("otto", "unfinished"))
		require.Equal(w, "APPROVED", w.value(done.Record, "state"))
		track, err := w.flows().Track(w.Context(), w.as("ann"), done.Instance)
		require.NoError(w, err)
		require.Equal(w, "COMPLETED", track.Instance.State)
		require.Equal(w, "AGREED", track.Instance.Result)
		var states []string
		for _, n := range track.Nodes {
			states = append(states, n.Node+" "+n.State)
		}
		require.Equal(w, []string{"start done", "check done", "large done", "client done", "joined done", "end done"}, states)
		_, err = w.flows().Track(w.Context(), w.as("kim"), done.Instance)
		require.Equal(w, fault.WorkflowNotFound, fault.Of(err))
		w.same(done.Instance)
	})
}

// same checks that the events of an instance make the state that is kept.
func (w *world) same(id string) {
	w.Helper()
	kept, rebuilt, err := w.flows().Verify(w.Context(), id)
	require.NoError(w, err)
	require.JSONEq(w, string(raw(kept)), string(raw(rebuilt)))
}

// TestSmallContract: the other branch ends at once.
func TestSmallContract(t *testing.T) {
	each(t, func(w *world) {
		done := w.start("ann", 5)
		for _, who := range []string{"sue", "sam"} {
			w.act(who, flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 5}))
		}
		require.Equal(w, "APPROVED", w.value(done.Record, "state"))
		require.Empty(w, w.list("olga", "unfinished"))
		again := w.start("ann", 6) // another record
		require.NotEqual(w, done.Record, again.Record)
		_, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "contractApproval", Record: again.Record})
		require.Equal(w, fault.InstanceNotOpen, fault.Of(err), "a record runs in one workflow at a time")
		_, err = w.flows().Start(w.Context(), w.as("bob"), workflow.Start{Workflow: "contractApproval", Record: done.Record})
		require.Error(w, err, "a record that one does not see cannot be started")
		_, err = w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "contractApproval", Record: done.Record})
		require.NoError(w, err, "an ended one can run again")
	})
}

// TestBackAndForth: sending back, taking back, handing over, reminders and the end by force.
func TestBackAndForth(t *testing.T) {
	each(t, func(w *world) {
		done := w.start("ann", 2_000_000)
		w.act("sue", flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 1}))
		require.Equal(w, fault.OpinionRequired, fault.Of(w.try("sam", flow.OpReject, func(c *workflow.Command) { c.Node = "start" })))
		_, err := w.app.Writer().Save(w.Context(), w.as("ann"), record.Change{Model: "contract", ID: done.Record, Version: w.version(done.Record), Set: map[string]json.RawMessage{"amount": raw(1)}})
		require.Equal(w, fault.RecordInWorkflow, fault.Of(err), "only tasks change what a workflow moves")
		checked, err := w.app.Writer().DeleteCheck(w.Context(), w.as("ann"), "contract", []string{done.Record})
		require.NoError(w, err)
		require.Equal(w, record.DeleteNotPossible, checked[0].ResultCode)
		w.act("sam", flow.OpTransfer, func(c *workflow.Command) { c.People = []string{w.ids["kim"]} })
		require.Equal(w, fault.TransferRefused, fault.Of(w.try("kim", flow.OpTransfer, func(c *workflow.Command) { c.People = []string{w.ids["sid"]} })), "sid has a task already")
		w.act("kim", flow.OpCirculate, func(c *workflow.Command) { c.People = []string{w.ids["bob"]} })
		require.Len(w, w.list("bob", "unread"), 1)
		require.NoError(w, w.flows().MarkRead(w.Context(), w.as("bob"), nil))
		require.Len(w, w.list("bob", "read"), 1)
		w.act("kim", flow.OpReject, func(c *workflow.Command) { c.Node = "start"; c.Opinion = "amount?" })
		require.Equal(w, "start", w.task("ann").Node)
		require.Empty(w, w.list("sid", "unfinished"))
		w.act("ann", flow.OpSubmit, w.writes(done.Record, map[string]any{"amount": 10}))
		w.act("sid", flow.OpAgree)
		w.act("sue", flow.OpAgree)
		require.Equal(w, "APPROVED", w.value(done.Record, "state"))

		second := w.start("ann", 3_000_000)
		w.act("sue", flow.OpAgree, w.writes(second.Record, map[string]any{"checked": 1}))
		var mine workflow.Item
		for _, i := range w.list("sue", "finished") {
			if i.Instance == second.Instance {
				mine = i
			}
		}
		_, err = w.flows().Act(w.Context(), w.as("sam"), workflow.Command{Item: mine.ID, Do: flow.OpWithdraw})
		require.Equal(w, fault.ItemNotYours, fault.Of(err))
		_, err = w.flows().Act(w.Context(), w.as("sue"), workflow.Command{Item: mine.ID, Do: flow.OpWithdraw})
		require.NoError(w, err)
		require.Len(w, w.list("sue", "unfinished"), 1)
		for i, want := range []fault.Code{0, fault.UrgeTooSoon} {
			_, err = w.flows().Order(w.Context(), w.as("ann"), workflow.Order{Instance: second.Instance, Do: flow.OpUrge})
			require.Equal(w, want, fault.Of(err), i)
		}
		require.Equal(w, 1, w.task("sam").Urged)
		_, err = w.flows().Order(w.Context(), w.as("bob"), workflow.Order{Instance: second.Instance, Do: flow.OpVoid})
		require.Equal(w, fault.WorkflowNotFound, fault.Of(err))
		_, err = w.flows().Order(w.Context(), w.as("ann"), workflow.Order{Instance: second.Instance, Do: flow.OpVoid})
		require.NoError(w, err)
		require.Empty(w, w.list("sam", "unfinished"))
		w.same(done.Instance)
		w.same(second.Instance)
	})
}

// TestRevokeAndRestart: what was revoked is a draft of its initiator and goes on as the same instance.
func TestRevokeAndRestart(t *testing.T) {
	each(t, func(w *world) {
		done := w.start("ann", 2_000_000)
		_, err := w.flows().Order(w.Context(), w.as("ann"), workflow.Order{Instance: done.Instance, Do: flow.OpRevoke})
		require.NoError(w, err)
		require.Empty(w, w.list("sue", "unfinished"))
		again, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "contractApproval", Record: done.Record, Version: w.version(done.Record), Data: map[string]json.RawMessage{"amount": raw(7)}})
		require.NoError(w, err)
		require.Equal(w, done.Instance, again.Instance)
		w.act("sue", flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 7}))
		_, err = w.flows().Order(w.Context(), w.as("ann"), workflow.Order{Instance: done.Instance, Do: flow.OpRevoke})
		require.Equal(w, fault.WithdrawRefused, fault.Of(err), "somebody has handled it")
		w.same(done.Instance)
	})
}

// TestAtTheSameTime: all decide at once; every vote counts and the node is left once.
func TestAtTheSameTime(t *testing.T) {
	each(t, func(w *world) {
		var instances []string
		for range 5 {
			instances = append(instances, w.start("ann", 2_000_000).Instance)
		}
		for _, who := range []string{"sue"} { // the checked amount is there before they decide at once
			for _, i := range w.list(who, "unfinished") {
				_, err := w.flows().Act(w.Context(), w.as(who), workflow.Command{Item: i.ID, Do: flow.OpSave, Data: map[string]json.RawMessage{"checked": raw(1)}, Version: w.version(i.Record)})
				require.NoError(w, err)
			}
		}
		var all sync.WaitGroup
		for _, who := range []string{"sue", "sam", "sid"} {
			view := w.as(who)
			for _, i := range w.list(who, "unfinished") {
				all.Go(func() {
					_, err := w.flows().Act(context.Background(), view, workflow.Command{Item: i.ID, Do: flow.OpAgree})
					if code := fault.Of(err); code != 0 && code != fault.ItemFinished && code != fault.ItemNotYours {
						w.Errorf("%s: %v", i.ID, err)
					}
				})
			}
		}
		all.Wait()
		for _, who := range []string{"olga", "otto"} {
			require.Len(w, w.list(who, "unfinished"), len(instances), "the next node was opened once for each")
		}
		var votes int
		for _, who := range []string{"sue", "sam", "sid"} {
			votes += len(w.list(who, "finished"))
		}
		require.Equal(w, 2*len(instances), votes, "two of three are enough, and the third is canceled")
		errs := w.flows().AgreeAll(w.Context(), w.as("olga"), func() (ids []string) {
			for _, i := range w.list("olga", "unfinished") {
				require.True(w, i.Batch)
				ids = append(ids, i.ID)
			}
			return append(ids, "nothing")
		}(), "all good", "")
		require.Equal(w, fault.ItemNotYours, fault.Of(errs[len(errs)-1]))
		require.NoError(w, errors.Join(errs[:len(errs)-1]...))
		for _, id := range instances {
			w.same(id)
		}
	})
}

// TestTogether: eight people do at random what they may, at the same time. Nothing but refusals comes of it, the events make the state that
// is kept, the rows of the items are the items, and nothing waits for nobody.
func TestTogether(t *testing.T) {
	each(t, func(w *world) {
		var instances []string
		for i := range 6 {
			done := w.start("ann", 400_000*(i+1))
			instances = append(instances, done.Instance)
			for _, i := range w.list("sue", "unfinished") {
				if i.Instance == done.Instance {
					_, err := w.flows().Act(w.Context(), w.as("sue"), workflow.Command{Item: i.ID, Do: flow.OpSave, Data: map[string]json.RawMessage{"checked": raw(1)}, Version: w.version(done.Record)})
					require.NoError(w, err)
				}
			}
		}
		people := slices.Sorted(maps.Keys(staff))
		views := map[string]*authz.View{}
		for _, who := range people {
			views[who] = w.as(who)
		}
		var all sync.WaitGroup
		var did atomic.Int64
		for thread := range 8 {
			all.Go(func() {
				random := rand.New(rand.NewPCG(uint64(thread), 7))
				for range 30 {
					who := people[random.IntN(len(people))]
					lists := []string{"unfinished", "unfinished", "unfinished", "finished"}
					page, err := w.flows().Items(context.Background(), views[who], lists[random.IntN(len(lists))], workflow.Search{Size: 50})
					if err != nil {
						w.Error(err)
						return
					}
					if len(page.Content) == 0 {
						continue
					}
					of := page.Content[random.IntN(len(page.Content))]
					does := []flow.Operation{flow.OpAgree, flow.OpAgree, flow.OpSubmit, flow.OpDisagree, flow.OpReject, flow.OpTransfer, flow.OpAddSign, flow.OpAssist, flow.OpCirculate, flow.OpWithdraw}
					c := workflow.Command{Item: of.ID, Do: does[random.IntN(len(does))], Opinion: "so", Node: "start", Placing: []flow.Placing{flow.Before, flow.After, flow.Parallel}[random.IntN(3)]}
					if c.Do == flow.OpTransfer || c.Do == flow.OpAddSign || c.Do == flow.OpAssist || c.Do == flow.OpCirculate {
						c.People = []string{w.ids[people[random.IntN(len(people))]]}
					}
					if _, err = w.flows().Act(context.Background(), views[who], c); err == nil {
						did.Add(1)
					} else if code := fault.Of(err); code == fault.Internal {
						w.Errorf("%s %s: %v", who, c.Do, err)
					}
				}
			})
		}
		all.Wait()
		require.Greater(w, did.Load(), int64(20), "most of it was refused")
		for _, id := range instances {
			w.same(id)
			state, _, err := w.flows().Verify(w.Context(), id)
			require.NoError(w, err)
			differs, err := w.flows().Differs(w.Context(), id, state)
			require.NoError(w, err)
			require.Empty(w, differs)
			for _, a := range state.Activities {
				open := slices.ContainsFunc(state.Items, func(i flow.Item) bool { return i.Activity == a.ID && i.Open() && i.Type != flow.ItemCirculate })
				if a.State == flow.ActivityActive {
					require.True(w, open || state.Token(a.Token).Fault != "", "activity %d of %s waits for nobody", a.ID, id)
				} else {
					require.False(w, open, "activity %d of %s is over and has open items", a.ID, id)
				}
			}
		}
	})
}

// TestDelegation: while a delegation holds, new tasks of its workflows go to the delegate.
func TestDelegation(t *testing.T) {
	each(t, func(w *world) {
		at := w.app.Now()
		give := func(from, to string, starts, ends time.Duration, codes ...string) error {
			_, err := w.flows().Delegate(w.Context(), w.as(from), workflow.DelegationOrder{To: w.ids[to], Starts: at.Add(starts), Ends: at.Add(ends), Codes: codes, Enabled: true})
			return err
		}
		require.Equal(w, fault.DelegateSelf, fault.Of(give("sue", "sue", 0, time.Hour)))
		require.Equal(w, fault.DelegationPeriod, fault.Of(give("sue", "kim", time.Hour, time.Hour)))
		require.Equal(w, fault.BadParameter, fault.Of(give("sue", "kim", 0, time.Hour, "nothing")))
		require.NoError(w, give("sue", "kim", -time.Minute, time.Hour, "contractApproval"))
		require.Equal(w, fault.DelegationOverlaps, fault.Of(give("sue", "bob", 30*time.Minute, 2*time.Hour)))
		require.NoError(w, give("sue", "bob", time.Hour, 2*time.Hour))
		require.Equal(w, fault.DelegationCircle, fault.Of(give("kim", "sue", 0, time.Minute)))
		require.NoError(w, give("kim", "otto", -time.Minute, time.Hour)) // followed once only
		done := w.start("ann", 5)
		require.Empty(w, w.list("sue", "unfinished"))
		require.Empty(w, w.list("otto", "unfinished"))
		require.Equal(w, w.ids["sue"], w.task("kim").DelegatedBy.ID)
		w.act("kim", flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 5}))
		track, err := w.flows().Track(w.Context(), w.as("sue"), done.Instance)
		require.NoError(w, err, "who delegated sees what became of it")
		require.Equal(w, flow.OpDelegate, track.Log[1].Operation)
		require.Equal(w, []any{(*workflow.Person)(nil), flow.RuleDelegation, w.ids["sue"]}, []any{track.Log[1].Person, track.Log[1].Rule, track.Log[1].Of.ID}, "it is no act of hers")
		require.Equal(w, w.ids["sue"], track.Log[2].DelegatedBy.ID)
		w.ahead.Add(int64(90 * time.Minute))
		w.start("ann", 6)
		require.Len(w, w.list("bob", "unfinished"), 1)
		mine, err := w.flows().Delegations(w.Context(), w.as("sue"))
		require.NoError(w, err)
		require.Len(w, mine, 2)
		for _, d := range mine {
			require.NoError(w, w.flows().Undelegate(w.Context(), w.as("sue"), d.ID))
		}
		w.start("ann", 7)
		require.Len(w, w.list("sue", "unfinished"), 1)
		w.same(done.Instance)
	})
}

// TestRepeats: the same command with the same key is done once, and answers alike.
func TestRepeats(t *testing.T) {
	each(t, func(w *world) {
		start := workflow.Start{Workflow: "contractApproval", Data: map[string]json.RawMessage{"title": raw("Once"), "amount": raw(1)}, Token: "k1"}
		first, err := w.flows().Start(w.Context(), w.as("ann"), start)
		require.NoError(w, err)
		second, err := w.flows().Start(w.Context(), w.as("ann"), start)
		require.NoError(w, err)
		require.Equal(w, first, second)
		require.Len(w, w.list("sue", "unfinished"), 1)
		c := workflow.Command{Item: w.task("sue").ID, Do: flow.OpAgree, Token: "k2", Data: map[string]json.RawMessage{"checked": raw(1)}, Version: w.version(first.Record)}
		for range 2 {
			_, err = w.flows().Act(w.Context(), w.as("sue"), c)
			require.NoError(w, err)
		}
		require.Len(w, w.list("sue", "finished"), 1)
		require.Len(w, w.list("sam", "unfinished"), 1)
		for i, o := range []workflow.Order{
			{Do: flow.OpUrge, Token: "k3"}, // the second would be too early
			{Do: flow.OpAdjust, Node: "check", People: []string{w.ids["kim"]}, Remove: []string{w.ids["sam"]}, Token: "k4"}, // kim would be added twice
			{Do: flow.OpVoid, Token: "k5"}, // what is voided is not voided again
		} {
			who := w.as([]string{"ann", "eve", "eve"}[i])
			o.Instance = first.Instance
			once, err := w.flows().Order(w.Context(), who, o)
			require.NoError(w, err, o.Do)
			again, err := w.flows().Order(w.Context(), who, o)
			require.NoError(w, err, o.Do)
			require.Equal(w, once, again)
			other := o
			other.Opinion = "Another one"
			_, err = w.flows().Order(w.Context(), who, other)
			require.Error(w, err, "a key is of one command")
		}
		for range 2 {
			require.NoError(w, w.flows().Remove(w.Context(), w.as("eve"), first.Instance, "k6"))
		}
		require.Equal(w, fault.WorkflowNotFound, fault.Of(w.flows().Remove(w.Context(), w.as("eve"), first.Instance, "")))
		w.start("ann", 2_000_000)
		for _, who := range []string{"sue", "sam"} {
			w.act(who, flow.OpAgree, w.writes(w.task(who).Record, map[string]any{"checked": 1}))
		}
		ids := []string{w.task("olga").ID}
		for range 2 {
			require.NoError(w, errors.Join(w.flows().AgreeAll(w.Context(), w.as("olga"), ids, "", "k7")...))
		}
		require.Equal(w, fault.ItemFinished, fault.Of(errors.Join(w.flows().AgreeAll(w.Context(), w.as("olga"), ids, "", "")...)))
	})
}

// TestTimers: reminders, what happens when the time is over, and that each happens once.
func TestTimers(t *testing.T) {
	each(t, func(w *world) {
		numbers := func(who string) (out []notify.Type) {
			page, err := w.app.Messages().Search(w.Context(), w.as(who), notify.Search{Size: 20})
			require.NoError(w, err)
			for _, m := range page.Content {
				out = append(out, m.Type)
			}
			return out
		}
		fire := func(after time.Duration) {
			w.Helper()
			w.ahead.Add(int64(after))
			var all sync.WaitGroup
			for range 3 { // several nodes look at the same time
				all.Go(func() {
					_, err := w.flows().Fire(context.Background())
					if err != nil {
						w.Error(err)
					}
				})
			}
			all.Wait()
		}
		done := w.start("ann", 2_000_000)
		fire(59 * time.Minute)
		require.Equal(w, []notify.Type{101}, numbers("sue"))
		fire(2 * time.Minute)
		require.Equal(w, []notify.Type{21, 101}, numbers("sue"))
		require.False(w, w.task("sue").Overdue)
		w.act("sam", flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 1}))
		fire(60 * time.Minute)
		require.Equal(w, []notify.Type{23, 21, 101}, numbers("sue"))
		require.Equal(w, []notify.Type{21, 101}, numbers("sam"), "what is done is not overdue")
		require.True(w, w.task("sue").Overdue)
		fire(60 * time.Minute)
		require.Len(w, w.list("sid", "finished"), 1, "an hour later it agrees by itself")
		require.Empty(w, w.list("sue", "unfinished"))
		require.Len(w, w.list("olga", "unfinished"), 1)
		w.same(done.Instance)
	})
}

// TestStuck: an instance that nobody can go on with waits for an administrator.
func TestStuck(t *testing.T) {
	each(t, func(w *world) {
		for _, who := range []string{"olga", "otto"} {
			w.disable(who)
		}
		done := w.start("ann", 2_000_000)
		for _, who := range []string{"sue", "sam"} {
			w.act(who, flow.OpAgree, w.writes(done.Record, map[string]any{"checked": 1}))
		}
		require.Equal(w, "client", w.task("eve").Node, "where nobody is found, it goes to who administers workflows")
		_, err := w.flows().Start(w.Context(), w.as("root"), workflow.Start{Workflow: "contractApproval", Data: w.set("title", "Mine")})
		require.Equal(w, fault.AdminStart, fault.Of(err), "the administrator of the installation takes no part")
		_, err = w.flows().Order(w.Context(), w.as("sue"), workflow.Order{Instance: done.Instance, Do: flow.OpAdjust, Node: "client", People: []string{w.ids["kim"]}})
		require.Equal(w, fault.Forbidden, fault.Of(err))
		_, err = w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: done.Instance, Do: flow.OpAdjust, Node: "client", People: []string{w.ids["kim"]}, Remove: []string{w.ids["eve"]}})
		require.NoError(w, err)
		require.Empty(w, w.list("eve", "unfinished"))
		require.Equal(w, "client", w.task("kim").Node)
		_, err = w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: done.Instance, Do: flow.OpJump, Node: "check"})
		require.NoError(w, err)
		require.Equal(w, "check", w.task("sid").Node)
		w.same(done.Instance)
	})
}

// disable lets a person not sign in any more.
func (w *world) disable(who string) {
	w.Helper()
	system := w.app.State().Policy.View(principal.System("test"), w.app.Now(), w.app.Zone())
	loaded, err := w.app.Reader().FormLoad(w.Context(), system, query.FormRequest{SchemaCode: "user", ObjectID: w.ids[who]})
	require.NoError(w, err)
	_, err = w.app.Writer().Save(w.Context(), system, record.Change{Model: "user", ID: w.ids[who], Version: loaded.Version, Set: map[string]json.RawMessage{"disabled": raw(true)}})
	require.NoError(w, err)
	require.NoError(w, w.app.People().Refresh(w.Context()))
}

// TestNothingWaitsForNobody: what cannot be run stops the instance where an administrator finds it.
func TestNothingWaitsForNobody(t *testing.T) {
	each(t, func(w *world) {
		done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "waiting", Data: map[string]json.RawMessage{"title": raw("x")}}) // no key
		require.NoError(w, err)
		require.Equal(w, flow.Exception, done.Status)
		require.Equal(w, []string{"until CANNOT_RUN 0"}, w.stuck("ann", done.Instance))
		for _, who := range []string{"ann", "eve"} {
			require.Contains(w, w.messages(who), notify.Type(103), "its initiator and who administers workflows hear of it")
		}
		_, err = w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: done.Instance, Do: flow.OpJump, Node: "end"})
		require.NoError(w, err)
		track, err := w.flows().Track(w.Context(), w.as("ann"), done.Instance)
		require.NoError(w, err)
		require.Equal(w, "COMPLETED", track.Instance.State)
		require.Empty(w, track.Stuck)
		w.same(done.Instance)
	})
}

// TestMessages: a task tells its person, once.
func TestMessages(t *testing.T) {
	each(t, func(w *world) {
		w.start("ann", 1)
		for _, who := range []string{"sue", "sam", "sid"} {
			page, err := w.app.Messages().Search(w.Context(), w.as(who), notify.Search{Size: 10})
			require.NoError(w, err)
			require.Len(w, page.Content, 1)
			require.EqualValues(w, 101, page.Content[0].Type)
			require.Contains(w, page.Content[0].Title, "Lock gate", "the task tells its name to who has no right of their own")
			require.True(w, page.Content[0].Opens)
			opens, err := w.flows().Opens(w.Context(), w.as(who), w.task(who).ID, w.task(who).Instance)
			require.NoError(w, err)
			require.Equal(w, workflow.OpensTask, opens)
			opens, err = w.flows().Opens(w.Context(), w.as("kim"), w.task(who).ID, w.task(who).Instance)
			require.NoError(w, err)
			require.Empty(w, opens)
		}
	})
}
