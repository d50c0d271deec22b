package quality_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// fills makes a sheet of a binding.
func (s *site) fills(who principal.Principal, binding, model string, values in) (id string, err error) {
	values["bizId"] = binding
	err = s.Do(who, func(ctx context.Context, w world.World) (err error) {
		id, err = w.Create(ctx, model, values)
		return err
	})
	return id, err
}

// othersSheets: a sheet of whatever model that is bound for tests or for checks of the supervisor is not filled in by the contractor, neither is a draft of
// it changed; where the binding names a role of theirs, or what is due takes the tests of their own laboratory, a test is.
func othersSheets(t *testing.T, s *site) {
	p := s.parties("others", 0, in{"kinds": []in{{"recordKind": "SELF", "judges": "ANY"}}})
	own := s.parties("witness", 0, in{"kinds": []in{{"recordKind": "SELF", "judges": "ANY"}, {"recordKind": "TEST", "judges": "ANY", "witnessed": true}}})
	values := map[string]in{"q_work": {"content": "x"}, "q_hidden": {"content": "x"}, "q_doccheck": {"items": []in{{"document": "x"}}}, "q_setout": {}, "q_appearance": {"items": []in{{"item": "x", "full": "10", "score": "9"}}}}
	bound := func(node, model, kind string, more in) (id string) {
		s.do(s.owner, func(ctx context.Context, w world.World) {
			one := in{"qbsId": node, "schemaCode": model, "bizKind": kind, "sheetTitle": model + kind, "multi": true}
			for k, v := range more {
				one[k] = v
			}
			id = s.make(ctx, w, "q_biz", one)
		})
		return id
	}
	fill := func(who principal.Principal, binding, model string) (string, error) {
		one := in{}
		for k, v := range values[model] {
			one[k] = v
		}
		return s.fills(who, binding, model, one)
	}
	// offered is whether the lists of sheets offer a binding to somebody, as its record would be taken.
	offered := func(who principal.Principal, binding string) bool {
		var list []quality.Sheet
		s.must(who, "GET", v2+"/bizsheet/bind", in{"ownerType": "QBS", "ownerId": p.item}, &list)
		i := slices.IndexFunc(list, func(one quality.Sheet) bool { return one.ID == binding })
		require.GreaterOrEqual(t, i, 0)
		return *list[i].MayFill
	}
	for model := range values {
		for _, kind := range []string{"TEST", "SUP"} {
			b := bound(p.item, model, kind, nil)
			require.False(t, offered(p.builder, b), "%s %s", model, kind)
			require.True(t, offered(p.supervisor, b), "%s %s", model, kind)
			_, err := fill(p.builder, b, model)
			refused(t, err, quality.SheetOthers)
			require.Equal(t, "NONE", s.get(s.owner, "q_biz", b)["status"], model)
			_, err = fill(p.supervisor, b, model)
			require.NoError(t, err, told(err))
		}
	}
	test := bound(p.item, "q_hidden", "TEST", in{"workflowCode": "q_hidden"})
	draft, err := fill(p.supervisor, test, "q_hidden")
	require.NoError(t, err, told(err))
	change := func(who principal.Principal) error {
		return s.Do(who, func(ctx context.Context, w world.World) error {
			return edit(ctx, w, "q_hidden", draft, in{"content": "别的"})
		})
	}
	refused(t, change(p.builder), quality.SheetOthers)
	refused(t, s.Do(p.builder, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_hidden", draft) }), quality.SheetOthers)
	require.NoError(t, change(p.supervisor))

	named := bound(p.item, "q_work", "TEST", in{"fillRole": []string{"R_CQC"}})
	require.True(t, offered(p.builder, named))
	require.False(t, offered(p.supervisor, named), "who has not the role that it names")
	require.False(t, offered(p.lab, named))
	_, err = fill(p.builder, named, "q_work")
	require.NoError(t, err, told(err))
	_, err = fill(p.builder, bound(p.item, "q_work", "SUP", in{"fillRole": []string{"R_CQC"}}), "q_work")
	refused(t, err, quality.SheetOthers)
	_, err = fill(own.builder, bound(own.item, "q_work", "TEST", nil), "q_work")
	require.NoError(t, err, told(err))
	_, err = fill(own.builder, bound(own.item, "q_work", "SUP", nil), "q_work")
	refused(t, err, quality.SheetOthers)

	refused(t, s.Do(p.builder, func(ctx context.Context, w world.World) error {
		_, err := w.Create(ctx, "q_biz", in{"qbsId": p.item, "schemaCode": "q_work", "bizKind": "SUP"})
		return err
	}), quality.AskedStays)
}

// designs: a design value that the contractor alone gives decides nothing: what was judged by it counts when somebody approves the record, when what is due names
// the value, or when somebody writes it who may say what is asked.
func designs(t *testing.T, s *site) {
	var strength, level string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		strength = s.make(ctx, w, "q_check_item", in{"code": "D-S", "itemName": "强度", "itemClass": "MAIN", "evalMethod": "STAT_STRENGTH"})
		level = s.make(ctx, w, "q_check_item", in{"code": "D-L", "itemName": "高程", "itemClass": "GENERAL", "evalMethod": "POINT", "devLow": "-10", "devHigh": "10"})
	})
	p := s.parties("designs", 5, in{"items": []in{{"itemId": strength}, {"itemId": level}}, "kinds": []in{{"recordKind": "SELF", "judges": "ALL"}}})
	strong := func(design any) in {
		return in{"itemId": strength, "values": "20; 21; 20", "designValue": design}
	}
	rowOf := func(id string, i int) map[string]any {
		return s.get(s.owner, "q_record", id)["items"].([]any)[i].(map[string]any)
	}
	change := func(who principal.Principal, id string, i int, row in) error {
		var all []in
		for _, one := range s.get(s.owner, "q_record", id)["items"].([]any) {
			all = append(all, in{"id": one.(map[string]any)["id"]})
		}
		row["id"] = all[i]["id"]
		all[i] = row
		return s.Do(who, func(ctx context.Context, w world.World) error {
			return edit(ctx, w, "q_record", id, in{"items": all})
		})
	}

	// Their own word alone, and the word of the supervisor.
	id, err := s.record(p.builder, p.lots[0], "SELF", strong("10"), in{"itemId": level, "values": "1001; 1002", "designValue": "1000"})
	require.NoError(t, err, told(err))
	require.Equal(t, "OK", s.get(s.owner, "q_record", id)["conclusion"])
	require.Equal(t, []string{"KIND SELF"}, s.lacks(s.owner, p.lots[0]))
	require.Equal(t, "PENDING", s.eval(p.lots[0]))
	require.NoError(t, change(p.supervisor, id, 1, in{"designValue": "1001"}))
	require.Equal(t, []string{"ITEM 强度 SELF"}, s.lacks(s.owner, p.lots[0]))
	require.NoError(t, change(p.supervisor, id, 0, in{"designValue": "30"}))
	require.Equal(t, "UNQUALIFIED", s.eval(p.lots[0]), "by the design value of the supervisor it fails")

	// Approved with the record.
	free := s.parties("design-flow", 1, in{"items": []in{{"itemId": strength}}, "kinds": []in{{"recordKind": "SELF", "judges": "ALL", "workflowCode": "q_lot"}}})
	id, err = s.record(free.builder, free.lots[0], "SELF", strong("10"))
	require.NoError(t, err, told(err))
	require.NoError(t, s.send(free.builder, "q_lot", id))
	require.NoError(t, s.approve(free.supervisor, id, nil))
	require.Equal(t, "QUALIFIED", s.eval(free.lots[0]))

	// By what is due, which an edit of a draft does not change.
	s.do(p.supervisor, func(ctx context.Context, w world.World) {
		s.make(ctx, w, "q_due_change", in{"qbsId": p.item, "what": "ITEM", "effect": "CHANGE", "itemId": strength, "designValue": "15", "reason": "图 7"})
	})
	id, err = s.record(p.builder, p.lots[1], "SELF", strong("10"), in{"itemId": level, "values": ""})
	require.NoError(t, err, told(err))
	require.Equal(t, []any{"15", "DRAFT"}, []any{fmt.Sprint(rowOf(id, 0)["designValue"]), s.get(s.owner, "q_record", id)["state"]})
	for _, other := range []any{"10", nil} {
		require.NoError(t, change(p.builder, id, 0, in{"designValue": other}))
		require.Equal(t, "15", fmt.Sprint(rowOf(id, 0)["designValue"]))
	}
	s.do(p.supervisor, func(ctx context.Context, w world.World) {
		s.make(ctx, w, "q_due_change", in{"qbsId": p.item, "what": "ITEM", "effect": "RESTORE", "itemId": strength, "reason": "图 7 作废"})
	})
	require.NoError(t, change(p.builder, id, 0, in{"designValue": "10"}))
	require.Equal(t, "15", fmt.Sprint(rowOf(id, 0)["designValue"]), "what was asked stays")
	require.NoError(t, change(p.builder, id, 1, in{"designValue": "5", "values": "5; 5"}))
	require.Equal(t, []string{"ITEM 高程 SELF"}, s.lacks(s.owner, p.lots[1]))
	second, err := s.record(p.builder, p.lots[1], "SELF", in{"itemId": level, "values": "1; 2"})
	require.NoError(t, err, told(err))
	require.Equal(t, "OK", s.get(s.owner, "q_record", second)["conclusion"])
	require.Equal(t, "QUALIFIED", s.eval(p.lots[1]), "judged again without a value of their own")

	// What the contractor claims stays theirs until somebody else says it.
	id, err = s.record(p.builder, p.lots[2], "SELF", in{"itemId": level, "values": "1; 2", "designValue": "1"}, in{"itemId": strength, "values": ""})
	require.NoError(t, err, told(err))
	require.NoError(t, change(p.builder, id, 0, in{"designValue": "2"}))
	require.Equal(t, level, s.get(s.owner, "q_record", id)["claimedItems"])
	require.NoError(t, change(p.builder, id, 0, in{"designValue": nil}))
	require.Nil(t, s.get(s.owner, "q_record", id)["claimedItems"])
}

// inspectors: who is named as the inspector belongs to the party that records, and has made no other inspection that is due of the node.
func inspectors(t *testing.T, s *site) {
	p := s.parties("inspectors", 2, in{"kinds": []in{{"recordKind": "SELF", "judges": "ANY"}, {"recordKind": "SUP", "judges": "ANY"}}})
	mate := s.below(p.builder, "inspectors-mate", "R_CQC")
	record := func(who principal.Principal, kind, inspector string) (id string, err error) {
		err = s.Do(who, func(ctx context.Context, w world.World) (err error) {
			id, err = w.Create(ctx, "q_record", in{"qbsId": p.lots[0], "recordKind": kind, "inspector": inspector, "items": []in{s.row("MAIN", "1")}})
			return err
		})
		return id, err
	}
	for _, other := range []principal.Principal{p.supervisor, p.lab, s.owner} {
		_, err := record(p.builder, "SELF", other.UserID)
		refused(t, err, quality.InspectorOthers)
	}
	_, err := record(p.supervisor, "SUP", p.builder.UserID)
	refused(t, err, quality.InspectorOthers)
	_, err = record(p.lab, "TEST", p.builder.UserID)
	refused(t, err, quality.InspectorOthers)
	id, err := record(p.builder, "SELF", mate.UserID)
	require.NoError(t, err, told(err))
	_, err = record(s.owner, "SUP", mate.UserID)
	refused(t, err, quality.InspectorOthers)
	for _, inspector := range []string{p.supervisor.UserID, s.owner.UserID} {
		refused(t, s.Do(s.owner, func(ctx context.Context, w world.World) error {
			return edit(ctx, w, "q_record", id, in{"inspector": inspector})
		}), quality.InspectorOthers)
	}
	_, err = record(p.supervisor, "SUP", p.supervisor.UserID)
	require.NoError(t, err, told(err))
}

// partsDue: before the evaluation of a part has begun its contractor neither deletes nor moves parts of which something is due; what they added themselves they
// take back.
func partsDue(t *testing.T, s *site) {
	p := s.parties("partsdue", 1, in{"kinds": []in{{"recordKind": "SELF", "judges": "ANY"}}})
	var own, other string
	s.do(p.builder, func(ctx context.Context, w world.World) {
		own = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.item, "name": "自加", "nodeType": "LOT"})
		other = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.unit, "name": "自加项", "nodeType": "ITEM", "contractId": p.contract})
	})
	for id, change := range map[string]in{p.lots[0]: {"parentId": other}, p.item: {"nodeType": "SUBDIVISION"}} {
		refused(t, s.Do(p.builder, func(ctx context.Context, w world.World) error { return edit(ctx, w, "q_qbs", id, change) }), quality.PartDue)
	}
	refused(t, s.Do(p.builder, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_qbs", p.lots[0]) }), quality.PartDue)
	require.NoError(t, s.Do(p.builder, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_qbs", own) }))
	require.NoError(t, s.Do(s.owner, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "q_qbs", p.lots[0]) }))
}
