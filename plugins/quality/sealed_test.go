package quality_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// sealed: a contractor changes no completed inspection, closes no corrective action of its own, and fills a sheet in once a round; a sheet
// whose latest record goes shows the one before.
func sealed(t *testing.T, s *site) {
	builder, builders := s.firm("sealed-builder", "R_CQC")
	supervisor, supervisors := s.firm("sealed-supervisor", "R_SUP")
	var sheet, item string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		contract := s.make(ctx, w, "c_contract", in{"projectId": s.project, "code": "sealed", "contractName": "合同", "partyADept": builders, "partyBDept": builders, "supDept": supervisors, "contractAmount": "1"})
		unit := s.make(ctx, w, "q_qbs", in{"projectId": s.project, "code": "01", "name": "闸首", "nodeType": "UNIT", "contractId": contract})
		item = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": unit, "name": "底板", "nodeType": "ITEM"})
		sheet = s.make(ctx, w, "q_biz", in{"ownerType": "QBS", "qbsId": item, "schemaCode": "q_record", "bizKind": "LOT"})
	})
	fill := func(who principal.Principal, readings string) (id string, err error) {
		err = s.Do(who, func(ctx context.Context, w world.World) error {
			id, err = w.Create(ctx, "q_record", in{"bizId": sheet, "items": []in{{"itemId": s.items["MAIN"], "values": readings}}})
			return err
		})
		return id, err
	}
	change := func(who principal.Principal, model, id string, values in) error {
		return s.Do(who, func(ctx context.Context, w world.World) error { return edit(ctx, w, model, id, values) })
	}
	failed, err := fill(builder, "60;6")
	require.NoError(t, err, told(err))
	require.Equal(t, "UNQUALIFIED", s.eval(item))

	readings := in{"items": []in{{"itemId": s.items["MAIN"], "values": "6;6"}}}
	refused(t, change(builder, "q_record", failed, readings), fault.Forbidden)
	refused(t, s.Do(builder, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_record", failed) }), fault.Forbidden)

	var action string
	s.do(builder, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_ncr", in{"recordId": failed}, 1)
		require.NoError(t, err)
		action = found[0]
	})
	require.NoError(t, change(builder, "q_ncr", action, in{"status": "FIXED", "result": "凿除重做"}))
	for _, status := range []string{"REVIEWED", "REJECTED"} {
		refused(t, change(builder, "q_ncr", action, in{"status": status}), quality.ReviewForbidden)
	}
	authority := s.must(builder, "GET", v2+"/qbs/authority", in{}, nil)
	require.Contains(t, authority, `"canReview":false`)
	require.Contains(t, s.must(supervisor, "GET", v2+"/qbs/authority", in{}, nil), `"canReview":true`)
	require.NoError(t, change(supervisor, "q_ncr", action, in{"status": "REJECTED"}))
	require.NoError(t, change(builder, "q_ncr", action, in{"status": "FIXED"}))
	require.NoError(t, change(supervisor, "q_ncr", action, in{"status": "REVIEWED"}))
	refused(t, change(builder, "q_ncr", action, in{"description": "没有问题"}), fault.Forbidden)

	// Two people fill in the next round at the same time: one is told.
	var both sync.WaitGroup
	ids, errs := make([]string, 2), make([]error, 2)
	for i, readings := range []string{"6;6", "5;5"} {
		both.Go(func() { ids[i], errs[i] = fill(builder, readings) })
	}
	both.Wait()
	first, late := 0, 1
	if errs[0] != nil {
		first, late = 1, 0
	}
	require.NoError(t, errs[first])
	refused(t, errs[late], quality.SheetSingle)
	require.Equal(t, "QUALIFIED", s.eval(item))
	now := s.get(s.owner, "q_biz", sheet)
	require.Equal(t, []any{ids[first], "COMPLETED"}, []any{now["objectId"], now["status"]})

	s.do(supervisor, func(ctx context.Context, w world.World) { require.NoError(t, w.Delete(ctx, "q_record", ids[first])) })
	now = s.get(s.owner, "q_biz", sheet)
	require.Equal(t, []any{failed, "COMPLETED"}, []any{now["objectId"], now["status"]}, "the record of the round before")
	require.NotEqual(t, "QUALIFIED", s.eval(item))
}

// unbound: a sheet that names its node alone has the contract of the node, so its contractor can make it.
func unbound(t *testing.T, s *site) {
	builder, builders := s.firm("unbound-builder", "R_CQC")
	_, supervisors := s.firm("unbound-supervisor", "R_SUP")
	stranger, _ := s.firm("unbound-stranger", "R_CQC")
	contract := s.contract("unbound", builders, supervisors)
	var unit string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "code": "unbound", "name": "闸首", "nodeType": "UNIT", "contractId": contract})
	})
	make := func(who principal.Principal, model string, values in) (id string, err error) {
		values["qbsId"] = unit
		err = s.Do(who, func(ctx context.Context, w world.World) error {
			id, err = w.Create(ctx, model, values)
			return err
		})
		return id, err
	}
	for model, values := range map[string]in{
		"q_doccheck":   {"items": []in{{"document": "试验报告"}}},
		"q_appearance": {"items": []in{{"item": "平整", "full": "20"}}},
		"q_work":       {"content": "浇筑"},
		"q_hidden":     {"content": "钢筋"},
		"q_setout":     {},
	} {
		id, err := make(builder, model, values)
		require.NoError(t, err, model+": "+told(err))
		got := s.get(s.owner, model, id)
		require.Equal(t, []any{contract, "闸首"}, []any{got["contractId"].(in)["id"], got["part"]}, model)
		_, err = make(stranger, model, values)
		require.Error(t, err, model)
	}
}
