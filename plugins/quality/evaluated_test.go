package quality_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// levels: what a breakdown refuses.
func levels(t *testing.T, s *site) {
	err := s.Do(s.owner, func(ctx context.Context, w world.World) error {
		unit := s.node(ctx, w, "", "UNIT", "单位")
		_, err := w.Create(ctx, "q_qbs", map[string]any{"projectId": s.project, "parentId": unit, "nodeType": "UNIT", "name": "同级"})
		return err
	})
	refused(t, err, quality.WrongLevel)
	var unit, item string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.node(ctx, w, "", "UNIT", "单位")
		item = s.node(ctx, w, unit, "ITEM", "分项")
	})
	s.do(s.owner, func(ctx context.Context, w world.World) { // without a code it gets the next one, at the top too
		for _, want := range []string{"02", "03"} {
			id := s.make(ctx, w, "q_qbs", map[string]any{"projectId": s.project, "nodeType": "UNIT", "name": "单位 " + want})
			r, err := w.Get(ctx, "q_qbs", id)
			require.NoError(t, err)
			require.Equal(t, want, r.Values["code"])
		}
	})
	add := func(values map[string]any) error {
		return s.Do(s.owner, func(ctx context.Context, w world.World) error {
			values["projectId"], values["name"] = s.project, "x"
			_, err := w.Create(ctx, "q_qbs", values)
			return err
		})
	}
	taken := add(map[string]any{"parentId": unit, "nodeType": "ITEM", "code": "01-01"})
	refused(t, taken, quality.DuplicateCode)
	require.Contains(t, told(taken), "{Errors:[{PropertyCode:code ", "once, although the key has the project too")
	require.NotContains(t, told(taken), "PropertyCode:projectId")
	refused(t, add(map[string]any{"parentId": unit, "nodeType": "ITEM", "stationFrom": "K2+000", "stationTo": "K1+999"}), quality.StationOrder)
	refused(t, add(map[string]any{"parentId": unit, "nodeType": "ITEM", "stationFrom": "2+0"}), quality.StationFormat)
	no := func(code fault.Code, f func(ctx context.Context, w world.World) error) {
		t.Helper()
		refused(t, s.Do(s.owner, f), code)
	}
	creates := func(model string, values map[string]any) func(ctx context.Context, w world.World) error {
		return func(ctx context.Context, w world.World) error { _, err := w.Create(ctx, model, values); return err }
	}
	edits := func(model, id string, values map[string]any) func(ctx context.Context, w world.World) error {
		return func(ctx context.Context, w world.World) error { return edit(ctx, w, model, id, values) }
	}
	var elsewhere, other, worked, first, sheet, a, b string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		elsewhere = s.make(ctx, w, "pm_project", map[string]any{"projectKey": "levels2", "projectName": "levels2", "evalRule": "JTS257_2008"})
		other = s.make(ctx, w, "q_qbs", map[string]any{"projectId": elsewhere, "nodeType": "UNIT", "name": "x"})
		worked = s.node(ctx, w, unit, "ITEM", "有工序的分项")
		first = s.make(ctx, w, "q_jbs", map[string]any{"qbsId": worked, "code": "1", "title": "一"})
		sheet = s.make(ctx, w, "q_biz", map[string]any{"ownerType": "QBS", "qbsId": worked, "schemaCode": "q_work", "sheetTitle": "表"})
		base := s.make(ctx, w, "q_jbs_base", map[string]any{"kind": "TEMPLATE", "code": "LV", "title": "模板"})
		a = s.make(ctx, w, "q_jbs_base", map[string]any{"kind": "PROCESS", "parentId": base, "code": "LV-1", "title": "甲"})
		b = s.make(ctx, w, "q_jbs_base", map[string]any{"kind": "PROCESS", "parentId": base, "code": "LV-2", "title": "乙", "prevIds": []string{a}})
	})
	no(quality.OtherProject, edits("q_qbs", item, map[string]any{"projectId": elsewhere}))
	no(quality.OtherProject, edits("q_qbs", item, map[string]any{"parentId": other}))
	no(quality.ProcessElsewhere, creates("q_jbs", map[string]any{"qbsId": item, "code": "1", "title": "二", "prevIds": []string{first}}))
	no(quality.HasProcesses, creates("q_qbs", map[string]any{"projectId": s.project, "parentId": worked, "nodeType": "LOT", "name": "x"}))
	no(quality.SheetElsewhere, creates("q_work", map[string]any{"bizId": sheet, "qbsId": item, "content": "x"}))
	no(quality.WorkflowUnknown, creates("q_biz", map[string]any{"ownerType": "QBS", "qbsId": worked, "schemaCode": "q_hidden", "sheetTitle": "表", "workflowCode": "nope"}))
	no(quality.ProcessCycle, edits("q_jbs_base", a, map[string]any{"prevIds": []string{b}}))
	_, err = s.inspect(s.owner, item, "GEN", "1")
	require.NoError(t, err)
	err = s.Do(s.owner, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_qbs", item) })
	refused(t, err, quality.NodeReferenced)
	require.Equal(t, "QUALIFIED", s.eval(item))
}

// forged: nobody writes what the pack computes, and what is measured stays.
func forged(t *testing.T, s *site) {
	var unit, item string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.node(ctx, w, "", "UNIT", "单位")
		item = s.node(ctx, w, unit, "ITEM", "分项")
	})
	admin := s.Person("root", "administrator")
	s.do(admin, func(ctx context.Context, w world.World) {
		now, err := w.Get(ctx, "q_qbs", item)
		require.NoError(t, err)
		_, err = w.Update(ctx, "q_qbs", item, now.Version, map[string]any{"evalStatus": "QUALIFIED", "points": "7", "finalMeasures": "1"})
		require.NoError(t, err, told(err))
	})
	require.Equal(t, "NONE", s.eval(item))
	id, err := s.inspect(s.owner, item, "GEN", "1;2")
	require.NoError(t, err)
	err = s.Do(s.owner, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_record", id) })
	refused(t, err, quality.NodeMeasured)
	err = s.Do(s.owner, func(ctx context.Context, w world.World) error {
		_, err := w.Create(ctx, "q_record", in{"qbsId": item, "items": []in{{"itemId": s.items["GEN"], "values": "1"}, {"itemId": s.items["GEN"], "values": "eins"}}})
		return err
	})
	refused(t, err, quality.ReadingNumber)
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	at := f.Data.(fault.Invalid).Errors[0]
	require.Equal(t, []string{"items.values", "#2"}, []string{at.PropertyCode, at.Row}, "the row that was refused is named")
}

// revision: a rule set that changes leaves what was judged by it as it was.
func revision(t *testing.T, s *site) {
	var unit, a, b string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.node(ctx, w, "", "UNIT", "单位")
		a, b = s.node(ctx, w, unit, "ITEM", "甲"), s.node(ctx, w, unit, "ITEM", "乙")
	})
	_, err := s.inspect(s.owner, a, "GEN", "1;1;1;1;11")
	require.NoError(t, err)
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_rule", map[string]any{"code": "GB50300_2013", "current": true}, world.All)
		require.NoError(t, err)
		require.Len(t, found, 1)
		now, err := w.Get(ctx, "q_rule", found[0])
		require.NoError(t, err)
		_, err = w.Update(ctx, "q_rule", found[0], now.Version, map[string]any{"generalRate": "0.9"})
		require.NoError(t, err, told(err))
	})
	_, err = s.inspect(s.owner, b, "GEN", "1;1;1;1;11")
	require.NoError(t, err, told(err))
	require.Equal(t, []string{"QUALIFIED", "UNQUALIFIED"}, []string{s.eval(a), s.eval(b)})
	require.Equal(t, []string{"2", "3"}, []string{fmt.Sprint(s.get(s.owner, "q_qbs", a)["ruleRevision"]), fmt.Sprint(s.get(s.owner, "q_qbs", b)["ruleRevision"])})

	// What a transaction has read of rules, project and parent is read again after it has changed them.
	s.do(s.owner, func(ctx context.Context, w world.World) {
		change := func(model, id string, values map[string]any) {
			now, err := w.Get(ctx, model, id)
			require.NoError(t, err)
			_, err = w.Update(ctx, model, id, now.Version, values)
			require.NoError(t, err, told(err))
		}
		s.node(ctx, w, unit, "DIVISION", "分部")
		found, err := w.Find(ctx, "q_rule", map[string]any{"code": "GB50300_2013", "current": true}, world.All)
		require.NoError(t, err)
		change("q_rule", found[0], map[string]any{"levels": []any{map[string]any{"nodeType": "UNIT"}, map[string]any{"nodeType": "LOT"}, map[string]any{"nodeType": "DIVISION"}}})
		lot := s.node(ctx, w, unit, "LOT", "检验批")
		s.node(ctx, w, lot, "DIVISION", "分部") // what this norm allows now
		change("q_qbs", unit, map[string]any{"code": "09"})
		last := s.node(ctx, w, unit, "DIVISION", "分部")
		now, err := w.Get(ctx, "q_qbs", last)
		require.NoError(t, err)
		require.Equal(t, "09-05", now.Values["code"])
		change("pm_project", s.project, map[string]any{"evalRule": "JTS257_2008"})
		s.node(ctx, w, unit, "SUBUNIT", "子单位") // a level that the other norm no longer has
	})
}

// stored: after random work every status is what a computation from nothing gives.
func stored(t *testing.T, s *site) {
	r := rand.New(rand.NewPCG(7, 11))
	var nodes, leaves []string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit := s.node(ctx, w, "", "UNIT", "单位")
		nodes = append(nodes, unit)
		for range 2 {
			division := s.node(ctx, w, unit, "DIVISION", "分部")
			nodes = append(nodes, division)
			for range 2 {
				item := s.node(ctx, w, division, "ITEM", "分项")
				leaves = append(leaves, item)
			}
		}
	})
	nodes = append(nodes, leaves...)
	var records, bound []string
	for range 60 {
		leaf := leaves[r.IntN(len(leaves))]
		switch r.IntN(7) {
		case 0, 1:
			if id, err := s.inspect(s.owner, leaf, []string{"GEN", "MAIN"}[r.IntN(2)], []string{"1;2", "1;11", "20"}[r.IntN(3)]); err == nil {
				records = append(records, id)
			}
		case 2:
			if len(records) > 0 {
				id := records[r.IntN(len(records))]
				_ = s.Do(s.owner, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_record", id) })
			}
		case 3:
			_ = s.Do(s.owner, func(ctx context.Context, w world.World) error {
				id, err := w.Create(ctx, "q_biz", map[string]any{"qbsId": nodes[r.IntN(len(nodes))], "schemaCode": "q_hidden", "required": r.IntN(2) == 0, "bizKind": []string{"HIDDEN", "TEST"}[r.IntN(2)]})
				bound = append(bound, id)
				return err
			})
		case 4:
			if len(bound) > 0 {
				_ = s.Do(s.owner, func(ctx context.Context, w world.World) error {
					_, err := w.Create(ctx, "q_hidden", map[string]any{"bizId": bound[r.IntN(len(bound))], "qbsId": leaf, "content": "x"})
					return err
				})
			}
		case 6:
			_ = s.Do(s.owner, func(ctx context.Context, w world.World) error {
				_, err := w.Create(ctx, "q_qbs", map[string]any{"projectId": s.project, "parentId": leaf, "nodeType": "LOT", "name": "检验批"})
				return err
			})
		case 5:
			_ = s.Do(s.owner, func(ctx context.Context, w world.World) error {
				found, err := w.Find(ctx, "q_ncr", map[string]any{"qbsId": leaf}, 10)
				if err != nil || len(found) == 0 {
					return err
				}
				one := found[r.IntN(len(found))]
				now, err := w.Get(ctx, "q_ncr", one)
				if err != nil {
					return err
				}
				_, err = w.Update(ctx, "q_ncr", one, now.Version, map[string]any{"status": []string{"FIXED", "REVIEWED", "REJECTED"}[r.IntN(3)]})
				return err
			})
		}
	}
	require.NotEmpty(t, records)
	changed, err := quality.Refresh(t.Context(), s.System.Act, s.owner, s.project)
	require.NoError(t, err)
	require.Zero(t, changed)
}
