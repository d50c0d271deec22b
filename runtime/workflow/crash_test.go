package workflow_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
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
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// The environment that makes the test binary a crowd of eight people instead.
const (
	envCrowd = "SLUICE_TEST_CROWD" // its seed
	envURL   = "SLUICE_TEST_URL"
	envDir   = "SLUICE_TEST_DIR"
	envAhead = "SLUICE_TEST_AHEAD"     // how far its clock is ahead
	envKills = "SLUICE_WORKFLOW_KILLS" // how often TestKill kills; without it once, or twice where everything is tested
)

func TestMain(m *testing.M) {
	seed, err := strconv.ParseUint(os.Getenv(envCrowd), 10, 64)
	if err != nil {
		os.Exit(m.Run())
	}
	ahead, err := time.ParseDuration(os.Getenv(envAhead))
	if err == nil {
		err = crowd(seed, ahead, store.Options{URL: os.Getenv(envURL), Dir: os.Getenv(envDir)})
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// crowd runs what eight people do at random until it is killed. Some of them give up in the middle of a call, and time flies.
func crowd(seed uint64, from time.Duration, o store.Options) error {
	set := &pack.Set{}
	if err := register(set); err != nil {
		return err
	}
	set.Freeze()
	ctx := context.Background()
	var ahead atomic.Int64
	ahead.Store(int64(from))
	a, err := app.Open(ctx, app.Config{Documents: app.Documents{Set: set, Dirs: []string{"testdata/demo"}, Zone: shanghai}, Dir: o.Dir, URL: o.URL, Version: apptest.Version,
		Workers: 1, Clock: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }, Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
	if err != nil {
		return err
	}
	people := slices.Sorted(maps.Keys(staff))
	views, ids := map[string]*authz.View{}, map[string]string{}
	for _, name := range people {
		who, _ := a.People().PersonByName(ctx, name)
		ids[name] = who.ID
		views[name] = a.State().Policy.View(authn.Principal(ctx, a.People(), who, ""), a.Now(), a.Zone())
	}
	fmt.Println("started")
	failed := make(chan error)
	for thread := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, thread))
		go func() {
			for {
				if err := somebody(ctx, r, a, people, views, ids); err != nil {
					failed <- err
				}
			}
		}()
	}
	for {
		select {
		case err := <-failed:
			fmt.Println("failed:", err)
			return err
		case <-time.After(20 * time.Millisecond):
		}
		ahead.Add(int64(4 * time.Minute))
		if _, err := a.Workflows().Fire(ctx); err != nil {
			return err
		}
	}
}

// somebody does something at random. What is refused is fine; an error of the product is not.
func somebody(ctx context.Context, r *rand.Rand, a *app.App, people []string, views map[string]*authz.View, ids map[string]string) error {
	gaveUp := false
	if r.IntN(4) == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(r.IntN(15_000))*time.Microsecond)
		defer cancel()
		gaveUp = true
	}
	who := pickOf(r, people...)
	view := views[who]
	fine := func(do flow.Operation, err error) error {
		code := fault.Of(err)
		if err == nil || gaveUp || code != 0 && code != fault.Internal {
			return nil
		}
		return fmt.Errorf("%s %s: %w", who, do, err)
	}
	if r.IntN(12) == 0 {
		start := workflow.Start{Workflow: pickOf(r, "contractApproval", "branches", "duty", "duty"), Data: map[string]json.RawMessage{"title": raw("Gate"), "amount": raw(r.IntN(2_000_000))}}
		_, err := a.Workflows().Start(ctx, views["ann"], start)
		return fine(flow.OpStart, err)
	}
	if r.IntN(30) == 0 {
		return fine("roles", moves(ctx, a, ids[pickOf(r, "kim", "sid", "bob")], pickOf(r, "supervisor", "staff")))
	}
	if r.IntN(60) == 0 {
		return fine("leave", leaves(ctx, a, ids[pickOf(r, "kim", "sid", "bob")], r.IntN(2) == 0))
	}
	page, err := a.Workflows().Items(ctx, view, pickOf(r, "unfinished", "unfinished", "unfinished", "finished", "unread"), workflow.Search{Size: 50})
	if err != nil || len(page.Content) == 0 {
		return fine("list", err)
	}
	of := pickOf(r, page.Content...)
	if of.Status == string(flow.Completed) && r.IntN(3) == 0 { // what is approved cannot be changed; what was rejected can
		return fine("forge", forge(ctx, a, pickOf(r, views["ann"], view), of.Record))
	}
	if r.IntN(25) == 0 {
		do := pickOf(r, flow.OpUrge, flow.OpRevoke, flow.OpVoid, flow.OpAdjust, flow.OpJump, flow.OpActivate, flow.OpRetry)
		_, err := a.Workflows().Order(ctx, views[pickOf(r, "ann", "eve")], workflow.Order{Instance: of.Instance, Do: do, Node: pickOf(r, "check", "client", "left", "right", "last", "end"), People: []string{ids[pickOf(r, people...)]}})
		return fine(do, err)
	}
	c := workflow.Command{Item: of.ID, Do: pickOf(r, flow.OpAgree, flow.OpAgree, flow.OpAgree, flow.OpSubmit, flow.OpDisagree, flow.OpReject, flow.OpTransfer, flow.OpAddSign, flow.OpAssist, flow.OpCirculate, flow.OpRead, flow.OpWithdraw, flow.OpClaim, flow.OpRelease),
		Opinion: "so", Node: "start", Placing: pickOf(r, flow.Before, flow.After, flow.Parallel)}
	switch c.Do {
	case flow.OpTransfer, flow.OpAddSign, flow.OpAssist, flow.OpCirculate:
		c.People = []string{ids[pickOf(r, people...)]}
	case flow.OpAgree:
		if of.Node == "check" {
			if detail, err := a.Workflows().Detail(ctx, view, of.ID); err == nil {
				c.Data, c.Version = map[string]json.RawMessage{"checked": raw(1)}, detail.Form.Version
			}
		}
	}
	_, err = a.Workflows().Act(ctx, view, c)
	return fine(c.Do, err)
}

// forged is the title that the crowd gives contracts whose workflow has ended.
const forged = "Forged"

// forge is somebody's attempt to give a contract that title.
func forge(ctx context.Context, a *app.App, view *authz.View, id string) error {
	loaded, err := a.Reader().FormLoad(ctx, view, query.FormRequest{SchemaCode: "contract", ObjectID: id})
	if err == nil {
		_, err = a.Writer().Save(ctx, view, record.Change{Model: "contract", ID: id, Version: loaded.Version, Set: map[string]json.RawMessage{"title": raw(forged)}})
	}
	return err
}

// moves gives somebody another role.
func moves(ctx context.Context, a *app.App, user, role string) error {
	id, _ := a.People().RoleID(ctx, role)
	return changes(ctx, a, user, "roles", []any{map[string]any{"id": id}})
}

// leaves lets somebody leave, or come back.
func leaves(ctx context.Context, a *app.App, user string, gone bool) error {
	return changes(ctx, a, user, "disabled", gone)
}

func changes(ctx context.Context, a *app.App, user, code string, value any) error {
	view := a.State().Policy.View(principal.System("test"), a.Now(), a.Zone())
	loaded, err := a.Reader().FormLoad(ctx, view, query.FormRequest{SchemaCode: "user", ObjectID: user})
	if err == nil {
		_, err = a.Writer().Save(ctx, view, record.Change{Model: "user", ID: user, Version: loaded.Version, Set: map[string]json.RawMessage{code: raw(value)}})
	}
	return err
}

func pickOf[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// gather starts a crowd in a process of its own and returns how to kill it.
func gather(t *testing.T, o store.Options, seed uint64, ahead time.Duration) (kill func()) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", envCrowd, seed), envURL+"="+o.URL, envDir+"="+o.Dir, envAhead+"="+ahead.String())
	c.Stderr = t.Output()
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	lines := bufio.NewScanner(out)
	var once sync.Once
	kill = func() {
		once.Do(func() {
			_ = c.Process.Kill()
			for lines.Scan() { // what it said before its end
				t.Error(lines.Text())
			}
			_ = c.Wait()
			if code := c.ProcessState.ExitCode(); code >= 0 {
				t.Errorf("the crowd ended with %d before it was killed", code)
			}
		})
	}
	t.Cleanup(kill)
	require.True(t, lines.Scan())
	require.Equal(t, "started", lines.Text())
	return kill
}

// TestKill lets a crowd work, on PostgreSQL two of them on two nodes, and kills them at random moments. After each kill everything of each
// instance is whole: the log makes the state, the rows are the state, each message and each timer was once. In the end all of it can be
// brought to its end.
func TestKill(t *testing.T) {
	each(t, func(w *world) {
		kills := storetest.Full(1, 2)
		if n, err := strconv.Atoi(os.Getenv(envKills)); err == nil {
			kills = n
		}
		o := w.place
		for i := range 6 {
			w.start("ann", 400_000*(i+1))
			w.begin("branches", map[string]any{"title": "Lock", "amount": 1})
			w.begin("duty", map[string]any{"title": "Lock", "amount": 1})
		}
		var events int64
		seed := uint64(time.Now().UnixNano())
		for turn := range kills {
			w.ahead.Store(int64(time.Duration(turn+1) * 100 * time.Hour))
			ends := []func(){gather(w.T, o, seed+uint64(turn), time.Duration(w.ahead.Load()))}
			if o.URL != "" {
				ends = append(ends, gather(w.T, o, seed+uint64(turn)+1000, time.Duration(w.ahead.Load())))
			}
			done := func() int64 { return w.count("SELECT count(*) FROM sl_wf_event") }
			for begun := time.Now(); done() == events && time.Since(begun) < time.Minute; { // a busy machine takes its time to begin
				time.Sleep(20 * time.Millisecond)
			}
			time.Sleep(time.Duration(300+rand.IntN(900)) * time.Millisecond)
			for _, end := range ends {
				end()
			}
			now := done()
			require.Greater(w, now, events, "nothing was done")
			events = now
			for _, id := range w.everyInstance() {
				w.sound(id)
			}
		}
		w.Logf("seed %d: %d kills, %d events, %d instances", seed, kills, events, len(w.everyInstance()))
		w.ahead.Store(int64(time.Duration(kills+1) * 100 * time.Hour))
		w.fire()
		late, err := w.flows().LatePools(w.Context())
		require.NoError(w, err)
		require.Empty(w, late)
		w.leave()
		w.bringToEnd()
		require.Positive(w, w.forges())
		for _, id := range w.everyInstance() {
			w.sound(id)
		}
	})
}

// forges lets ann, who started all of them, try to change each contract that was approved, and returns how many those are.
func (w *world) forges() int {
	w.Helper()
	var records []string
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Raw("SELECT record FROM sl_wf_instance WHERE sealed AND model = 'contract'").Scan(&records).Error
	}))
	for _, id := range records {
		require.Equal(w, fault.RecordSealed, fault.Of(forge(w.Context(), w.app, w.as("ann"), id)))
	}
	return len(records)
}

// leave gives what is open for those who have left to others: then nothing is open for them, and the audit finds nothing of them.
func (w *world) leave() {
	w.Helper()
	require.NoError(w, w.app.People().Refresh(w.Context()))
	for _, name := range []string{"kim", "sid", "bob"} {
		if who, _ := w.app.People().Person(w.Context(), w.ids[name]); !who.Disabled {
			continue
		}
		for left := 1; left > 0; {
			var err error
			_, left, err = w.flows().HandOver(w.Context(), w.as("eve"), workflow.HandOver{From: w.ids[name], To: w.ids["sam"]})
			require.NoError(w, err)
		}
		open := "SELECT count(*) FROM sl_wf_item WHERE person = ? AND list = 'unfinished' AND instance IN (SELECT id FROM sl_wf_instance WHERE status IN ('PROCESSING', 'EXCEPTION'))"
		require.Zero(w, w.count(open, w.ids[name]), "%s has left", name)
	}
	w.audited()
	page, err := w.flows().Findings(w.Context(), w.as("eve"), 0, 100)
	require.NoError(w, err)
	for _, f := range page.Content {
		require.NotContains(w, []string{"LEFT", "OWNER"}, f.Kind)
	}
}

func (w *world) count(text string, args ...any) (n int64) {
	w.Helper()
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Raw(text, args...).Scan(&n).Error }))
	return n
}

func (w *world) everyInstance() (ids []string) {
	w.Helper()
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Raw("SELECT id FROM sl_wf_instance ORDER BY id").Scan(&ids).Error
	}))
	return ids
}

// compared is the state of an instance, and what of its rows differs from it. The node of the test fires timers and follows pools meanwhile: when it did,
// both are read again.
func (w *world) compared(id string) (*flow.State, string) {
	w.Helper()
	for {
		before := w.count("SELECT events FROM sl_wf_instance WHERE id = ?", id)
		state, _, err := w.flows().Verify(w.Context(), id)
		require.NoError(w, err)
		differs, err := w.flows().Differs(w.Context(), id, state)
		require.NoError(w, err)
		if w.count("SELECT events FROM sl_wf_instance WHERE id = ?", id) == before {
			return state, differs
		}
	}
}

// sound checks everything that is kept of an instance.
func (w *world) sound(id string) {
	w.Helper()
	w.same(id)
	state, differs := w.compared(id)
	require.Empty(w, differs)
	require.Empty(w, unsound(state), id)

	var bodies [][]byte
	var row struct {
		Status, Live string
		Events       int64
	}
	var messages int64
	// In one snapshot, for the same reason.
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
		return errors.Join(tx.System().Raw("SELECT body FROM sl_wf_event WHERE instance = ? ORDER BY number", id).Scan(&bodies).Error,
			tx.System().Raw("SELECT status, coalesce(live, '') AS live, events FROM sl_wf_instance WHERE id = ?", id).Scan(&row).Error,
			tx.System().Raw("SELECT count(*) FROM sl_message WHERE type = 101 AND once LIKE ?", "workflow "+id+" %").Scan(&messages).Error)
	}))
	require.EqualValues(w, len(bodies), row.Events, "numbers without a gap")
	status := flow.Status(row.Status)
	over := status == flow.Completed || status == flow.Canceled
	require.Equal(w, over, row.Live == "", "a record runs in one workflow as long as that lasts")
	replay := &flow.State{}
	tasks, fired := int64(0), map[string]int{}
	for _, body := range bodies {
		var e flow.Event
		require.NoError(w, json.Unmarshal(body, &e))
		if e.Kind == flow.Messaged {
			switch e.Message {
			case 101:
				tasks += int64(len(e.To))
			case 21, 23:
				fired[fmt.Sprint(e.Message, " ", e.On)]++
				require.True(w, replay.Item(e.On).Ready(), "message %d of item %d of %s, which nobody has to do", e.Message, e.On, id)
			}
		}
		if i := e.Item; e.Kind == flow.ItemIs && i.Type == flow.ItemCirculate {
			if was := replay.Item(i.ID); was != nil && was.State == flow.ItemDone {
				require.Equal(w, flow.ItemDone, i.State, "copy %d of %s was read", i.ID, id)
			}
		}
		replay.Apply(e)
	}
	require.Equal(w, replay.Status, status)
	if approved := w.count("SELECT count(*) FROM sl_wf_instance WHERE id = ? AND sealed AND model = 'contract'", id); approved > 0 {
		require.NotEqual(w, forged, w.titleOf(id), "%s was approved and changed", id)
	}
	for what, n := range fired {
		require.Equal(w, 1, n, "timer %s of %s", what, id)
	}
	require.Equal(w, tasks, messages, "messages of tasks of %s", id)
}

// titleOf is the title of an instance's record.
func (w *world) titleOf(instance string) (title string) {
	w.Helper()
	var id string
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Raw("SELECT record FROM sl_wf_instance WHERE id = ?", instance).Scan(&id).Error
	}))
	system := w.app.State().Policy.View(principal.System("test"), w.app.Now(), w.app.Zone())
	loaded, err := w.app.Reader().FormLoad(w.Context(), system, query.FormRequest{SchemaCode: "contract", ObjectID: id})
	require.NoError(w, err)
	var data struct {
		Data struct{ Title string }
	}
	require.NoError(w, json.Unmarshal(raw(loaded), &data))
	return data.Data.Title
}

// unsound says what is wrong with a state, by rules that hold after every command.
func unsound(s *flow.State) (faults []string) {
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	scopes := map[string]bool{}
	for _, t := range s.Live() {
		for scope := range scopes {
			if scope == t.Scope || scope == "" || t.Scope == "" || strings.HasPrefix(scope, t.Scope+"/") || strings.HasPrefix(t.Scope, scope+"/") {
				say("tokens in %q and %q", scope, t.Scope)
			}
		}
		scopes[t.Scope] = true
	}
	if runs := s.Status == flow.Processing || s.Status == flow.Exception; runs != (len(scopes) > 0) {
		say("%s with %d tokens", s.Status, len(scopes))
	}
	rounds := map[string]int{}
	for _, a := range s.Activities {
		if rounds[a.Node]++; a.Round != rounds[a.Node] {
			say("round %d of %s comes as %d", a.Round, a.Node, rounds[a.Node])
		}
		people := map[string]bool{}
		for _, i := range s.Items {
			if i.Activity != a.ID || !i.Open() || i.Type == flow.ItemCirculate {
				continue
			}
			if a.State != flow.ActivityActive {
				say("item %d is open, its activity is %s", i.ID, a.State)
			}
			if i.Type != flow.ItemAssist {
				if people[i.Person] {
					say("two items of %s in activity %d", i.Person, a.ID)
				}
				people[i.Person] = true
			}
		}
		if a.State == flow.ActivityActive && len(people) == 0 && s.Token(a.Token).Fault == "" && a.Started == a.Ended {
			say("activity %d waits for nobody", a.ID)
		}
	}
	return faults
}

// bringToEnd lets everybody agree until nothing is left to do. What is stuck is voided.
func (w *world) bringToEnd() {
	w.Helper()
	for range 200 {
		moved := false
		for _, who := range slices.Sorted(maps.Keys(staff)) {
			page, err := w.flows().Items(w.Context(), w.as(who), "unfinished", workflow.Search{Size: 50})
			require.NoError(w, err)
			for _, task := range page.Content {
				c := workflow.Command{Item: task.ID, Do: flow.OpAgree, Opinion: "so"}
				if task.Type == string(flow.ItemAssist) || task.Node == "start" {
					c.Do = flow.OpSubmit
				}
				if task.Node == "check" {
					if detail, err := w.flows().Detail(w.Context(), w.as(who), task.ID); err == nil {
						c.Data, c.Version = w.set("checked", 1), detail.Form.Version
					}
				}
				if c.Do == flow.OpSubmit {
					c.Data = nil
				}
				_, err := w.flows().Act(w.Context(), w.as(who), c)
				if code := fault.Of(err); err != nil && code != fault.ItemFinished && code != fault.ItemNotYours {
					w.Fatalf("%s cannot finish %s at %s: %v", who, c.Do, task.Node, err)
				}
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	for _, id := range w.everyInstance() {
		status := w.status(id)
		if status == string(flow.Exception) {
			_, err := w.flows().Order(w.Context(), w.as("eve"), workflow.Order{Instance: id, Do: flow.OpVoid})
			require.NoError(w, err)
			continue
		}
		require.Contains(w, []string{"COMPLETED", "CANCELED", "DRAFT"}, status, id)
	}
}
