package quality_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// ownOrder: neither a process that the contractor adds nor a sheet that is bound to the node itself leaves the order of work.
func ownOrder(t *testing.T, s *site) {
	p := s.parties("own-order", 0, in{"kinds": []in{{"recordKind": "SELF", "judges": "ANY"}}, "sheets": []in{{"schemaCode": "q_work", "title": "浇筑记录", "after": "1"}}})
	var steel, steelSheet, pour, first, onNode string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		steel = s.make(ctx, w, "q_jbs", in{"qbsId": p.item, "code": "1", "title": "钢筋", "sortKey": "10"})
		steelSheet = s.make(ctx, w, "q_biz", in{"ownerType": "JBS", "qbsId": p.item, "jbsId": steel, "schemaCode": "q_setout"})
		onNode = s.make(ctx, w, "q_biz", in{"qbsId": p.item, "schemaCode": "q_work", "sheetTitle": "浇筑记录", "multi": true})
	})
	s.do(p.builder, func(ctx context.Context, w world.World) {
		pour = s.make(ctx, w, "q_jbs", in{"qbsId": p.item, "code": "9", "title": "自加工序"})
		first = s.make(ctx, w, "q_jbs", in{"qbsId": p.item, "code": "0", "title": "准备", "sortKey": "1"})
	})
	refused(t, s.Do(p.builder, func(ctx context.Context, w world.World) error {
		return edit(ctx, w, "q_jbs", pour, in{"byContractor": false})
	}), fault.FieldUnknown)
	require.Equal(t, true, s.get(s.owner, "q_jbs", first)["byContractor"])
	require.NotEqual(t, true, s.get(s.owner, "q_jbs", steel)["byContractor"])
	fill := func(biz, model, day string) (id string, err error) {
		values := in{"bizId": biz, "qbsId": p.item, "workDate": day}
		if model == "q_work" {
			values["content"] = "x"
		}
		err = s.Do(p.builder, func(ctx context.Context, w world.World) (err error) {
			id, err = w.Create(ctx, model, values)
			return err
		})
		return id, err
	}
	_, err := fill(onNode, "q_work", "2026-11-04")
	refused(t, err, quality.ProcessLocked)
	_, err = fill(steelSheet, "q_setout", "2026-11-05")
	require.NoError(t, err, told(err))
	early, err := fill(onNode, "q_work", "2026-11-04")
	require.NoError(t, err, told(err))
	_, err = s.record(p.builder, p.item, "SELF", s.row("MAIN", "1"))
	require.NoError(t, err, told(err))
	require.Equal(t, []string{"ORDER 浇筑记录 ← 钢筋"}, s.lacks(p.builder, p.item))
	accept := func(who principal.Principal, effect string) error {
		return s.Do(who, func(ctx context.Context, w world.World) error {
			_, err := w.Create(ctx, "q_due_change", in{"qbsId": p.item, "what": "ORDER", "effect": effect, "schemaCode": "q_work", "reason": "分区浇筑"})
			return err
		})
	}
	refused(t, accept(p.builder, "LEAVE_OUT"), fault.NoAddPermission)
	require.NoError(t, accept(p.supervisor, "LEAVE_OUT"))
	require.Empty(t, s.lacks(p.builder, p.item))
	require.NoError(t, accept(p.supervisor, "RESTORE"))
	require.Equal(t, []string{"ORDER 浇筑记录 ← 钢筋"}, s.lacks(p.builder, p.item))
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_work", early, in{"workDate": "2026-11-05"}))
	})
	require.Empty(t, s.lacks(p.builder, p.item), "on one day")

	// Processes of their own: without an order number the last one, with one behind those before it.
	var own, before string
	s.do(p.builder, func(ctx context.Context, w world.World) {
		own = s.make(ctx, w, "q_biz", in{"ownerType": "JBS", "qbsId": p.item, "jbsId": pour, "schemaCode": "q_work", "sheetTitle": "自加"})
		before = s.make(ctx, w, "q_biz", in{"ownerType": "JBS", "qbsId": p.item, "jbsId": first, "schemaCode": "q_setout", "required": false})
	})
	_, err = fill(before, "q_setout", "2026-11-01")
	require.NoError(t, err, told(err))
	require.Empty(t, s.lacks(p.builder, p.item), "what comes first may be done first")
	_, err = fill(own, "q_work", "2026-11-03")
	require.NoError(t, err, told(err))
	require.Equal(t, []string{"ORDER 自加工序 ← 钢筋", "ORDER 浇筑记录 ← 钢筋"}, s.lacks(p.builder, p.item))
	require.Equal(t, "PENDING", s.eval(p.item))
}

// persons: an inspector is a person of the party that records, with an account, and counts for one kind of inspection alone, also on a record of somebody else.
func persons(t *testing.T, s *site) {
	p := s.parties("persons", 2, in{"kinds": []in{{"recordKind": "SELF", "judges": "ANY"}}})
	mate, gone := s.below(p.builder, "persons-mate", "R_CQC"), s.below(p.builder, "persons-gone", "R_CQC")
	s.do(s.Person("persons-admin", "administrator"), func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "user", gone.UserID, in{"disabled": true}))
	})
	record := func(who principal.Principal, lot, kind, inspector string) error {
		return s.Do(who, func(ctx context.Context, w world.World) error {
			_, err := w.Create(ctx, "q_record", in{"qbsId": lot, "recordKind": kind, "inspector": inspector, "items": []in{s.row("MAIN", "1")}})
			return err
		})
	}
	refused(t, record(p.builder, p.lots[0], "SELF", gone.UserID), quality.InspectorOthers)
	refused(t, record(p.lab, p.lots[0], "TEST", p.supervisor.UserID), quality.InspectorOthers)
	require.NoError(t, record(p.builder, p.lots[0], "SELF", mate.UserID))
	require.NoError(t, record(s.owner, p.lots[0], "TEST", p.lab.UserID))
	require.Equal(t, "QUALIFIED", s.eval(p.lots[0]))

	// A test becomes due afterwards: the inspector of it inspected for the contractor, on a record that somebody else wrote.
	lab := s.below(p.builder, "persons-testing", "R_LAB")
	require.NoError(t, record(p.builder, p.lots[1], "SELF", lab.UserID))
	require.NoError(t, record(lab, p.lots[1], "TEST", lab.UserID), "one kind alone is due")
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_due_set", p.set, in{"kinds": []in{{"recordKind": "SELF", "judges": "ANY"}, {"recordKind": "TEST", "judges": "ANY", "witnessed": true}}}))
	})
	s.must(s.owner, "POST", v2+"/qbs/due/upgrade", in{"projectKey": s.key, "code": "PERSONS"}, nil)
	require.Empty(t, s.lacks(s.owner, p.lots[0]))
	require.Equal(t, []string{"KIND TEST"}, s.lacks(s.owner, p.lots[1]))
}

// hiddenBy: concealed works name who accepted them, and nobody of the contractor; sheets are offered to those who can send them for the approval that is due.
func hiddenBy(t *testing.T, s *site) {
	p := s.parties("hidden-by", 0, in{"kinds": []in{{"recordKind": "SELF", "judges": "ANY"}}, "sheets": []in{{"schemaCode": "q_hidden", "title": "隐蔽", "workflowCode": "q_hidden"}, {"schemaCode": "q_appearance", "title": "观感", "workflowCode": "q_appearance"}}})
	var biz, id string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		biz = s.make(ctx, w, "q_biz", in{"qbsId": p.item, "schemaCode": "q_hidden", "workflowCode": "q_hidden", "bizKind": "HIDDEN", "sheetTitle": "隐蔽"})
	})
	_, err := s.fills(p.builder, biz, "q_hidden", in{"content": "钢筋", "checker": p.supervisor.UserID})
	refused(t, err, fault.FieldUnknown)
	id, err = s.fills(p.builder, biz, "q_hidden", in{"content": "钢筋"})
	require.NoError(t, err, told(err))
	require.Nil(t, s.get(s.owner, "q_hidden", id)["checker"], "nobody has checked it yet")
	refused(t, s.Do(s.owner, func(ctx context.Context, w world.World) error {
		return edit(ctx, w, "q_hidden", id, in{"checker": p.builder.UserID})
	}), quality.InspectorOthers)
	require.NoError(t, s.send(p.builder, "q_hidden", id))
	require.NoError(t, s.approve(p.supervisor, id, in{"accepted": true}))
	require.Contains(t, fmt.Sprint(s.get(s.owner, "q_hidden", id)["checker"]), p.supervisor.UserID)

	offered := func(who principal.Principal) map[string]bool {
		var got quality.DueList
		s.must(who, "GET", v2+"/qbs/due", in{"qbsId": p.item}, &got)
		out := map[string]bool{}
		for _, one := range got.Sheets {
			out[one.Model] = one.MayBegin
		}
		return out
	}
	chief := s.below(p.builder, "hidden-by-chief", "R_CPM", p.builder.Departments[0])
	require.Equal(t, map[string]bool{"q_hidden": true, "q_appearance": false}, offered(p.builder))
	require.Equal(t, map[string]bool{"q_hidden": true, "q_appearance": true}, offered(chief))
	require.Equal(t, map[string]bool{"q_hidden": false, "q_appearance": true}, offered(p.supervisor))
}

// libraryChanges: what the library says later is told of the sets that hold the item, and taken over by a decision, in a new revision.
func libraryChanges(t *testing.T, s *site) {
	tight, loose := s.checkItem("LC-1", "POINT", "mm"), s.checkItem("LC-2", "POINT", "mm")
	p := s.parties("library", 0, in{"items": []in{{"itemId": tight}, {"itemId": loose, "itemName": "放宽", "devHigh": "30"}}, "kinds": []in{{"recordKind": "SELF", "judges": "ANY"}}})
	is := func(outdated, revision string) {
		t.Helper()
		now := s.get(s.owner, "q_due_set", p.set)
		require.Equal(t, []string{outdated, revision}, []string{strings.Replace(fmt.Sprint(now["outdated"]), "<nil>", "0", 1), fmt.Sprint(now["revision"])})
	}
	is("0", "1") // what was set otherwise on purpose does not count
	change := func(item, high string) {
		s.do(s.owner, func(ctx context.Context, w world.World) {
			require.NoError(t, edit(ctx, w, "q_check_item", item, in{"devHigh": high}))
		})
	}
	change(tight, "8")
	is("1", "1")
	change(loose, "25")
	is("2", "1")
	change(loose, "20")
	is("1", "1")
	change(loose, "25")
	is("2", "1")
	take := func(more in) (out quality.Taken) {
		more["dueSetId"] = p.set
		s.must(s.owner, "POST", v2+"/qbs/due/library", more, &out)
		return out
	}
	rehearsed := take(in{"dryRun": true})
	require.Equal(t, int64(2), rehearsed.Revision)
	require.Equal(t, []quality.TakenItem{{ItemID: tight, Name: "LC-1", Changes: []quality.TakenValue{{Property: "devHigh", Was: "20", Is: "8"}}}}, rehearsed.Items[:1])
	is("2", "1")
	taken := take(in{"itemIds": []string{tight}})
	require.Equal(t, rehearsed.Items[:1], taken.Items)
	is("1", "2")
	_, err := s.call(p.builder, "POST", v2+"/qbs/due/library", fmt.Sprintf(`{"dueSetId": %q}`, p.set))
	require.Error(t, err)
	_, err = s.call(p.supervisor, "POST", v2+"/qbs/due/library", fmt.Sprintf(`{"dueSetId": %q}`, p.set))
	refused(t, err, fault.Forbidden)

	// A decision that the set keeps its own value: the row is saved with another one.
	rows := s.get(s.owner, "q_due_set", p.set)["items"].([]any)
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_due_set", p.set, in{"items": []in{{"id": rows[0].(in)["id"]}, {"id": rows[1].(in)["id"], "devHigh": "28"}}}))
	})
	is("0", "3")
	require.Empty(t, take(in{}).Items)
	is("0", "3")
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_due_set", in{"code": "LIBRARY"}, 9)
		require.NoError(t, err)
		require.Len(t, found, 3, "earlier revisions stay")
	})
}

// waysMore: further ways of a contractor, each by every channel: whatever becomes of them, no verdict changes.
func waysMore(t *testing.T, s *site) {
	p := s.parties("ways-more", 3, in{"items": []in{{"itemId": s.items["MAIN"]}, {"itemId": s.items["GEN"]}},
		"kinds":  []in{{"recordKind": "SELF", "judges": "ALL", "workflowCode": "q_lot"}},
		"sheets": []in{{"schemaCode": "q_work", "title": "浇筑记录", "after": "1"}}})
	s.give(p.builder, "R_CQC", "q_open")
	builder, _ := s.Caller(t.Context(), p.builder.Name)
	lot := p.lots[0]
	var steel, steelSheet, work, pour string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		steel = s.make(ctx, w, "q_jbs", in{"qbsId": lot, "code": "1", "title": "钢筋", "sortKey": "10"})
		steelSheet = s.make(ctx, w, "q_biz", in{"ownerType": "JBS", "qbsId": lot, "jbsId": steel, "schemaCode": "q_setout"})
		work = s.make(ctx, w, "q_biz", in{"qbsId": lot, "schemaCode": "q_work", "sheetTitle": "浇筑记录", "multi": true})
	})
	s.do(builder, func(ctx context.Context, w world.World) {
		pour = s.make(ctx, w, "q_jbs", in{"qbsId": lot, "code": "9", "title": "自加", "required": false})
	})
	_, err := s.fills(builder, steelSheet, "q_setout", in{"workDate": "2026-11-05"})
	require.NoError(t, err, told(err))
	early, err := s.fills(builder, work, "q_work", in{"workDate": "2026-11-04", "content": "x"})
	require.NoError(t, err, told(err))
	draft, err := s.record(builder, lot, "SELF", s.row("MAIN", "1"), s.row("GEN", "1"))
	require.NoError(t, err, told(err))
	require.NoError(t, s.send(builder, "q_lot", draft))
	require.NoError(t, s.approve(p.supervisor, draft, nil))
	require.Equal(t, []string{"ORDER 浇筑记录 ← 钢筋"}, s.lacks(s.owner, lot))
	other, err := s.record(builder, p.lots[1], "SELF", s.row("MAIN", "50"), s.row("GEN", "1"))
	require.NoError(t, err, told(err))
	row := s.get(s.owner, "q_record", other)["items"].([]any)[0].(in)["id"]
	verdicts := func() (out []string) {
		for _, id := range append([]string{p.unit, p.item}, p.lots...) {
			n := s.get(s.owner, "q_qbs", id)
			eval := n["evalStatus"]
			if eval == "NONE" { // what has begun is not qualified either
				eval = "PENDING"
			}
			out = append(out, fmt.Sprint(n["name"], eval, n["dueSetId"]))
		}
		return out
	}
	before := verdicts()
	for _, a := range []struct {
		name string
		attempt
	}{
		{"confidence of an item", attempt{model: "q_record", id: other, values: in{"items": []in{{"id": row, "confidence": "50"}}}, flow: "q_lot"}},
		{"looks of the rule set", attempt{model: "q_rule", values: in{"code": "JTS257_2008", "revision": "9", "title": "x", "mainRate": "0", "generalRate": "0", "current": true}}},
		{"library of the set", attempt{model: "q_due_set", id: p.set, values: in{"outdated": "0"}, method: "POST", route: "/qbs/due/library", body: in{"dueSetId": p.set}}},
		{"a set of their own", attempt{model: "q_due_set", values: in{"code": "MINE", "title": "x", "kinds": []in{{"recordKind": "SELF", "judges": "ANY"}}}}},
		{"order accepted", attempt{model: "q_due_change", values: in{"qbsId": lot, "what": "ORDER", "effect": "LEAVE_OUT", "schemaCode": "q_work", "reason": "x"}}},
		{"sheet into their own process", attempt{model: "q_biz", id: work, values: in{"ownerType": "JBS", "jbsId": pour}, method: "PUT", route: "/bizsheet/edit"}},
		{"process before it without a code", attempt{model: "q_jbs", id: steel, values: in{"code": "1x"}, method: "PUT", route: "/jbs/edit"}},
		{"process before it put away", attempt{model: "q_jbs", id: steel, values: in{"active": false}, method: "PUT", route: "/jbs/edit"}},
		{"their process is not theirs", attempt{model: "q_jbs", id: pour, values: in{"byContractor": false}, method: "PUT", route: "/jbs/edit"}},
		{"day of the early sheet", attempt{model: "q_work", id: early, values: in{"workDate": "2026-11-06"}}},
		{"checked by the supervisor", attempt{model: "q_hidden", values: in{"qbsId": lot, "content": "x", "checker": p.supervisor.UserID, "accepted": true}, flow: "q_hidden"}},
		{"appearance of the unit", attempt{model: "q_appearance", values: in{"qbsId": p.unit, "items": []in{{"item": "x", "full": "1", "score": "1"}}}, flow: "q_appearance"}},
	} {
		for _, c := range channels {
			did := outcome(c.do(s, builder, a.attempt))
			if now := verdicts(); !slices.Equal(now, before) {
				t.Errorf("%s by %s (%s): the verdicts were\n%s\nand are\n%s", a.name, c.name, did, strings.Join(before, "\n"), strings.Join(now, "\n"))
				before = now
			}
			t.Log(a.name, c.name, did)
		}
	}
}
