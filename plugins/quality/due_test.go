package quality_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// lacks is what the call says that a node lacks: "ITEM 顶面高程 SELF".
func (s *site) lacks(who principal.Principal, node string) []string {
	s.t.Helper()
	var got quality.DueList
	s.must(who, "GET", v2+"/qbs/due", in{"qbsId": node}, &got)
	out := []string{}
	for _, m := range got.Missing {
		out = append(out, strings.Join(strings.Fields(m.What+" "+m.Name+" "+m.Kind), " "))
	}
	return out
}

// send submits a record for approval.
func (s *site) send(who principal.Principal, flow, record string) error {
	return s.Do(who, func(ctx context.Context, w world.World) error {
		_, err := w.StartWorkflow(ctx, flow, record)
		return err
	})
}

// approve agrees with what waits for a person about a record.
func (s *site) approve(who principal.Principal, record string, data in) error {
	s.t.Helper()
	open, err := s.Workflows().Items(s.t.Context(), s.View(who), "unfinished", workflow.Search{Size: 200})
	require.NoError(s.t, err)
	i := slices.IndexFunc(open.Content, func(it workflow.Item) bool { return it.Record == record })
	require.GreaterOrEqual(s.t, i, 0, "no task")
	agree := workflow.Command{Item: open.Content[i].ID, Do: flow.OpClaim}
	_, err = s.Workflows().Act(s.t.Context(), s.View(who), agree)
	require.NoError(s.t, err, told(err))
	agree.Do, agree.Signature = flow.OpAgree, s.signature(who)
	if len(data) > 0 {
		model := open.Content[i].Model
		s.do(who, func(ctx context.Context, w world.World) {
			now, err := w.Get(ctx, model, record)
			require.NoError(s.t, err)
			agree.Version = &now.Version
		})
		agree.Data = map[string]json.RawMessage{}
		for code, v := range data {
			text, err := json.Marshal(v)
			require.NoError(s.t, err)
			agree.Data[code] = text
		}
	}
	_, err = s.Workflows().Act(s.t.Context(), s.View(who), agree)
	return err
}

// parties of a contract with a unit, a work item and lots below it.
type parties struct {
	builder, second, supervisor, lab principal.Principal
	contract, unit, item             string
	lots                             []string
	set                              string // the due set of the item
}

func (s *site) parties(name string, lots int, set in) (p parties) {
	var builders, supervisors string
	p.builder, builders = s.firm(name+"-builder", "R_CQC")
	p.supervisor, supervisors = s.firm(name+"-supervisor", "R_SUP")
	p.lab, _ = s.firm(name+"-lab", "R_LAB")
	p.contract = s.contract(name, builders, supervisors)
	s.do(s.owner, func(ctx context.Context, w world.World) {
		values := in{"code": strings.ToUpper(name), "title": name}
		maps.Copy(values, set)
		p.set = s.make(ctx, w, "q_due_set", values)
		p.unit = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "code": name, "name": "闸首", "nodeType": "UNIT", "contractId": p.contract})
		p.item = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.unit, "name": "底板", "nodeType": "ITEM", "dueSetId": p.set})
		for range lots {
			p.lots = append(p.lots, s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.item, "name": "批", "nodeType": "LOT"}))
		}
	})
	return p
}

// record makes an inspection.
func (s *site) record(who principal.Principal, node, kind string, rows ...in) (id string, err error) {
	err = s.Do(who, func(ctx context.Context, w world.World) (err error) {
		id, err = w.Create(ctx, "q_record", in{"qbsId": node, "recordKind": kind, "items": rows})
		return err
	})
	return id, err
}

func (s *site) row(item, readings string) in { return in{"itemId": s.items[item], "values": readings} }

// due: a lot is qualified when all that its kind of work asks is there, from those who may give it, and says what is missing until then.
func due(t *testing.T, s *site) {
	p := s.parties("due", 3, in{
		"items":    []in{{"itemId": s.items["MAIN"]}, {"itemId": s.items["GEN"]}},
		"kinds":    []in{{"recordKind": "SELF", "judges": "ALL", "workflowCode": "q_lot"}, {"recordKind": "SUP", "judges": "MAIN", "share": "0.34"}},
		"consents": []in{{"code": "POUR", "title": "浇筑许可", "roles": []string{"R_SUP"}, "processCode": "2"}}})
	lot := p.lots[0]
	is := func(node, eval string, lacks ...string) {
		t.Helper()
		require.Equal(t, append([]string{}, lacks...), s.lacks(s.owner, node))
		require.Equal(t, eval, s.eval(node))
	}
	is(lot, "NONE", "KIND SELF", "CONSENT 浇筑许可")
	mine := func(rows ...in) string {
		id, err := s.record(p.builder, lot, "SELF", rows...)
		require.NoError(t, err, told(err))
		return id
	}

	// One main item alone, without the supervisor, is not all.
	first := mine(s.row("MAIN", "1;2"))
	is(lot, "PENDING", "KIND SELF", "CONSENT 浇筑许可")
	require.NoError(t, s.send(p.builder, "q_lot", first))
	require.NoError(t, s.approve(p.supervisor, first, nil))
	is(lot, "PENDING", "ITEM 表面平整度 SELF", "CONSENT 浇筑许可")
	n := s.get(s.owner, "q_qbs", lot)
	require.Equal(t, []string{"2", "DUE", "1"}, []string{fmt.Sprint(n["missing"]), fmt.Sprint(n["dueCode"]), fmt.Sprint(n["dueRevision"])})
	second := mine(s.row("GEN", "1;2"))
	require.NoError(t, s.send(p.builder, "q_lot", second))
	require.NoError(t, s.approve(p.supervisor, second, nil))
	is(lot, "PENDING", "CONSENT 浇筑许可")

	// Hold points are released by those who may.
	release := func(who principal.Principal) error {
		return s.Do(who, func(ctx context.Context, w world.World) error {
			_, err := w.Create(ctx, "q_consent", in{"qbsId": lot, "dueCode": "POUR"})
			return err
		})
	}
	refused(t, release(p.builder), fault.NoAddPermission)
	refused(t, release(s.owner), quality.ConsentForeign)
	require.NoError(t, release(p.supervisor))
	is(lot, "QUALIFIED")
	is(p.item, "PENDING", "SHARE SUP")

	// The supervisor's own check of one lot in three: not by who is inspected, and nobody checks their own inspection.
	own, err := s.record(p.supervisor, lot, "SUP", s.row("MAIN", "1"))
	require.NoError(t, err, told(err))
	require.Equal(t, "SUPERVISOR", s.get(s.owner, "q_record", own)["party"])
	require.Equal(t, "CONTRACTOR", s.get(s.owner, "q_record", first)["party"])
	is(p.item, "PENDING", "SHARE SUP") // 0.34 of three is two
	_, err = s.record(p.supervisor, p.lots[1], "SUP", s.row("MAIN", "1"))
	require.NoError(t, err, told(err))
	is(p.item, "PENDING")
	is(p.lots[1], "PENDING", "KIND SELF", "CONSENT 浇筑许可")
	_, err = s.record(s.owner, p.lots[2], "SUP", s.row("MAIN", "1"))
	require.NoError(t, err, told(err))
	_, err = s.record(s.owner, p.lots[2], "SELF", s.row("MAIN", "1"))
	refused(t, err, quality.SecondKind)

	// What is not due of the kind of work, and what is there twice, is refused; who decides what is asked adds it with a reason.
	var foreign string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		foreign = s.make(ctx, w, "q_check_item", in{"code": "FOREIGN", "itemName": "别类的项", "itemClass": "GENERAL", "evalMethod": "POINT", "devLow": "-99", "devHigh": "99"})
	})
	_, err = s.record(p.builder, p.lots[1], "SELF", s.row("MAIN", "1"), in{"itemId": foreign, "values": "1;1;1;1;1;1"})
	refused(t, err, quality.ItemNotDue)
	_, err = s.record(p.builder, p.lots[1], "SELF", s.row("GEN", "1"), s.row("GEN", "1"))
	refused(t, err, quality.ItemTwice)

	// Who is inspected chooses neither the kind of work nor what is due of it.
	for _, change := range []in{{"dueSetId": nil}, {"dueCode": "ANY"}, {"missing": "0"}, {"evalStatus": "QUALIFIED"}} {
		err := s.Do(p.builder, func(ctx context.Context, w world.World) error { return edit(ctx, w, "q_qbs", p.lots[1], change) })
		refused(t, err, fault.FieldUnknown)
	}
	changes := func(who principal.Principal, node string, values in) error {
		return s.Do(who, func(ctx context.Context, w world.World) error {
			_, err := w.Create(ctx, "q_due_change", in{"qbsId": node, "what": values["what"], "effect": values["effect"], "itemId": values["itemId"], "devHigh": values["devHigh"], "recordKind": values["recordKind"], "reason": values["reason"]})
			return err
		})
	}
	wide := in{"what": "ITEM", "effect": "CHANGE", "itemId": s.items["MAIN"], "devHigh": "30", "reason": "设计变更单 7"}
	refused(t, changes(p.builder, p.item, wide), fault.NoAddPermission)
	refused(t, changes(p.supervisor, p.item, in{"what": "ITEM", "effect": "LEAVE_OUT", "reason": "x"}), fault.FieldRequired)
	refused(t, changes(p.supervisor, p.item, in{"what": "ORDER", "effect": "ADD", "reason": "x"}), fault.FieldRequired)
	require.NoError(t, changes(p.supervisor, p.item, wide))
	wider, err := s.record(p.builder, p.lots[1], "SELF", s.row("MAIN", "25"), s.row("GEN", "1"))
	require.NoError(t, err, told(err))
	require.Equal(t, "OK", s.get(s.owner, "q_record", wider)["conclusion"], "the tolerance of the letter holds at the lots of the item")
	_, err = s.record(p.builder, p.lots[2], "SELF", s.row("MAIN", "35"))
	require.NoError(t, err, told(err))
	for _, f := range []func(ctx context.Context, w world.World, id string) error{
		func(ctx context.Context, w world.World, id string) error {
			return edit(ctx, w, "q_due_change", id, in{"reason": "x"})
		},
		func(ctx context.Context, w world.World, id string) error { return w.Delete(ctx, "q_due_change", id) },
	} {
		refused(t, s.Do(s.owner, func(ctx context.Context, w world.World) error {
			found, err := w.Find(ctx, "q_due_change", in{"qbsId": p.item}, 9)
			require.NoError(t, err)
			return f(ctx, w, found[0])
		}), fault.Forbidden)
	}
	require.NoError(t, changes(p.supervisor, lot, in{"what": "ITEM", "effect": "ADD", "itemId": foreign, "reason": "加测"}))
	is(lot, "PENDING", "ITEM 别类的项 SELF")
	require.NoError(t, changes(p.supervisor, lot, in{"what": "ITEM", "effect": "RESTORE", "itemId": foreign, "reason": "不再需要"}))
	is(lot, "QUALIFIED")

	// A template brings its kind of work where who attaches it may choose it.
	var template string
	kindOf := func(who principal.Principal) any {
		var node string
		s.do(who, func(ctx context.Context, w world.World) {
			node = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.unit, "name": "护坡", "nodeType": "ITEM", "contractId": p.contract, "jbsTemplateId": template})
		})
		return s.get(s.owner, "q_qbs", node)["dueSetId"]
	}
	s.do(s.owner, func(ctx context.Context, w world.World) {
		template = s.make(ctx, w, "q_jbs_base", in{"kind": "TEMPLATE", "code": "DUE-T", "title": "护坡", "dueSetId": p.set})
	})
	require.NotNil(t, kindOf(s.owner))
	require.Nil(t, kindOf(p.builder))

	// A change of the set makes a revision; nodes keep theirs until somebody takes them over.
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_due_set", p.set, in{"items": []in{{"itemId": s.items["MAIN"]}, {"itemId": s.items["GEN"]}, {"itemId": foreign}}}))
	})
	is(lot, "QUALIFIED")
	var sum quality.Upgraded
	s.must(s.owner, "POST", v2+"/qbs/due/upgrade", in{"projectKey": s.key, "code": "DUE", "dryRun": true}, &sum)
	require.Equal(t, int64(1), sum.Pending)
	is(lot, "QUALIFIED")
	_, err = s.call(p.builder, "POST", v2+"/qbs/due/upgrade", fmt.Sprintf(`{"projectKey": %q}`, s.key))
	refused(t, err, fault.Forbidden)
	dry := sum
	s.must(s.owner, "POST", v2+"/qbs/due/upgrade", in{"projectKey": s.key, "code": "DUE"}, &sum)
	require.Equal(t, dry, sum)
	is(lot, "PENDING", "ITEM 别类的项 SELF")

	changed, err := quality.Refresh(t.Context(), s.System.Act, s.owner, s.project)
	require.NoError(t, err)
	require.Zero(t, changed)
}

// answers: what a sheet answers decides: concealed works that are refused and documents that are not there leave their node pending, with a corrective
// action; a record with too few readings is not submitted and not sealed; a node of no kind of work stays pending.
func answers(t *testing.T, s *site) {
	p := s.parties("answers", 0, in{"kinds": []in{{"recordKind": "SELF", "judges": "ANY"}}, "sheets": []in{{"schemaCode": "q_hidden", "title": "隐蔽验收", "workflowCode": "q_hidden"}}})
	var sheet string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		sheet = s.make(ctx, w, "q_biz", in{"qbsId": p.item, "schemaCode": "q_hidden", "bizKind": "HIDDEN", "workflowCode": "q_hidden", "sheetTitle": "隐蔽验收"})
	})
	_, err := s.record(p.builder, p.item, "SELF", s.row("MAIN", "1"))
	require.NoError(t, err, told(err))
	hide := func() (id string) {
		require.NoError(t, s.Do(p.builder, func(ctx context.Context, w world.World) (err error) {
			id, err = w.Create(ctx, "q_hidden", in{"bizId": sheet, "qbsId": p.item, "content": "钢筋"})
			return err
		}))
		require.NoError(t, s.send(p.builder, "q_hidden", id))
		return id
	}
	require.Equal(t, []string{"SHEET 隐蔽验收"}, s.lacks(p.builder, p.item))
	require.NoError(t, s.approve(p.supervisor, hide(), in{"accepted": false}))
	bound := s.get(s.owner, "q_biz", sheet)
	require.Equal(t, []any{"COMPLETED", "NOT_OK"}, []any{bound["status"], bound["answer"]})
	require.Equal(t, "PENDING", s.eval(p.item))
	require.Equal(t, []string{"SHEET 隐蔽验收"}, s.lacks(p.builder, p.item))
	var action string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_ncr", in{"bizId": sheet}, 9)
		require.NoError(t, err)
		require.Len(t, found, 1)
		action = found[0]
	})
	require.NoError(t, s.approve(p.supervisor, hide(), in{"accepted": true}))
	require.Empty(t, s.lacks(p.builder, p.item))
	require.Equal(t, "PENDING", s.eval(p.item), "the corrective action is open")
	for _, step := range []struct {
		who    principal.Principal
		status string
	}{{p.builder, "FIXED"}, {p.supervisor, "REVIEWED"}} {
		require.NoError(t, s.Do(step.who, func(ctx context.Context, w world.World) error {
			return edit(ctx, w, "q_ncr", action, in{"status": step.status})
		}))
	}
	require.Equal(t, "QUALIFIED", s.eval(p.item))

	// A lot that fails is sent at once, where nothing asks for a workflow: what failed is not sent a second time.
	failing := s.begun(p.builder, "q_lot", in{"qbsId": p.item, "recordKind": "SELF", "inspector": p.builder.UserID, "checkDate": "2026-11-20", "items": []in{s.row("MAIN", "99")}})
	require.Equal(t, "PROCESSING", s.get(s.owner, "q_record", failing.Record)["state"])
	require.NoError(t, s.approve(p.supervisor, failing.Record, nil))
	require.Equal(t, "UNQUALIFIED", s.eval(p.item))
	require.Error(t, s.send(p.builder, "q_lot", failing.Record))
	s.do(s.Person("answers-admin", "administrator"), func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_ncr", in{"recordId": failing.Record}, 9)
		require.NoError(t, err)
		require.NoError(t, w.Delete(ctx, "q_ncr", found[0]))
		require.NoError(t, w.Delete(ctx, "q_record", failing.Record))
	})

	// A record with too few readings.
	var many string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		many = s.make(ctx, w, "q_check_item", in{"code": "MANY", "itemName": "多点", "itemClass": "GENERAL", "evalMethod": "POINT", "devLow": "-9", "devHigh": "9", "minPoints": "4"})
	})
	short, err := s.record(p.builder, p.item, "SELF", in{"itemId": many, "values": "1;2"})
	require.NoError(t, err, told(err))
	require.Equal(t, "DRAFT", s.get(s.owner, "q_record", short)["state"])
	refused(t, s.send(p.builder, "q_lot", short), quality.RecordIncomplete)
	rows := s.get(s.owner, "q_record", short)["items"].([]any)
	require.NoError(t, s.Do(p.builder, func(ctx context.Context, w world.World) error {
		return edit(ctx, w, "q_record", short, in{"items": []in{{"id": rows[0].(map[string]any)["id"], "values": "1;2;3;4"}}})
	}))
	require.Equal(t, "COMPLETED", s.get(s.owner, "q_record", short)["state"])

	// A sheet that is due can be begun where nobody has bound it.
	var free string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		free = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.unit, "name": "边墩", "nodeType": "ITEM", "dueSetId": p.set})
	})
	var one, two quality.Made
	s.must(p.builder, "POST", v2+"/qbs/due/bind", in{"qbsId": free, "schemaCode": "q_hidden"}, &one)
	s.must(p.builder, "POST", v2+"/qbs/due/bind", in{"qbsId": free, "schemaCode": "q_hidden"}, &two)
	require.Equal(t, one, two)
	made := s.get(s.owner, "q_biz", one.ID)
	require.Equal(t, []any{"q_hidden", "隐蔽验收", true}, []any{made["workflowCode"], made["sheetTitle"], made["required"]})
	s.must(p.builder, "POST", v2+"/qbs/due/bind", in{"qbsId": free, "schemaCode": "q_record", "kind": "SELF"}, &one)
	require.NotEqual(t, one, two)
	refused(t, s.fails(p.builder, "POST", v2+"/qbs/due/bind", in{"qbsId": free, "schemaCode": "q_doccheck"}), fault.BadParameter)
	refused(t, s.fails(p.builder, "POST", v2+"/qbs/due/bind", in{"qbsId": free, "schemaCode": "q_qbs"}), fault.BadParameter)
	stranger, _ := s.firm("answers-stranger", "R_CQC")
	require.Error(t, s.fails(stranger, "POST", v2+"/qbs/due/bind", in{"qbsId": free, "schemaCode": "q_hidden"}))

	// A sheet for tests is not done by an inspection of the contractor.
	var tests string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		tests = s.make(ctx, w, "q_biz", in{"qbsId": free, "schemaCode": "q_record", "bizKind": "TEST", "required": false})
	})
	onTests := func(who principal.Principal, kind string) error {
		return s.Do(who, func(ctx context.Context, w world.World) error {
			_, err := w.Create(ctx, "q_record", in{"qbsId": free, "bizId": tests, "recordKind": kind, "items": []in{s.row("MAIN", "1")}})
			return err
		})
	}
	refused(t, onTests(p.builder, "SELF"), quality.SheetOthers)
	refused(t, onTests(p.supervisor, "SUP"), quality.SheetRole)
	require.False(t, s.get(s.owner, "q_qbs", free)["testOk"] == true)
	require.NoError(t, onTests(p.lab, "TEST"))

	// Nothing is set as due.
	var bare string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		set := s.make(ctx, w, "q_due_set", in{"code": "EMPTY", "title": "空"})
		bare = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.unit, "name": "空", "nodeType": "ITEM", "dueSetId": set})
	})
	_, err = s.record(p.builder, bare, "SELF", s.row("MAIN", "1"), s.row("GEN", "1"))
	require.NoError(t, err, told(err))
	require.Equal(t, []string{"SET"}, s.lacks(p.builder, bare))
	require.Equal(t, "PENDING", s.eval(bare))
}

// order: work that its sheets date before the end of the process before it is taken, told, and accepted by somebody who may; so is an edit of a date that
// hides it. Sheets are begun by the roles that their binding names, and count when one of the roles that check them approved.
func order(t *testing.T, s *site) {
	p := s.parties("order", 0, in{"kinds": []in{{"recordKind": "SELF", "judges": "ANY"}}})
	var steps, bound []string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		for i, name := range []string{"钢筋", "浇筑"} {
			values := in{"qbsId": p.item, "code": fmt.Sprint(i + 1), "title": name}
			if i > 0 {
				values["prevIds"] = steps
			}
			steps = append(steps, s.make(ctx, w, "q_jbs", values))
			bound = append(bound, s.make(ctx, w, "q_biz", in{"ownerType": "JBS", "qbsId": p.item, "jbsId": steps[i], "schemaCode": "q_work", "multi": true, "fillRole": []string{"R_CQC"}}))
		}
	})
	work := func(who principal.Principal, step int, day string) (id string, err error) {
		err = s.Do(who, func(ctx context.Context, w world.World) (err error) {
			id, err = w.Create(ctx, "q_work", in{"bizId": bound[step], "qbsId": p.item, "workDate": day, "content": "x"})
			return err
		})
		return id, err
	}
	_, err := work(p.supervisor, 0, "2026-11-02")
	refused(t, err, quality.SheetRole)
	for _, day := range []string{"2026-11-02", "2026-11-05"} {
		_, err = work(p.builder, 0, day)
		require.NoError(t, err, told(err))
	}
	require.Equal(t, []any{"2026-11-02", "2026-11-05"}, []any{s.get(s.owner, "q_biz", bound[0])["firstDay"], s.get(s.owner, "q_biz", bound[0])["lastDay"]})
	early, err := work(p.builder, 1, "2026-11-06")
	require.NoError(t, err, told(err))
	_, err = s.record(p.builder, p.item, "SELF", s.row("MAIN", "1"))
	require.NoError(t, err, told(err))
	require.Equal(t, "QUALIFIED", s.eval(p.item))
	date := func(day string) {
		s.do(s.owner, func(ctx context.Context, w world.World) {
			require.NoError(t, edit(ctx, w, "q_work", early, in{"workDate": day}))
		})
	}
	date("2026-11-04")
	require.Equal(t, []string{"ORDER 浇筑 ← 钢筋"}, s.lacks(p.builder, p.item))
	require.Equal(t, "PENDING", s.eval(p.item))
	accept := func(effect string) {
		s.do(p.supervisor, func(ctx context.Context, w world.World) {
			s.make(ctx, w, "q_due_change", in{"qbsId": p.item, "what": "ORDER", "effect": effect, "jbsId": steps[1], "reason": "分区浇筑"})
		})
	}
	accept("LEAVE_OUT")
	require.Equal(t, "QUALIFIED", s.eval(p.item))
	accept("RESTORE")
	require.Equal(t, "PENDING", s.eval(p.item))
	date("2026-11-05")
	require.Equal(t, "QUALIFIED", s.eval(p.item), "on one day")

	// What the roles that check a sheet did not approve does not count.
	var sheet string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		sheet = s.make(ctx, w, "q_biz", in{"qbsId": p.item, "schemaCode": "q_hidden", "workflowCode": "q_hidden", "auditRole": []string{"R_CSUP"}, "required": false, "multi": true})
		require.NoError(t, edit(ctx, w, "q_due_set", p.set, in{"sheets": []in{{"schemaCode": "q_hidden", "workflowCode": "q_hidden", "title": "隐蔽"}}}))
	})
	s.must(s.owner, "POST", v2+"/qbs/due/upgrade", in{"projectKey": s.key, "code": "ORDER"}, nil)
	require.Equal(t, []string{"SHEET 隐蔽"}, s.lacks(p.builder, p.item))
	hide := func() {
		var id string
		require.NoError(t, s.Do(p.builder, func(ctx context.Context, w world.World) (err error) {
			id, err = w.Create(ctx, "q_hidden", in{"bizId": sheet, "qbsId": p.item, "content": "x"})
			return err
		}))
		require.NoError(t, s.send(p.builder, "q_hidden", id))
		require.NoError(t, s.approve(p.supervisor, id, in{"accepted": true}))
	}
	hide()
	require.Equal(t, []string{"SHEET 隐蔽"}, s.lacks(p.builder, p.item))
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_biz", sheet, in{"auditRole": []string{"R_SUP"}}))
	})
	hide()
	require.Empty(t, s.lacks(p.builder, p.item))
	require.Equal(t, "QUALIFIED", s.eval(p.item))
}
