package quality_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
)

// bounds: what a contractor doesn't write of its own nodes, sheets and corrective actions: others give it, or the pack computes it.
func bounds(t *testing.T, s *site) {
	builder, builders := s.firm("bounds-builder", "R_CQC")
	_, supervisors := s.firm("bounds-supervisor", "R_SUP")
	_, strangers := s.firm("bounds-stranger", "R_CQC")
	contract, foreign := s.contract("bounds", builders, supervisors), s.contract("bounds-foreign", strangers, supervisors)
	var unit, item string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "code": "01", "name": "闸首", "nodeType": "UNIT", "contractId": contract})
		item = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": unit, "name": "底板", "nodeType": "ITEM"})
	})
	change := func(model, id string, values in) error {
		return s.Do(builder, func(ctx context.Context, w world.World) error { return edit(ctx, w, model, id, values) })
	}
	each := func(model, id string, values in) {
		t.Helper()
		for code, v := range values {
			was := s.get(s.owner, model, id)[code]
			require.Error(t, change(model, id, in{code: v}), model+"."+code)
			require.Equal(t, was, s.get(s.owner, model, id)[code], model+"."+code)
		}
	}
	add := func(model string, values in) (id string) {
		s.do(builder, func(ctx context.Context, w world.World) { id = s.make(ctx, w, model, values) })
		return id
	}
	each("q_qbs", unit, in{"appearance": "OK", "appearanceScore": "99", "concession": true, "concessionBy": []string{builder.UserID}, "contractId": foreign, "evalStatus": "QUALIFIED", "conclusion": "OK", "ruleCode": "X", "passRate": "1", "score": "100", "docComplete": true, "testOk": true,
		"mainFlag": true, "planStart": "2026-01-01", "planFinish": "2026-02-01"})
	require.NoError(t, change("q_qbs", unit, in{"drawingNo": "JG-01"}))

	for model, own := range map[string]in{
		"q_doccheck": {"items": []in{{"document": "试验报告"}}}, "q_appearance": {"items": []in{{"item": "平整", "full": "20"}}},
		"q_work": {"content": "浇筑"}, "q_hidden": {"content": "钢筋"}, "q_setout": {}, "q_eval": {},
	} {
		own["qbsId"] = item
		id := add(model, own)
		others := in{"contractId": foreign, "opinion": "同意"}
		switch model {
		case "q_hidden":
			others["accepted"] = true
		case "q_appearance":
			others["rate"] = "1"
		case "q_eval":
			for code, v := range (in{"evalStatus": "QUALIFIED", "appearance": "OK", "concession": true, "ruleTitle": "X", "parts": []in{}}) {
				others[code] = v
			}
		}
		each(model, id, others)
		require.NoError(t, change(model, id, in{"part": "东侧"}), model)
	}

	var asked string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		asked = s.make(ctx, w, "q_ncr", in{"qbsId": item, "description": "裂缝"})
	})
	_, err := s.inspect(builder, item, "MAIN", "60;6")
	require.NoError(t, err, told(err))
	var opened string
	s.do(builder, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_ncr", in{"qbsId": item}, 9)
		require.NoError(t, err)
		require.Len(t, found, 2)
		opened = found[1]
	})
	for _, id := range []string{asked, opened} {
		each("q_ncr", id, in{"qbsId": unit, "description": "没有", "level": "SERIOUS", "deadline": "2030-01-01", "ncrKind": "SAFETY", "reviewResult": "好", "contractId": foreign})
		require.NoError(t, change("q_ncr", id, in{"result": "凿除重做", "duty": builder.UserID, "status": "FIXED"}))
	}
	own := add("q_ncr", in{"qbsId": item, "description": "蜂窝"})
	each("q_ncr", own, in{"reviewResult": "好"})
	require.NoError(t, change("q_ncr", own, in{"description": "蜂窝 0.2 m²"}), "its own, while it is open")
	require.NoError(t, change("q_ncr", own, in{"status": "FIXED"}))
	each("q_ncr", own, in{"description": "没有"})
}

// complete: a contractor neither changes nor deletes a sheet that counts as complete in the evaluation, or that was approved.
func complete(t *testing.T, s *site) {
	builder, builders := s.firm("complete-builder", "R_CQC")
	supervisor, supervisors := s.firm("complete-supervisor", "R_SUP")
	contract := s.contract("complete", builders, supervisors)
	var unit, item string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "code": "01", "name": "闸首", "nodeType": "UNIT", "contractId": contract})
		item = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": unit, "name": "底板", "nodeType": "ITEM"})
	})
	for model, values := range map[string]in{
		"q_doccheck": {"items": []in{{"document": "试验报告"}}}, "q_appearance": {"items": []in{{"item": "平整", "full": "20"}}},
		"q_work": {"content": "浇筑"}, "q_hidden": {"content": "钢筋"}, "q_setout": {},
	} {
		bound, with, draft := "", "", ""
		s.do(s.owner, func(ctx context.Context, w world.World) {
			bound = s.make(ctx, w, "q_biz", in{"ownerType": "QBS", "qbsId": item, "schemaCode": model, "required": true})
			if model == "q_hidden" || model == "q_setout" {
				with = s.make(ctx, w, "q_biz", in{"ownerType": "QBS", "qbsId": item, "schemaCode": model, "workflowCode": model})
			}
		})
		change := func(id string) error {
			return s.Do(builder, func(ctx context.Context, w world.World) error { return edit(ctx, w, model, id, in{"part": "东侧"}) })
		}
		fill := func(bizID string) (id string) {
			values["bizId"] = bizID
			s.do(builder, func(ctx context.Context, w world.World) { id = s.make(ctx, w, model, values) })
			return id
		}
		id := fill(bound)
		require.Equal(t, "COMPLETED", s.get(s.owner, "q_biz", bound)["status"], model)
		refused(t, change(id), fault.Forbidden)
		refused(t, s.Do(builder, func(ctx context.Context, w world.World) error { return w.Delete(ctx, model, id) }), fault.Forbidden)
		s.do(supervisor, func(ctx context.Context, w world.World) {
			require.NoError(t, edit(ctx, w, model, id, in{"part": "西侧"}), "the supervisor mends mistakes of typing")
		})
		if with != "" {
			draft = fill(with)
			require.Equal(t, "DRAFT", s.get(s.owner, "q_biz", with)["status"])
			require.NoError(t, change(draft), model)
		}
	}
	approved := s.begun(builder, "q_hidden", in{"qbsId": item, "workDate": "2026-11-20", "content": "钢筋"})
	s.sign(supervisor)
	require.Equal(t, "COMPLETED", s.get(s.owner, "q_hidden", approved.Record)["sequenceStatus"])
	refused(t, s.Do(builder, func(ctx context.Context, w world.World) error {
		return edit(ctx, w, "q_hidden", approved.Record, in{"content": "没有"})
	}), fault.Forbidden)
}
