package quality_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// flows is a pack with workflows of sheets and inspections, as installations write them.
func flows(s *pack.Set) error {
	files := fstest.MapFS{"pack.json": {Data: []byte(`{"code": "siteflows", "name": "现场流程", "name_i18n": {"en": "Site workflows"}, "version": "1.0.0", "requires": ["quality"]}`)}}
	for _, model := range []string{"q_hidden", "q_record"} {
		files["workflows/"+model+"Flow.json"] = &fstest.MapFile{Data: []byte(`{"schemaCode": "` + model + `", "name": "报验", "name_i18n": {"en": "Acceptance"}, "nodes": [
			{"id": "start", "type": "START", "name": "填报", "name_i18n": {"en": "Fill in"}, "next": ["check"]},
			{"id": "check", "type": "APPROVE", "name": "复核", "name_i18n": {"en": "Check"}, "participants": [{"type": "role", "value": ["R_QSUP"]}], "mode": "ALL", "next": ["end"]},
			{"id": "end", "type": "END"}]}`)}
	}
	if err := openChannels(files); err != nil {
		return err
	}
	s.AddFolder("siteflows", files)
	return nil
}

// begun starts a workflow with a new record.
func (s *site) begun(who principal.Principal, code string, data in) workflow.Done {
	s.t.Helper()
	values := map[string]json.RawMessage{}
	for name, v := range data {
		text, err := json.Marshal(v)
		require.NoError(s.t, err)
		values[name] = text
	}
	done, err := s.Workflows().Start(s.t.Context(), s.View(who), workflow.Start{Workflow: code, Data: values})
	require.NoError(s.t, err, told(err))
	return done
}

// agree does the only task that somebody has.
func (s *site) agree(who principal.Principal) {
	s.t.Helper()
	open, err := s.Workflows().Items(s.t.Context(), s.View(who), "unfinished", workflow.Search{Size: 50})
	require.NoError(s.t, err)
	require.Len(s.t, open.Content, 1)
	_, err = s.Workflows().Act(s.t.Context(), s.View(who), workflow.Command{Item: open.Content[0].ID, Do: flow.OpAgree})
	require.NoError(s.t, err, told(err))
}

// workflows: a sheet is a draft until its workflow ends; one that is voided or removed takes the evaluation back, unless measures were approved on it.
func workflows(t *testing.T, s *site) {
	n := s.small()
	checker, admin := s.Person("flow-qsup", "R_QSUP"), s.Person("flow-admin", "administrator")
	removed := func(model string, d workflow.Done) error {
		return s.Do(admin, func(ctx context.Context, w world.World) error { return w.Delete(ctx, model, d.Record) })
	}
	void := func(instance string) error {
		_, err := s.Workflows().Order(t.Context(), s.View(admin), workflow.Order{Instance: instance, Do: flow.OpVoid})
		return err
	}
	var sheet string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		sheet = s.make(ctx, w, "q_biz", in{"qbsId": n.item, "schemaCode": "q_hidden", "bizKind": "HIDDEN", "workflowCode": "q_hiddenFlow"})
	})
	done := s.begun(s.owner, "q_hiddenFlow", in{"bizId": sheet, "qbsId": n.item, "content": "钢筋", "accepted": true})
	state := func() string { return fmt.Sprint(s.get(s.owner, "q_biz", sheet)["status"]) }
	require.Equal(t, "PROCESSING", state())
	require.NotEqual(t, "1", fmt.Sprint(s.get(s.owner, "q_qbs", n.item)["sheetDone"]))
	s.agree(checker)
	require.Equal(t, "COMPLETED", state())
	require.Equal(t, "OK", s.get(s.owner, "q_biz", sheet)["answer"])
	require.Equal(t, "1", fmt.Sprint(s.get(s.owner, "q_qbs", n.item)["sheetDone"]))
	require.Error(t, void(done.Instance), "it has ended")
	require.NoError(t, removed("q_hidden", done))
	require.Equal(t, "NONE", state())
	require.NotEqual(t, "1", fmt.Sprint(s.get(s.owner, "q_qbs", n.item)["sheetDone"]))

	s.do(s.owner, func(ctx context.Context, w world.World) {
		sheet = s.make(ctx, w, "q_biz", in{"qbsId": n.item, "schemaCode": "q_hidden", "bizKind": "PHOTO", "workflowCode": "q_hiddenFlow"})
	})
	require.NoError(t, void(s.begun(s.owner, "q_hiddenFlow", in{"bizId": sheet, "qbsId": n.item, "content": "模板"}).Instance))
	require.Equal(t, "CANCELED", state())
	var lots []workflow.Done
	for range 2 {
		s.do(s.owner, func(ctx context.Context, w world.World) {
			sheet = s.make(ctx, w, "q_biz", in{"qbsId": n.other, "schemaCode": "q_record", "bizKind": "LOT", "required": false, "workflowCode": "q_recordFlow"})
		})
		record := in{"bizId": sheet, "qbsId": n.other, "recordKind": "SELF", "inspector": s.owner.UserID, "checkDate": "2026-03-01", "items": []in{{"itemId": s.items["GEN"], "values": "1;2"}}}
		done = s.begun(s.owner, "q_recordFlow", record)
		lots = append(lots, done)
		if len(lots) == 1 {
			require.NotEqual(t, "QUALIFIED", s.eval(n.other), "it is being checked")
		}
		s.agree(checker)
		require.Equal(t, "QUALIFIED", s.eval(n.other))
	}
	require.NoError(t, removed("q_record", lots[0]))
	require.Equal(t, "QUALIFIED", s.eval(n.other), "the other one holds")
	require.NoError(t, removed("q_record", lots[1]))
	require.Contains(t, []string{"NONE", "PENDING"}, s.eval(n.other), "what contributed is gone")
	done = s.begun(s.owner, "q_recordFlow", in{"bizId": sheet, "qbsId": n.other, "recordKind": "SELF", "inspector": s.owner.UserID, "checkDate": "2026-03-01", "items": []in{{"itemId": s.items["GEN"], "values": "1;2"}}})
	s.agree(checker)
	s.do(s.system(), func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_qbs", n.other, in{"finalMeasures": "1"}))
	})
	refused(t, removed("q_record", done), quality.NodeMeasured)
	require.Equal(t, "QUALIFIED", s.eval(n.other))
}

// atOnce: two people complete the lots of one item at the same time, again and again; no count is lost.
func atOnce(t *testing.T, s *site) {
	n := s.small()
	var lots []string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		for range 6 {
			lots = append(lots, s.node(ctx, w, n.item, "LOT", "批"))
		}
	})
	people := []principal.Principal{s.owner, s.Person("at-once", "R_OWNER")}
	errs := make([]error, len(lots))
	var group sync.WaitGroup
	for i, lot := range lots {
		group.Go(func() { _, errs[i] = s.inspect(people[i%2], lot, "GEN", "1;2;3") })
		if i%2 == 1 {
			group.Wait()
		}
	}
	for _, err := range errs {
		require.NoError(t, err, told(err))
	}
	require.Equal(t, "QUALIFIED", s.eval(n.item))

	// A part is added while the only other one is completed, in either order: what is above them is not complete.
	add := func(ctx context.Context, w world.World, lot string) error {
		beside, err := w.Get(ctx, "q_qbs", lot)
		if err == nil {
			_, err = w.Create(ctx, "q_qbs", map[string]any{"projectId": s.project, "parentId": beside.Values["parentId"], "nodeType": "LOT", "name": "后加的批"})
		}
		return err
	}
	complete := func(ctx context.Context, w world.World, lot string) error {
		_, err := w.Create(ctx, "q_record", map[string]any{"qbsId": lot, "items": []map[string]any{{"itemId": s.items["GEN"], "values": "1;2;3"}}})
		return err
	}
	for i, order := range [][]func(ctx context.Context, w world.World, of string) error{{complete, add}, {add, complete}} {
		var only string
		s.do(s.owner, func(ctx context.Context, w world.World) {
			only = s.node(ctx, w, []string{n.other, n.item}[i], "LOT", "批")
		})
		second := make(chan error, 1)
		s.do(s.owner, func(ctx context.Context, w world.World) {
			require.NoError(t, order[0](ctx, w, only))
			go func() {
				second <- s.Do(people[1], func(ctx context.Context, w world.World) error { return order[1](ctx, w, only) })
			}()
			time.Sleep(200 * time.Millisecond) // in which it has read what is above
		})
		require.NoError(t, <-second)
		require.Equal(t, "QUALIFIED", s.eval(only))
		require.Equal(t, "PENDING", s.eval([]string{n.other, n.item}[i]))
	}

	require.Equal(t, "24", fmt.Sprint(s.get(s.owner, "q_qbs", n.unit)["points"]))
	changed, err := quality.Refresh(t.Context(), s.System.Act, s.owner, s.project)
	require.NoError(t, err)
	require.Zero(t, changed)
}
