package quality_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
)

// paper is the text of a record as a template prints it.
func (s *site) paper(template, model, id string) string {
	s.t.Helper()
	printed, err := s.Prints().Lay(s.t.Context(), s.View(s.owner), printing.Request{PrintRequest: query.PrintRequest{SchemaCode: model, ObjectIDs: []string{id}}, Template: template})
	require.NoError(s.t, err, told(err))
	require.Equal(s.t, []string{id}, printed.Records, template)
	var out strings.Builder
	for _, page := range printed.Pages {
		for _, mark := range page.Marks {
			if text, ok := mark.(layout.TextMark); ok {
				out.WriteString(text.Text + "\n")
			}
		}
	}
	return out.String()
}

// papers prints Q01 to Q09: each has the values of its record, rates with one decimal.
func papers(t *testing.T, s *site) {
	n := s.small()
	_, err := s.inspect(s.owner, n.item, "GEN", "1;2;3;4;5;6;7;11;12") // 7 of 9
	require.NoError(t, err, told(err))
	ids := map[string]string{}
	s.do(s.owner, func(ctx context.Context, w world.World) {
		at := func(more in) in {
			out := in{"qbsId": n.item, "workDate": "2026-03-04", "part": "底板 3 段"}
			for code, v := range more {
				out[code] = v
			}
			return out
		}
		for model, values := range map[string]in{
			"q_hidden":     at(in{"content": "主筋间距 200", "drawingNo": "S-07", "accepted": true}),
			"q_setout":     at(in{"instrument": "全站仪", "points": []in{{"point": "P1", "designX": "100", "measuredX": "100.004"}}}),
			"q_doccheck":   at(in{"complete": true, "items": []in{{"document": "水泥合格证", "due": "3", "found": "2"}}}),
			"q_appearance": at(in{"items": []in{{"item": "表面", "full": "10", "score": "9"}, {"item": "棱角", "full": "5", "score": "4"}}}),
		} {
			ids[model] = s.make(ctx, w, model, values)
		}
		s.make(ctx, w, "q_due_change", in{"qbsId": n.item, "what": "ITEM", "effect": "CHANGE", "itemId": s.items["GEN"], "devHigh": "12", "reason": "设计变更单 3"})
		for template, node := range map[string]string{"q02": n.item, "q03": n.division, "q04": n.unit} {
			ids[template] = s.make(ctx, w, "q_eval", in{"qbsId": node, "workDate": "2026-03-05", "opinionText": "自评 " + template})
		}
		for model, equal := range map[string]map[string]any{"q_record": {"qbsId": n.item}, "q_ncr": {"qbsId": n.item}} {
			found, err := w.Find(ctx, model, equal, 1)
			require.NoError(t, err)
			ids[model] = found[0]
		}
	})
	for template, one := range map[string]struct {
		model, id string
		has       []string
	}{
		"q01": {"q_record", ids["q_record"], []string{"有检查要求与标准不同", "检验批质量检验记录", "表面平整度", "1;2;3;4;5;6;7;11;12", "77.8%", "不合格", "±10", "JTS 257-2008"}},
		"q02": {"q_eval", ids["q02"], []string{"分项工程", "底板", "2026-03-05", "自评 q02", "77.8%", "变更 1 项"}},
		"q03": {"q_eval", ids["q03"], []string{"分部工程", "底板", "闸墙", "自评 q03", "77.8%"}},
		"q04": {"q_eval", ids["q04"], []string{"单位工程", "分部", "自评 q04", "77.8%"}},
		"q05": {"q_hidden", ids["q_hidden"], []string{"隐蔽工程验收记录", "主筋间距 200", "S-07", "2026-03-04"}},
		"q06": {"q_setout", ids["q_setout"], []string{"施工放样报验单", "全站仪", "P1", "100.0040", "4.0"}},
		"q07": {"q_doccheck", ids["q_doccheck"], []string{"质量保证资料核查表", "水泥合格证", "底板 3 段"}},
		"q08": {"q_appearance", ids["q_appearance"], []string{"观感质量评定表", "表面", "棱角", "86.7%"}},
		"q09": {"q_ncr", ids["q_ncr"], []string{"整改通知", "底板 · 表面平整度 7/9", "待整改"}},
	} {
		text := s.paper(template, one.model, one.id)
		joined := strings.ReplaceAll(text, "\n", "")
		for _, part := range append(one.has, s.key) {
			require.Contains(t, joined, part, template)
		}
		require.NotRegexp(t, `\d\.\d{2,}%`, text, template)
		s.asSpreadsheet(template, one.model, one.id, one.has)
	}
}

// asSpreadsheet checks that a template gives the same texts as a spreadsheet, and sums that spreadsheets compute.
func (s *site) asSpreadsheet(template, model, id string, has []string) {
	s.t.Helper()
	printed, err := s.Prints().Lay(s.t.Context(), s.View(s.owner), printing.Request{PrintRequest: query.PrintRequest{SchemaCode: model, ObjectIDs: []string{id}}, Template: template, Sheets: true})
	require.NoError(s.t, err, told(err))
	var file bytes.Buffer
	require.NoError(s.t, printed.WriteXLSX(&file, "zh", "a"))
	text := unpacked(s.t, file.Bytes())
	for _, part := range has {
		if strings.Trim(part, "0123456789.%-") != "" { // numbers and dates are numbers there
			require.Contains(s.t, text, part, template)
		}
	}
	sums := map[string]int{"q01": 2, "q03": 2, "q04": 2, "q07": 2, "q08": 2}
	require.GreaterOrEqual(s.t, strings.Count(text, "SUBTOTAL(9,"), sums[template], template)
}

// fitting: a sheet of divisional works is offered the print of divisional works, and printed by it where nobody chooses.
func fitting(t *testing.T, s *site) {
	var ids []string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		unit := s.node(ctx, w, "", "UNIT", "闸室")
		for _, node := range []string{unit, s.node(ctx, w, unit, "DIVISION", "主体")} {
			ids = append(ids, s.make(ctx, w, "q_eval", in{"qbsId": node, "workDate": "2026-03-05"}))
		}
	})
	offered := func(ids ...string) (codes []string) {
		got, err := s.Prints().Attributes(t.Context(), s.View(s.owner), printing.Wanted{SchemaCode: "q_eval", ObjectIDs: ids})
		require.NoError(t, err)
		for _, one := range got.Templates {
			codes = append(codes, one.Code)
		}
		return codes
	}
	require.Equal(t, []string{"q02", "q03", "q04"}, offered())
	require.Equal(t, []string{"q04"}, offered(ids[0]))
	require.Equal(t, []string{"q03"}, offered(ids[1]))
	require.Equal(t, []string{"q03", "q04"}, offered(ids...))
	require.Contains(t, s.paper("", "q_eval", ids[0]), "单位工程")
}

// logged: the log of a node tells of its records and sheets too; the work begins on the day that its sheets say, and a corrective action speaks one language.
func logged(t *testing.T, s *site) {
	n := s.small()
	var sheet, second string
	s.do(s.owner, func(ctx context.Context, w world.World) {
		for _, at := range []string{"2026-03-07", "2026-03-02"} {
			b := s.make(ctx, w, "q_biz", in{"ownerType": "QBS", "qbsId": n.item, "schemaCode": "q_work", "multi": true})
			sheet = s.make(ctx, w, "q_work", in{"bizId": b, "qbsId": n.item, "workDate": at, "content": "浇筑"})
		}
		require.NoError(t, edit(ctx, w, "q_work", sheet, in{"content": "养护"}))
		second = s.make(ctx, w, "q_record", in{"qbsId": n.item, "checkDate": "2026-03-09", "items": []in{{"itemId": s.items["MAIN"], "values": "99"}}})
	})
	node := s.get(s.owner, "q_qbs", n.item)
	require.Equal(t, []any{"2026-03-02", "DONE"}, []any{node["actStart"], node["workStatus"]})
	require.Equal(t, "2026-03-07", node["actFinish"], "of the sheet that finished it")
	require.Equal(t, "2026-03-02", s.get(s.owner, "q_qbs", n.unit)["actStart"])

	var log struct {
		Content []struct{ Action, ObjectType, After string }
	}
	s.must(s.owner, "GET", v2+"/qbs/log", in{"qbsId": n.item}, &log)
	var told []string
	for _, one := range log.Content {
		told = append(told, one.Action+" "+one.ObjectType)
		require.NotContains(t, one.After, `"rules"`)
	}
	for _, one := range []string{"add q_record", "add q_work", "edit q_work", "add q_biz", "add q_qbs"} {
		require.Contains(t, told, one)
	}
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_ncr", in{"recordId": second}, 1)
		require.NoError(t, err)
		action, err := w.Get(ctx, "q_ncr", found[0])
		require.NoError(t, err)
		require.Equal(t, "底板 · 顶面高程 0/1", action.Values["description"], "names and figures, of no language")
	})

	// A record that is added to a list of a kind is of that kind.
	for list, model := range map[string]string{"q_ncr_safety": "q_ncr", "q_group_safety": "q_group", "q_check_item_safety": "q_check_item", "q_ncr": "q_ncr"} {
		load, err := s.Reader().FormLoad(t.Context(), s.View(s.owner), query.FormRequest{SchemaCode: model, QueryCode: list})
		require.NoError(t, err)
		require.Equal(t, strings.HasSuffix(list, "_safety"), strings.Contains(string(load.Data), `"SAFETY"`), list)
	}

	// Trees of a part, and of a level alone, are those of the whole.
	var all, some []*quality.TreeNode
	shape := func(list []*quality.TreeNode) (out []string) {
		for _, one := range list {
			out = append(out, one.Title+" "+strconv.Itoa(one.Level)+" "+strconv.FormatBool(one.Leaf))
		}
		return out
	}
	s.must(s.owner, "GET", v2+"/qbs/treeList", in{"projectKey": s.key, "nodeType": "ITEM", "withStatus": true}, &all)
	require.Equal(t, []string{"底板 3 true", "闸墙 3 true"}, shape(all))
	require.Equal(t, "REWORK", strings.Replace(all[0].Status.Eval, "UNQUALIFIED", "REWORK", 1))
	s.must(s.owner, "GET", v2+"/qbs/treeList", in{"projectKey": s.key, "nodeType": "DIVISION"}, &some)
	require.Equal(t, []string{"分部 2 false"}, shape(some))
	s.must(s.owner, "GET", v2+"/qbs/treeList", in{"projectKey": s.key, "nodeType": "ITEM", "parentId": n.division}, &some)
	require.Equal(t, []string{"底板 2 true", "闸墙 2 true"}, shape(some))
	var tree []*quality.TreeNode
	s.must(s.owner, "GET", check+"/evaluation/tree", in{"rootId": n.division, "depth": 1}, &tree)
	require.Equal(t, []string{"分部 1 false"}, shape(tree))
	require.Empty(t, tree[0].Children)
	tree = nil
	s.must(s.owner, "GET", check+"/evaluation/tree", in{"rootId": n.unit, "depth": 2}, &tree)
	require.Equal(t, []string{"分部 2 false"}, shape(tree[0].Children))
	require.Empty(t, tree[0].Children[0].Children)

	// What was begun and finished in a period, by month, by sheet and by contractor.
	handled := func(query in) (out []quality.Handled) {
		query["projectKey"] = s.key
		require.NoError(t, json.Unmarshal([]byte(s.must(s.owner, "GET", v2+"/analyse/biz/handle", query, nil)), &out))
		return out
	}
	bySheet := handled(in{"groupBy": "sheet"})
	require.Len(t, bySheet, 1)
	require.Equal(t, []any{"q_work", "施工记录", int64(2), int64(2), int64(0)}, []any{bySheet[0].Key, bySheet[0].Name, bySheet[0].Started, bySheet[0].Finished, bySheet[0].Overdue})
	require.Len(t, handled(in{"groupBy": "month"}), 1)
	require.Empty(t, handled(in{"groupBy": "month", "to": "2020-01-01"}))
	s.do(s.owner, func(ctx context.Context, w world.World) {
		require.NoError(t, edit(ctx, w, "q_qbs", n.other, in{"planFinish": "2020-01-01", "stationFrom": "K-0+100", "stationTo": "K0+050"}))
		b := s.make(ctx, w, "q_biz", in{"ownerType": "QBS", "qbsId": n.other, "schemaCode": "q_setout", "workflowCode": "q_setout"})
		s.make(ctx, w, "q_setout", in{"bizId": b, "qbsId": n.other, "workDate": "2026-03-02"})
	})
	for _, one := range handled(in{"groupBy": "sheet"}) {
		if one.Key == "q_setout" {
			require.Equal(t, []int{1, 0, 1}, []int{int(one.Started), int(one.Finished), int(one.Overdue)}, "a draft after the planned finish")
		}
	}
	refused(t, s.Do(s.owner, func(ctx context.Context, w world.World) error {
		return edit(ctx, w, "q_qbs", n.other, in{"stationFrom": "K0+051"})
	}), quality.StationOrder)
}
