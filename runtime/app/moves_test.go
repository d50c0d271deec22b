package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// lots is a pack whose hook of moves writes what nobody of its people may write: into a ledger, and into the lot that was moved.
var lots = fstest.MapFS{
	"pack.json": {Data: []byte(`{"code": "lotyard", "name": "场地", "name_i18n": {"en": "Yard"}, "version": "1.0.0",
		"reasons": [{"code": "yardMoves", "name": "随流程登记", "name_i18n": {"en": "Kept with the workflow"}, "role": "clerk"}]}`)},
	"models/lot.json": {Data: []byte(`{"name": "批", "name_i18n": {"en": "Lot"}, "name_plural_i18n": {"en": "Lots"}, "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Title"}, "required": true},
		{"code": "moved", "propertyType": "ShortText", "name": "移到", "name_i18n": {"en": "Moved to"}}]}`)},
	"models/ledger.json": {Data: []byte(`{"name": "台账", "name_i18n": {"en": "Ledger"}, "name_plural_i18n": {"en": "Ledgers"}, "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Title"}, "required": true},
		{"code": "note", "propertyType": "ShortText", "name": "备注", "name_i18n": {"en": "Note"}, "computeFormula": "title + '!'"}]}`)},
	"access/asker.json": {Data: []byte(`{"name": "申请人", "name_i18n": {"en": "Asker"}, "models": [{"schemaCode": "lot", "actions": ["view", "add", "edit", "delete"], "rows": "all"}]}`)},
	"access/judge.json": {Data: []byte(`{"name": "审批人", "name_i18n": {"en": "Judge"}, "models": [{"schemaCode": "lot", "actions": ["view"], "rows": "all"}]}`)},
	"access/clerk.json": {Data: []byte(`{"name": "登记", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "*", "actions": ["*"], "rows": "all"}]}`)},
	"access/master.json": {Data: []byte(`{"name": "主管", "name_i18n": {"en": "Master"}, "permissions": ["ADMIN", "WORKFLOW_ADMIN"],
		"models": [{"schemaCode": "*", "actions": ["*"], "rows": "all"}]}`)},
	"workflows/lotApproval.json": {Data: []byte(`{"schemaCode": "lot", "name": "审批", "name_i18n": {"en": "Approval"}, "nodes": [
		{"id": "start", "type": "START", "name": "申请", "name_i18n": {"en": "Request"}, "next": ["judge"]},
		{"id": "judge", "type": "APPROVE", "name": "审批", "name_i18n": {"en": "Decision"}, "participants": [{"type": "role", "value": ["judge"]}], "mode": "ALL",
		 "time": {"timeoutMinutes": 60, "onTimeout": [{"action": "autoAgree"}]}, "next": ["end"]},
		{"id": "end", "type": "END"}]}`)},
}

// keepLedger writes a line for each move. Titles choose what goes wrong.
func keepLedger(ctx context.Context, e *hook.Move, next func() error) error {
	if e.Model != "lot" {
		return next()
	}
	w, err := e.As("yardMoves")
	if err != nil {
		return err
	}
	lot, err := w.Get(ctx, e.Model, e.ID)
	if err != nil {
		return err
	}
	if lot.Values["sequenceStatus"] != e.New {
		return fmt.Errorf("the state %v is not stored yet", lot.Values["sequenceStatus"])
	}
	if _, err := w.Update(ctx, e.Model, e.ID, lot.Version, map[string]any{"moved": e.New}); err != nil {
		return err
	}
	inOne := "in"
	if e.Instance == "" {
		inOne = "out"
	}
	if _, err := w.Create(ctx, "ledger", map[string]any{"title": fmt.Sprintf("%s %s->%s %s", lot.Values["title"], e.Old, e.New, inOne)}); err != nil {
		return err
	}
	switch {
	case e.New != "COMPLETED":
	case lot.Values["title"] == "refused":
		return fault.Refuse("台账已封", "The ledger is closed")
	case lot.Values["title"] == "passed over":
		_, _ = w.Create(ctx, "ledger", nil)
	}
	return next()
}

func bootYard(t *testing.T, at packtest.Database, move hook.Handler[*hook.Move]) *packtest.System {
	t.Helper()
	return packtest.BootOn(t, at, plugintest.Register, func(s *pack.Set) error {
		s.AddFolder("lotyard", lots)
		s.AfterMove.Add(move)
		return nil
	})
}

// mover drives lots through their workflow.
type mover struct {
	*testing.T
	s                    *packtest.System
	asker, judge, master principal.Principal
}

func newMover(t *testing.T, s *packtest.System) mover {
	return mover{t, s, s.Person("asker", "asker"), s.Person("judge", "judge"), s.Person("master", "master")}
}

func (m mover) start(title string) workflow.Done {
	m.Helper()
	text, err := json.Marshal(title)
	require.NoError(m, err)
	done, err := m.s.Workflows().Start(m.Context(), m.s.View(m.asker), workflow.Start{Workflow: "lotApproval", Data: map[string]json.RawMessage{"title": text}})
	require.NoError(m, err)
	return done
}

func (m mover) agree() error {
	m.Helper()
	open, err := m.s.Workflows().Items(m.Context(), m.s.View(m.judge), "unfinished", workflow.Search{Size: 50})
	require.NoError(m, err)
	require.Len(m, open.Content, 1)
	_, err = m.s.Workflows().Act(m.Context(), m.s.View(m.judge), workflow.Command{Item: open.Content[0].ID, Do: flow.OpAgree})
	return err
}

func (m mover) order(who principal.Principal, instance string, do flow.Operation) {
	m.Helper()
	_, err := m.s.Workflows().Order(m.Context(), m.s.View(who), workflow.Order{Instance: instance, Do: do})
	require.NoError(m, err)
}

// ledger are the lines about a lot, as they were written.
func (m mover) ledger(about string) (out []string) {
	m.Helper()
	require.NoError(m, m.s.Do(m.master, func(ctx context.Context, w world.World) error {
		ids, err := w.Find(ctx, "ledger", nil, world.All)
		if err != nil {
			return err
		}
		for _, id := range ids {
			r, err := w.Get(ctx, "ledger", id)
			if err != nil {
				return err
			}
			title, _ := r.Values["title"].(string)
			require.Equal(m, title+"!", r.Values["note"], "what is computed is computed")
			if len(title) > len(about) && title[:len(about)] == about {
				out = append(out, title[len(about)+1:])
			}
		}
		return nil
	}))
	return out
}

func (m mover) state(id string) string {
	m.Helper()
	var out string
	require.NoError(m, m.s.Do(m.master, func(ctx context.Context, w world.World) error {
		r, err := w.Get(ctx, "lot", id)
		out = fmt.Sprint(r.Values["sequenceStatus"])
		return err
	}))
	return out
}

// TestMoves: a pack hears of each state that workflows move records into, and writes with a right of its own in the same transaction.
func TestMoves(t *testing.T) {
	t.Parallel()
	embedded.Each(t, func(t *testing.T, o store.Options) {
		m := newMover(t, bootYard(t, packtest.Database{URL: o.URL, Dir: o.Dir}, keepLedger))

		done := m.start("agreed")
		require.Equal(t, []string{"COMPLETED->PROCESSING in"}, m.ledger("agreed"))
		require.NoError(t, m.agree())
		require.Equal(t, []string{"COMPLETED->PROCESSING in", "PROCESSING->COMPLETED in"}, m.ledger("agreed"))
		require.Equal(t, "COMPLETED", m.state(done.Record))
		told := m.s.History(t, m.master, "lot", done.Record)
		require.Equal(t, "judge", *told[0].Creator, "who has moved the lot")
		require.Equal(t, "随流程登记", *told[0].Remark)

		done = m.start("refused")
		err := m.agree()
		var refusal *fault.Error
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, "The ledger is closed", refusal.MessageEn)
		require.Equal(t, "PROCESSING", m.state(done.Record))
		require.Equal(t, []string{"COMPLETED->PROCESSING in"}, m.ledger("refused"), "what the hook wrote is undone")
		track, err := m.s.Workflows().Track(t.Context(), m.s.View(m.asker), done.Instance)
		require.NoError(t, err)
		require.Equal(t, "PROCESSING", track.Instance.State)

		m.s.Advance(2 * time.Hour) // it would be agreed to by a rule, which is refused as well
		for n := 1; n > 0; {
			n, err = m.s.Workflows().Fire(t.Context())
			require.NoError(t, err)
		}
		require.Equal(t, "PROCESSING", m.state(done.Record))
		require.Equal(t, []string{"COMPLETED->PROCESSING in"}, m.ledger("refused"))

		m.order(m.master, done.Instance, flow.OpVoid)
		require.Equal(t, []string{"COMPLETED->PROCESSING in", "PROCESSING->CANCELED in"}, m.ledger("refused"))
		require.NoError(t, m.s.Do(m.master, func(ctx context.Context, w world.World) error { // or what is left of it would be refused again
			lot, err := w.Get(ctx, "lot", done.Record)
			if err == nil {
				_, err = w.Update(ctx, "lot", done.Record, lot.Version, map[string]any{"title": "removed"})
			}
			return err
		}))
		require.NoError(t, m.s.Workflows().Remove(t.Context(), m.s.View(m.master), done.Instance, ""))
		require.Equal(t, []string{"CANCELED->COMPLETED out"}, m.ledger("removed"))

		done = m.start("passed over")
		require.Error(t, m.agree(), "a refusal that the hook passes over undoes the move all the same")
		require.Equal(t, "PROCESSING", m.state(done.Record))
		m.order(m.master, done.Instance, flow.OpVoid)

		done = m.start("by time")
		m.s.Advance(2 * time.Hour)
		for n := 1; n > 0; {
			n, err = m.s.Workflows().Fire(t.Context())
			require.NoError(t, err)
		}
		require.Equal(t, "COMPLETED", m.state(done.Record))
		require.Equal(t, []string{"COMPLETED->PROCESSING in", "PROCESSING->COMPLETED in"}, m.ledger("by time"))
		require.Equal(t, "随流程登记", *m.s.History(t, m.master, "lot", done.Record)[0].Creator, "nobody has agreed")
	})
}

// TestMovesOfPeople: a write of a person or of code is not a move, and a deletion of a record in a workflow ends that first.
func TestMovesOfPeople(t *testing.T) {
	t.Parallel()
	m := newMover(t, bootYard(t, packtest.Database{Dir: embedded.SQLite(t)}, keepLedger))
	require.NoError(t, m.s.Do(m.asker, func(ctx context.Context, w world.World) error {
		id, err := w.Create(ctx, "lot", map[string]any{"title": "by hand"})
		if err == nil {
			_, err = w.Update(ctx, "lot", id, 1, map[string]any{"moved": "2"})
		}
		return err
	}))
	require.Empty(t, m.ledger("by hand"))

	done := m.start("deleted")
	require.NoError(t, m.s.Do(m.master, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "lot", done.Record) }))
	require.Equal(t, []string{"COMPLETED->PROCESSING in", "PROCESSING->CANCELED in"}, m.ledger("deleted"))
}

// TestMovesOfRehearsals: a rehearsal runs no hook of moves.
func TestMovesOfRehearsals(t *testing.T) {
	t.Parallel()
	moved := 0
	m := newMover(t, bootYard(t, packtest.Database{Dir: embedded.SQLite(t)}, func(_ context.Context, _ *hook.Move, next func() error) error { moved++; return next() }))
	_, err := m.s.Workflows().Rehearse(t.Context(), m.s.View(m.master), workflow.Rehearsal{Workflow: "lotApproval",
		Runs: []workflow.RehearsalRun{{Initiator: m.asker.UserID, Values: map[string]json.RawMessage{"title": json.RawMessage(`"tried"`)}}}})
	require.NoError(t, err)
	require.Zero(t, moved)
}

// TestMovesThatNeverEnd: hooks of moves that start workflows whose start is a move end with an error.
func TestMovesThatNeverEnd(t *testing.T) {
	t.Parallel()
	m := newMover(t, bootYard(t, packtest.Database{Dir: embedded.SQLite(t)}, func(ctx context.Context, e *hook.Move, _ func() error) error {
		w, err := e.As("yardMoves")
		if err != nil {
			return err
		}
		id, err := w.Create(ctx, "lot", map[string]any{"title": "again"})
		if err == nil {
			_, err = w.StartWorkflow(ctx, "lotApproval", id)
		}
		return err
	}))
	_, err := m.s.Workflows().Start(t.Context(), m.s.View(m.asker), workflow.Start{Workflow: "lotApproval", Data: map[string]json.RawMessage{"title": json.RawMessage(`"one"`)}})
	require.ErrorContains(t, err, "deep")
}

// TestWorldModel: code reads what documents say of models that it does not bring, also where its person has no rights.
func TestWorldModel(t *testing.T) {
	t.Parallel()
	m := newMover(t, bootYard(t, packtest.Database{Dir: embedded.SQLite(t)}, keepLedger))
	s := bootNetwork(t, packtest.Database{Dir: embedded.SQLite(t)})
	require.NoError(t, m.s.Do(m.judge, func(_ context.Context, w world.World) error {
		lot, ok := w.ModelOf("LOT")
		require.True(t, ok)
		require.Equal(t, world.Model{Code: "lot", Name: plan.Label{Zh: "批", I18n: map[string]string{"en": "Lot"}}, Properties: []world.Property{
			{Code: "title", Name: plan.Label{Zh: "名称", I18n: map[string]string{"en": "Title"}}, Type: "ShortText"},
			{Code: "moved", Name: plan.Label{Zh: "移到", I18n: map[string]string{"en": "Moved to"}}, Type: "ShortText"},
		}, Workflows: []world.Workflow{{Code: "lotApproval", Name: plan.Label{Zh: "审批", I18n: map[string]string{"en": "Approval"}}}}}, lot)
		ledger, ok := w.ModelOf("ledger")
		require.True(t, ok, "nobody's rights are asked")
		require.Empty(t, ledger.Workflows)
		for _, none := range []string{"", "lots", "task.points"} {
			_, ok = w.ModelOf(none)
			require.False(t, ok, none)
		}
		return nil
	}))
	require.NoError(t, s.Do(s.Person("planner", "planner"), func(_ context.Context, w world.World) error {
		task, _ := w.ModelOf("task")
		require.Equal(t, "project", task.Properties[1].Relation)
		points := task.Properties[len(task.Properties)-1]
		require.Equal(t, []string{"Sheet", "label", "value"}, []string{points.Type, points.Columns[0].Code, points.Columns[1].Code})
		return nil
	}))
}
