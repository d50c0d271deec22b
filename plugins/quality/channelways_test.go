package quality_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/world"
)

// channeled: what the contractor gains from, way by way and channel by channel: whatever becomes of it, the verdict stays. The table of what becomes of it is
// testdata/channels.txt: the code of a refusal, or what was done, which changed no verdict. "—" is a channel that cannot carry the way: batch, copy and bin need a
// record that is there, calls and workflows exist for some models. Of external links no form of the pack is open, so nobody writes anything by one.
func channeled(t *testing.T, s *site) {
	p := s.parties("channeled", 5, in{"items": []in{{"itemId": s.items["MAIN"]}, {"itemId": s.items["GEN"]}}, "kinds": []in{{"recordKind": "SELF", "judges": "ALL", "workflowCode": "q_lot"}, {"recordKind": "TEST", "judges": "ANY"}},
		"sheets": []in{{"schemaCode": "q_hidden", "title": "隐蔽", "workflowCode": "q_hidden"}}, "consents": []in{{"code": "POUR", "title": "浇筑许可", "roles": []string{"R_SUP"}, "processCode": "2"}}})
	s.give(p.builder, "R_CQC", "q_open")
	builder, _ := s.Caller(t.Context(), p.builder.Name)
	must := func(id string, err error) string { t.Helper(); require.NoError(t, err, told(err)); return id }
	var easy, foreign, first, second, test, own string
	hidden := map[string]string{}
	s.do(s.owner, func(ctx context.Context, w world.World) {
		set := s.make(ctx, w, "q_due_set", in{"code": "EASY", "title": "宽", "kinds": []in{{"recordKind": "SELF", "judges": "ANY"}}})
		easy = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "parentId": p.unit, "name": "宽项", "nodeType": "ITEM", "dueSetId": set})
		foreign = s.make(ctx, w, "q_check_item", in{"code": "CH-F", "itemName": "别类", "itemClass": "GENERAL", "evalMethod": "POINT", "devLow": "-99", "devHigh": "99"})
		for i, id := range p.lots {
			require.NoError(t, edit(ctx, w, "q_qbs", id, in{"name": fmt.Sprint("检验批", i)}))
			hidden[id] = s.make(ctx, w, "q_biz", in{"qbsId": id, "schemaCode": "q_hidden", "workflowCode": "q_hidden", "bizKind": "HIDDEN", "sheetTitle": "隐蔽"})
		}
		first = s.make(ctx, w, "q_jbs", in{"qbsId": p.lots[3], "code": "1", "title": "钢筋"})
		second = s.make(ctx, w, "q_jbs", in{"qbsId": p.lots[3], "code": "2", "title": "浇筑", "prevIds": []string{first}})
		test = s.make(ctx, w, "q_biz", in{"qbsId": p.unit, "schemaCode": "q_doccheck", "bizKind": "TEST", "sheetTitle": "试验"})
		own = s.make(ctx, w, "q_biz", in{"ownerType": "JBS", "qbsId": p.lots[3], "jbsId": second, "schemaCode": "q_work", "sheetTitle": "浇筑记录"})
	})
	hide := func(lot string, accepted bool) string {
		id := must(s.fills(builder, hidden[lot], "q_hidden", in{"content": "钢筋"}))
		require.NoError(t, s.send(builder, "q_hidden", id))
		require.NoError(t, s.approve(p.supervisor, id, in{"accepted": accepted}))
		return id
	}
	inspect := func(lot, main string) string {
		id := must(s.record(builder, lot, "SELF", s.row("MAIN", main), s.row("GEN", "1")))
		require.NoError(t, s.send(builder, "q_lot", id))
		require.NoError(t, s.approve(p.supervisor, id, nil))
		return id
	}
	good, failed := inspect(p.lots[0], "1"), inspect(p.lots[1], "50")
	hide(p.lots[0], true)
	must(s.record(p.lab, p.lots[0], "TEST", s.row("MAIN", "1")))
	s.do(p.supervisor, func(ctx context.Context, w world.World) {
		s.make(ctx, w, "q_consent", in{"qbsId": p.lots[0], "dueCode": "POUR"})
	})
	require.Equal(t, "QUALIFIED", s.eval(p.lots[0]))
	refusedSheet := hide(p.lots[1], false)
	drafted := func(values in, change ...in) attempt { // of a new draft for each channel; changes of its rows by place, nil = the row goes
		return attempt{fresh: func() attempt {
			id := must(s.record(builder, p.lots[2], "SELF", s.row("MAIN", "50"), s.row("GEN", "1")))
			out := attempt{model: "q_record", id: id, values: values, flow: "q_lot"}
			if values == nil {
				rows, items := s.get(s.owner, "q_record", id)["items"].([]any), []in{}
				for i, more := range change {
					if more != nil {
						row := in{"id": rows[i].(in)["id"]}
						maps.Copy(row, more)
						items = append(items, row)
					}
				}
				out.values = in{"items": items}
			}
			return out
		}}
	}
	var action string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_ncr", in{"recordId": failed}, 2)
		require.NoError(t, err)
		action = found[0]
	})
	of := func(id string, items ...in) attempt {
		return attempt{model: "q_record", id: id, values: in{"items": items}, flow: "q_lot"}
	}
	make := func(model string, values in, flow string) attempt {
		return attempt{model: model, values: values, flow: flow}
	}
	node := func(id string, values in) attempt {
		return attempt{model: "q_qbs", id: id, values: values, method: "PUT", route: "/qbs/edit"}
	}
	bound := func(id string, values in) attempt {
		return attempt{model: "q_biz", id: id, values: values, method: "PUT", route: "/bizsheet/edit"}
	}
	next := func(lot, kind string) attempt {
		return make("q_record", in{"qbsId": lot, "recordKind": kind, "items": []in{s.row("MAIN", "1"), s.row("GEN", "1")}}, "q_lot")
	}
	good1 := in{"qbsId": p.lots[3], "recordKind": "SELF"}
	list := []struct {
		name string
		attempt
	}{
		{"D1 tolerance", drafted(nil, in{"devHigh": "1000"}, in{})},
		{"D1 class", drafted(nil, in{"itemClass": "GENERAL"}, in{})},
		{"D1 method", drafted(nil, in{"evalMethod": "YESNO"}, in{})},
		{"D1 fewest points", drafted(nil, in{"minPoints": "1"}, in{})},
		{"D1 safety", drafted(nil, in{"safetyFlag": true}, in{})},
		{"D1 not applicable", drafted(nil, in{"conclusion": "NA", "remark": "没有"}, in{})},
		{"D1 design value", drafted(nil, in{"designValue": "50"}, in{})},
		{"D2 main item removed", drafted(nil, nil, in{})},
		{"D2 item twice", make("q_record", in{"qbsId": p.lots[4], "recordKind": "SELF", "items": []in{s.row("GEN", "1"), s.row("GEN", "1")}}, "q_lot")},
		{"D2 item of other work", make("q_record", in{"qbsId": p.lots[4], "recordKind": "SELF", "items": []in{{"itemId": foreign, "values": "1"}}}, "q_lot")},
		{"D3 alone", next(p.lots[3], "SELF")},
		{"D3 accepted record elsewhere", attempt{model: "q_record", id: good, values: good1, flow: "q_lot"}},
		{"D4 second round", next(p.lots[1], "SELF")},
		{"D4 failed record", of(failed, in{"itemId": s.items["MAIN"], "values": "1"})},
		{"D4 action closed", attempt{model: "q_ncr", id: action, values: in{"status": "REVIEWED"}}},
		{"D5 refused sheet accepted", attempt{model: "q_hidden", id: refusedSheet, values: in{"accepted": true}, flow: "q_hidden"}},
		{"D5 binding without workflow", bound(hidden[p.lots[3]], in{"workflowCode": nil})},
		{"D5 other auditors", bound(hidden[p.lots[3]], in{"auditRole": []string{"R_CQC"}})},
		{"D6 item of the library", attempt{model: "q_check_item", id: s.items["MAIN"], values: in{"devHigh": "1000"}}},
		{"D6 due set", attempt{model: "q_due_set", id: p.set, values: in{"items": []in{}}}},
		{"D6 difference", make("q_due_change", in{"qbsId": p.item, "what": "ITEM", "effect": "LEAVE_OUT", "itemId": s.items["MAIN"], "reason": "x"}, "")},
		{"D7 lot without contract", node(p.lots[1], in{"contractId": nil})},
		{"D7 unit without contract", node(p.unit, in{"contractId": nil})},
		{"D7 kind of work", node(p.item, in{"dueSetId": nil})},
		{"D9 failed lot moved", node(p.lots[1], in{"parentId": easy})},
		{"D9 level", node(p.lots[1], in{"nodeType": "ITEM"})},
		{"D9 verdict", node(p.lots[1], in{"evalStatus": "QUALIFIED"})},
		{"D10 test by the contractor", next(p.lots[3], "TEST")},
		{"D10 kind of a draft", drafted(in{"recordKind": "TEST"})},
		{"D10 check of the supervisor", next(p.lots[3], "SUP")},
		{"D10 sheet of tests", make("q_doccheck", in{"bizId": test, "qbsId": p.unit, "items": []in{{"document": "x"}}}, "q_doccheck")},
		{"D10 hold point", make("q_consent", in{"qbsId": p.lots[3], "dueCode": "POUR"}, "")},
		{"D10 inspector of another party", drafted(in{"inspector": p.supervisor.UserID})},
		{"D11 order", attempt{model: "q_jbs", id: second, values: in{"prevIds": []string{}}, method: "PUT", route: "/jbs/edit"}},
		{"D11 pouring before the hold point", make("q_work", in{"bizId": own, "qbsId": p.lots[3], "content": "x"}, "")},
		{"D11 inspection in 2031", drafted(in{"checkDate": "2031-01-01"})},
		{"log", make("q_log", in{"objectType": "q_qbs", "objectId": p.lots[1], "qbsId": p.lots[1], "action": "concession"}, "")},
	}
	verdicts := func() (out []string) {
		s.do(s.owner, func(ctx context.Context, w world.World) {
			for _, id := range append([]string{p.unit, easy}, p.lots...) {
				found, err := w.Get(ctx, "q_qbs", id)
				require.NoError(t, err)
				n := found.Values
				if n["evalStatus"] == "NONE" { // what has begun is not qualified either
					n["evalStatus"] = "PENDING"
				}
				out = append(out, fmt.Sprint(n["name"], " ", n["evalStatus"], " ", n["ncrOpen"], " ", n["contractId"], " ", n["dueSetId"]))
			}
		})
		return out
	}
	var table strings.Builder
	before := verdicts()
	for _, a := range list {
		fmt.Fprintf(&table, "%s:", a.name)
		for _, c := range channels {
			one := a.attempt
			if a.fresh != nil {
				one = a.fresh()
				before = verdicts()
			}
			fmt.Fprintf(&table, " %s %s;", c.name, outcome(c.do(s, builder, one)))
			if now := verdicts(); !slices.Equal(now, before) {
				t.Errorf("%s by %s: the verdicts were\n%s\nand are\n%s", a.name, c.name, strings.Join(before, "\n"), strings.Join(now, "\n"))
				before = now
			}
		}
		table.WriteString("\n")
	}
	const file = "testdata/channels.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(table.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), table.String())
}
