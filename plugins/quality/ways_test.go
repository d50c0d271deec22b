package quality_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// way is what somebody does who gains from a better verdict. It is refused, or the verdict stays as it was (kept).
type way struct {
	name string
	do   func() error
	kept bool // it may be done, and the verdict stays
}

// try does each way and compares what the nodes are before and after it.
func (s *site) try(t *testing.T, nodes []string, ways []way) {
	t.Helper()
	verdict := func() (out []string) {
		for _, id := range nodes {
			n := s.get(s.owner, "q_qbs", id)
			out = append(out, fmt.Sprint(n["name"], n["evalStatus"], n["round"], n["ncrOpen"], s.lacks(s.owner, id)))
		}
		return out
	}
	for _, w := range ways {
		before := verdict()
		err := w.do()
		if !w.kept {
			if err == nil {
				t.Errorf("%s was not refused", w.name)
			}
		}
		now := verdict()
		for i, now := range now {
			if now != before[i] {
				t.Errorf("%s: the verdict was %s and is %s", w.name, before[i], now)
			}
		}
		if err != nil {
			t.Logf("%s: %s", w.name, told(err))
		}
	}
}

// edits are the ways to change a record: saved, by the call of the pack, and many at once. route "" = the pack has none.
func (s *site) edits(t *testing.T, who principal.Principal, name, model, route, id string, values in) (out []way) {
	out = append(out, way{name: name + ", saved", do: func() error {
		return s.Do(who, func(ctx context.Context, w world.World) error { return edit(ctx, w, model, id, values) })
	}})
	if route != "" {
		call := in{"id": id}
		for code, v := range values {
			call[code] = v
		}
		out = append(out, way{name: name + ", by the call", do: func() error {
			s.do(s.owner, func(ctx context.Context, w world.World) {
				now, err := w.Get(ctx, model, id)
				require.NoError(s.t, err)
				call["version"] = now.Version
			})
			body, err := json.Marshal(call)
			require.NoError(s.t, err)
			_, err = s.call(who, "PUT", v2+route, string(body))
			return err
		}})
	}
	for code, v := range values {
		out = append(out, way{name: name + ", many at once", kept: true, do: func() error {
			value, err := json.Marshal(v)
			require.NoError(s.t, err)
			out, err := s.Bulk().Run(s.t.Context(), s.View(who), bulk.Request{Kind: bulk.BatchUpdate, Selection: query.SelectionRequest{SchemaCode: model, QueryCode: model, ObjectIDs: []string{id}}, Property: code, Value: value})
			if err == nil {
				t.Logf("%+v", out.Results)
			}
			return err
		}})
	}
	return out
}

// ways: what a contractor tries, alone or with an accomplice, to make a part qualified without the inspection that is due of it.
func ways(t *testing.T, s *site) {
	p := s.parties("ways", 3, in{"items": []in{{"itemId": s.items["MAIN"]}, {"itemId": s.items["GEN"]}}, "kinds": []in{{"recordKind": "SELF", "judges": "ALL", "workflowCode": "q_lot"}}})
	var easy, wide, lax string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		set := s.make(ctx, w, "q_due_set", in{"code": "WIDE", "title": "宽", "items": []in{{"itemId": s.items["MAIN"], "devLow": "-99", "devHigh": "99", "itemName": "顶面高程", "itemClass": "MAIN", "evalMethod": "POINT"}},
			"kinds": []in{{"recordKind": "SELF", "judges": "ANY", "workflowCode": "q_lot"}}})
		easy = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.unit, "name": "宽的", "nodeType": "ITEM", "dueSetId": set})
		wide = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": easy, "name": "宽批", "nodeType": "LOT"})
		lax = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.unit, "name": "另项", "nodeType": "ITEM"})
	})
	good := func(node string) {
		id, err := s.record(p.builder, node, "SELF", s.row("MAIN", "1"), s.row("GEN", "1"))
		require.NoError(t, err, told(err))
		require.NoError(t, s.send(p.builder, "q_lot", id))
		require.NoError(t, s.approve(p.supervisor, id, nil))
	}
	good(p.lots[0])
	require.Equal(t, "QUALIFIED", s.eval(p.lots[0]))
	failed, err := s.record(p.builder, p.lots[1], "SELF", s.row("MAIN", "50"), s.row("GEN", "1"))
	require.NoError(t, err, told(err))
	require.NoError(t, s.send(p.builder, "q_lot", failed))
	require.NoError(t, s.approve(p.supervisor, failed, nil))
	require.Equal(t, "UNQUALIFIED", s.eval(p.lots[1]))
	nodes := append([]string{p.unit, p.item, easy, wide}, p.lots...)
	save := func(who principal.Principal, f func(ctx context.Context, w world.World) error) func() error {
		return func() error { return s.Do(who, f) }
	}
	create := func(who principal.Principal, model string, values in) func() error {
		return save(who, func(ctx context.Context, w world.World) error { _, err := w.Create(ctx, model, values); return err })
	}
	remove := func(who principal.Principal, model, id string) func() error {
		return save(who, func(ctx context.Context, w world.World) error { return w.Delete(ctx, model, id) })
	}

	t.Run("parts", func(t *testing.T) {
		var all []way
		all = append(all, s.edits(t, p.builder, "the failed lot goes to an item that asks less", "q_qbs", "/qbs/edit", p.lots[1], in{"parentId": easy})...)
		all = append(all, s.edits(t, p.builder, "the failed lot goes to the top", "q_qbs", "/qbs/edit", p.lots[1], in{"parentId": nil})...)
		all = append(all, s.edits(t, p.builder, "the unit becomes a division, of which less is due", "q_qbs", "/qbs/edit", p.unit, in{"nodeType": "DIVISION"})...)
		all = append(all, s.edits(t, p.builder, "the item becomes a subdivision", "q_qbs", "/qbs/edit", p.item, in{"nodeType": "SUBDIVISION"})...)
		all = append(all, s.edits(t, p.builder, "the lot has an easy set", "q_qbs", "/qbs/edit", p.lots[1], in{"dueSetId": p.set})...)
		all = append(all,
			way{name: "a lot without an inspection is deleted", do: remove(p.builder, "q_qbs", p.lots[2])},
			way{name: "the failed lot is deleted", do: remove(p.builder, "q_qbs", p.lots[1])},
			way{name: "a lot is deleted by the call", do: func() error {
				out, err := s.call(p.builder, "DELETE", v2+"/qbs/delete", fmt.Sprintf(`{"ids": [%q]}`, p.lots[2]))
				t.Log(out)
				return err
			}, kept: true},
			way{name: "a lot beside the failed one", do: create(p.builder, "q_qbs", in{"projectId": s.project, "parentId": p.item, "name": "新批", "nodeType": "LOT"}), kept: true})
		s.try(t, nodes, all)
	})
	t.Run("records", func(t *testing.T) {
		draft, err := s.record(p.builder, wide, "SELF", s.row("MAIN", "50"))
		require.NoError(t, err, told(err))
		require.Equal(t, "OK", s.get(s.owner, "q_record", draft)["conclusion"])
		all := s.edits(t, p.builder, "a draft that was asked less goes to the lot", "q_record", "", draft, in{"qbsId": p.lots[2]})
		all = append(all, s.edits(t, p.builder, "readings of the failed record", "q_record", "", failed, in{"items": []in{}})...)
		for _, code := range []string{"state", "signedBy", "party", "judgedItems", "round", "conclusion"} {
			all = append(all, s.edits(t, p.builder, "computed "+code, "q_record", "", draft, in{code: "1"})...)
		}
		all = append(all,
			way{name: "the failed record is deleted", do: remove(p.builder, "q_record", failed)},
			way{name: "the next round without a repair", do: create(p.builder, "q_record", in{"qbsId": p.lots[1], "items": []in{s.row("MAIN", "1")}})},
			way{name: "the failed record is sent for approval again", do: func() error { return s.send(p.builder, "q_lot", failed) }},
			way{name: "the failed record is sent with other readings", do: func() error {
				data := map[string]json.RawMessage{"inspector": json.RawMessage(`null`)}
				_, err := s.Workflows().Start(t.Context(), s.View(p.builder), workflow.Start{Workflow: "q_lot", Record: failed, Data: data})
				return err
			}})
		s.try(t, nodes, all)
	})
	t.Run("approvals", func(t *testing.T) {
		id, err := s.record(p.builder, p.lots[2], "SELF", s.row("MAIN", "1"), s.row("GEN", "1"))
		require.NoError(t, err, told(err))
		require.NoError(t, s.send(p.builder, "q_lot", id))
		all := s.edits(t, p.builder, "readings in review", "q_record", "", id, in{"inspector": nil})
		foreign, _ := s.firm("ways-foreign", "R_SUP")
		of := s.below(p.builder, "ways-own-supervisor", "R_SUP")
		s.try(t, nodes, append(all, way{name: "the record in review is deleted", do: remove(p.builder, "q_record", id)}))
		for name, who := range map[string]principal.Principal{"a supervisor of another contract": foreign, "a supervisor of a department of the contractor": of} {
			require.NotContains(t, s.waiting(who), id, name)
			handed, err := s.record(p.builder, p.lots[2], "SELF", s.row("MAIN", "1"), s.row("GEN", "1"))
			require.NoError(t, err, told(err))
			require.NoError(t, s.send(p.builder, "q_lot", handed))
			s.try(t, nodes[:len(nodes)-1], []way{{name: name + " is handed the task", kept: true, do: func() error {
				task := s.waiting(p.supervisor)[handed]
				_, err := s.Workflows().Act(t.Context(), s.View(p.supervisor), workflow.Command{Item: task, Do: flow.OpClaim})
				require.NoError(t, err, told(err))
				_, err = s.Workflows().Act(t.Context(), s.View(p.supervisor), workflow.Command{Item: task, Do: flow.OpTransfer, People: []string{who.UserID}, Opinion: "x"})
				if err != nil {
					return err
				}
				return s.approve(who, handed, nil)
			}}})
			require.Equal(t, []string{"KIND SELF"}, s.lacks(s.owner, p.lots[2]), name)
		}
		started, err := s.Workflows().Items(t.Context(), s.View(p.builder), "finished", workflow.Search{Size: 200})
		require.NoError(t, err)
		for _, it := range started.Content {
			for _, op := range []flow.Operation{flow.OpVoid, flow.OpRevoke, flow.OpWithdraw} {
				s.try(t, nodes, []way{{name: "what was approved: " + string(op), do: func() error {
					_, err := s.Workflows().Act(t.Context(), s.View(p.builder), workflow.Command{Item: it.ID, Do: op, Opinion: "x"})
					return err
				}, kept: true}})
			}
		}
		require.NotEmpty(t, started.Content)
	})
	t.Run("actions", func(t *testing.T) {
		var action string
		s.do(s.owner, func(ctx context.Context, w world.World) {
			found, err := w.Find(ctx, "q_ncr", in{"recordId": failed}, 2)
			require.NoError(t, err)
			require.Len(t, found, 1)
			action = found[0]
		})
		all := s.edits(t, p.builder, "the action goes to another part", "q_ncr", "", action, in{"qbsId": lax})
		all = append(all, s.edits(t, p.builder, "the action forgets its record", "q_ncr", "", action, in{"recordId": nil})...)
		all = append(all, s.edits(t, p.builder, "the action is closed", "q_ncr", "", action, in{"status": "REVIEWED"})...)
		all = append(all, way{name: "the action is deleted", do: remove(p.builder, "q_ncr", action)})
		s.try(t, nodes, all)

		// An action that somebody opens before the inspection fails does not stand for the one that is due.
		other, err := s.record(p.builder, lax, "SELF", in{"itemId": s.items["MAIN"], "values": ""})
		require.NoError(t, err, told(err))
		require.Equal(t, "DRAFT", s.get(s.owner, "q_record", other)["state"])
		s.try(t, nodes, []way{{name: "an action of a record elsewhere", do: create(p.builder, "q_ncr", in{"qbsId": easy, "recordId": other, "description": "x"})},
			{name: "an action of a record elsewhere, by who reviews", do: create(s.owner, "q_ncr", in{"qbsId": easy, "recordId": other, "description": "x"})},
			{name: "an action of a record here", do: create(p.builder, "q_ncr", in{"qbsId": lax, "recordId": other, "description": "x"})}})
	})
}

// waysRound: what is asked by processes and sheets, by whom a record is, and what workflows do.
func waysRound(t *testing.T, s *site) {
	p := s.parties("round", 1, in{"kinds": []in{{"recordKind": "SELF", "judges": "ANY"}, {"recordKind": "TEST", "judges": "ANY"}}, "sheets": []in{{"schemaCode": "q_hidden", "title": "隐蔽", "workflowCode": "q_hidden"}, {"schemaCode": "q_doccheck", "title": "资料"}},
		"consents": []in{{"code": "POUR", "title": "浇筑许可", "roles": []string{"R_SUP"}}}})
	lot := p.lots[0]
	var item, first, second, hidden, papers, tests, base string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		item = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.unit, "name": "边墩", "nodeType": "ITEM", "dueSetId": p.set})
		first = s.make(ctx, w, "q_jbs", in{"qbsId": item, "code": "1", "title": "钢筋"})
		second = s.make(ctx, w, "q_jbs", in{"qbsId": item, "code": "2", "title": "浇筑", "prevIds": []string{first}})
		hidden = s.make(ctx, w, "q_biz", in{"ownerType": "JBS", "qbsId": item, "jbsId": first, "schemaCode": "q_hidden", "workflowCode": "q_hidden", "bizKind": "HIDDEN", "sheetTitle": "隐蔽"})
		papers = s.make(ctx, w, "q_biz", in{"ownerType": "JBS", "qbsId": item, "jbsId": second, "schemaCode": "q_doccheck", "sheetTitle": "资料"})
		tests = s.make(ctx, w, "q_biz", in{"qbsId": p.unit, "schemaCode": "q_doccheck", "bizKind": "TEST", "workflowCode": "q_doccheck", "sheetTitle": "试验"})
		step := s.make(ctx, w, "q_jbs_base", in{"kind": "PROCESS", "code": "WAYS", "title": "库工序"})
		base = s.make(ctx, w, "q_biz_base", in{"jbsBaseId": step, "schemaCode": "q_hidden", "workflowCode": "q_hidden", "bizKind": "TEST", "sheetTitle": "库表"})
	})
	_, err := s.record(p.builder, item, "SELF", s.row("MAIN", "1"))
	require.NoError(t, err, told(err))
	nodes := []string{p.unit, item, lot}
	do := func(who principal.Principal, f func(ctx context.Context, w world.World) error) func() error {
		return func() error { return s.Do(who, f) }
	}
	create := func(who principal.Principal, model string, values in) func() error {
		return do(who, func(ctx context.Context, w world.World) error { _, err := w.Create(ctx, model, values); return err })
	}
	call := func(method, path string, values in) func() error {
		return func() error {
			body, err := json.Marshal(values)
			require.NoError(t, err)
			_, err = s.call(p.builder, method, v2+path, string(body))
			return err
		}
	}

	t.Run("nothing", func(t *testing.T) { // a set that names papers and no inspection
		var bare string
		s.do(s.owner, func(ctx context.Context, w world.World) {
			set := s.make(ctx, w, "q_due_set", in{"code": "PAPERS", "title": "只有资料", "sheets": []in{{"schemaCode": "q_doccheck"}}})
			bare = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.unit, "name": "无检查", "nodeType": "ITEM", "dueSetId": set})
		})
		_, err := s.record(p.builder, bare, "SELF", s.row("MAIN", "1"))
		require.NoError(t, err, told(err))
		require.Equal(t, []string{"SET"}, s.lacks(s.owner, bare))
	})
	t.Run("asked", func(t *testing.T) {
		var all []way
		for column, v := range (in{"required": false, "active": false, "workflowCode": nil, "auditRole": []string{"R_CQC"}, "bizKind": "RECORD", "multi": true, "qbsId": lot, "jbsId": nil, "schemaCode": "q_work"}) {
			all = append(all, s.edits(t, p.builder, "binding: "+column, "q_biz", "/bizsheet/edit", hidden, in{column: v})...)
		}
		for column, v := range (in{"required": false, "active": false, "prevIds": []string{}, "code": "9", "qbsId": lot}) {
			all = append(all, s.edits(t, p.builder, "process: "+column, "q_jbs", "/jbs/edit", second, in{column: v})...)
		}
		for model, id := range map[string]string{"q_biz": hidden, "q_jbs": second} {
			all = append(all, way{name: model + " is deleted", do: do(p.builder, func(ctx context.Context, w world.World) error { return w.Delete(ctx, model, id) })})
		}
		all = append(all,
			way{name: "a sheet is unbound by the call", do: call("POST", "/bizsheet/unbind", in{"ids": []string{tests}})},
			way{name: "a process is deleted by the call", do: call("DELETE", "/jbs/delete", in{"ids": []string{second}})},
			way{name: "an own test of the unit", do: create(p.builder, "q_biz", in{"qbsId": p.unit, "schemaCode": "q_work", "bizKind": "TEST"})},
			way{name: "an own test of the unit by the call", do: call("POST", "/bizsheet/bind", in{"ownerType": "QBS", "ownerIds": []string{p.unit}, "sheets": []in{{"schemaCode": "q_work", "bizKind": "TEST"}}})},
			way{name: "a test in the name of the library", do: create(p.builder, "q_biz", in{"qbsId": p.unit, "schemaCode": "q_work", "bizKind": "TEST", "baseId": base})},
			way{name: "a test of the library without its workflow", do: create(p.builder, "q_biz", in{"qbsId": p.unit, "schemaCode": "q_hidden", "bizKind": "TEST", "workflowCode": nil, "baseId": base})})
		s.try(t, nodes, all)
	})
	t.Run("sheets", func(t *testing.T) {
		var own string
		s.do(p.builder, func(ctx context.Context, w world.World) {
			own = s.make(ctx, w, "q_biz", in{"qbsId": lot, "schemaCode": "q_hidden", "workflowCode": "q_hidden", "sheetTitle": "自加"})
			require.NoError(t, edit(ctx, w, "q_biz", own, in{"bizKind": "HIDDEN", "multi": true}), "what they added they change")
		})
		fill := func(to, node string) (id string) {
			s.do(p.builder, func(ctx context.Context, w world.World) {
				id = s.make(ctx, w, "q_hidden", in{"bizId": to, "qbsId": node, "content": "钢筋"})
			})
			return id
		}
		sheet := fill(own, lot)
		require.NoError(t, s.send(p.builder, "q_hidden", sheet))
		s.try(t, nodes, s.edits(t, p.builder, "a sheet in review", "q_hidden", "", sheet, in{"content": "别的"}))
		require.NoError(t, s.approve(p.supervisor, sheet, in{"accepted": true}))
		require.NotContains(t, s.lacks(s.owner, lot), "SHEET 隐蔽")
		all := s.edits(t, p.builder, "the approved sheet of another part", "q_biz", "/bizsheet/edit", own, in{"qbsId": item})
		all = append(all, s.edits(t, p.builder, "an approved binding is another sheet", "q_biz", "/bizsheet/edit", own, in{"schemaCode": "q_doccheck"})...)
		all = append(all, s.edits(t, p.builder, "an approved binding without a workflow", "q_biz", "/bizsheet/edit", own, in{"workflowCode": nil})...)
		draft := fill(own, lot) // a second sheet of the binding, which waits
		all = append(all, s.edits(t, p.builder, "a draft goes to another binding", "q_hidden", "", draft, in{"bizId": hidden})...)
		all = append(all, s.edits(t, p.builder, "a draft goes to another part", "q_hidden", "", draft, in{"qbsId": item})...)
		s.try(t, nodes, all)

		// A check of documents that failed, of a sheet without a workflow, is sealed with its corrective action.
		s.do(s.owner, func(ctx context.Context, w world.World) {
			require.NoError(t, edit(ctx, w, "q_jbs", second, in{"prevIds": []string{}}))
		})
		var checked, action string
		s.do(p.builder, func(ctx context.Context, w world.World) {
			checked = s.make(ctx, w, "q_doccheck", in{"bizId": papers, "qbsId": item, "items": []in{{"document": "试验报告"}}})
		})
		s.do(s.owner, func(ctx context.Context, w world.World) {
			found, err := w.Find(ctx, "q_ncr", in{"bizId": papers}, 2)
			require.NoError(t, err)
			require.Len(t, found, 1)
			action = found[0]
		})
		all = s.edits(t, p.builder, "the action of a sheet goes elsewhere", "q_ncr", "", action, in{"qbsId": lot})
		all = append(all, s.edits(t, p.builder, "the action of a sheet forgets it", "q_ncr", "", action, in{"bizId": nil})...)
		all = append(all, s.edits(t, p.builder, "a workflow unseals the sheet", "q_biz", "/bizsheet/edit", papers, in{"workflowCode": "q_doccheck"})...)
		all = append(all, s.edits(t, p.builder, "the failed sheet has its documents", "q_doccheck", "", checked, in{"items": []in{}})...)
		all = append(all, way{name: "the failed sheet is sent for approval", do: func() error { return s.send(p.builder, "q_doccheck", checked) }})
		s.try(t, nodes, all)
	})
	t.Run("parties", func(t *testing.T) {
		lab := s.below(p.builder, "round-lab-2", "R_LAB")
		_, err := s.record(lab, item, "TEST", s.row("MAIN", "1"))
		require.NoError(t, err, told(err))
		require.Contains(t, s.lacks(s.owner, item), "KIND TEST", "the laboratory of a department below the contractor's is the contractor's")
		both := s.below(p.builder, "round-both", "R_CQC", p.supervisor.Departments[0])
		s.give(both, "R_CQC", "R_SUP")
		both, _ = s.Caller(t.Context(), "round-both")
		foreign, _ := s.firm("round-foreign", "R_SUP")
		void := in{"itemId": s.items["MAIN"], "values": "", "conclusion": "NA", "remark": "没有"}
		s.try(t, nodes, []way{
			{name: "somebody of both departments releases a hold point", do: create(both, "q_consent", in{"qbsId": lot, "dueCode": "POUR"})},
			{name: "a supervisor of another contract releases a hold point", do: create(foreign, "q_consent", in{"qbsId": lot, "dueCode": "POUR"})},
			{name: "somebody of both departments says that a main item does not apply", do: create(both, "q_record", in{"qbsId": lot, "recordKind": "SELF", "items": []in{void}})},
		})
	})
}

// waiting are the tasks of a person by their records.
func (s *site) waiting(who principal.Principal) map[string]string {
	s.t.Helper()
	open, err := s.Workflows().Items(s.t.Context(), s.View(who), "unfinished", workflow.Search{Size: 200})
	require.NoError(s.t, err)
	out := map[string]string{}
	for _, it := range open.Content {
		out[it.Record] = it.ID
	}
	return out
}

// below is somebody with a role in a new department below that of another person, or with others in that itself and in these.
func (s *site) below(of principal.Principal, name, role string, others ...string) principal.Principal {
	s.t.Helper()
	s.do(s.Person("chief-"+name, "administrator"), func(ctx context.Context, w world.World) {
		department := of.Departments[0]
		if len(others) == 0 {
			department = s.make(ctx, w, "department", in{"name": "下级 " + name, "parent": department})
		}
		s.make(ctx, w, "user", in{"username": name, "name": name, "mainDepartment": department, "departments": append([]string{department}, others...)})
	})
	who, ok := s.Caller(s.t.Context(), name)
	require.True(s.t, ok)
	s.give(who, role)
	who, _ = s.Caller(s.t.Context(), name)
	return who
}

// give gives a person roles in place of theirs.
func (s *site) give(who principal.Principal, roles ...string) {
	s.t.Helper()
	s.do(s.Person("roles-"+who.Name+fmt.Sprint(len(roles)), "administrator"), func(ctx context.Context, w world.World) {
		var of []string
		for _, role := range roles {
			found, err := w.Find(ctx, "role", in{"code": role}, 1)
			require.NoError(s.t, err)
			of = append(of, found...)
		}
		require.NoError(s.t, edit(ctx, w, "user", who.UserID, in{"roles": of}))
	})
}
